//! Numbers and lengths of time as people read them.

use std::time::Duration;

use crate::plots::grouped;

/// Three digits that say something, with a unit.
pub(super) fn time(length: Duration) -> String {
    let nanos = carried(length.as_nanos());
    let (unit, size) = match nanos {
        0 => return "0".into(),
        1..1_000 => ("ns", 1),
        1_000..1_000_000 => ("us", 1_000),
        1_000_000..1_000_000_000 => ("ms", 1_000_000),
        1_000_000_000..120_000_000_000 => ("s", 1_000_000_000),
        120_000_000_000..7_200_000_000_000 => ("m", 60_000_000_000),
        7_200_000_000_000..172_800_000_000_000 => ("h", 3_600_000_000_000),
        _ => ("d", 86_400_000_000_000),
    };
    let (scale, decimals) = match nanos / size {
        0..10 => (100, 2),
        10..100 => (10, 1),
        _ => (1, 0),
    };
    let scaled = (nanos * scale + size / 2) / size;
    let (whole, part) = (scaled / scale, scaled % scale);
    if part == 0 {
        format!("{whole}{unit}")
    } else {
        trimmed(&format!("{whole}.{part:0decimals$}"), unit)
    }
}

/// What would be written as 1000 of a unit, as one of the next.
fn carried(nanos: u128) -> u128 {
    [1_000, 1_000_000, 1_000_000_000]
        .into_iter()
        .find(|next| nanos < *next && nanos + next / 2_000 >= *next)
        .unwrap_or(nanos)
}

fn trimmed(text: &str, unit: &str) -> String {
    format!("{}{unit}", text.trim_end_matches('0'))
}

/// Larger numbers are not read digit by digit.
const READABLE: f64 = 1e12;

/// Below it, two decimals would say zero.
const SMALL: f64 = 0.005;

/// At most two decimals, and commas between thousands; of what is smaller, three digits.
pub(super) fn number(value: f64) -> String {
    if value.is_infinite() {
        return "any number of".into();
    }
    if value.abs() >= READABLE {
        return format!("{value:e}");
    }
    if value != 0.0 && value.abs() < SMALL {
        // What it has just written is a number.
        let short: f64 = format!("{value:.2e}").parse().unwrap_or(value);
        return if value.abs() < 1e-6 { format!("{short:e}") } else { short.to_string() };
    }
    let text = grouped(value, 2);
    match text.strip_suffix(".00") {
        Some(whole) => whole.to_owned(),
        None => text.trim_end_matches('0').to_owned(),
    }
}

/// A share in percent, of which all and nothing are said only where it is all and nothing.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        p if p <= 0.0 => "0 %".into(),
        p if p >= 100.0 => "100 %".into(),
        p if p < 0.1 => "< 0.1 %".into(),
        p if p > 99.9 => "> 99.9 %".into(),
        p => format!("{p:.1} %"),
    }
}
