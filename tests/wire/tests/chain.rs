//! Client → A → B → C, each with three attempts.

use std::time::Duration;

use stormless::{CallReport, StopReason, report, retry};
use wire::{CallError, Chain, LEFT, Mode, Wiring};

/// Far more than anything here takes; what hangs fails, instead of hanging for ever.
const PATIENCE: Duration = Duration::from_secs(60);

async fn patiently<F: Future>(future: F) -> F::Output {
    tokio::time::timeout(PATIENCE, future).await.expect("somebody went on past the deadline")
}

#[retry(attempts = 3, base = "1ms", max = "2ms", budget = none)]
async fn fetch(chain: &Chain) -> Result<(), CallError> {
    chain.ask().await
}

// R117
#[tokio::test]
async fn three_services_of_three_attempts_make_three_calls() {
    let chain = Chain::start(Wiring::Wired, Mode::Fails).await;
    assert_eq!(patiently(fetch(&chain)).await, Err(CallError::Unavailable));
    // A and B say more of what they send.
    for (service, more) in [("a", ""), ("b", ";idempotent"), ("c", ";idempotent")] {
        let headers: Vec<_> = chain.log.of(service).into_iter().map(|hop| hop.header).collect();
        let told = [1, 2, 3].map(|attempt| Some(format!("{attempt};max=3{more}")));
        assert_eq!(headers, told, "{service}");
    }
    for function in ["call_b", "call_c", "read_store"] {
        let reports = chain.log.reports(function);
        let reasons: Vec<_> = reports.iter().map(CallReport::reason).collect();
        assert_eq!(reasons, [Some(StopReason::Nested); 3], "{function}");
    }
}

#[tokio::test]
async fn without_a_word_to_each_other_they_make_twenty_seven() {
    let chain = Chain::start(Wiring::Bare, Mode::Fails).await;
    assert_eq!(patiently(fetch(&chain)).await, Err(CallError::Unavailable));
    let calls = ["a", "b", "c"].map(|service| chain.log.of(service).len());
    assert_eq!(calls, [3, 9, 27]);
    assert_eq!(chain.log.reports("read_store").len(), 27);
}

// Waits for longer than there is left when the services behind have used up their time, which is rounded
// down from hop to hop.
#[retry(attempts = 3, backoff = "fixed", base = "200ms", deadline = "500ms", budget = none)]
async fn fetch_in_time(chain: &Chain) -> Result<(), CallError> {
    chain.ask().await
}

#[tokio::test]
async fn a_deadline_is_seen_at_the_last_service_shrunk_and_nobody_goes_on_past_it() {
    let limit = Duration::from_millis(500);
    let mut chain = Chain::start(Wiring::Wired, Mode::Hangs).await;
    // A machine that is busy elsewhere may use up the time before the request has come through.
    for _ in 0..20 {
        let (result, reports) = report(patiently(fetch_in_time(&chain))).await;
        assert!(result.is_err());
        assert_out_of_time(&reports, &AT_CLIENT);
        // Nobody hangs up on A and B: they end by themselves.
        patiently(chain.log.quiet()).await;
        if !chain.log.of("c").is_empty() {
            break;
        }
        chain = Chain::start(Wiring::Wired, Mode::Hangs).await;
    }
    let left = ["a", "b", "c"].map(|service| {
        let hops = chain.log.of(service);
        assert_eq!(hops.len(), 1, "{service}");
        let said = hops[0].facts.and_then(|facts| facts.remaining());
        assert!(said.is_some_and(|said| said <= limit), "{service} would say {said:?}");
        hops[0].left.expect("it knows the deadline")
    });
    assert!(limit > left[0] && left[0] > left[1] && left[1] > left[2], "{left:?}");
    for function in ["call_b", "call_c"] {
        assert_out_of_time(&chain.log.reports(function), &INSIDE);
    }
}

// What C leaves is less than the wait, however late the answer is cut.
#[retry(
    attempts = 3,
    backoff = "fixed",
    base = "700ms",
    deadline = "1500ms",
    budget = none,
    idempotent
)]
async fn fetch_with_time_left(chain: &Chain) -> Result<(), CallError> {
    chain.ask().await
}

/// Tells what the calls of A and B ended in, once the whole has ended in time.
async fn cut_in_time(mode: Mode) -> [Vec<CallReport>; 2] {
    assert!(LEFT < Duration::from_millis(700), "a wait that would fit");
    // On a machine that is busy elsewhere, the end of the answer may come through too late.
    for _ in 0..20 {
        let chain = Chain::start(Wiring::Wired, mode).await;
        let (result, reports) = report(patiently(fetch_with_time_left(&chain))).await;
        patiently(chain.log.quiet()).await;
        assert_out_of_time(&reports, &AT_CLIENT);
        let behind = ["call_b", "call_c"].map(|function| chain.log.reports(function));
        for reports in &behind {
            assert!(reports.iter().all(|report| report.slept() == Duration::ZERO), "{reports:?}");
        }
        let late = |report: &CallReport| report.reason() == Some(StopReason::DeadlineExceeded);
        if !reports.iter().chain(behind.iter().flatten()).any(late) {
            // Its attempt ended by itself: the deadline had not passed.
            assert_eq!(result, Err(CallError::Unavailable));
            assert_eq!(chain.log.of("c").len(), 1);
            assert_out_of_time(&reports, &[StopReason::DeadlineTooClose]);
            // B's class of it: `idempotent` is what lets it be repeated.
            assert_eq!(behind[1][0].failures()[0].label(), "Cut");
            return behind;
        }
    }
    panic!("twenty times too late");
}

// R039
#[tokio::test]
async fn a_connection_that_drops_makes_nobody_sleep_past_the_deadline() {
    for reports in cut_in_time(Mode::Drops).await {
        assert_out_of_time(&reports, &[StopReason::Nested]);
    }
}

// R039
#[tokio::test]
async fn half_an_answer_makes_nobody_sleep_past_the_deadline() {
    for reports in cut_in_time(Mode::Halves).await {
        assert_out_of_time(&reports, &[StopReason::Nested]);
    }
}

/// The service behind may say first that the time is over.
const AT_CLIENT: [StopReason; 2] = [StopReason::DeadlineExceeded, StopReason::DeadlineTooClose];
const INSIDE: [StopReason; 2] = [StopReason::DeadlineExceeded, StopReason::Nested];

/// One call, which made one attempt and did not wait for another.
fn assert_out_of_time(reports: &[CallReport], reasons: &[StopReason]) {
    let [report] = reports else { panic!("{reports:?}") };
    assert_eq!((report.attempts(), report.slept()), (1, Duration::ZERO), "{report}");
    assert!(report.reason().is_some_and(|reason| reasons.contains(&reason)), "{report}");
}
