//! What the attempts of a call pass through where its function has a breaker, an expected time or a
//! budget that sheds: they are admitted where they start, and what became of them is told where they ended.
//!
//! A function that has none of them has no gate, and its calls know nothing of one.

use std::time::Duration;

use crate::{
    BreakerOpen, Cut, DeadlineExceeded, Moment, StopReason, Warning,
    breaker::{Breaker, Permit, Seen},
    clock,
    context::{REPEATING, SUPPRESS},
    isolation,
    machine::Facts,
    site::{BreakerRef, Site},
    warning::warn,
};

use super::{Call, Cuts, Phase, jitter::Jitter};

/// Between a call and its attempts. Beside the call, so that only those calls have the room for it that
/// need it; when it is dropped in the middle of an attempt, the breaker has its permit back.
#[derive(Debug)]
pub struct Gate {
    pub(super) breaker: Option<&'static Breaker>,
    pub(super) permit: Option<Permit>,
    /// When the running attempt started; `NEVER` where its time is not taken.
    pub(super) started: Moment,
}

/// What the gate knows about the next attempt, after one that failed.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    pub(super) expected: Duration,
    /// The breaker, where it lets nothing through.
    pub(super) open: Option<BreakerOpen>,
}

impl Outlook {
    /// Of a call without a gate.
    pub(super) const UNKNOWN: Self = Self { expected: Duration::ZERO, open: None };
}

impl Gate {
    /// The gate of one call. A name is looked up once, so that a call deals with one breaker.
    #[inline]
    #[must_use]
    pub fn new(site: &'static Site) -> Self {
        let breaker = match site.breaker_ref() {
            BreakerRef::None => None,
            BreakerRef::Static(breaker) => Some(breaker.here()),
            BreakerRef::Named(name) => Some(name.resolve()),
        };
        Self { breaker, permit: None, started: Moment::NEVER }
    }

    /// Of a call that has nothing to be asked.
    pub(crate) const fn open() -> Self {
        Self { breaker: None, permit: None, started: Moment::NEVER }
    }

    /// The same, with a breaker that the site does not know.
    #[must_use]
    pub const fn asking(mut self, breaker: Option<&'static Breaker>) -> Self {
        self.breaker = breaker;
        self
    }

    /// Asks whether an attempt may start, first the deadline and then the breaker: what the loop works
    /// with if it may not.
    pub(super) fn admit<R, C: Cuts<R>>(
        &mut self,
        call: &mut Call,
        cuts: &mut C,
    ) -> Option<C::Output> {
        let mut now = None;
        if call.phase.is_unstarted() {
            call.foresee(&mut now);
        }
        if call.phase == Phase::Precluded {
            let cut = DeadlineExceeded::new().into();
            if let Some(output) = cuts.cut(cut) {
                call.cut_before_start(cut);
                return Some(output);
            }
            // It cannot be expressed: one body, if the breaker lets it.
            call.phase = Phase::Fresh;
        }
        let open = self.enter(call, &mut now).err()?.into();
        let output = cuts.cut(open)?;
        call.refused(open);
        Some(output)
    }

    /// Takes the permit of an attempt.
    fn enter(&mut self, call: &Call, now: &mut Option<Moment>) -> Result<(), BreakerOpen> {
        if call.may_be_shed() {
            let now = read(now);
            // A call that the breaker refuses is no request, and is told when to come back.
            if self.shut(now).is_none() && call.is_shed(now) {
                return Err(BreakerOpen::new(None));
            }
        }
        if let Some(breaker) = self.breaker {
            self.permit = Some(breaker.admit(|| read(now))?);
        }
        self.started = if call.takes_time() { read(now) } else { Moment::NEVER };
        Ok(())
    }

    /// The attempt succeeded.
    #[inline]
    pub(super) fn succeeded(&mut self, call: &Call) {
        let mut now = None;
        if let Some(permit) = self.permit.take() {
            permit.settle(Seen::Success, || read(&mut now));
        }
        if self.started != Moment::NEVER {
            self.record(call, false, read(&mut now));
        }
    }

    /// The attempt failed, or did not start: what is known about another one.
    pub(super) fn failed(
        &mut self,
        call: &Call,
        facts: &Facts,
        cut: Option<Cut>,
        now: Moment,
    ) -> Outlook {
        let classification = &facts.classification;
        if let Some(permit) = self.permit.take() {
            permit.settle(Seen::of(classification, cut), || now);
        }
        if self.started != Moment::NEVER {
            // How soon something failed says nothing about how long an attempt takes.
            if cut.is_some() || classification.is_answer() {
                self.record(call, cut.is_some(), now);
            }
            self.started = Moment::NEVER;
        }
        if let Some((breaker, Err(fault))) = self.breaker.map(|breaker| (breaker, breaker.check()))
        {
            let (site, breaker) = (call.site.name(), breaker.name().to_owned());
            warn(Warning::FaultyBreaker { site, breaker, fault });
        }
        self.outlook(call, now)
    }

    /// What is known about another attempt.
    pub(super) fn outlook(&self, call: &Call, now: Moment) -> Outlook {
        Outlook { expected: call.expected(now).unwrap_or_default(), open: self.shut(now) }
    }

    fn shut(&self, now: Moment) -> Option<BreakerOpen> {
        self.breaker.and_then(|breaker| breaker.refuses(now))
    }

    fn record(&self, call: &Call, cut: bool, now: Moment) {
        call.record_expected(self.started, cut, now);
    }
}

/// The clock is read once, by whoever needs it first.
pub(super) fn read(now: &mut Option<Moment>) -> Moment {
    *now.get_or_insert_with(clock::now)
}

impl Call {
    /// Whether it may be refused what starts now: a first attempt, and none that repeats another call's.
    fn may_be_shed(&self) -> bool {
        const REPETITION: u32 = SUPPRESS | REPEATING;
        self.site.is_shedding()
            && self.phase.is_unstarted()
            && u32::from(self.around) & REPETITION != REPETITION
            && self.budget.may_shed_upwards()
    }

    fn is_shed(&self, now: Moment) -> bool {
        let mut stream = None;
        self.budget.sheds_upwards(now, &mut Jitter::new(&mut stream, 0))
    }

    /// Keeps the first attempt from starting if it is not expected to end in time.
    fn foresee(&mut self, now: &mut Option<Moment>) {
        if self.phase == Phase::Precluded || !self.takes_time() {
            return;
        }
        let now = read(now);
        let left = now.until(self.ambient.deadline);
        if self.expected(now).is_some_and(|expected| left <= expected) {
            self.phase = Phase::Precluded;
            self.reason = Some(StopReason::DeadlineTooClose);
        }
    }

    /// Whether it matters how long the attempts take: without a deadline all of them may.
    #[inline]
    pub(super) fn takes_time(&self) -> bool {
        self.site.expectation().is_some() && self.ambient.deadline != Moment::NEVER
    }

    /// How long an attempt is expected to take, if that matters and is known.
    fn expected(&self, now: Moment) -> Option<Duration> {
        if !self.takes_time() {
            return None;
        }
        let (quantile, latency) = self.site.expectation()?;
        isolation::latency(latency).quantile(quantile, now)
    }

    /// Remembers how long an attempt took. One that was cut would have taken longer: that is worth knowing
    /// if it has taken as long as expected already, and else would only pretend haste.
    pub(super) fn record_expected(&self, started: Moment, cut: bool, now: Moment) {
        let took = started.until(now);
        if cut && self.expected(now).is_some_and(|expected| took < expected) {
            return;
        }
        if let Some((_, latency)) = self.site.expectation() {
            isolation::latency(latency).record(took, now);
        }
    }

    /// The breaker has refused the attempt. Before a retry this is after a wait that was paid for and
    /// slept: the payment goes back, the sleep counts.
    fn refused(&mut self, open: Cut) {
        if self.phase.is_unstarted() {
            return self.cut_before_start(open);
        }
        self.give_back();
        let mut cold = self.heat();
        cold.as_mut().count_pause();
        cold.set_cut(open);
        self.phase = Phase::Cut;
    }
}
