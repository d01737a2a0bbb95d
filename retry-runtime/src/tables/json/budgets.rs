//! Budgets.

use serde::{Serialize, Serializer};

use crate::NextRetry;

use super::{super::BudgetRow, finite, map, seconds};

impl Serialize for BudgetRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (settings, bound, stats) = (self.settings(), self.bound(), self.stats());
        map!(serializer {
            "budget": self.name(),
            "kind": settings.kind(),
            "settings": settings.to_string(),
            "declared": self.declared_settings().to_string(),
            "overrides": self.overrides(),
            "parent": self.parent(),
            "implicit": self.is_implicit(),
            "observing": self.is_observing(),
            "off": self.is_off(),
            "sites": self.sites(),
            "balance": self.balance(),
            "capacity": self.capacity(),
            "next_retry": self.next_retry(),
            "withdrawn": stats.withdrawn,
            "refused": stats.refused,
            "given_back": stats.given_back,
            "would_refuse": stats.would_refuse,
            "shed": stats.shed,
            "by_floor": stats.by_floor,
            "processes": bound.processes(),
            "bound": bound.to_string(),
            "burst": bound.burst(),
            "steady_share": finite(bound.steady_share()),
            "per_second": bound.per_second(),
            "worst_amplification": finite(bound.worst_amplification()),
        })
    }
}

impl Serialize for NextRetry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (by, calls, time) = match *self {
            Self::Now => ("now", Some(0), None),
            Self::Answers(calls) => ("answers", Some(calls), None),
            Self::Successes(calls) => ("successes", Some(calls), None),
            Self::After(time) => ("time", None, Some(time)),
            Self::Traffic => ("traffic", None, None),
            Self::End => ("end", None, None),
            Self::Never => ("never", None, None),
            Self::Several => ("several", None, None),
        };
        map!(serializer { "by": by, "calls": calls, "seconds": seconds(time) })
    }
}
