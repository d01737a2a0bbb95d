//! Delays that start from what the status deserves: `min(base · 2^k + U(0, 0.1 s), 30 s)`.

use std::time::Duration;

use stormless::{
    Classification, Policy, StopReason, report, retry,
    testing::{Jitter, isolated, jitter},
};

const BASES: Policy = Policy::with_status_bases();

/// A status, and what the response to it asks for; the status 0 is a network that failed.
#[derive(Debug, PartialEq, Eq)]
struct Answered(u16, Duration);

fn classify(answered: &Answered) -> Classification {
    match answered.0 {
        0 => Classification::transient(),
        status => Classification::from_status_with_base(status).retry_after(answered.1),
    }
}

#[retry(policy = BASES, attempts = 10, classify = classify, budget = none, idempotent)]
async fn call(status: u16, wait: Duration) -> Result<(), Answered> {
    Err(Answered(status, wait))
}

/// The delays of a call that is always answered so, in milliseconds.
async fn delays(status: u16, wait: Duration, draws: Jitter) -> (Vec<u128>, Option<StopReason>) {
    let (result, calls) = isolated(report(async {
        jitter(draws);
        call(status, wait).await
    }))
    .await;
    assert_eq!(result, Err(Answered(status, wait)));
    (calls[0].delays().map(|delay| delay.as_millis()).collect(), calls[0].reason())
}

#[tokio::test(start_paused = true)]
async fn each_status_starts_from_its_base_and_all_end_at_thirty_seconds() {
    let too_many = [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600];
    let late = [300, 600, 1200, 2400, 4800, 9600, 19_200, 30_000, 30_000];
    let down = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000];
    for (status, steps) in
        [(429, too_many), (504, late), (503, down), (500, too_many), (408, too_many), (0, too_many)]
    {
        let ended = Some(StopReason::AttemptsExhausted);
        let lowest = delays(status, Duration::ZERO, Jitter::Lowest).await;
        assert_eq!(lowest, (steps.to_vec(), ended), "{status}");
        let with_jitter = steps.map(|step| (step + 100).min(30_000));
        let highest = delays(status, Duration::ZERO, Jitter::Highest).await;
        assert_eq!(highest, (with_jitter.to_vec(), ended), "{status}");
        for seed in 0..20 {
            let (drawn, _) = delays(status, Duration::ZERO, Jitter::Seeded(seed)).await;
            let within = drawn
                .iter()
                .zip(steps)
                .all(|(&delay, step)| (step..=(step + 100).min(30_000)).contains(&delay));
            assert!(within && drawn.len() == 9, "{status} {seed}: {drawn:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_asks_for_is_a_floor() {
    let wait = Duration::from_secs(2);
    // The jitter after a hint is as wide as the backoff would have been, or a quarter of the hint.
    let (least, _) = delays(503, wait, Jitter::Lowest).await;
    assert_eq!(least, [2000; 9]);
    let (most, _) = delays(503, wait, Jitter::Highest).await;
    assert_eq!(most[..4], [2600, 3100, 4100, 6100]);
    let (too_long, reason) = delays(429, Duration::from_secs(31), Jitter::Lowest).await;
    assert_eq!((too_long.len(), reason), (0, Some(StopReason::RetryAfterTooLong)));
}

#[tokio::test(start_paused = true)]
async fn what_a_repeat_cannot_change_is_not_repeated() {
    for status in [400, 401, 403, 404, 409, 410, 413, 422, 501, 505] {
        let (none, reason) = delays(status, Duration::ZERO, Jitter::Random).await;
        assert_eq!((none.len(), reason), (0, Some(StopReason::Permanent)), "{status}");
    }
}

#[test]
fn a_base_changes_nothing_else_about_a_status() {
    for code in 0..=999 {
        let (with, without) =
            (Classification::from_status_with_base(code), Classification::from_status(code));
        let facts = |class: Classification| (class.kind(), class.execution(), class.hint());
        assert_eq!(facts(with), facts(without), "{code}");
    }
    assert_eq!(BASES.check(), Ok(()));
}
