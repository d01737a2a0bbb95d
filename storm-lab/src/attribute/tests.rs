use std::time::Duration;

use retry_grammar::Key;
use retry_grammar::model::Strategy;

use super::{Attribute, Mistakes, Payer, elsewhere, read};

fn good(text: &str) -> Attribute {
    read(text).unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

fn bad(text: &str) -> Mistakes {
    read(text).expect_err(text)
}

/// What each mistake points at, and a part of its message.
fn assert_mistakes(text: &str, wanted: &[(&str, &str)]) {
    let mistakes = bad(text);
    assert_eq!(mistakes.iter().count(), wanted.len(), "{mistakes}");
    for (mistake, (place, part)) in mistakes.iter().zip(wanted) {
        assert_eq!(&text[mistake.range()], *place, "{mistakes}");
        assert!(mistake.message().contains(part), "{part}: {mistakes}");
    }
}

#[test]
fn every_setting_reaches_production() {
    let text = r#"attempts = 4, backoff = "equal_jitter", base = "50ms", max = "1s", factor = 3,
        budget = "orders", breaker = "orders", deadline = "2s", attempt_timeout = "400ms", uncut,
        min_remaining = "10ms", time_per_attempt = "300ms", max_retry_after = "7s", idempotent,
        nested = "independent", inner = "allow", name = "orders.fetch""#;
    let Attribute { text: kept, policy, budget, breaker, attempt_timeout, deadline } = good(text);
    let ms = Duration::from_millis;
    assert_eq!(kept, text);
    assert_eq!(policy.max_attempts(), Some(4));
    assert_eq!(policy.strategy().name(), "equal_jitter");
    assert_eq!((policy.steps().base(), policy.steps().max()), (ms(50), ms(1_000)));
    assert!((policy.steps().factor() - 3.0).abs() < f64::EPSILON);
    assert_eq!(policy.least_remaining(), ms(10));
    assert_eq!(policy.attempts_within(ms(950)), 3);
    assert_eq!(policy.longest_hint(), ms(7_000));
    assert!(policy.is_idempotent() && policy.is_independent() && !policy.suppresses_inner());
    assert_eq!(budget, Payer::Named("orders".into()));
    assert_eq!(breaker.as_deref(), Some("orders"));
    assert_eq!((attempt_timeout, deadline), (Some(ms(400)), Some(ms(2_000))));
}

#[test]
fn every_built_in_backoff_is_taken_by_its_name() {
    for (word, strategy) in Strategy::ALL {
        if strategy != Strategy::Adaptive {
            assert_eq!(good(&format!("backoff = \"{word}\"")).policy.strategy().name(), word);
        }
    }
}

#[test]
fn nothing_means_the_defaults() {
    let Attribute { policy, budget, breaker, attempt_timeout, deadline, .. } = good("");
    assert_eq!(format!("{policy:?}"), format!("{:?}", retry_runtime::Policy::new()));
    assert_eq!((budget, breaker, attempt_timeout, deadline), (Payer::Own, None, None, None));
}

#[test]
fn none_and_no_are_not_the_same_as_nothing() {
    let attribute = good(
        "attempts = \"unlimited\", budget = none, breaker = none, deadline = none, inner = \"suppress\", idempotent = false",
    );
    assert_eq!(attribute.policy.max_attempts(), None);
    assert_eq!(
        (attribute.budget, attribute.breaker, attribute.deadline),
        (Payer::None, None, None)
    );
    assert!(!attribute.policy.is_idempotent());
    assert!(good("idempotent = true").policy.is_idempotent());
}

#[test]
fn every_key_is_taken_or_refused_with_a_reason() {
    let mut taken = 0;
    for key in Key::ALL {
        let example = key.example();
        match elsewhere::reason(*key) {
            None => {
                taken += 1;
                // `uncut` asks for a deadline.
                good(&if *key == Key::Uncut {
                    format!("{example}, deadline = \"1s\"")
                } else {
                    example.into()
                });
            }
            Some(reason) => {
                assert!(
                    reason.contains("leave it out") || reason.contains("write "),
                    "{key}: {reason}"
                );
                assert_mistakes(example, &[(example, &format!("`{key}` {reason}"))]);
            }
        }
    }
    assert_eq!(taken, 17);
}

#[test]
fn what_only_a_program_knows_is_refused_with_what_to_write() {
    for (text, place, part) in [
        (
            "attempts = TRIES",
            "TRIES",
            "`TRIES` belongs to your program, of which nothing is known here: write the value, as in `attempts = 3`",
        ),
        ("base = times::BASE", "times::BASE", "as in `base = \"50ms\"`"),
        ("max = MAX", "MAX", "as in `max = \"20s\"`"),
        ("factor = FACTOR", "FACTOR", "as in `factor = 2.0`"),
        ("min_remaining = M", "M", "`min_remaining = \"100ms\"`"),
        ("time_per_attempt = T", "T", "`time_per_attempt = \"200ms\"`"),
        ("max_retry_after = T", "T", "`max_retry_after = \"30s\"`"),
        ("attempt_timeout = T", "T", "`attempt_timeout = \"1s\"`"),
        ("deadline = LIMIT", "LIMIT", "as in `deadline = \"5s\"`"),
        ("deadline = self.limit", "self.limit", "an expression has no value without a program"),
        ("budget = ORDERS", "ORDERS", "as in `budget = \"orders\"`"),
        ("budget = &crate::SHOP_ORDERS", "&crate::SHOP_ORDERS", "as in `budget = \"shop_orders\"`"),
        ("budget = self.budget", "self.budget", "write the budget's name"),
        ("breaker = crate::ORDERS", "crate::ORDERS", "as in `breaker = \"orders\"`"),
        ("idempotent = IS_READ", "IS_READ", "write `idempotent` if a repeat is harmless"),
        ("idempotent = order.is_read()", "order.is_read()", "or leave it out"),
        ("backoff = half_jitter", "half_jitter", "write one of \"full_jitter\", \"equal_jitter\""),
        ("backoff = Backoff::HALF_JITTER", "Backoff::HALF_JITTER", "\"fixed\", \"none\""),
        (
            "backoff = \"adaptive\", breaker = none",
            "\"adaptive\"",
            "a running program: write one of",
        ),
    ] {
        assert_mistakes(text, &[(place, part)]);
    }
}

#[test]
fn adaptive_is_not_among_the_remedies() {
    let mistakes = bad("backoff = mine");
    assert!(!mistakes.to_string().contains("\"adaptive\""), "{mistakes}");
}

#[test]
fn all_mistakes_are_told_at_once_and_those_of_the_grammar_are_its_own() {
    assert_mistakes(
        "atempts = 3, base = \"5s\", max = \"1s\", clone(a), budget = ORDERS, factor = 0.5",
        &[
            ("atempts", "did you mean `attempts`?"),
            ("\"1s\"", "`base` (\"5s\") is above `max` (\"1s\")"),
            ("clone(a)", "names arguments"),
            ("ORDERS", "belongs to your program"),
            ("0.5", "`factor` is 0.5"),
        ],
    );
}

#[test]
fn what_is_refused_as_a_whole_has_one_mistake() {
    // By itself the grammar would miss `idempotent` and an `attempt_timeout`, and refuse the zero.
    assert_mistakes("hedge = \"0s\"", &[("hedge = \"0s\"", "side by side")]);
    assert_mistakes("hedge = 5", &[("hedge = 5", "side by side")]);
    assert_mistakes("last_attempt_untimed", &[("last_attempt_untimed", "have the same")]);
}

#[test]
fn mistakes_are_shown_as_the_compiler_shows_them() {
    let mistakes = bad("attempts = 0,\n\tname = \"\u{e4}\", base = BASE");
    let columns: Vec<_> = mistakes.iter().map(|m| (m.line(), m.column())).collect();
    assert_eq!(columns, [(1, 12), (2, 21)]);
    assert_eq!(
        mistakes.to_string(),
        "error: `attempts` is 0: it counts the first call, so the smallest value is 1\n \
         --> 1:12\n  \
         |\n\
         1 | attempts = 0,\n  \
         |            ^\n\
         \n\
         error: `BASE` belongs to your program, of which nothing is known here: write the value, as in `base = \"50ms\"`\n \
         --> 2:21\n  \
         |\n\
         2 | \tname = \"\u{e4}\", base = BASE\n  \
         | \t                   ^^^^\n"
    );
}

#[test]
fn what_stands_around_a_policy_is_to_be_left_out() {
    for (text, place, part) in [
        ("#[retry(attempts = 3)]", "#[retry(", "leave out `#[retry(` and `)]`: write only"),
        (" # [ retry ( attempts = 3 ) ] ", "# [ retry (", "leave out `# [ retry (` and `) ]`:"),
        ("retry(attempts = 3)", "retry(", "leave out `retry(` and `)`:"),
        ("retry(attempts = 3, clone(a))", "retry(", "leave out `retry(` and"),
        ("#[stormless::retry(\n  attempts = 3\n)]", "#[stormless::retry(", "and `)]`:"),
        ("#[retry(attempts = 3", "#[retry(", "leave out `#[retry(`: write only"),
        ("#[retry]", "#[retry]", "leave out `#[retry]`: without settings nothing is written here"),
    ] {
        assert_mistakes(text, &[(place, part)]);
    }
    assert!(!bad("retry").to_string().contains("leave out"));
    assert!(!bad("retries = 3").to_string().contains("leave out"));
    good("name = \"retry(x)\"");
}

#[test]
fn what_ends_too_early_is_marked_at_its_end_and_nothing_reaches_the_terminal() {
    for (text, line) in [
        ("attempts = 3, base = \"50ms", "                     ^\n"),
        ("name = \"a\u{1b}[31m\", zzz = 1, attempts = 0", "^"),
        ("attempts = 3)", "            ^\n"),
    ] {
        let shown = bad(text).to_string();
        assert!(shown.ends_with(line) || shown.contains(line), "{shown}");
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }
}

#[test]
fn a_place_beyond_one_line_is_marked_in_its_first() {
    let mistakes = bad("clone(\n  a,\n  b\n)");
    assert_eq!(mistakes.text(), "clone(\n  a,\n  b\n)");
    assert!(mistakes.to_string().ends_with("1 | clone(\n  | ^^^^^^\n"), "{mistakes}");
}
