//! Overrides.

use serde::{Serialize, Serializer};

use crate::control::{Effect, OverrideRow, OverrideTable, Target, Value};

use super::{map, seconds};

/// Beside the rows there is what concerns them all.
impl Serialize for OverrideTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let refused = self.refused().map(|(layer, why)| Refused(layer.label(), why));
        map!(serializer {
            "shutting_down": self.is_shutting_down(),
            "refused": refused.collect::<Vec<_>>(),
            "overrides": self.iter().collect::<Vec<_>>(),
        })
    }
}

impl Serialize for OverrideRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let left_out = self.left_out().map(|(site, key, why)| LeftOut { site, key, why });
        map!(serializer {
            "target": kind(self.target()),
            "name": name(self.target()),
            "layer": self.layer().label(),
            "settings": Settings::of(self.values()),
            "note": self.note(),
            "expires_in": seconds(self.expires_in()),
            "sites": self.sites(),
            "left_out": left_out.collect::<Vec<_>>(),
            "pending": self.is_pending(),
            "nearest": self.nearest(),
        })
    }
}

impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        map!(serializer {
            "target": kind(self.target()),
            "name": name(self.target()),
            "layer": self.layer().label(),
            "settings": Settings::of(self.values()),
            "note": self.note(),
            "expires_in": seconds(self.expires_in()),
        })
    }
}

const fn kind(target: &Target) -> &'static str {
    match target {
        Target::All => "all",
        Target::Site(_) => "site",
        Target::Budget(_) => "budget",
        Target::SitesOf(_) => "sites_of_budget",
        Target::Breaker(_) => "breaker",
    }
}

fn name(target: &Target) -> Option<&str> {
    match target {
        Target::All => None,
        Target::Site(name)
        | Target::Budget(name)
        | Target::SitesOf(name)
        | Target::Breaker(name) => Some(name),
    }
}

/// Keys and what they are set to.
struct Settings<'a>(Vec<(&'static str, &'a Value)>);

impl<'a> Settings<'a> {
    fn of(values: impl Iterator<Item = (&'static str, &'a Value)>) -> Self {
        Self(values.collect())
    }
}

impl Serialize for Settings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Float(number) => serializer.serialize_f64(*number),
            Self::Bool(yes) => serializer.serialize_bool(*yes),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(words) => words.serialize(serializer),
        }
    }
}

struct LeftOut<'a> {
    site: &'a str,
    key: &'static str,
    why: &'static str,
}

impl Serialize for LeftOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        map!(serializer { "site": self.site, "key": self.key, "reason": self.why })
    }
}

/// A layer and why its document was refused.
struct Refused<'a>(&'static str, &'a str);

impl Serialize for Refused<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        map!(serializer { "layer": self.0, "reason": self.1 })
    }
}
