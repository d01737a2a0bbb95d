//! Numbers and lengths of time as people read them.

use std::time::Duration;

/// Three digits that say something, with a unit.
pub(super) fn time(length: Duration) -> String {
    let nanos = length.as_nanos();
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

fn trimmed(text: &str, unit: &str) -> String {
    format!("{}{unit}", text.trim_end_matches('0'))
}

/// At most two decimals.
pub(super) fn number(value: f64) -> String {
    if value.is_infinite() {
        return "any number of".into();
    }
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
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
