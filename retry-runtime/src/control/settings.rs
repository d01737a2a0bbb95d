//! What overrides say about sites, understood, and how it changes a policy.

use std::{sync::Arc, time::Duration};

use crate::{
    Backoff, Classification, Inner, Kind, Nested, Policy, diagnostics::nearest, site::Site,
};

const UNCUT: &str = "its error cannot say that an attempt timed out; it can where the attribute has an `attempt_timeout` or a `cut_error`, and where the function returns a `RetryError`";
const ON_THREAD: &str = "an attempt that runs on its thread cannot be ended";
const SINGLE: &str = "with `attempts = 1` in its attribute there is no loop around it";
const UNMEASURED: &str = "without `backoff = \"adaptive\"` in its attribute it is not measured how long its attempts take";

/// Every key of a site, where it is set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(super) retries: Option<bool>,
    pub(super) attempts: Option<Attempts>,
    pub(super) backoff: Option<Backoff>,
    pub(super) base: Option<Duration>,
    pub(super) max: Option<Duration>,
    pub(super) factor: Option<f64>,
    pub(super) min_remaining: Option<Duration>,
    pub(super) time_per_attempt: Option<Duration>,
    pub(super) max_retry_after: Option<Duration>,
    pub(super) idempotent: Option<bool>,
    pub(super) nested: Option<Nested>,
    pub(super) inner: Option<Inner>,
    pub(super) attempt_timeout: Option<Duration>,
    pub(super) deadline: Option<Duration>,
    pub(super) stop: Option<Stop>,
}

/// How many attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempts {
    AtMost(u32),
    Unlimited,
}

/// Failures that are not to be retried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stop {
    pub(super) kinds: Vec<Kind>,
    pub(super) labels: Arc<[String]>,
}

impl Stop {
    pub(super) fn holds(&self, kind: Kind, label: &str) -> bool {
        self.kinds.contains(&kind) || self.labels.iter().any(|known| known == label)
    }
}

/// What the values come to is a function of them, and strategies cannot be compared.
impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl Settings {
    pub(super) const NONE: Self = Self {
        retries: None,
        attempts: None,
        backoff: None,
        base: None,
        max: None,
        factor: None,
        min_remaining: None,
        time_per_attempt: None,
        max_retry_after: None,
        idempotent: None,
        nested: None,
        inner: None,
        attempt_timeout: None,
        deadline: None,
        stop: None,
    };

    /// Takes over what a stronger override says.
    pub(super) fn overlay(&mut self, stronger: &Self) {
        macro_rules! take {
            ($($key:ident)*) => {$(
                if stronger.$key.is_some() {
                    self.$key.clone_from(&stronger.$key);
                }
            )*};
        }
        take!(retries attempts backoff base max factor min_remaining time_per_attempt
            max_retry_after idempotent nested inner attempt_timeout deadline stop);
    }

    /// Forgets a key.
    pub(super) fn take(&mut self, key: &str) {
        macro_rules! take {
            ($($key:ident)*) => {
                match key {
                    $(stringify!($key) => self.$key = None,)*
                    _ => {}
                }
            };
        }
        take!(retries attempts backoff base max factor min_remaining time_per_attempt
            max_retry_after idempotent nested inner attempt_timeout deadline stop);
    }

    /// Whether a key is set.
    pub(super) fn has(&self, key: &str) -> bool {
        macro_rules! has {
            ($($key:ident)*) => {
                match key {
                    $(stringify!($key) => self.$key.is_some(),)*
                    _ => false,
                }
            };
        }
        has!(retries attempts backoff base max factor min_remaining time_per_attempt
            max_retry_after idempotent nested inner attempt_timeout deadline stop)
    }

    /// Whether there is something that matters before the first failure.
    pub(super) const fn changes_begins(&self) -> bool {
        self.attempts.is_some()
            || self.min_remaining.is_some()
            || self.time_per_attempt.is_some()
            || self.idempotent.is_some()
            || self.nested.is_some()
            || self.inner.is_some()
            || self.attempt_timeout.is_some()
            || self.deadline.is_some()
    }

    pub(super) const fn is_unlimited(&self) -> bool {
        matches!(self.attempts, Some(Attempts::Unlimited))
    }

    /// Whether it says what attempts without number are bounded by, and who else may repeat them.
    pub(super) const fn bounds_unlimited(&self) -> bool {
        self.deadline.is_some() && self.inner.is_some()
    }

    /// Whether more than one attempt is asked for.
    pub(super) const fn wants_loop(&self) -> bool {
        matches!(self.attempts, Some(Attempts::Unlimited | Attempts::AtMost(2..)))
    }

    /// A key that a site cannot honour, and why.
    pub(super) fn refusal(&self, site: &Site) -> Option<(&'static str, &'static str)> {
        if self.attempt_timeout.is_some() && !site.can_time_out() {
            return Some(("attempt_timeout", if site.is_blocking() { ON_THREAD } else { UNCUT }));
        }
        if self.wants_loop() && site.is_single() {
            return Some(("attempts", SINGLE));
        }
        if self.is_adaptive() && !site.keeps_latency() {
            return Some(("backoff", UNMEASURED));
        }
        None
    }

    /// What a site cannot honour: the keys, and why.
    pub(super) fn refused_by(&self, site: &Site) -> Vec<(&'static str, &'static str)> {
        if self.refusal(site).is_none() { Vec::new() } else { self.clone().limit_to(site) }
    }

    /// Whether it says nothing but whether there are retries.
    pub(super) fn only_switches(&self) -> bool {
        self.retries.is_some() && *self == Self { retries: self.retries, ..Self::NONE }
    }

    /// Forgets what a site cannot honour: the keys, and why.
    pub(super) fn limit_to(&mut self, site: &Site) -> Vec<(&'static str, &'static str)> {
        let mut forgotten = Vec::new();
        while let Some(refusal) = self.refusal(site) {
            self.take(refusal.0);
            forgotten.push(refusal);
        }
        forgotten
    }

    fn is_adaptive(&self) -> bool {
        self.backoff.is_some_and(|backoff| backoff.name() == "adaptive")
    }

    /// A setting that the override's own `backoff` makes useless.
    pub(super) fn useless(&self) -> Option<(&'static str, &'static str)> {
        let backoff = self.backoff?.name();
        let waits = backoff != "none";
        let grows = matches!(backoff, "full_jitter" | "equal_jitter" | "exponential" | "adaptive");
        [
            ("base", self.base.is_some() && !waits),
            ("max", self.max.is_some() && !waits),
            ("factor", self.factor.is_some() && !grows),
        ]
        .into_iter()
        .find_map(|(key, useless)| useless.then_some((key, backoff)))
    }

    /// A policy with what is set here in place of its own.
    pub(super) fn policy(&self, given: &Policy) -> Policy {
        let mut policy = *given;
        match self.attempts {
            Some(Attempts::AtMost(attempts)) => policy = policy.attempts(attempts),
            Some(Attempts::Unlimited) => policy = policy.unlimited(),
            None => {}
        }
        macro_rules! set {
            ($($key:ident $method:ident),*) => {$(
                if let Some(value) = self.$key {
                    policy = policy.$method(value);
                }
            )*};
        }
        set!(backoff backoff, base base, max max, factor factor, min_remaining min_remaining,
            time_per_attempt time_per_attempt, max_retry_after max_retry_after,
            idempotent idempotent_if, nested nested, inner inner);
        policy
    }
}

/// A kind by its name, as tables and metrics show it.
pub(super) fn kind(name: &str) -> Option<Kind> {
    [
        Classification::transient(),
        Classification::throttled(),
        Classification::timeout(),
        Classification::conflict(),
        Classification::permanent(),
        Classification::cancelled(),
    ]
    .map(|class| class.kind())
    .into_iter()
    .find(|kind| kind_name(*kind) == name)
}

/// The kind that is probably meant by a word which is none. Labels are names of variants and types, which
/// begin with a capital.
pub(super) fn nearest_kind(word: &str) -> Option<&'static str> {
    const KINDS: [&str; 6] =
        ["transient", "throttled", "timeout", "conflict", "permanent", "cancelled"];
    let looks_like_a_kind = word.starts_with(|first: char| first.is_lowercase());
    nearest(word, KINDS.into_iter()).filter(|_| looks_like_a_kind)
}

const fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Transient => "transient",
        Kind::Throttled => "throttled",
        Kind::Timeout => "timeout",
        Kind::Conflict => "conflict",
        Kind::Permanent => "permanent",
        Kind::Cancelled => "cancelled",
    }
}
