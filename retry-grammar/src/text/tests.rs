use super::{Key, range, read};

/// What each mistake points at, and its message.
fn mistakes(text: &str) -> Vec<(String, String)> {
    let shown = |mistake: super::Mistake| (text[mistake.range].to_owned(), mistake.message);
    read(text).mistakes.into_iter().map(shown).collect()
}

fn assert_points(text: &str, wanted: &[(&str, &str)]) {
    let mistakes = mistakes(text);
    let fits = |((at, message), (place, part)): (&(String, String), &(&str, &str))| {
        at == place && message.contains(part)
    };
    let all = mistakes.len() == wanted.len() && mistakes.iter().zip(wanted).all(fits);
    assert!(all, "{text:?}: {mistakes:?}");
}

#[test]
fn all_mistakes_come_in_the_order_of_the_text() {
    assert_points(
        "zzz, factor = 0.5, attempts = 0, base = \"5s\", max = \"1s\", max = \"2s\"",
        &[
            ("zzz", "unknown setting"),
            ("0.5", "`factor` is 0.5"),
            ("0", "`attempts` is 0"),
            ("\"1s\"", "`base` (\"5s\") is above `max` (\"1s\")"),
            ("max", "given twice"),
        ],
    );
}

#[test]
fn places_are_counted_in_bytes_whatever_stands_before() {
    for before in
        ["", "\u{feff}", "/* gr\u{fc}n \u{1f300} */ ", "name = \"\u{e4}\u{1f300}\", ", "\n\t"]
    {
        assert_points(&format!("{before}attempts = 0"), &[("0", "`attempts` is 0")]);
    }
    assert_points("base = \"5\u{b5}s\"", &[("\"5\u{b5}s\"", "`\u{b5}s` is not a unit")]);
}

#[test]
fn what_is_missing_is_missing_at_what_stands_before_it() {
    for (text, place, part) in [
        ("attempts", "attempts", "write `attempts = 3`"),
        ("attempts =", "attempts", "lacks its value"),
        ("base = \"50ms\" +", "+", "is not complete"),
        ("attempts = 3 base = \"1s\"", "base", "expected `,`"),
        ("clone(", "(", "never closed"),
    ] {
        assert_points(text, &[(place, part)]);
    }
}

#[test]
fn a_text_that_cannot_be_taken_apart_is_shown_where() {
    for (text, place, part) in [
        ("attempts = 3, base = \"50ms", "\"", "not closed"),
        ("base='50ms'", "'", "plain double quotes"),
        ("base = \u{201c}50ms\u{201d}", "\u{201c}", "plain double quotes"),
        ("attempts = \u{2212}3", "\u{2212}", "no sign that a setting is written with"),
        ("attempts = 3)", ")", "closes what was never opened"),
        ("clone(a", "(", "never closed"),
        ("attempts = 3\u{1b}[1m", "\u{1b}", "control character"),
        ("attempts = 0b3", "0", "no number"),
        ("attempts = 3 \\", "\\", "has no place"),
        ("idempotent /*", "/", "has no place"),
    ] {
        assert_points(text, &[(place, part)]);
    }
}

#[test]
fn nothing_is_the_default() {
    for text in ["", "   ", "// only a remark", "\u{feff}"] {
        let reading = read(text);
        assert!(reading.mistakes.is_empty() && reading.given.is_empty(), "{text:?}");
        assert!(reading.settings.attempts.is_none());
    }
}

#[test]
fn what_was_given_is_listed_with_its_value_refused_or_not() {
    let text = "idempotent, clone(a, b), attempts = 0, zzz, cut_error = |cut| E::from(cut)";
    let given: Vec<(Key, &str)> =
        read(text).given.into_iter().map(|given| (given.key, &text[given.range])).collect();
    assert_eq!(
        given,
        [
            (Key::Idempotent, "idempotent"),
            (Key::Clone, "clone(a, b)"),
            (Key::Attempts, "attempts = 0"),
            (Key::CutError, "cut_error = |cut| E::from(cut)"),
        ]
    );
}

#[test]
fn every_key_is_read_as_its_example_shows_it() {
    for key in Key::ALL {
        let reading = read(key.example());
        assert_eq!(reading.given.len(), 1, "{key}");
        assert_eq!(reading.given[0].key, *key);
        // What is wrong with some is only that they stand alone.
        let alone = |message: &str| {
            ["needs a", "no effect without", "at the same time"].iter().any(|p| message.contains(p))
        };
        assert!(reading.mistakes.iter().all(|mistake| alone(&mistake.message)), "{key}");
    }
}

#[test]
fn the_place_of_a_value_is_that_of_all_its_tokens() {
    let text = "budget = self . budget";
    let reading = read(text);
    let budget = reading.settings.budget.expect("it is an expression");
    assert_eq!(&text[range(&budget.tokens, text)], "self . budget");
    assert_eq!(range(proc_macro2::TokenStream::new(), text), text.len()..text.len());
}

#[test]
fn values_of_any_depth_are_read_or_refused() {
    for part in [
        "!",
        "&",
        "&&",
        "-",
        "..",
        "(",
        "[",
        "{",
        "|x| ",
        "|x, ",
        "|x: &",
        "|x: (",
        "|(",
        "a(",
        "a.b(",
        "a::<",
        "a::<b, ",
        "<a as ",
        "a as ",
        "x = ",
        "1 + ",
        "return ",
        "break ",
        "async {",
        "unsafe {",
        "if a {",
        "if let a = ",
        "match a { _ => ",
        "'a: loop {",
        "for<'a> ",
        "x.y",
    ] {
        for depth in [1, 16, 24, 32, 48, 95, 96, 97, 4_000] {
            let opened = part.repeat(depth);
            let closed: String = opened.chars().rev().filter_map(closing).collect();
            for text in [format!("budget = {opened}1{closed}"), format!("budget = {opened}")] {
                for mistake in read(&text).mistakes {
                    assert!(text.get(mistake.range.clone()).is_some(), "{mistake:?}");
                }
                assert!(depth < 97 || !read(&text).mistakes.is_empty(), "{part} {depth}");
            }
        }
    }
}

fn closing(sign: char) -> Option<char> {
    ['(', '[', '{', '<'].iter().position(|&open| open == sign).map(|at| [')', ']', '}', '>'][at])
}

#[test]
fn a_text_without_end_is_refused_and_a_long_plain_one_is_read() {
    let long = "idempotent, ".repeat(2_000);
    assert!(mistakes(&long)[0].1.contains("the text has 24000 bytes"), "{:?}", mistakes(&long));
    let plain = "attempts = 3, ".repeat(1_000);
    let mistakes = mistakes(&plain);
    assert_eq!(mistakes.len(), 999);
    assert!(mistakes.iter().all(|(_, message)| message.contains("given twice")));
    assert_points(
        &format!("budget = {}1", "1 + ".repeat(60)),
        &[("1", "beyond 96 words and signs")],
    );
}
