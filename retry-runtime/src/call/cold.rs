//! What a call needs from its first failure on.

use std::{pin::Pin, task::Poll, time::Duration};

use pin_project_lite::pin_project;

use crate::{
    Cut, FailedAttempt, Moment, Retryable, Withdrawal, clock,
    few::Few,
    machine::{Facts, Machine},
    random::Stream,
    time::nanos,
    timer::Slot,
    tracing::Traced,
};

use super::{Call, MANY, dropped, purse::Others, watch::Watch};

pin_project! {
    /// In one box, made at the first failure: the timer, the stream of jitter and the record of the call.
    ///
    /// Every call that is asleep has one, so each word counts; what few calls need is in [`Rare`].
    #[derive(Debug)]
    pub(super) struct Cold {
        #[pin]
        timer: Slot,
        pub(super) machine: Machine,
        pub(super) stream: Option<Stream>,
        pub(super) paid: Option<Withdrawal>,
        // In nanoseconds.
        pub(super) slept: u64,
        // Of the running attempt, or of a wait on the thread; `NEVER` where it is not known.
        pub(super) ends: Moment,
        rare: Option<Box<Rare>>,
        pub(super) armed: Armed,
        pub(super) unstarted: bool,
        // The running attempt may use all that is left of the deadline.
        pub(super) untimed: bool,
    }
}

/// What few calls need, in a box of its own.
#[derive(Debug)]
pub(super) struct Rare {
    /// The most attempts for which there was time at the start.
    pub(super) allowed: u32,
    /// What others than the call's own budget were paid, for the retry that has not started yet.
    pub(super) paid_inner: Others,
    /// What ended the running attempt, or kept the first one from starting.
    pub(super) cut: Option<Cut>,
    /// While the attempt is being dropped.
    pub(super) dropping: Option<dropped::Around>,
    /// How the delay of the retry that has not started yet was drawn.
    #[cfg(feature = "adaptive")]
    pub(super) adaptive: Option<Box<crate::adaptive::AdaptiveDecision>>,
    /// Of a call that is observed from its beginning.
    pub(super) watch: Option<Box<Watch>>,
    /// The spans of a call that has some.
    pub(super) traced: Option<Box<Traced>>,
    /// For the report.
    pub(super) failures: Vec<FailedAttempt>,
    /// How many attempts have started beside the running one, and after it.
    pub(super) beside: u32,
    /// What those of them that are still in flight were paid with, by their numbers.
    pub(super) paid_beside: Few<(u32, Withdrawal)>,
    /// A server asked one of several attempts in flight for no retry before this.
    pub(super) not_before: Moment,
}

#[cfg(not(feature = "testing"))]
const _: () = assert!(
    size_of::<Cold>() <= size_of::<Slot>() + 72,
    "each word more is paid for by every call that is asleep",
);

impl Default for Rare {
    fn default() -> Self {
        Self {
            allowed: u32::MAX,
            paid_inner: Others::new(),
            cut: None,
            dropping: None,
            #[cfg(feature = "adaptive")]
            adaptive: None,
            watch: None,
            traced: None,
            failures: Vec::new(),
            beside: 0,
            paid_beside: Few::new(),
            not_before: Moment::from_nanos(0),
        }
    }
}

/// What the timer is set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Armed {
    /// Nothing.
    No,
    /// The end of the running attempt, by its own timeout.
    Timeout,
    /// The end of the running attempt, by the deadline.
    Deadline,
    /// The running attempt cannot be ended.
    Never,
    /// The end of the wait before the next attempt.
    Pause,
    /// The same for a call that waits on its thread, where there is no timer.
    Thread,
    /// A wait of no length, which lets other tasks run once.
    Yield,
}

impl Cold {
    const fn new() -> Self {
        Self {
            timer: Slot::empty(),
            machine: Machine::new(),
            stream: None,
            paid: None,
            slept: 0,
            ends: Moment::NEVER,
            rare: None,
            armed: Armed::No,
            unstarted: false,
            untimed: false,
        }
    }

    /// What few calls need, made on first use.
    pub(super) fn rare(self: Pin<&mut Self>) -> &mut Rare {
        self.project().rare.get_or_insert_default()
    }

    /// What few calls need, if this one does.
    pub(super) fn known_rare(self: Pin<&mut Self>) -> Option<&mut Rare> {
        self.project().rare.as_deref_mut()
    }

    /// The call's spans, if it has any.
    pub(super) fn traced(&self) -> Option<&Traced> {
        self.rare.as_ref().and_then(|rare| rare.traced.as_deref())
    }

    /// The most attempts for which there was time at the start, if that is too many for the call to
    /// remember.
    pub(super) fn allowed(&self) -> u32 {
        self.rare.as_ref().map_or(u32::MAX, |rare| rare.allowed)
    }

    /// How many attempts have started beside the running one, and after it.
    pub(super) fn beside(&self) -> u32 {
        self.rare.as_ref().map_or(0, |rare| rare.beside)
    }

    /// What ended the running attempt, or kept the first one from starting.
    pub(super) fn cut(&self) -> Option<Cut> {
        self.rare.as_ref().and_then(|rare| rare.cut)
    }

    /// Whether the attempt that was cut never started: the first one, or a retry that the breaker
    /// refused.
    pub(super) fn is_unstarted(&self) -> bool {
        self.unstarted || matches!(self.cut(), Some(Cut::BreakerOpen(_)))
    }

    /// The wait that was decided last is over.
    pub(super) fn count_pause(self: Pin<&mut Self>) {
        let cold = self.project();
        *cold.slept = cold.slept.saturating_add(nanos(cold.machine.pause()));
    }

    /// For how long the call has slept so far.
    pub(super) const fn slept(&self) -> Duration {
        Duration::from_nanos(self.slept)
    }

    /// When the running attempt is to end, counted from its first `Pending`: before that no clock is
    /// read.
    pub(super) fn attempt_ends(self: Pin<&mut Self>, timeout: Duration) -> Moment {
        let ends = self.project().ends;
        if *ends == Moment::NEVER {
            *ends = clock::now().after(timeout);
        }
        *ends
    }

    /// Remembers how many attempts there was time for at the start, if that is too many for the call to
    /// remember.
    #[cold]
    pub(super) fn allowing(attempts: u32) -> Option<Pin<Box<Self>>> {
        (attempts >= MANY.into()).then(|| {
            let rare = Rare { allowed: attempts, ..Rare::default() };
            Box::pin(Self { rare: Some(Box::new(rare)), ..Self::new() })
        })
    }

    /// Sets the timer.
    pub(super) fn arm(self: Pin<&mut Self>, armed: Armed, moment: Moment) {
        let this = self.project();
        *this.armed = armed;
        this.timer.reset(moment);
    }

    /// Sets the timer for whatever it is that its owner remembers.
    pub(super) fn set_timer(self: Pin<&mut Self>, moment: Moment) {
        self.project().timer.reset(moment);
    }

    /// Remembers what there is to wait for without a timer.
    pub(super) fn set_armed(self: Pin<&mut Self>, armed: Armed) {
        *self.project().armed = armed;
    }

    pub(super) fn poll_timer(self: Pin<&mut Self>, task: &mut std::task::Context<'_>) -> Poll<()> {
        self.project().timer.poll(task)
    }

    /// Notes that the running attempt, or the call before its first, was cut.
    pub(super) fn set_cut(self: Pin<&mut Self>, cut: Cut) {
        let mut this = self;
        this.as_mut().set_armed(Armed::No);
        this.rare().cut = Some(cut);
    }
}

/// How a cut looks to the decision.
pub(super) fn facts_of(cut: Cut) -> Facts {
    Facts { classification: cut.classify(), label: cut.label() }
}

impl Call {
    /// The box, made on first use.
    #[cold]
    pub(super) fn heat(&mut self) -> Pin<&mut Cold> {
        self.cold.get_or_insert_with(|| Box::pin(Cold::new())).as_mut()
    }
}
