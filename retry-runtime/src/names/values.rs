//! Numbers as overrides write them.

use std::time::Duration;

use crate::control::{Fault, Value, duration};

pub(crate) fn wanted(what: impl std::fmt::Display) -> Fault {
    Fault::Value(format!("it must be {what}"))
}

/// A whole number in this range.
pub(crate) fn count(value: &Value, least: u32, most: u32) -> Result<u32, Fault> {
    let number = match value {
        Value::Integer(number) => u32::try_from(*number).ok(),
        _ => None,
    };
    let allowed = number.filter(|number| (least..=most).contains(number));
    let is_above = matches!(value, Value::Integer(number) if *number > i64::from(most));
    allowed.ok_or_else(|| {
        if most == u32::MAX && !is_above {
            wanted(format_args!("a whole number of at least {least}"))
        } else {
            wanted(format_args!("a whole number from {least} to {most}"))
        }
    })
}

/// A number, whole or not, that is as it must be.
pub(crate) fn number(
    value: &Value,
    allowed: impl FnOnce(f64) -> bool,
    what: &str,
) -> Result<f64, Fault> {
    let number = match value {
        Value::Float(number) => Some(*number),
        // Every number that is allowed anywhere and has a meaning is exact.
        #[expect(clippy::cast_precision_loss, reason = "beyond 2^53 it makes no difference")]
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    };
    number.filter(|number| number.is_finite() && allowed(*number)).ok_or_else(|| wanted(what))
}

/// A share above 0 and up to 1.
pub(crate) fn share(value: &Value) -> Result<f64, Fault> {
    number(value, |share| share > 0.0 && share <= 1.0, "a number above 0 and at most 1")
}

/// A duration above zero.
pub(crate) fn time(value: &Value) -> Result<Duration, Fault> {
    const WANTED: &str = "a duration above zero, such as \"50ms\" or \"1m30s\"";
    match value {
        Value::Text(text) => match duration::parse(text).map_err(Fault::Value)? {
            Duration::ZERO => Err(wanted(WANTED)),
            time => Ok(time),
        },
        Value::Integer(number) => Err(wanted(format_args!(
            "{WANTED}: `{number}` has no unit, write \"{number}ms\" for milliseconds"
        ))),
        _ => Err(wanted(WANTED)),
    }
}
