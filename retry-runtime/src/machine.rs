//! The decision after a failed attempt, as a function of what is known: no clock, no timer, no
//! generator of its own.

mod limits;

use std::{num::NonZeroU64, time::Duration};

use crate::{
    Classification, Hint, Moment, Policy, StopReason, Uniform, backoff::DelayInput, cap::Capped,
    time::nanos,
};

pub(crate) use limits::{attempts_left, classify, fits, switches};

use limits::room;

/// What a failed attempt told.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::{Decision, Facts, Generator, Machine, Moment, Nesting, Purse, Situation};
/// use stormless::{Classification, Policy, StopReason};
/// use std::time::Duration;
///
/// struct Payer;
///
/// impl Purse for Payer {
///     fn withdraw(&mut self, _cost: u32) -> bool {
///         true
///     }
/// }
///
/// let policy = Policy::new();
/// let situation = Situation {
///     policy: &policy,
///     attempt: 1,
///     allowed: u32::MAX,
///     now: Moment::from_nanos(0),
///     deadline: Moment::NEVER,
///     off: false,
///     nesting: Nesting::Free,
///     expected: Duration::ZERO,
///     breaker_open: false,
/// };
/// let failure = Facts { classification: Classification::permanent(), label: "refused" };
/// let mut random = Generator::seeded(42, 0);
/// let decision = Machine::new().decide(&failure, &situation, &mut random, &mut Payer);
/// assert_eq!(decision, Decision::Stop(StopReason::Permanent));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// What the failure means.
    pub classification: Classification,
    /// The name under which it is counted.
    pub label: &'static str,
}

/// Who else may repeat this failure.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::{Decision, Facts, Generator, Machine, Moment, Nesting, Purse, Situation};
/// use stormless::{Classification, Policy, StopReason};
/// use std::time::Duration;
///
/// struct Payer;
///
/// impl Purse for Payer {
///     fn withdraw(&mut self, _cost: u32) -> bool {
///         true
///     }
/// }
///
/// let policy = Policy::new();
/// let situation = Situation {
///     policy: &policy,
///     attempt: 1,
///     allowed: u32::MAX,
///     now: Moment::from_nanos(0),
///     deadline: Moment::NEVER,
///     off: false,
///     nesting: Nesting::Suppressed { outer_idempotent: false },
///     expected: Duration::ZERO,
///     breaker_open: false,
/// };
/// let failure = Facts { classification: Classification::transient(), label: "refused" };
/// let mut random = Generator::seeded(42, 0);
/// let decision = Machine::new().decide(&failure, &situation, &mut random, &mut Payer);
/// // Whoever calls does the retrying.
/// assert_eq!(decision, Decision::Stop(StopReason::Nested));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// Nobody outside, or the call retries whoever calls it.
    Free,
    /// An enclosing call does the retrying.
    Suppressed {
        /// Whether an enclosing call that suppresses is `idempotent`, so that it can repeat what may
        /// have been executed.
        outer_idempotent: bool,
    },
}

/// Everything that a decision depends on besides the failure.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::{Policy, engine::{Moment, Nesting, Situation}};
/// use std::time::Duration;
///
/// let policy = Policy::new();
/// let first_failure = Situation {
///     policy: &policy,
///     attempt: 1,
///     allowed: u32::MAX,
///     now: Moment::from_nanos(0),
///     deadline: Moment::NEVER,
///     off: false,
///     nesting: Nesting::Free,
///     expected: Duration::ZERO,
///     breaker_open: false,
/// };
/// assert_eq!(first_failure.policy.max_attempts(), Some(3));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The policy in force for this call.
    pub policy: &'a Policy,
    /// The number of the attempt that failed; the first is 1.
    pub attempt: u32,
    /// The most attempts that the time left at the start allowed.
    pub allowed: u32,
    /// Now.
    pub now: Moment,
    /// The call's deadline, or [`Moment::NEVER`].
    pub deadline: Moment,
    /// Whether retries are switched off here.
    pub off: bool,
    /// Who else may repeat this failure.
    pub nesting: Nesting,
    /// How long an attempt is expected to take; zero where nobody knows.
    pub expected: Duration,
    /// Whether the dependency's breaker would refuse another attempt.
    pub breaker_open: bool,
}

impl Situation<'_> {
    /// With this much or less left before the deadline no attempt starts.
    fn least_remaining(&self) -> u64 {
        nanos(self.policy.least_remaining()).max(nanos(self.expected))
    }
}

/// Whoever pays for a retry.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::Purse;
///
/// /// Pays for so many retries.
/// struct Wallet(u32);
///
/// impl Purse for Wallet {
///     fn withdraw(&mut self, cost: u32) -> bool {
///         let left = self.0.checked_sub(cost);
///         self.0 = left.unwrap_or(self.0);
///         left.is_some()
///     }
/// }
///
/// let mut wallet = Wallet(1);
/// assert!(wallet.withdraw(1) && !wallet.withdraw(1));
/// ```
pub trait Purse {
    /// Takes what a retry of this `cost` needs, everywhere or nowhere; `false` if it is refused.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Purse;
    ///
    /// /// `budget = none`.
    /// struct Nothing;
    ///
    /// impl Purse for Nothing {
    ///     fn withdraw(&mut self, _cost: u32) -> bool {
    ///         true
    ///     }
    /// }
    /// assert!(Nothing.withdraw(1));
    /// ```
    fn withdraw(&mut self, cost: u32) -> bool;

    /// Takes what a retry after this failure needs: what it says that it costs, or what each payer asks for
    /// its kind where a payer has such a price.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{Classification, engine::Purse};
    ///
    /// struct Wallet(u32);
    ///
    /// impl Purse for Wallet {
    ///     fn withdraw(&mut self, cost: u32) -> bool {
    ///         let left = self.0.checked_sub(cost);
    ///         self.0 = left.unwrap_or(self.0);
    ///         left.is_some()
    ///     }
    /// }
    ///
    /// let mut wallet = Wallet(10);
    /// assert!(wallet.withdraw_for(&Classification::timeout().cost(5)));
    /// assert_eq!(wallet.0, 5);
    /// ```
    fn withdraw_for(&mut self, failure: &Classification) -> bool {
        self.withdraw(failure.retry_cost())
    }
}

/// What follows a failed attempt.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::{Decision, Facts, Generator, Machine, Moment, Nesting, Purse, Situation};
/// use stormless::{Classification, Policy, StopReason};
/// use std::time::Duration;
///
/// struct Payer;
///
/// impl Purse for Payer {
///     fn withdraw(&mut self, _cost: u32) -> bool {
///         false
///     }
/// }
///
/// let policy = Policy::new();
/// let situation = Situation {
///     policy: &policy,
///     attempt: 1,
///     allowed: u32::MAX,
///     now: Moment::from_nanos(0),
///     deadline: Moment::NEVER,
///     off: false,
///     nesting: Nesting::Free,
///     expected: Duration::ZERO,
///     breaker_open: false,
/// };
/// let failure = Facts { classification: Classification::transient(), label: "refused" };
/// let mut random = Generator::seeded(42, 0);
/// let decision = Machine::new().decide(&failure, &situation, &mut random, &mut Payer);
/// assert_eq!(decision, Decision::Stop(StopReason::BudgetExhausted));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Another attempt after this delay, a whole number of milliseconds. It is paid for.
    Retry(Duration),
    /// Nothing; nothing was taken.
    Stop(StopReason),
}

/// Given the delay of a retry: the one to be slept, or why no retry is to follow.
pub(crate) type Adjust<'a> = dyn FnMut(Duration) -> Result<Duration, StopReason> + 'a;

/// What a call remembers between its decisions.
///
/// ```
/// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
/// use stormless::engine::{Decision, Facts, Generator, Machine, Moment, Nesting, Purse, Situation};
/// use stormless::{Classification, Backoff, Policy};
/// use std::time::Duration;
///
/// struct Payer;
///
/// impl Purse for Payer {
///     fn withdraw(&mut self, _cost: u32) -> bool {
///         true
///     }
/// }
///
/// let policy = Policy::new().backoff(Backoff::Exponential).base(Duration::from_millis(200));
/// let situation = Situation {
///     policy: &policy,
///     attempt: 1,
///     allowed: u32::MAX,
///     now: Moment::from_nanos(0),
///     deadline: Moment::NEVER,
///     off: false,
///     nesting: Nesting::Free,
///     expected: Duration::ZERO,
///     breaker_open: false,
/// };
/// let failure = Facts { classification: Classification::transient(), label: "refused" };
/// let mut random = Generator::seeded(42, 0);
/// let decision = Machine::new().decide(&failure, &situation, &mut random, &mut Payer);
/// assert_eq!(decision, Decision::Retry(Duration::from_millis(200)));
/// ```
#[derive(Debug, Default)]
pub struct Machine {
    /// The last delay in nanoseconds and one more, before rounding.
    previous: Option<NonZeroU64>,
    /// In a box, because few errors have caps, and every call that is asleep has a machine.
    #[expect(clippy::box_collection, reason = "one word in place of three")]
    capped: Option<Box<Vec<(Capped, u32)>>>,
}

/// The timer's resolution, to which delays are rounded up before the deadline is asked.
const RESOLUTION: u64 = 1_000_000;

impl Machine {
    /// A call that has not failed yet.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::Machine;
    ///
    /// let machine = Machine::new();
    /// # drop(machine);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { previous: None, capped: None }
    }

    /// Decides what follows a failure: classification, attempts, switches, delay, deadline, breaker,
    /// budget, in this order, and nothing is taken before its turn.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::engine::{Decision, Facts, Generator, Machine, Moment, Nesting, Purse, Situation};
    /// use stormless::{Classification, Policy, StopReason};
    /// use std::time::Duration;
    ///
    /// struct Payer;
    ///
    /// impl Purse for Payer {
    ///     fn withdraw(&mut self, _cost: u32) -> bool {
    ///         true
    ///     }
    /// }
    ///
    /// let policy = Policy::new();
    /// let situation = Situation {
    ///     policy: &policy,
    ///     attempt: 3,
    ///     allowed: u32::MAX,
    ///     now: Moment::from_nanos(0),
    ///     deadline: Moment::NEVER,
    ///     off: false,
    ///     nesting: Nesting::Free,
    ///     expected: Duration::ZERO,
    ///     breaker_open: false,
    /// };
    /// let failure = Facts { classification: Classification::transient(), label: "refused" };
    /// let mut random = Generator::seeded(42, 0);
    /// let decision = Machine::new().decide(&failure, &situation, &mut random, &mut Payer);
    /// assert_eq!(decision, Decision::Stop(StopReason::AttemptsExhausted));
    /// ```
    pub fn decide(
        &mut self,
        facts: &Facts,
        situation: &Situation<'_>,
        random: &mut dyn Uniform,
        purse: &mut dyn Purse,
    ) -> Decision {
        self.decide_adjusted(facts, situation, random, purse, None)
    }

    /// [`decide`](Self::decide), with somebody who may change the delay.
    pub(crate) fn decide_adjusted(
        &mut self,
        facts: &Facts,
        situation: &Situation<'_>,
        random: &mut dyn Uniform,
        purse: &mut dyn Purse,
        adjust: Option<&mut Adjust<'_>>,
    ) -> Decision {
        match self.plan(facts, situation, random, adjust) {
            Err(reason) => Decision::Stop(reason),
            Ok(_) if !purse.withdraw_for(&facts.classification) => {
                Decision::Stop(StopReason::BudgetExhausted)
            }
            Ok(delay) => Decision::Retry(delay),
        }
    }

    /// Everything but the payment.
    fn plan(
        &mut self,
        facts: &Facts,
        situation: &Situation<'_>,
        random: &mut dyn Uniform,
        adjust: Option<&mut Adjust<'_>>,
    ) -> Result<Duration, StopReason> {
        classify(&facts.classification, situation.policy)?;
        self.count(facts, situation)?;
        switches(&facts.classification, situation)?;
        let mut delay = self.delay(&facts.classification, situation, random)?;
        if let Some(adjust) = adjust {
            delay = self.adjusted(&facts.classification, adjust(delay)?);
        }
        fits(delay, situation)?;
        if situation.breaker_open {
            return Err(StopReason::BreakerOpen);
        }
        Ok(delay)
    }

    fn count(&mut self, facts: &Facts, situation: &Situation<'_>) -> Result<(), StopReason> {
        attempts_left(situation)?;
        if self.is_capped_by(facts) { Err(StopReason::AttemptsExhausted) } else { Ok(()) }
    }

    /// Counts a failure of its class: whether that has no more.
    pub(crate) fn is_capped_by(&mut self, facts: &Facts) -> bool {
        let Some((cap, capped)) = facts.classification.capped(facts.label) else { return false };
        let all = self.capped.get_or_insert_default();
        let known = all.iter().position(|(earlier, _)| *earlier == capped);
        let at = known.unwrap_or(all.len());
        if known.is_none() {
            all.push((capped, 0));
        }
        let seen = &mut all[at].1;
        *seen = seen.saturating_add(1);
        *seen >= cap
    }

    /// The delay before the next attempt, rounded up to the timer's resolution.
    fn delay(
        &mut self,
        classification: &Classification,
        situation: &Situation<'_>,
        random: &mut dyn Uniform,
    ) -> Result<Duration, StopReason> {
        let policy = situation.policy;
        let retry = situation.attempt.saturating_sub(1);
        let steps = policy.steps_after(classification.kind());
        let input = DelayInput::new(&steps, retry, classification).previous(self.previous());
        let Some(Hint::RetryAfter(hint)) = classification.hint() else {
            let delay = policy.strategy().delay(&input, random);
            self.remember(delay);
            return Ok(Duration::from_nanos(round_up(nanos(delay))));
        };
        if hint > policy.longest_hint() {
            return Err(StopReason::RetryAfterTooLong);
        }
        // Everybody who was told the same wait comes back spread over at least a quarter of it. Where
        // the deadline leaves less room than that, the spread shrinks to the room, and the callers
        // still do not meet at its edge.
        let floor = round_up(nanos(hint));
        let spread =
            nanos(policy.strategy().cap(&steps.after(classification), retry)).max(nanos(hint) / 4);
        let jitter = random.up_to(spread.min(room(situation).saturating_sub(floor)));
        let delay = Duration::from_nanos(round_up(nanos(hint).saturating_add(jitter)));
        self.remember(delay);
        Ok(delay)
    }

    /// A delay that somebody else chose, which is not shorter than what a server asked for.
    fn adjusted(&mut self, classification: &Classification, delay: Duration) -> Duration {
        let floor = match classification.hint() {
            Some(Hint::RetryAfter(hint)) => hint,
            Some(Hint::DoNotRetry) | None => Duration::ZERO,
        };
        let delay = delay.max(floor);
        self.remember(delay);
        Duration::from_nanos(round_up(nanos(delay)))
    }

    /// The last delay before it was rounded, `None` before the first retry.
    fn previous(&self) -> Option<Duration> {
        self.previous.map(|known| Duration::from_nanos(known.get() - 1))
    }

    fn remember(&mut self, delay: Duration) {
        self.previous = Some(NonZeroU64::MIN.saturating_add(nanos(delay)));
    }

    /// The last delay that was decided, as it is waited; zero before the first.
    pub(crate) fn pause(&self) -> Duration {
        self.previous().map_or(Duration::ZERO, |delay| Duration::from_nanos(round_up(nanos(delay))))
    }
}

/// Rounds up to the timer's resolution, saturating at its last step in the range of the clock.
const fn round_up(nanos: u64) -> u64 {
    const LAST: u64 = u64::MAX / RESOLUTION * RESOLUTION;
    if nanos > LAST { LAST } else { nanos.div_ceil(RESOLUTION) * RESOLUTION }
}
