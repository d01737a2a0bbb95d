//! Each setting of the attribute does what it says.

use std::{
    cell::{Cell, RefCell},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use stormless::{
    AttemptTimeout, Backoff, BackoffContext, Budget, Classification, Cut, DeadlineExceeded, Policy,
    RetryError, RetryEvent, Retryable, StopReason, budget, report, retry,
};
use tokio::time::{Instant, sleep};

#[derive(Debug, Clone, PartialEq)]
enum Failed {
    Transient,
    MaybeExecuted,
    Permanent,
    Cut(Cut),
}

impl Retryable for Failed {
    fn classify(&self) -> Classification {
        match self {
            Self::Transient => Classification::transient(),
            Self::MaybeExecuted => Classification::transient().maybe_executed(),
            Self::Permanent => Classification::permanent(),
            Self::Cut(cut) => cut.classify(),
        }
    }
}

impl From<AttemptTimeout> for Failed {
    fn from(cut: AttemptTimeout) -> Self {
        Self::Cut(cut.into())
    }
}

impl From<DeadlineExceeded> for Failed {
    fn from(cut: DeadlineExceeded) -> Self {
        Self::Cut(cut.into())
    }
}

use Failed::{MaybeExecuted, Permanent, Transient};

/// How often a body ran.
#[derive(Default)]
struct Runs(Cell<u32>);

impl Runs {
    fn fail<T>(&self, error: Failed) -> Result<T, Failed> {
        self.0.set(self.0.get() + 1);
        Err(error)
    }

    fn take(&self) -> u32 {
        self.0.take()
    }
}

mod the_number_of_attempts {
    use super::*;

    const FOUR: u32 = 4;

    #[retry(attempts = 2)]
    async fn literal(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(attempts = FOUR)]
    async fn constant(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(attempts = N)]
    async fn parameter<const N: u32>(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    struct Caller<T>(T);

    trait Limits {
        const TRIES: u32;
    }

    impl Limits for u8 {
        const TRIES: u32 = 2;
    }

    impl Limits for u16 {
        const TRIES: u32 = 5;
    }

    impl<T: Limits> Caller<T> {
        #[retry(attempts = T::TRIES)]
        async fn of_the_impl(&self, runs: &Runs) -> Result<(), Failed> {
            let _ = &self.0;
            runs.fail(Transient)
        }
    }

    #[retry(attempts = "unlimited", deadline = "1h", budget = none, inner = "allow")]
    async fn unlimited(runs: &Runs) -> Result<(), Failed> {
        let error = if runs.0.get() == 20 { Permanent } else { Transient };
        runs.fail(error)
    }

    #[tokio::test(start_paused = true)]
    async fn is_the_one_that_was_given() {
        let runs = Runs::default();
        literal(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 2);
        constant(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 4);
        parameter::<1>(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 1);
        parameter::<6>(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 6);
        Caller(0_u8).of_the_impl(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 2);
        Caller(0_u16).of_the_impl(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 5);
    }

    // R003
    #[tokio::test(start_paused = true)]
    async fn unlimited_lifts_the_count_and_nothing_else() {
        let runs = Runs::default();
        assert_eq!(unlimited(&runs).await, Err(Permanent));
        assert_eq!(runs.take(), 21);
    }
}

mod delays {
    use super::*;

    fn by_number(context: &BackoffContext<'_>) -> Duration {
        Duration::from_secs(u64::from(context.retry()))
    }

    const FIXED: Backoff = Backoff::Fixed;
    const SECOND: Duration = Duration::from_secs(1);

    #[retry(backoff = "fixed", base = "2s")]
    async fn fixed(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(backoff = FIXED, base = SECOND, max = SECOND)]
    async fn constants(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(backoff = "exponential", base = "1s", factor = 3, attempts = 4)]
    async fn exponential(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(backoff = by_number, attempts = 3)]
    async fn own(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(backoff = "none")]
    async fn none(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[tokio::test(start_paused = true)]
    async fn follow_the_strategy() {
        let runs = Runs::default();
        let start = Instant::now();
        fixed(&runs).await.unwrap_err();
        assert_eq!(start.elapsed().as_secs(), 4);
        let start = Instant::now();
        constants(&runs).await.unwrap_err();
        assert_eq!(start.elapsed().as_secs(), 2);
        let start = Instant::now();
        exponential(&runs).await.unwrap_err();
        assert_eq!(start.elapsed().as_secs(), 1 + 3 + 9);
        runs.take();
        let (result, reports) = report(own(&runs)).await;
        result.unwrap_err();
        assert_eq!(runs.take(), 3);
        assert!(reports[0].slept() >= Duration::from_secs(1), "{reports:?}");
        let start = Instant::now();
        none(&runs).await.unwrap_err();
        assert_eq!((runs.take(), start.elapsed()), (3, Duration::ZERO));
    }
}

mod budgets {
    use super::*;

    budget! { static TIGHT: Budget = Budget::new("attribute-settings-tight").burst(1).ratio(0.0); }

    #[retry(budget = TIGHT, attempts = 5)]
    async fn by_path(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(budget = "attribute-settings-tight", attempts = 5)]
    async fn by_name(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(budget = none, attempts = 30, backoff = "none")]
    async fn off(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    struct Client {
        budget: &'static Budget,
    }

    impl Client {
        #[retry(budget = self.budget, attempts = 5)]
        async fn by_expression(&self, runs: &Runs) -> Result<(), Failed> {
            runs.fail(Transient)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn path_name_and_expression_find_the_same_one() {
        let runs = Runs::default();
        by_path(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 2, "one retry was in the bucket");
        by_name(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 1, "and now it is empty");
        Client { budget: &TIGHT }.by_expression(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 1);
        off(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 30);
    }
}

mod cuts {
    use super::*;

    #[retry(deadline = "2s")]
    async fn deadline(runs: &Runs) -> Result<(), Failed> {
        sleep(Duration::from_secs(5)).await;
        runs.fail(Transient)
    }

    #[retry(deadline = "2s", uncut)]
    async fn uncut(runs: &Runs) -> Result<(), Failed> {
        sleep(Duration::from_secs(5)).await;
        runs.fail(Transient)
    }

    #[retry(deadline = left)]
    async fn given(left: Option<Duration>, runs: &Runs) -> Result<(), Failed> {
        sleep(Duration::from_secs(5)).await;
        runs.fail(Permanent)
    }

    #[retry(attempt_timeout = "1s", attempts = 2, idempotent)]
    async fn timeout(runs: &Runs) -> Result<(), Failed> {
        runs.0.set(runs.0.get() + 1);
        sleep(Duration::from_secs(5)).await;
        Ok(())
    }

    #[retry(deadline = "2s", cut_error = |cut| format!("{cut}"), classify = |_| Classification::transient())]
    async fn told(runs: &Runs) -> Result<(), String> {
        runs.0.set(1);
        sleep(Duration::from_secs(5)).await;
        Ok(())
    }

    #[retry(deadline = Duration::MAX, attempt_timeout = Duration::MAX)]
    async fn endless(runs: &Runs) -> Result<(), Failed> {
        if runs.0.get() == 2 { Ok(()) } else { runs.fail(Transient) }
    }

    // R036
    #[tokio::test(start_paused = true)]
    async fn a_deadline_cuts_the_attempt_unless_uncut() {
        let runs = Runs::default();
        let start = Instant::now();
        let (result, reports) = report(deadline(&runs)).await;
        assert_eq!(result, Err(DeadlineExceeded::new().into()));
        assert_eq!((runs.take(), start.elapsed().as_secs()), (0, 2));
        assert_eq!(reports[0].reason(), Some(StopReason::DeadlineExceeded));

        let start = Instant::now();
        let (result, reports) = report(uncut(&runs)).await;
        assert_eq!(result, Err(Transient));
        assert_eq!((runs.take(), start.elapsed().as_secs()), (1, 5));
        assert_eq!(reports[0].reason(), Some(StopReason::DeadlineExceeded));
    }

    #[tokio::test(start_paused = true)]
    async fn cuts_come_back_as_the_type_says() {
        let runs = Runs::default();
        let second = Duration::from_secs(1);
        assert_eq!(given(Some(second), &runs).await, Err(DeadlineExceeded::new().into()));
        assert_eq!(given(None, &runs).await, Err(Permanent));
        runs.take();
        assert_eq!(timeout(&runs).await, Err(AttemptTimeout::new().into()));
        assert_eq!(runs.take(), 2);
        assert_eq!(told(&runs).await, Err("the deadline passed".to_owned()));
    }

    // R019
    #[tokio::test(start_paused = true)]
    async fn the_longest_durations_mean_never() {
        let runs = Runs::default();
        assert_eq!(endless(&runs).await, Ok(()));
        assert_eq!(runs.take(), 2);
    }
}

mod wrapped_errors {
    use super::*;

    fn fail(runs: &Runs) -> Result<u8, Failed> {
        runs.fail(Transient)
    }

    #[retry]
    async fn wrapped(runs: &Runs) -> Result<u8, RetryError<Failed>> {
        let value = fail(runs)?;
        Ok(value + 1)
    }

    #[retry(attempts = 1, deadline = "1s")]
    async fn single(runs: &Runs) -> Result<u8, stormless::RetryError<Failed>> {
        runs.0.set(1);
        sleep(Duration::from_secs(2)).await;
        Ok(3)
    }

    #[retry]
    async fn fine() -> Result<u8, RetryError<Failed>> {
        Ok(7)
    }

    #[tokio::test(start_paused = true)]
    async fn tell_how_the_call_ended() {
        let runs = Runs::default();
        let error = wrapped(&runs).await.unwrap_err();
        assert_eq!((error.attempts(), error.reason()), (3, StopReason::AttemptsExhausted));
        assert_eq!(error.into_inner(), Some(Transient));
        let error = single(&runs).await.unwrap_err();
        assert_eq!((error.attempts(), error.reason()), (1, StopReason::DeadlineExceeded));
        assert_eq!(error.get_ref(), None);
        assert_eq!(fine().await.unwrap(), 7);
    }
}

mod classifiers_and_hooks {
    use super::*;

    fn all_transient(_: &String) -> Classification {
        Classification::transient()
    }

    #[retry(classify = all_transient)]
    async fn by_path(runs: &Runs) -> Result<(), String> {
        runs.0.set(runs.0.get() + 1);
        Err("again".to_owned())
    }

    #[retry(classify = |error| if error.is_empty() { Classification::permanent() } else { Classification::transient() })]
    async fn by_closure(runs: &Runs, error: &str) -> Result<(), String> {
        runs.0.set(runs.0.get() + 1);
        Err(error.to_owned())
    }

    #[retry(classify_result = |result| match result {
        Ok(status) if *status >= 500 => Some(Classification::transient()),
        _ => None,
    })]
    async fn by_result(runs: &Runs) -> Result<u16, Failed> {
        runs.0.set(runs.0.get() + 1);
        Ok(503)
    }

    #[retry(on_retry = |event: &RetryEvent<'_, Failed>| seen.borrow_mut().push(event.attempt()))]
    async fn hooked(seen: &RefCell<Vec<u32>>) -> Result<(), Failed> {
        let number = stormless::current().unwrap().number();
        assert_eq!(u32::try_from(seen.borrow().len()), Ok(number - 1));
        Err(Transient)
    }

    #[tokio::test(start_paused = true)]
    async fn are_asked_for_each_failure() {
        let runs = Runs::default();
        by_path(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 3);
        by_closure(&runs, "").await.unwrap_err();
        assert_eq!(runs.take(), 1);
        by_closure(&runs, "again").await.unwrap_err();
        assert_eq!(runs.take(), 3);
        assert_eq!(by_result(&runs).await, Ok(503));
        assert_eq!(runs.take(), 3);
        let seen = RefCell::new(Vec::new());
        hooked(&seen).await.unwrap_err();
        assert_eq!(seen.into_inner(), [1, 2]);
    }
}

mod policies {
    use super::*;

    const SHARED: Policy = Policy::new().attempts(4).backoff(Backoff::None);
    static STATIC: Policy = Policy::new().attempts(5).backoff(Backoff::None);

    struct Client {
        policy: Policy,
        harmless: bool,
    }

    impl Client {
        #[retry(policy = self.policy)]
        async fn own(&self, runs: &Runs) -> Result<(), Failed> {
            runs.fail(Transient)
        }

        #[retry(policy = &self.policy, attempts = 2)]
        async fn overridden(&mut self, runs: &Runs) -> Result<(), Failed> {
            runs.fail(Transient)
        }

        #[retry(idempotent = self.harmless)]
        async fn harmless(&self, runs: &Runs) -> Result<(), Failed> {
            runs.fail(MaybeExecuted)
        }
    }

    #[retry(policy = SHARED)]
    async fn shared(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(policy = self::STATIC, attempts = 3)]
    async fn of_static(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[tokio::test(start_paused = true)]
    async fn are_started_from_and_overridden() {
        let runs = Runs::default();
        shared(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 4);
        of_static(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 3);
        let mut client = Client { policy: SHARED.attempts(6), harmless: false };
        client.own(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 6);
        client.overridden(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 2);
        client.harmless(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 1);
        client.harmless = true;
        client.harmless(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 3);
    }
}

mod arguments {
    use super::*;

    /// Counts how often it was cloned.
    #[derive(Debug)]
    struct Body(Arc<AtomicU32>, Vec<u8>);

    impl Clone for Body {
        fn clone(&self) -> Self {
            self.0.fetch_add(1, Ordering::Relaxed);
            Self(Arc::clone(&self.0), self.1.clone())
        }
    }

    #[retry(clone(body))]
    async fn send(mut body: Body, sent: &mut Vec<Vec<u8>>) -> Result<(), Failed> {
        body.1.push(9);
        sent.push(body.1);
        Err(Transient)
    }

    // R163
    #[tokio::test(start_paused = true)]
    async fn are_the_same_on_each_attempt() {
        let clones = Arc::new(AtomicU32::new(0));
        let mut sent = Vec::new();
        send(Body(Arc::clone(&clones), vec![1, 2]), &mut sent).await.unwrap_err();
        assert_eq!(sent, vec![vec![1, 2, 9]; 3]);
        assert_eq!(clones.load(Ordering::Relaxed), 3, "the last included");
    }

    #[retry(attempts = 1)]
    async fn consume(body: Vec<u8>) -> Result<Vec<u8>, Failed> {
        Ok(body)
    }

    #[tokio::test]
    async fn may_be_consumed_by_a_single_attempt() {
        assert_eq!(consume(vec![1]).await, Ok(vec![1]));
    }
}

mod nesting_and_names {
    use super::*;

    #[retry(name = "leaf", nested = "independent")]
    async fn independent(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry]
    async fn suppressed(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }

    #[retry(attempts = 2)]
    async fn outer(runs: &Runs, free: bool) -> Result<(), Failed> {
        if free { independent(runs).await } else { suppressed(runs).await }
    }

    #[retry(attempts = 2, inner = "allow")]
    async fn allowing(runs: &Runs) -> Result<(), Failed> {
        suppressed(runs).await
    }

    #[retry(idempotency_key = id)]
    async fn keyed(id: u64) -> Result<String, Failed> {
        Ok(stormless::current().unwrap().idempotency_key().to_string())
    }

    #[tokio::test(start_paused = true)]
    async fn reach_the_engine() {
        let runs = Runs::default();
        outer(&runs, false).await.unwrap_err();
        assert_eq!(runs.take(), 2);
        outer(&runs, true).await.unwrap_err();
        assert_eq!(runs.take(), 6);
        allowing(&runs).await.unwrap_err();
        assert_eq!(runs.take(), 6);
        let (_, reports) = report(independent(&runs)).await;
        assert_eq!(reports[0].site(), "leaf");
        let (_, reports) = report(suppressed(&runs)).await;
        assert_eq!(reports[0].site(), concat!(module_path!(), "::suppressed"));
        assert_eq!(keyed(7).await.unwrap(), "7");
    }
}

#[tokio::test(start_paused = true)]
async fn a_function_inside_a_function_is_a_site_of_its_own() {
    #[retry(min_remaining = "1s", time_per_attempt = "1s", max_retry_after = "1s", deadline = none)]
    async fn local(runs: &Runs) -> Result<(), Failed> {
        runs.fail(Transient)
    }
    let runs = Runs::default();
    local(&runs).await.unwrap_err();
    assert_eq!(runs.take(), 3);
}
