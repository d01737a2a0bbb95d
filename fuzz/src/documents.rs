//! Overrides in TOML: `config::parse`, and what is put into force.

use retry_runtime::{
    config::{self, Document, Faults},
    control::{self, Layer, Override, Overrides},
    testing::isolated_sync,
};

use crate::still;

/// The most bytes that are read: beyond them there is nothing new but more of the same.
const MOST: usize = 8 * 1_024;

/// The input is a document.
///
/// - A second read says the same.
/// - A document that is understood is printed, and reads back to the same overrides, and again from what is printed of those.
/// - It has at most 1,000 overrides, each about somebody of its own, each with a key, and none that is over already.
/// - What is refused names its origin; where it stands is a line and a column that the text has, in its order.
/// - Put into force, it is all there; refused, nothing is, and what was there before still is. Put into force again
///   it changes nothing.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    let text = crate::text(bytes);
    if text.len() > MOST {
        return;
    }
    still::run(async {
        match config::parse("fuzz.toml", text) {
            Ok(document) => understood(&document, text),
            Err(faults) => {
                refused(&faults, "fuzz.toml", text);
                assert_eq!(config::parse("fuzz.toml", text).err(), Some(faults));
            }
        }
    });
}

fn understood(document: &Document, text: &str) {
    let overrides = document.overrides();
    let again = config::parse("fuzz.toml", text).expect("it was understood before");
    assert_same(&overrides, &again.overrides());
    // A table that is over is left out, and said to be.
    for remark in document.remarks() {
        assert!(remark.to_string().starts_with("fuzz.toml:"), "{remark}");
    }
    assert!(overrides.len() <= Overrides::MOST);
    for (index, one) in overrides.iter().enumerate() {
        assert!(one.values().len() > 0, "{one}");
        assert!(one.lifetime().is_none_or(|time| !time.is_zero()), "{one}");
        let others = overrides.iter().skip(index + 1);
        assert!(others.map(Override::target).all(|other| other != one.target()), "{one}");
    }

    let printed = overrides.to_string();
    let back = config::parse("printed", &printed);
    let back = back.unwrap_or_else(|faults| panic!("{faults} in {printed}")).overrides();
    assert_eq!(sorted(&back), sorted(&overrides), "{printed}");
    let again = config::parse("printed", &back.to_string()).expect("it is printed the same way");
    assert_eq!(again.overrides(), back);

    isolated_sync(|| in_force(document, text));
}

/// What each says, in an order of its own: `retries` may have stood outside of its table.
fn sorted(all: &Overrides) -> Vec<String> {
    let shown = |one: &Override| {
        let mut values: Vec<_> = one.values().map(|value| format!("{value:?}")).collect();
        values.sort();
        format!("{} {values:?} {:?} {:?}", one.target(), one.text(), one.lifetime())
    };
    all.iter().map(shown).collect()
}

/// The same but for the time that a wall clock says is left.
fn assert_same(one: &Overrides, other: &Overrides) {
    let what = |all: &Overrides| -> Vec<_> {
        let shown = |one: &Override| (one.to_string(), one.lifetime().is_some());
        all.iter().map(shown).collect()
    };
    assert_eq!(what(one), what(other));
}

fn in_force(document: &Document, text: &str) {
    let overrides = document.overrides();
    assert!(control::overrides().is_empty());
    let before = config::parse("before", "[all]\nattempts = 2\n").expect("it is a document");
    before.apply(Layer::File).expect("nothing stands against it");
    match document.clone().apply(Layer::File) {
        Ok(applied) => {
            assert_eq!(applied.overrides, overrides.len());
            let table = control::overrides();
            assert_eq!(table.len(), overrides.len());
            document.clone().apply(Layer::File).expect("it fitted before");
            assert_eq!(control::overrides().to_string(), table.to_string());
        }
        Err(faults) => {
            refused(&faults, "fuzz.toml", text);
            let table = control::overrides();
            assert!(table.len() == 1 && table.to_string().contains("attempts = 2"), "{table}");
        }
    }
}

/// Each has its origin, and a place where there is something.
pub(crate) fn refused(faults: &Faults, origin: &str, text: &str) {
    assert!(faults.iter().count() > 0);
    let lines: Vec<&str> = text.split('\n').collect();
    let mut last = (0, 0);
    for fault in faults.iter() {
        assert!(!fault.message().is_empty());
        assert!(fault.to_string().starts_with(fault.origin()), "{fault}");
        let (Some(line), Some(column)) = (fault.line(), fault.column()) else { continue };
        assert_eq!(fault.origin(), origin);
        let there = line.checked_sub(1).and_then(|line| lines.get(line));
        let there = there.unwrap_or_else(|| panic!("there is no such line: {fault}"));
        assert!(column >= 1 && column <= there.chars().count() + 1, "no such column: {fault}");
        assert!((line, column) >= last, "out of order: {faults}");
        last = (line, column);
    }
}
