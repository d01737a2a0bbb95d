//! Functions.

use serde::{Serialize, Serializer};

use crate::{Kind, StopReason};

use super::{
    super::{ErrorRow, LongestCall, Outcomes, SiteRow},
    Stops, map, seconds,
};

impl Serialize for SiteRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (file, line) = self.place();
        let counts = self.counts_successes();
        map!(serializer {
            "site": self.name(),
            "file": file,
            "line": line,
            "policy": self.policy_in_words(),
            "overrides": self.overrides(),
            "varies": self.varies(),
            "max_attempts": self.policy_in_force().max_attempts(),
            "longest_call": self.longest_call(),
            "budget": self.budget(),
            "own_balance": self.own_balance(),
            "breaker": self.breaker(),
            "off": self.is_off(),
            "counts_successes": counts,
            "calls": counts.then(|| self.calls()),
            "outcomes": Counted(self.outcomes(), counts),
            "attempts": counts.then(|| self.attempts()),
            "failures": self.failures(),
            "retries": self.retries(),
            "hedges": self.hedges(),
            "stops": Stops(StopReason::ALL.iter().map(|reason| (*reason, self.stops(*reason)))),
            "errors": self.errors(),
            "lost_to_nesting": self.lost_to_nesting(),
            "uncut": self.uncut(),
            "panics": self.panics(),
            "hook_panics": self.hook_panics(),
            "blocks_runtime": self.blocks_runtime(),
        })
    }
}

/// Outcomes, and whether successes at once are among them.
struct Counted(Outcomes, bool);

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(outcomes, counts) = *self;
        map!(serializer {
            "success": counts.then_some(outcomes.success),
            "success_after_retry": outcomes.success_after_retry,
            "failure": outcomes.failure,
            "failure_after_retry": outcomes.failure_after_retry,
        })
    }
}

impl Serialize for Outcomes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Counted(*self, true).serialize(serializer)
    }
}

impl Serialize for ErrorRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        map!(serializer {
            "error": self.label(),
            "kind": self.kind().map(Kind::label),
            "failures": self.failures(),
            "stops": Stops(self.stops().iter().copied()),
        })
    }
}

impl Serialize for LongestCall {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (time, with_hints, why) = match *self {
            Self::Bounded { time, with_hints } => (Some(time), Some(with_hints), None),
            Self::Unbounded { why } => (None, None, Some(why)),
        };
        map!(serializer {
            "seconds": seconds(time),
            "seconds_with_hints": seconds(with_hints),
            "unbounded": why,
        })
    }
}
