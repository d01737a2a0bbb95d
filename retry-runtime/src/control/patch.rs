//! What all overrides in force come to for one call.

use std::time::Duration;

use super::settings::Settings;
use crate::{Kind, Policy};

/// What the overrides of a site say, by precedence, without those that have expired and without what the
/// site cannot honour.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Patch {
    pub(super) settings: Settings,
}

impl Patch {
    /// The policy with it. Where the call's own `base` and `max` do not go with those of the override, the
    /// call's own stay: it may have brought them along when the override was checked long ago.
    pub(crate) fn policy(&self, given: &Policy) -> Policy {
        let patched = self.settings.policy(given);
        if patched.check().is_ok() || given.check().is_err() {
            return patched;
        }
        let kept = Settings { base: None, max: None, ..self.settings.clone() };
        kept.policy(given)
    }

    /// The end for each attempt.
    pub(crate) const fn attempt_timeout(&self) -> Option<Duration> {
        self.settings.attempt_timeout
    }

    /// The time for the whole call, in place of the site's own. An inherited deadline that is sooner holds on.
    pub(crate) const fn deadline(&self) -> Option<Duration> {
        self.settings.deadline
    }

    /// Whether a failure of this kind and label is never to be retried.
    pub(crate) fn stops(&self, kind: Kind, label: &str) -> bool {
        self.settings.stop.as_ref().is_some_and(|stop| stop.holds(kind, label))
    }

    /// Whether retries are switched off for the site. That its budget is, the budget knows.
    pub(crate) fn is_off(&self) -> bool {
        self.settings.retries == Some(false)
    }
}
