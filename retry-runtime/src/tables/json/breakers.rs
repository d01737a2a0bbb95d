//! Breakers.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::isolation;

use super::{super::BreakerRow, map, seconds};

impl Serialize for BreakerRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (stats, opens_in) = (self.stats(), self.opens_in());
        map!(serializer {
            "breaker": self.name(),
            "state": self.state().label(),
            "opens_in": seconds(opens_in.filter(|time| *time != Duration::MAX)),
            "settings": self.settings().to_string(),
            "declared": self.declared_settings().to_string(),
            "overrides": self.overrides(),
            "implicit": self.is_implicit(),
            "sites": self.sites(),
            "opened": stats.opened,
            "successes": isolation::counting().then_some(stats.successes),
            "failures": stats.failures,
            "timeouts": stats.timeouts,
            "slow": stats.slow,
            "rejected": stats.rejected,
            "cancelled": stats.cancelled,
            "ignored": stats.ignored,
            "late": stats.late,
        })
    }
}
