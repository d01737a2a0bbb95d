//! The rows.

use std::time::Duration;

use stormless::{Backoff, Outcome, Policy, StopReason};

use crate::{
    row::{Around, Counted, Row, Seen, Shape, Step},
    script::{Failure, ms, secs},
};

use Step::{Fails, Gives, Hangs, Takes};

const T: Step = Fails(Failure::Unavailable(0));
const LOST: Step = Fails(Failure::Lost);
const REFUSED: Step = Fails(Failure::Refused(0));
const MISSING: Step = Fails(Failure::NotFound);

/// So many attempts, 10 ms apart.
const fn fixed(attempts: u32) -> Policy {
    Policy::new().attempts(attempts).backoff(Backoff::Fixed).base(ms(10))
}

const fn busy(wait: Duration) -> Step {
    Fails(Failure::Busy { wait: Some(wait) })
}

/// A call, and what has to become of it.
fn row(what: &'static str, policy: Policy, steps: impl Into<Vec<Step>>) -> Row {
    Row {
        what,
        policy,
        shape: Shape::Paid,
        around: Around::Nothing,
        deadline: None,
        harmless: false,
        before: Vec::new(),
        drained: 0,
        open: false,
        dropped_after: None,
        steps: steps.into(),
        wanted: Seen {
            result: None,
            bodies: Vec::new(),
            starts: Vec::new(),
            outcome: Outcome::Succeeded,
            reason: None,
            delays: Vec::new(),
            told: Vec::new(),
            balance: 10_000,
            counted: Counted::default(),
            warnings: 0,
        },
    }
}

impl Row {
    fn of(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    fn inside(mut self, around: Around) -> Self {
        self.around = around;
        self
    }

    fn within(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    const fn harmless(mut self) -> Self {
        self.harmless = true;
        self
    }

    fn before(mut self, before: impl Into<Vec<Step>>) -> Self {
        self.before = before.into();
        self
    }

    const fn drained(mut self, drained: u32) -> Self {
        self.drained = drained;
        self
    }

    const fn open(mut self) -> Self {
        self.open = true;
        self
    }

    fn dropped_after(mut self, after: Duration) -> Self {
        self.dropped_after = Some(after);
        self
    }

    /// Each body starts then, one attempt after the other, and the delays are those.
    fn runs(mut self, starts: &[u64], delays: &[u64]) -> Self {
        self.wanted.bodies = (1..).take(starts.len()).collect();
        (self.wanted.starts, self.wanted.delays) = (starts.into(), delays.into());
        self
    }

    fn tells(mut self, delays: &[u64]) -> Self {
        self.wanted.told = delays.into();
        self
    }

    fn leaves(mut self, balance: u64) -> Self {
        self.wanted.balance = balance;
        self
    }

    /// Failures, retries.
    fn counts(mut self, failures: u64, retries: u64) -> Self {
        (self.wanted.counted.failures, self.wanted.counted.retries) = (failures, retries);
        self
    }

    fn succeeds(mut self, value: u32) -> Self {
        self.wanted.result = Some(Ok(value));
        self.wanted.counted.recovered = u64::from(self.wanted.bodies.len() > 1);
        self
    }

    fn stops(self, error: Failure, reason: StopReason) -> Self {
        self.ends(Some(Err(error)), Outcome::Failed, reason)
    }

    fn ends(
        mut self,
        result: Option<Result<u32, Failure>>,
        outcome: Outcome,
        reason: StopReason,
    ) -> Self {
        (self.wanted.result, self.wanted.outcome) = (result, outcome);
        (self.wanted.reason, self.wanted.counted.stopped) = (Some(reason), 1);
        self
    }

    const fn warns(mut self) -> Self {
        self.wanted.warnings = 1;
        self
    }
}

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = decisions();
    rows.extend(times());
    rows.extend(settings());
    rows.extend(more_settings());
    rows.extend(surroundings());
    rows
}

fn down() -> Failure {
    Failure::Unavailable(0)
}

fn decisions() -> Vec<Row> {
    vec![
        row("a success at once", fixed(3), [Gives(7)]).runs(&[0], &[]).succeeds(7),
        row("two failures and a success", fixed(3), [T, T, Gives(7)])
            .runs(&[0, 10, 20], &[10, 10])
            .counts(2, 2)
            .leaves(8_100)
            .succeeds(7),
        row("no attempts left", fixed(3), [T, T, T])
            .runs(&[0, 10, 20], &[10, 10])
            .counts(3, 2)
            .leaves(8_000)
            .stops(down(), StopReason::AttemptsExhausted),
        row("one attempt", fixed(1), [T])
            .runs(&[0], &[])
            .counts(1, 0)
            .stops(down(), StopReason::AttemptsExhausted),
        row("a permanent failure", fixed(3), [REFUSED])
            .runs(&[0], &[])
            .counts(1, 0)
            .stops(Failure::Refused(0), StopReason::Permanent),
        row("an answer that is a failure earns", fixed(3), [T, MISSING])
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_100)
            .stops(Failure::NotFound, StopReason::Permanent),
        row("what may have been executed", fixed(3), [LOST])
            .runs(&[0], &[])
            .counts(1, 0)
            .warns()
            .stops(Failure::Lost, StopReason::MaybeExecuted),
        row("the same, where a repeat is harmless", fixed(3).idempotent(), [LOST, Gives(7)])
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("an error that is a cancellation", fixed(3), [Fails(Failure::Stopped)])
            .runs(&[0], &[])
            .counts(1, 0)
            .stops(Failure::Stopped, StopReason::Cancelled),
        row("an empty budget", fixed(5), [T, T])
            .drained(9)
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(0)
            .stops(down(), StopReason::BudgetExhausted),
        row("a faulty policy runs once", fixed(3).factor(0.5), [T])
            .runs(&[0], &[])
            .counts(1, 0)
            .warns()
            .stops(down(), StopReason::Disabled),
    ]
}

fn times() -> Vec<Row> {
    vec![
        row("a hint is a floor", fixed(3), [busy(ms(50)), Gives(7)])
            .runs(&[0, 50], &[50])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("a hint that is too long", fixed(3), [busy(secs(60))])
            .runs(&[0], &[])
            .counts(1, 0)
            .stops(Failure::Busy { wait: Some(secs(60)) }, StopReason::RetryAfterTooLong),
        row("delays of no length", fixed(3).backoff(Backoff::None), [T, T, Gives(7)])
            .runs(&[0, 0, 0], &[0, 0])
            .counts(2, 2)
            .leaves(8_100)
            .succeeds(7),
        row("a delay that does not fit the deadline", fixed(5), [T, T])
            .within(ms(15))
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .stops(down(), StopReason::DeadlineTooClose),
        row("an attempt at the deadline", fixed(5), [T, Hangs])
            .within(ms(50))
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .stops(Failure::Late, StopReason::DeadlineExceeded),
        row("a deadline of no length", fixed(5), [])
            .within(Duration::ZERO)
            .stops(Failure::Late, StopReason::DeadlineExceeded),
        row("too little time for a first attempt", fixed(5).min_remaining(ms(20)), [])
            .within(ms(20))
            .stops(Failure::Late, StopReason::DeadlineTooClose),
        row("time for two attempts", fixed(5).time_per_attempt(ms(40)), [T, T])
            .within(ms(100))
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .stops(down(), StopReason::AttemptsExhausted),
        row("an attempt that takes too long", fixed(3).idempotent(), [Hangs, Gives(7)])
            .of(Shape::Timed)
            .runs(&[0, 110], &[10])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("a last attempt with all the time there is", fixed(2).idempotent(), [Hangs, Hangs])
            .of(Shape::LastUntimed)
            .within(secs(1))
            .runs(&[0, 110], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .stops(Failure::Late, StopReason::DeadlineExceeded),
        row("a call that is dropped asleep", fixed(3), [T])
            .dropped_after(ms(5))
            .runs(&[0], &[10])
            .counts(1, 0)
            .ends(None, Outcome::Cancelled, StopReason::Cancelled),
    ]
}

fn settings() -> Vec<Row> {
    vec![
        row("a bucket of its own", fixed(3), [T, Gives(7)])
            .of(Shape::Own)
            .drained(10)
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .leaves(0)
            .succeeds(7),
        row("a budget by name", fixed(3), [T, Gives(7)])
            .of(Shape::Named)
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("no budget", fixed(20), vec![T; 20])
            .of(Shape::Unpaid)
            .drained(10)
            .runs(&std::array::from_fn::<u64, 20, _>(|at| at as u64 * 10), &[10; 19])
            .counts(20, 19)
            .leaves(0)
            .stops(down(), StopReason::AttemptsExhausted),
        row("failures that open the breaker", fixed(5), [T, T])
            .of(Shape::Guarded)
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .stops(down(), StopReason::BreakerOpen),
        row("an open breaker", fixed(5), [])
            .of(Shape::Guarded)
            .open()
            .stops(Failure::Open, StopReason::BreakerOpen),
        row("a value that is a failure", fixed(3), [Gives(503), Gives(7)])
            .of(Shape::Answering)
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("a value that stays a failure", fixed(2), [Gives(503), Gives(503)])
            .of(Shape::Answering)
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .ends(Some(Ok(503)), Outcome::Failed, StopReason::AttemptsExhausted),
        row("an error that is classified here", fixed(3), [REFUSED, Gives(7)])
            .of(Shape::Classed)
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("a key for all attempts", fixed(3), [T, T, Gives(7)])
            .of(Shape::Keyed)
            .runs(&[0, 10, 20], &[10, 10])
            .counts(2, 2)
            .leaves(8_100)
            .succeeds(7),
        row("an error that explains itself", fixed(2), [T, T])
            .of(Shape::Explained)
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .stops(down(), StopReason::AttemptsExhausted),
        row("a deadline that ends no attempt", fixed(3), [T, T])
            .of(Shape::Uncut)
            .within(ms(15))
            .runs(&[0, 10], &[10])
            .counts(2, 1)
            .leaves(9_000)
            .stops(down(), StopReason::DeadlineTooClose),
        row("the same, past before the first", fixed(3), [T])
            .of(Shape::Uncut)
            .within(Duration::ZERO)
            .runs(&[0], &[])
            .counts(1, 0)
            .stops(down(), StopReason::DeadlineExceeded),
    ]
}

fn more_settings() -> Vec<Row> {
    vec![
        row("an attempt beside one that hangs", fixed(3), [Hangs, Gives(7)])
            .of(Shape::Hedged)
            .harmless()
            .runs(&[0, 30], &[])
            .counts(0, 1)
            .leaves(9_100)
            .succeeds(7),
        row("no attempt beside one where a repeat may do harm", fixed(3), [Takes(ms(40))])
            .of(Shape::Hedged)
            .runs(&[0], &[])
            .succeeds(7),
        row("a first attempt that would not end in time", fixed(5), [])
            .of(Shape::Foreseen)
            .before([const { Takes(ms(500)) }; 20])
            .within(ms(400))
            .stops(Failure::Late, StopReason::DeadlineTooClose),
        row("a retry that would not end in time", fixed(5), [busy(ms(300))])
            .of(Shape::Foreseen)
            .before([const { Takes(ms(500)) }; 20])
            .within(ms(600))
            .runs(&[0], &[])
            .counts(1, 0)
            .stops(Failure::Busy { wait: Some(ms(300)) }, StopReason::DeadlineTooClose),
        row("the bucket of a key and the budget above it pay", fixed(3), [T, Gives(7)])
            .of(Shape::ByKey)
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("the bucket of a key under an empty budget", fixed(3), [T])
            .of(Shape::ByKey)
            .drained(10)
            .runs(&[0], &[])
            .counts(1, 0)
            .leaves(0)
            .stops(down(), StopReason::BudgetExhausted),
        row("a call that is shed", fixed(3), [])
            .of(Shape::Shed)
            .before([const { T }; 10])
            .counts(10, 0)
            .stops(Failure::Open, StopReason::BreakerOpen),
        row("a call that could be shed, of what is well", fixed(3), [T, Gives(7)])
            .of(Shape::Shed)
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .succeeds(7),
        row("a hook is told of each retry", fixed(3), [T, T, T])
            .of(Shape::Told)
            .runs(&[0, 10, 20], &[10, 10])
            .tells(&[10, 10])
            .counts(3, 2)
            .leaves(8_000)
            .stops(down(), StopReason::AttemptsExhausted),
        row(
            "what may have been executed, where this repeat is harmless",
            fixed(3),
            [LOST, Gives(7)],
        )
        .of(Shape::Harmless)
        .harmless()
        .runs(&[0, 10], &[10])
        .counts(1, 1)
        .leaves(9_100)
        .succeeds(7),
        row("the same, where it is not", fixed(3), [LOST])
            .of(Shape::Harmless)
            .runs(&[0], &[])
            .counts(1, 0)
            .warns()
            .stops(Failure::Lost, StopReason::MaybeExecuted),
    ]
}

fn surroundings() -> Vec<Row> {
    let mut suppressed =
        row("an attempt around it repeats it, and pays for it", fixed(3), [T, Gives(7)])
            .inside(Around::Attempt)
            .runs(&[0, 0], &[])
            .counts(1, 0)
            .leaves(9_000)
            .ends(Some(Ok(7)), Outcome::Failed, StopReason::Nested);
    // Each of them is a call with one attempt.
    suppressed.wanted.bodies = vec![1, 1];
    vec![
        suppressed,
        row(
            "independent of the attempt around it",
            fixed(2).nested(stormless::Nested::Independent),
            [T, Gives(7)],
        )
        .inside(Around::Attempt)
        .runs(&[0, 10], &[10])
        .counts(1, 1)
        .leaves(9_100)
        .succeeds(7),
        row("inside an attempt that lets it retry", fixed(2), [T, Gives(7)])
            .inside(Around::Allowing)
            .runs(&[0, 10], &[10])
            .counts(1, 1)
            .leaves(9_100)
            .succeeds(7),
        row("switched off", fixed(3), [T])
            .inside(Around::Off)
            .runs(&[0], &[])
            .counts(1, 0)
            .stops(down(), StopReason::Disabled),
        row("a deadline around it", fixed(9), [T, T, T])
            .inside(Around::Deadline)
            .runs(&[0, 10, 20], &[10, 10])
            .counts(3, 2)
            .leaves(8_000)
            .stops(down(), StopReason::DeadlineTooClose),
        row("a longer deadline inside of a shorter one", fixed(9), [T, T, T])
            .inside(Around::Deadline)
            .within(secs(9))
            .runs(&[0, 10, 20], &[10, 10])
            .counts(3, 2)
            .leaves(8_000)
            .stops(down(), StopReason::DeadlineTooClose),
    ]
}
