//! Runs the rows through a form, and looks at what becomes of them.

use std::{
    future::Future,
    pin::pin,
    sync::{Mutex, PoisonError},
    task::{Context, Poll, Waker},
    time::Duration,
};

use stormless::{
    Breaker, Budget, CallReport, Classification, RetryEvent, Warning, breaker, budget, control,
    current, deadline,
    engine::Moment,
    report, retry, sites,
    testing::{Jitter, blocking_sleeps, isolated, jitter},
    warnings,
};
use tokio::{runtime::Builder, time::Instant};

use crate::{
    row::{Around, Counted, Row, Seen, Shape, Step},
    script::{Failure, bucket},
    table,
};

budget! {
    pub(crate) static FORMS: Budget = Budget::new("forms").burst(10).ratio(0.1);
}

budget! {
    pub(crate) static SHEDS: Budget = Budget::new("forms-sheds").burst(10).ratio(0.1).shed(2.0);
}

breaker! {
    pub(crate) static GUARD: Breaker =
        Breaker::new("forms").consecutive(2).open_for(Duration::from_secs(30)).jitter(0.0);
}

pub(crate) type Answer = Result<u32, Failure>;

/// One way to write a call.
pub(crate) trait Form {
    /// Whether the call runs on its thread, and sleeps there.
    const BLOCKING: bool = false;

    /// Whether it can do what the row is about.
    fn can(row: &Row) -> bool {
        !Self::BLOCKING || row.can_block()
    }

    /// The name of the site of calls of this shape.
    fn site(shape: Shape) -> String;

    /// Makes the call.
    async fn call(row: &Row, bodies: &Bodies) -> Answer;
}

/// The bodies of a row, one step after the other.
pub(crate) struct Bodies {
    /// What the key of the call is made of, where it has one.
    pub(crate) order: &'static str,
    what: &'static str,
    steps: Vec<Step>,
    keyed: bool,
    begun: Instant,
    runs: Mutex<Vec<(u32, Duration)>>,
    told: Mutex<Vec<u64>>,
}

impl Bodies {
    fn new(row: &Row, steps: Vec<Step>) -> Self {
        Self {
            what: row.what,
            steps,
            order: "order-7",
            keyed: row.shape == Shape::Keyed,
            begun: Instant::now(),
            runs: Mutex::default(),
            told: Mutex::default(),
        }
    }

    fn next(&self) -> Step {
        let attempt = current().expect("a body runs inside an attempt");
        if self.keyed {
            assert_eq!(attempt.idempotency_key().as_str(), self.order);
        }
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.push((attempt.number(), self.begun.elapsed()));
        let step = self.steps.get(runs.len() - 1);
        step.unwrap_or_else(|| panic!("{}: a body that the row does not know", self.what)).clone()
    }

    pub(crate) async fn body(&self) -> Answer {
        match self.next() {
            Step::Gives(value) => Ok(value),
            Step::Fails(failure) => Err(failure),
            Step::Hangs => std::future::pending().await,
            Step::Takes(time) => {
                tokio::time::sleep(time).await;
                Ok(7)
            }
        }
    }

    pub(crate) fn blocking_body(&self) -> Answer {
        match self.next() {
            Step::Gives(value) => Ok(value),
            Step::Fails(failure) => Err(failure),
            Step::Hangs => unreachable!("no blocking form runs it"),
            Step::Takes(time) => {
                pass(time);
                Ok(7)
            }
        }
    }

    /// `on_retry` of the forms.
    pub(crate) fn tell(&self, event: &RetryEvent<'_, Failure>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(millis(event.delay()));
    }
}

/// `classify_result` of the forms.
pub(crate) fn of_result(result: &Answer) -> Option<Classification> {
    matches!(result, Ok(503)).then(Classification::throttled)
}

/// `classify` of the forms.
pub(crate) fn of_error(_: &Failure) -> Classification {
    Classification::transient()
}

#[retry(attempts = 2, backoff = "none", budget = none, name = "forms.around")]
async fn around<F: Form>(row: &Row, bodies: &Bodies) -> Answer {
    F::call(row, bodies).await
}

#[retry(attempts = 2, backoff = "none", budget = none, inner = "allow", name = "forms.allowing")]
async fn allowing<F: Form>(row: &Row, bodies: &Bodies) -> Answer {
    F::call(row, bodies).await
}

async fn made<F: Form>(row: &Row, bodies: &Bodies) -> Answer {
    match row.around {
        Around::Nothing => F::call(row, bodies).await,
        Around::Attempt => around::<F>(row, bodies).await,
        Around::Allowing => allowing::<F>(row, bodies).await,
        Around::Off => control::without_retries(F::call(row, bodies)).await,
        Around::Deadline => {
            let within = deadline::within(Duration::from_millis(25), F::call(row, bodies)).await;
            within.unwrap_or(Err(Failure::Stopped))
        }
    }
}

/// Runs every row that the form can run, and tells all that is not as it should be.
pub(crate) fn run_all<F: Form>() {
    let wrong: Vec<String> = table::rows()
        .into_iter()
        .filter(F::can)
        .filter_map(|row| {
            let (seen, wanted) = (run::<F>(&row), &row.wanted);
            (seen != *wanted).then(|| format!("{}:\n  {seen:?}\n  wanted\n  {wanted:?}", row.what))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn run<F: Form>(row: &Row) -> Seen {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    if !F::BLOCKING {
        return runtime.block_on(isolated(seen::<F>(row)));
    }
    // Nobody runs the clock while the thread is slept on.
    let _entered = runtime.enter();
    let _sleeps = blocking_sleeps(pass);
    let mut seen = pin!(isolated(seen::<F>(row)));
    // The function around it may let others have their turn.
    for _ in 0..3 {
        if let Poll::Ready(seen) = seen.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return seen;
        }
    }
    panic!("it does not block: {}", row.what)
}

/// Moves the clock while the thread is in use.
fn pass(time: Duration) {
    let _ = pin!(tokio::time::advance(time)).poll(&mut Context::from_waker(Waker::noop()));
}

/// Makes the calls that come before.
async fn prepare<F: Form>(row: &Row) {
    // Nothing is shed yet.
    jitter(Jitter::Highest);
    for step in &row.before {
        let deadline = row.deadline.map(|_| Duration::from_secs(60));
        let once = Row { policy: row.policy.attempts(1), deadline, ..row.clone() };
        let _ = F::call(&once, &Bodies::new(&once, vec![step.clone()])).await;
    }
}

async fn seen<F: Form>(row: &Row) -> Seen {
    prepare::<F>(row).await;
    jitter(Jitter::Lowest);
    for _ in 0..row.drained {
        assert!(bucket("forms").withdraw(1, Moment::from_nanos(0)).is_some());
    }
    if row.open {
        GUARD.open();
    }
    let bodies = Bodies::new(row, row.steps.clone());
    let (result, calls) = report(async {
        match row.dropped_after {
            None => Some(made::<F>(row, &bodies).await),
            Some(after) => tokio::time::timeout(after, made::<F>(row, &bodies)).await.ok(),
        }
    })
    .await;
    let site = F::site(row.shape);
    let call: &CallReport = calls.iter().find(|call| call.site() == site).expect("it was reported");
    let all = sites();
    let counted = all.get(&site).expect("it has a row");
    let runs = bodies.runs.into_inner().unwrap_or_else(PoisonError::into_inner);
    Seen {
        result,
        bodies: runs.iter().map(|(number, _)| *number).collect(),
        starts: runs.iter().map(|(_, at)| millis(*at)).collect(),
        outcome: call.outcome(),
        reason: call.reason(),
        delays: call.delays().map(millis).collect(),
        told: bodies.told.into_inner().unwrap_or_else(PoisonError::into_inner),
        balance: thousandths(FORMS.balance()),
        counted: Counted {
            failures: counted.failures(),
            retries: counted.retries(),
            recovered: counted.recovered(),
            stopped: call.reason().map_or(0, |reason| counted.stops(reason)),
        },
        warnings: warnings().iter().filter(|warning| !is_about_threads(warning)).count(),
    }
}

/// Where the function around it is async, so is the thread.
const fn is_about_threads(warning: &Warning) -> bool {
    matches!(warning, Warning::BlocksRuntime { .. })
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).expect("it is short")
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is between 0 and 10"
)]
fn thousandths(balance: f64) -> u64 {
    (balance * 1_000.0).round() as u64
}
