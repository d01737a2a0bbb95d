//! The tables in the data model of serde. Keys are stable, and the page about tables lists them; durations
//! are seconds, and what has no limit is null.

mod breakers;
mod budgets;
mod overrides;
mod sites;

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::StopReason;

use super::{Breakers, Budgets, Sites};

/// A map with these keys, in this order.
macro_rules! map {
    ($serializer:ident { $($key:literal: $value:expr),+ $(,)? }) => {{
        use serde::ser::SerializeMap;
        let mut map = $serializer.serialize_map(Some([$($key),+].len()))?;
        $(map.serialize_entry($key, &$value)?;)+
        map.end()
    }};
}
use map;

/// A table is the sequence of its rows.
macro_rules! sequence {
    ($($table:ty)*) => {$(
        impl Serialize for $table {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self.iter())
            }
        }
    )*};
}
sequence!(Sites Budgets Breakers);

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| time.as_secs_f64())
}

/// A number, or nothing where there is no limit.
fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

/// Stops by the labels of their reasons.
struct Stops<I>(I);

impl<I: Iterator<Item = (StopReason, u64)> + Clone> Serialize for Stops<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone().map(|(reason, count)| (reason.label(), count)))
    }
}
