//! Overrides that make no sense: by themselves, or beside what else is said about a site.

use std::time::Duration;

use super::{keys, settings::Settings};
use crate::{
    ConfigError, Policy,
    site::{DeadlineRule, Site},
};

const WAITS: &str = "beside the other overrides and the code, `base` would be above `max`";
const TIME: &str = "beside the other overrides and the code, it would leave no time for an attempt";

/// What makes no sense of a site's policy with overrides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Contradiction {
    Policy(ConfigError),
    /// Nothing is left of the deadline.
    NoTime {
        key: &'static str,
        needed: Duration,
        deadline: Duration,
    },
}

impl Contradiction {
    /// The keys that have to do with it.
    pub(super) fn keys(&self) -> &'static [&'static str] {
        match *self {
            Self::Policy(ConfigError::BaseAboveMax { .. }) => &["base", "max"],
            Self::Policy(_) => keys::SITE,
            Self::NoTime { key: "min_remaining", .. } => &["min_remaining", "deadline"],
            Self::NoTime { .. } => &["time_per_attempt", "deadline"],
        }
    }

    const fn reason(&self) -> &'static str {
        match self {
            Self::Policy(_) => WAITS,
            Self::NoTime { .. } => TIME,
        }
    }
}

impl Settings {
    /// What makes no sense of it by itself, whomever it meets: the key, and why.
    pub(super) fn contradicts_itself(&self) -> Option<(&'static str, String)> {
        if self.base.is_some() && self.max.is_some() {
            if let Err(fault @ ConfigError::BaseAboveMax { .. }) =
                self.policy(&Policy::new()).check()
            {
                return Some(("base", fault.to_string()));
            }
        }
        let deadline = self.deadline?;
        let late = |needed: Option<Duration>| needed.is_some_and(|needed| needed >= deadline);
        let key = if late(self.min_remaining) {
            "min_remaining"
        } else if self.time_per_attempt.is_some_and(|needed| needed > deadline) {
            "time_per_attempt"
        } else {
            return None;
        };
        Some((key, format!("it leaves nothing of the override's own `deadline` ({deadline:?})")))
    }

    /// What would make no sense about the policy of a site, as far as that is known before the call.
    pub(super) fn contradiction(&self, site: &Site) -> Option<Contradiction> {
        let own = site.policy();
        // What varies is only known to the call.
        if site.varies() || own.check().is_err() {
            return None;
        }
        let policy = self.policy(own);
        if let Err(fault) = policy.check() {
            return Some(Contradiction::Policy(fault));
        }
        let deadline = match (self.deadline, site.deadline_rule()) {
            (Some(time), _) | (None, DeadlineRule::After(time)) => time,
            (None, DeadlineRule::Inherit | DeadlineRule::None) => return None,
        };
        let no_time = |key, needed| Some(Contradiction::NoTime { key, needed, deadline });
        if policy.least_remaining() >= deadline {
            no_time("min_remaining", policy.least_remaining())
        } else if policy.attempts_within(deadline) == 0 {
            no_time("time_per_attempt", policy.time_for_attempt().unwrap_or(deadline))
        } else {
            None
        }
    }

    /// Forgets what contradicts itself or the site: the keys, and why. It cannot be refused any more; it
    /// came about because something else was taken away, or because the site appeared later.
    pub(super) fn reconcile(&mut self, site: &Site) -> Vec<(&'static str, &'static str)> {
        let mut forgotten = Vec::new();
        while let Some(contradiction) = self.contradiction(site) {
            let before = forgotten.len();
            for key in contradiction.keys().iter().copied().filter(|key| self.has(key)) {
                forgotten.push((key, contradiction.reason()));
            }
            forgotten[before..].iter().for_each(|(key, _)| self.take(key));
            // Attempts without number go with their end.
            if self.is_unlimited() && forgotten[before..].iter().any(|(key, _)| *key == "deadline")
            {
                self.take("attempts");
                forgotten.push(("attempts", contradiction.reason()));
            }
            // A site that contradicts itself is another matter.
            if forgotten.len() == before {
                break;
            }
        }
        forgotten
    }
}
