//! Durations: the attribute's reader and that of overrides.

use std::time::Duration;

use retry_grammar::{duration::parse, model::Value, text};
use retry_runtime::control::{Override, Target};

/// What overrides are read by. The module is not public, so its source is taken as it is.
#[path = "../../retry-runtime/src/control/duration.rs"]
mod of_overrides;

/// The input is a duration.
///
/// - Both readers say the same, messages included, and what the engine makes of it says so too.
/// - What is read is, within the precision of a float, the sum of its numbers times their units.
/// - What is read is written so that it reads back to the same, and writing that again changes nothing.
/// - A refusal says something.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    let input = crate::text(bytes);
    let read = parse(input);
    assert_eq!(read, of_overrides::parse(input), "the two readers differ");
    match &read {
        Ok(duration) => {
            let written = of_overrides::write(*duration);
            assert_eq!(parse(&written), Ok(*duration), "written as {written}");
            assert_eq!(of_overrides::write(parse(&written).unwrap()), written);
            assert_close(*duration, sum(input));
        }
        Err(message) => assert!(!message.is_empty()),
    }

    let set = Override::new(Target::All).set("base", input);
    assert_eq!(set.is_ok(), read.is_ok(), "as an override: {set:?}");
    in_the_attribute(input, &read);
}

fn in_the_attribute(input: &str, read: &Result<Duration, String>) {
    proc_macro2::extra::invalidate_current_thread_spans();
    let setting = format!("base = {input:?}");
    // Longer than any policy is.
    if setting.len() > 16 * 1_024 {
        return;
    }
    let reading = text::read(&setting);
    let base = reading.settings.base.map(|base| match base.value {
        Value::Literal(length) => length,
        Value::Const(_) => unreachable!("a string is no path"),
    });
    assert_eq!(base, read.clone().ok(), "in the attribute: {:?}", reading.mistakes);
    assert_eq!(reading.mistakes.len(), usize::from(read.is_err()));
}

/// What the text comes to, in seconds; by floats and by a reader of its own.
fn sum(text: &str) -> f64 {
    let mut sum = 0.0;
    let mut rest = text;
    while !rest.is_empty() {
        let unit = rest.find(|c: char| c.is_ascii_lowercase()).expect("there is a unit");
        let (number, after) = rest.split_at(unit);
        let next = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
        let (unit, after) = after.split_at(next);
        let scale = match unit {
            "d" => 86_400.0,
            "h" => 3_600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" => 1e-6,
            "ns" => 1e-9,
            other => panic!("{other} is no unit"),
        };
        sum += number.parse::<f64>().expect("it is a number") * scale;
        rest = after;
    }
    sum
}

fn assert_close(duration: Duration, seconds: f64) {
    let read = duration.as_secs_f64();
    assert!((read - seconds).abs() <= 1e-9 * seconds.max(1e-3), "{read} for {seconds}");
}
