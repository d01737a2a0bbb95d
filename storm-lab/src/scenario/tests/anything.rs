use proptest::prelude::*;

use super::SIMPLE;
use crate::scenario::{builtins, keys::SECTIONS, read};

/// Reads a text; what is wrong with it must be sayable as well.
fn survives(text: &str) {
    if let Err(error) = read("any", text) {
        assert!(!error.to_string().is_empty());
    }
}

/// One of every kind.
const VALUES: &[&str] = &[
    "1",
    "0",
    "-1",
    "1.5",
    "nan",
    "-inf",
    "1e300",
    "9223372036854775807",
    "true",
    "\"\"",
    "\"1s\"",
    "\"100y\"",
    "\"loss\"",
    "\"page\"",
    "\"orders\"",
    "'attempts = 0'",
    "'budget = \"x\"'",
    "[]",
    "[1, 1]",
    "[\"1s\", \"2s\"]",
    "{}",
    "{ a = 1 }",
    "{ tier = \"orders\", times = 1000000 }",
    "{ exponential = \"1ns\" }",
    "[[[]]]",
    "1979-05-27",
    "\"0-99999999999\"",
];

const HEADINGS: &[&str] = &[
    "[clients]",
    "[[tier]]",
    "[[fault]]",
    "[[policy]]",
    "[contention]",
    "[budgets.x]",
    "[[clients.wave]]",
    "[tier.server]",
];

/// Lines with keys that exist and values of every kind.
fn line() -> impl Strategy<Value = String> {
    let keys: Vec<&str> =
        SECTIONS.iter().flat_map(|section| section.keys()).map(|key| key.name).collect();
    prop_oneof![
        6 => (prop::sample::select(keys), prop::sample::select(VALUES)).prop_map(|(key, value)| format!("{key} = {value}")),
        2 => prop::sample::select(HEADINGS).prop_map(str::to_owned),
    ]
}

proptest! {
    #[test]
    fn no_text_whatsoever_panics(text in any::<String>()) {
        survives(&text);
    }

    #[test]
    fn no_text_of_the_characters_of_toml_panics(text in "[a-c0-9='\"\\[\\]{}.,#\\\\ \n\r\t-]{0,80}") {
        survives(&text);
    }

    #[test]
    fn no_keys_and_values_in_any_order_panic(lines in prop::collection::vec(line(), 0..30)) {
        survives(&lines.join("\n"));
    }

    #[test]
    fn no_part_of_a_scenario_replaced_with_anything_panics(
        at in 0..16_usize, cut in any::<prop::sample::Index>(), length in 0..40_usize, text in any::<String>()
    ) {
        let texts: Vec<&str> = builtins().iter().map(|builtin| builtin.text).chain([SIMPLE]).collect();
        let chars: Vec<char> = texts[at % texts.len()].chars().collect();
        let from = cut.index(chars.len());
        let to = (from + length).min(chars.len());
        let changed: String = chars[..from].iter().copied().chain(text.chars()).chain(chars[to..].iter().copied()).collect();
        survives(&changed);
    }

    #[test]
    fn no_policy_text_panics(text in any::<String>()) {
        survives(&SIMPLE.replace("attempts = 4, idempotent", &text));
    }
}
