use crate::scenario::read;
use crate::scenario::tests::{mistakes, wrong};

#[test]
fn all_mistakes_are_reported_at_once_in_the_order_of_the_text() {
    let all = wrong(&[
        ("title", "titel"),
        ("30.0", "-1"),
        ("\"500ms\"", "500"),
        ("workers = 10", "workers = 0"),
        ("0.15", "2"),
        ("base = \"100ms\"", "base = \"100\", factor = 0.5"),
        ("attempts = 4, idempotent'\n", "attempts = 0'\n"),
    ]);
    let keys: Vec<&str> = all.iter().map(|mistake| mistake.key.as_str()).collect();
    let (first, rest) = keys.split_at(5);
    assert_eq!(
        first,
        ["titel", "clients.rate", "tier.timeout", "tier.server.workers", "fault.share"]
    );
    assert!(rest.len() >= 3 && rest.iter().all(|key| *key == "policy.retry"), "{all:#?}");
    assert!(all.is_sorted_by_key(|mistake| (mistake.place.line, mistake.place.column)));
}

#[test]
fn what_is_no_toml_is_said_in_the_same_form() {
    for (text, line, column, part) in [
        (
            "a = 1\ntimeout = 500ms",
            2,
            11,
            "`500ms` is no number: texts, names and durations go in quotes",
        ),
        ("name = naive", 1, 8, "`naive` is no number"),
        ("a = \nb = 1", 1, 5, "there is no value"),
        ("a = 1\n a = 2", 2, 2, "`a` comes twice"),
        ("[tier]\n[tier]", 2, 2, "[[tier]], where there may be several"),
        ("[clients\nrate = 1", 1, 9, "this is no TOML"),
        ("rate = 30,0", 1, 10, "this is no TOML"),
        ("a", 1, 2, "this is no TOML"),
        ("a = 'x", 1, 7, "this is no TOML"),
    ] {
        let all = mistakes(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        assert_eq!((all[0].place.line, all[0].place.column), (line, column), "{text}: {all:?}");
        assert!(all[0].message.contains(part), "{text}: {all:?}");
    }
    // What follows a missing bracket is no mistake of its own.
    for text in ["a = { b = 1\nc = 2\n[d]\ne = \"f\"\n", "a = [1, { b = 2\n[[c]]\nd = 'e'\n"] {
        let all = mistakes(text);
        assert!(all.len() == 1 && all[0].message.contains("no TOML"), "{text}: {all:?}");
    }
    let two = mistakes("a = 5ms\nb = 6ms\n");
    assert_eq!(two.len(), 2, "values are looked at one by one: {two:?}");
    let deep = mistakes(&format!("{}a = 1", "a.".repeat(100_000)));
    assert!(deep.iter().any(|mistake| mistake.message.contains("too deeply")), "{}", deep.len());
}

#[test]
fn mistakes_are_shown_with_file_line_column_and_carets() {
    let text = "duration = \"60\"\n[clients]\nrate = -30.0\n";
    let error = read("storm.toml", text).unwrap_err().to_string();
    let start = "storm.toml:1:1: the scenario has no `tier`: write [[tier]] with its keys below, what is called\n  |\n1 | duration = \"60\"\n  | ^\n";
    assert!(error.starts_with(start), "{error}");
    let rate = "storm.toml:3:8: `rate` cannot be `-30.0`: write a number from 0 to 1000000000\n  |\n3 | rate = -30.0\n  |        ^^^^^\n";
    assert!(error.contains(rate), "{error}");
    assert!(error.ends_with("\nstorm.toml: 4 mistakes"), "{error}");
}
