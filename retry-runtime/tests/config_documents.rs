//! Documents of overrides: what is read, and what is said of what cannot be.
#![cfg(feature = "toml-1")]

use std::time::Duration;

use proptest::prelude::*;
use retry_runtime::{
    config::{Remark, parse},
    control::{Override, Overrides, Target, Value},
};

/// Bad documents with all that is said of them. An ellipsis stands for what other parts of the crate say.
const BAD: &[(&str, &[&str])] = &[
    // Values.
    (
        "[all]\nattempts = 0",
        &[
            "2:12: all sites: `attempts = 0`: `attempts` is 0: it counts the first call, so the smallest value is 1",
        ],
    ),
    (
        "[all]\nattempts = -1",
        &["2:12: all sites: `attempts = -1`: it must be a whole number from 1 to …"],
    ),
    (
        "[all]\nattempts = 9_999_999_999",
        &["2:12: all sites: `attempts = 9999999999`: it must be a whole number from 1 to …"],
    ),
    (
        "[all]\nattempts = 0xffff_ffff_ffff_ffff_ff",
        &[
            "2:12: all sites: `attempts = 0xffff_ffff_ffff_ffff_ff`: the number has more than 64 bits",
        ],
    ),
    (
        "[all]\nattempts = true",
        &[
            "2:12: all sites: `attempts = true`: it must be a whole number of at least 1, or \"unlimited\"",
        ],
    ),
    (
        "[all]\nattempts = 2026-12-01T10:00:00Z",
        &["2:12: all sites: `attempts` is a date: only `expires` takes one"],
    ),
    (
        "[all]\nfactor = nan",
        &[
            "2:10: all sites: `factor = NaN`: `factor` is NaN: it must be a finite number of at least 1",
        ],
    ),
    (
        "[all]\nfactor = 0.5",
        &[
            "2:10: all sites: `factor = 0.5`: `factor` is 0.5: it must be a finite number of at least 1",
        ],
    ),
    (
        "[all]\nbase = 100",
        &[
            "2:8: all sites: `base = 100`: `100` has no unit: write \"100ms\" for milliseconds, \"100s\" for seconds",
        ],
    ),
    (
        "[all]\nbase = \"-1s\"",
        &["2:8: all sites: `base = \"-1s\"`: a duration cannot be negative: write \"1s\""],
    ),
    (
        "[all]\nbackoff = \"full_jiter\"",
        &["2:11: all sites: `backoff = \"full_jiter\"`: it must be one of \"full_jitter\", …"],
    ),
    (
        "[all]\nidempotent = \"yes\"",
        &["2:14: all sites: `idempotent = \"yes\"`: it must be true or false"],
    ),
    (
        "[all]\nstop = [\"NotFound\", 404]",
        &["2:21: all sites: `stop` has a number in its list: write texts only"],
    ),
    ("retries = false", &["1:11: all sites: `retries = false`: it must be one of \"off\", \"on\""]),
    ("[all]\nnote = 4711", &["2:8: `note` is a number: write a text"]),
    // Keys and tables.
    (
        "[all]\natempts = 2",
        &["2:1: all sites: `atempts = 2`: there is no such key (did you mean `attempts`?)…"],
    ),
    (
        "[all]\nbreaker = \"orders\"",
        &[
            "2:11: all sites: `breaker = \"orders\"`: it cannot be overridden, because which dependency a function calls is …",
        ],
    ),
    (
        "[sites.\"orders::fetch\"]\nattempts = 1",
        &[
            "1:2: there is no `sites`: did you mean `site`?; there are `retries`, `[all]`, `[site.\"…\"]`, `[budget.\"…\"]` and `[breaker.\"…\"]`",
        ],
    ),
    (
        "attempts = 1",
        &[
            "1:1: `attempts` stands outside of a table: write it under `[all]`, or under the table of a site, a budget or a breaker",
        ],
    ),
    (
        "note = \"INC-4711\"",
        &[
            "1:1: `note` stands outside of a table: write it under `[all]`, or under the table of a site, a budget or a breaker",
        ],
    ),
    (
        "site = 1",
        &["1:8: `site` is a number: write a table with a name, such as `[site.\"orders\"]`"],
    ),
    (
        "[[site]]\nattempts = 1",
        &["1:1: `site` is a list: write a table with a name, such as `[site.\"orders\"]`"],
    ),
    (
        "[site]\nattempts = 1",
        &[
            "2:12: `site` holds tables, and `attempts` is a number: write `[site.\"…\"]` with a name",
        ],
    ),
    (
        "[site.orders.fetch]\nattempts = 1",
        &[
            "1:1: site `orders`: `fetch` is a table: a name with points stands in quotes, as in `[site.\"orders.fetch\"]`",
        ],
    ),
    ("all = 3", &["1:7: `all` is a number: write a table"]),
    ("[budget.orders]\nsites = 3", &["2:9: `sites` is a number: write a table"]),
    (
        "retries = \"off\"\n[all]\nretries = \"on\"",
        &["3:1: `retries` is set twice, once outside of the table: write it in one place"],
    ),
    (
        "retries = \"off\"\n[all]\nattempts = 2\nfor = \"1h\"",
        &[
            "4:1: `retries` stands outside of this table, which would end without it: write it in here",
        ],
    ),
    // Expiries.
    (
        "[all]\nattempts = 1\nexpires = 2026-12-01",
        &[
            "3:11: `expires` is `2026-12-01`, which lacks a time of day: write a date and a time with an offset, such as 2026-12-01T10:00:00Z",
        ],
    ),
    (
        "[all]\nattempts = 1\nexpires = 2099-12-01T10:00:00",
        &[
            "3:11: `expires` is `2099-12-01T10:00:00`, which lacks an offset, `Z` for UTC: write a date and a time with an offset, such as 2026-12-01T10:00:00Z",
        ],
    ),
    (
        "[all]\nattempts = 1\nexpires = 30",
        &[
            "3:11: `expires` is a number: write a date and a time with an offset, such as 2026-12-01T10:00:00Z",
        ],
    ),
    (
        "[all]\nattempts = 1\nexpires = \"2099-12-01T10:00:00Z\"\nfor = \"1h\"",
        &["4:1: `expires` and `for` say the same: write one of them"],
    ),
    (
        "[all]\nattempts = 1\nfor = \"0s\"",
        &["3:7: `for` is \"0s\": write a time above zero, or leave it out"],
    ),
    (
        "[all]\nattempts = 1\nfor = \"soon\"",
        &["3:7: `for` is \"soon\": `soon` is not a duration, since …"],
    ),
    (
        "[all]\nattempts = 1\nfor = 30",
        &["3:7: `for` is a number: write a duration, such as \"30m\""],
    ),
    // The language.
    ("[all]\nattempts = 1\nattempts = 2", &["3:1: this is not TOML: duplicate key"]),
    ("[all]\nattempts = 1\n[all]\nbase = \"1s\"", &["3:2: this is not TOML: duplicate key"]),
    ("[all\nattempts = 1", &["1:5: this is not TOML: unclosed table, expected `]`"]),
    (
        "[site.orders::fetch]\nattempts = 1",
        &["1:13: this is not TOML: invalid unquoted key, expected letters, numbers, `-`, `_`"],
    ),
    ("{\"all\": {\"attempts\": 1}}", &["1:7: this is not TOML: missing assignment …"]),
    (
        "{ all = { attempts = 1 } } x",
        &["1:27: this is not TOML: unexpected content, expected nothing"],
    ),
    ("\0", &["1:1: this is not TOML: invalid unquoted key, expected letters, numbers, `-`, `_`"]),
    // Places: a byte order mark takes no column, a carriage return ends no line, and columns are characters.
    ("\u{feff}note = 1", &["1:1: `note` stands outside of a table: …"]),
    ("[all]\r\n\r\nattempts = 0\r\n", &["3:12: all sites: `attempts = 0`: …"]),
    ("site.\"zurück\" = { attempts = 0 }", &["1:30: site `zurück`: `attempts = 0`: …"]),
    ("\n {\n all = { attempts = 0 } }", &["3:21: all sites: `attempts = 0`: …"]),
    // All at once, in the order in which they stand there.
    (
        "[budget.orders.sites]\nattempts = 0\n[all]\nbase = 1\nfor = 2\n[breaker]\norders = 1\n[budget.orders]\nretries = 1",
        &[
            "2:12: sites of budget `orders`: `attempts = 0`: …",
            "4:8: all sites: `base = 1`: …",
            "5:7: `for` is a number: …",
            "7:10: `breaker` holds tables, and `orders` is a number: …",
            "9:11: budget `orders`: `retries = 1`: it must be one of \"off\", \"on\"",
        ],
    ),
];

#[test]
fn each_fault_is_named_with_its_place_and_its_remedy() {
    for (text, wanted) in BAD {
        let faults = parse("retries.toml", text).expect_err(text);
        let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), wanted.len(), "{text}: {said:#?}");
        for (said, wanted) in said.iter().zip(*wanted) {
            let said = said.strip_prefix("retries.toml:").expect("each begins with the origin");
            match wanted.strip_suffix('…') {
                Some(beginning) => assert!(said.starts_with(beginning), "{said}"),
                None => assert_eq!(said, *wanted),
            }
        }
        assert_eq!(faults.to_string(), said.join("\n"));
    }
}

fn overrides(text: &str) -> Overrides {
    parse("retries.toml", text).expect(text).overrides()
}

fn all<const N: usize>(settings: [(&str, Value); N]) -> Override {
    one(Target::All, settings)
}

fn one<const N: usize>(target: Target, settings: [(&str, Value); N]) -> Override {
    settings
        .into_iter()
        .fold(Override::new(target), |one, (key, value)| one.set(key, value).expect("it is a key"))
}

#[test]
fn each_table_is_one_override() {
    let text = r#"
        retries = "off"
        [site."orders::fetch@src/client.rs:12"]
        attempts = 1
        base = "100ms"
        factor = 1.5
        stop = ["NotFound", "timeout"]
        note = "INC-4711"
        for = "30m"
        [budget.orders]
        retries = "off"
        [budget.orders.sites]
        attempts = 1
        [budget.stock.sites]
        idempotent = true
        [breaker]
    "#;
    let site = Target::Site("orders::fetch@src/client.rs:12".to_owned());
    let settings = [
        ("attempts", 1.into()),
        ("base", "100ms".into()),
        ("factor", 1.5.into()),
        ("stop", ["NotFound", "timeout"].into()),
    ];
    let site = one(site, settings).note("INC-4711").expires_in(Duration::from_secs(1_800));
    let wanted = [
        all([("retries", "off".into())]),
        one(Target::Budget("orders".to_owned()), [("retries", "off".into())]),
        one(Target::SitesOf("orders".to_owned()), [("attempts", 1.into())]),
        one(Target::SitesOf("stock".to_owned()), [("idempotent", true.into())]),
        site,
    ];
    assert_eq!(overrides(text), wanted.into_iter().collect());
}

#[test]
fn what_stands_outside_of_tables_joins_the_table_of_all() {
    let wanted = all([("retries", "off".into()), ("attempts", 2.into())]).note("why");
    assert_eq!(
        overrides("retries = \"off\"\n[all]\nattempts = 2\nnote = \"why\""),
        [wanted].into_iter().collect()
    );
}

#[test]
fn one_line_is_enough() {
    let wanted = [
        all([("attempts", 1.into())]),
        one(Target::Budget("orders".to_owned()), [("retries", "off".into())]),
    ];
    assert_eq!(
        overrides("{ all = { attempts = 1 }, budget.orders.retries = \"off\" }"),
        wanted.into_iter().collect()
    );
}

#[test]
fn what_says_nothing_is_no_override() {
    for text in [
        "",
        "\u{feff}",
        "\r\n",
        "# nothing",
        "{}",
        "[all]",
        "[site.x]\nnote = \"later\"",
        "[budget]",
    ] {
        assert!(overrides(text).is_empty(), "{text}");
    }
}

/// What stands on the page between fences of a kind.
fn blocks(kind: &str) -> Vec<String> {
    let page = include_str!("../../docs/configuration.md");
    let fence = format!("```{kind}\n");
    let blocks = page.split(&fence).skip(1);
    blocks.filter_map(|block| Some(block.split_once("```")?.0.to_owned())).collect()
}

#[test]
fn the_documents_of_the_page_are_documents() {
    let blocks = blocks("toml");
    assert!(blocks.len() >= 2);
    for block in blocks {
        assert!(!overrides(&block).is_empty(), "{block}");
    }
}

#[test]
fn the_documents_in_the_manifests_of_the_page_are_documents() {
    let mut found = 0;
    for block in blocks("yaml") {
        for (start, _) in block.match_indices(": |\n") {
            let lines = block[start..].lines().skip(1);
            let lines = lines.take_while(|line| line.starts_with("    ") || line.trim().is_empty());
            let document: Vec<&str> = lines.map(str::trim).collect();
            assert_eq!(overrides(&document.join("\n")).len(), 1, "{document:?}");
            found += 1;
        }
    }
    assert_eq!(found, 2);
}

/// As long as a document can be, and wrong in each of its tables: that takes a moment, and not a minute.
#[test]
#[cfg_attr(miri, ignore = "very many values")]
fn a_document_that_is_wrong_all_over_is_said_to_be() {
    let each = |table: fn(u32) -> String| (0..1_000).map(table).collect::<Vec<_>>().concat();
    let long = |n| format!("{n}{}", "x".repeat(1_000));
    let on_lines = each(|n| format!("[site.x{n}]\nattempts = 0\n"));
    let in_one = each(|n| format!("x{n} = {{ attempts = 0 }}, "));
    let names = (0..1_000).map(|n| format!("[site.{}]\nattempts = 0\n", long(n)));
    for text in [on_lines, format!("site = {{ {in_one} }}"), names.collect()] {
        let faults = parse("retries.toml", &text).expect_err("it is wrong");
        assert_eq!(faults.iter().count(), 1_000);
    }
}

#[test]
#[cfg_attr(miri, ignore = "very many values")]
fn a_document_has_a_thousand_tables_at_most() {
    let table = |n| format!("[budget.x{n}]\nburst = 9\n[budget.x{n}.sites]\nattempts = 2\n");
    let tables = |count: usize| (0..count / 2).map(table).collect::<Vec<_>>().concat();
    assert_eq!(overrides(&tables(1_000)).len(), 1_000);
    let text = format!("[all]\nattempts = 1\n{}", tables(1_000));
    let faults = parse("retries.toml", &text).expect_err("one too many");
    assert_eq!(
        faults.to_string(),
        "retries.toml:2001:14: there are 1001 tables, and a document may have 1000: say it of `[all]`, or of the sites of a budget"
    );
}

#[test]
fn a_table_that_has_expired_is_left_out_and_named() {
    let text =
        "[all]\nattempts = 1\n\n[budget.orders]\nretries = \"off\"\nexpires = 2020-01-01T00:00:00Z";
    let document = parse("retries.toml", text).expect("nothing is wrong with it");
    assert_eq!(document.overrides(), [all([("attempts", 1.into())])].into_iter().collect());
    let [remark] = document.remarks() else { panic!("{:?}", document.remarks()) };
    assert!(matches!(remark, Remark::Expired { line: 4, .. }), "{remark:?}");
    assert_eq!(
        remark.to_string(),
        "retries.toml:4: budget `orders`: this has expired, and is left out"
    );
}

#[test]
fn a_date_becomes_the_time_that_is_left() {
    let day = Duration::from_secs(24 * 3_600);
    for date in ["2999-12-31T23:59:59+01:00", "\"2999-12-31T23:59:59Z\""] {
        let overrides = overrides(&format!("[all]\nattempts = 1\nexpires = {date}"));
        let lifetime = overrides.iter().next().and_then(Override::lifetime).expect(date);
        // Some centuries, and no more than there are.
        assert!(lifetime > day * 365 * 100 && lifetime < day * 366 * 1_000, "{lifetime:?}");
    }
}

/// Names and notes with all that a text can hold.
fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z:.@/]{1,20}", any::<String>(), Just("\u{7f}\0\"\\\n\r\t\u{85}'".to_owned())]
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![Just(Target::All), text().prop_map(Target::Site), text().prop_map(Target::SitesOf)]
}

fn value() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        (1u32..u32::MAX).prop_map(|attempts| ("attempts", attempts.into())),
        (1.0..f64::MAX).prop_map(|factor| ("factor", factor.into())),
        (0u64..u64::MAX).prop_map(|nanos| ("base", Duration::from_nanos(nanos).into())),
        any::<bool>().prop_map(|yes| ("idempotent", yes.into())),
        proptest::collection::vec(text(), 0..3).prop_map(|labels| ("stop", labels.into())),
    ]
}

prop_compose! {
    fn some()(
        target in target(),
        values in proptest::collection::vec(value(), 1..6),
        note in proptest::option::of(text()),
        lifetime in proptest::option::of(1u64..),
    ) -> Override {
        let set = values.into_iter().filter_map(|(key, value)| {
            // An empty label is none.
            Override::new(Target::All).set(key, value.clone()).ok().map(|_| (key, value))
        });
        let mut one = Override::new(target);
        for (key, value) in set {
            one = one.set(key, value).expect("it was accepted a moment ago");
        }
        if let Some(note) = note {
            one = one.note(note);
        }
        lifetime.into_iter().fold(one, |one, nanos| one.expires_in(Duration::from_nanos(nanos)))
    }
}

/// By target, with the keys in order: what a document leaves open.
fn sorted(overrides: &Overrides) -> Vec<String> {
    let mut all: Vec<String> = overrides
        .iter()
        .map(|one| {
            let mut values: Vec<_> = one.values().collect();
            values.sort_by_key(|(key, _)| *key);
            format!("{:?} {values:?} {:?} {:?}", one.target(), one.text(), one.lifetime())
        })
        .collect();
    all.sort();
    all
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "very many values")]
    fn what_is_written_is_read(some in proptest::collection::vec(some(), 0..5)) {
        // One a target, as a layer has them.
        let mut overrides: Vec<Override> = Vec::new();
        for one in some {
            if one.values().len() > 0 && overrides.iter().all(|known| known.target() != one.target()) {
                overrides.push(one);
            }
        }
        let overrides: Overrides = overrides.into_iter().collect();
        let document = parse("written", &overrides.to_string());
        let document = document.map_err(|faults| TestCaseError::fail(format!("{overrides}{faults}")))?;
        prop_assert_eq!(sorted(&document.overrides()), sorted(&overrides));
    }

    #[test]
    #[cfg_attr(miri, ignore = "very many values")]
    fn no_text_panics(text in any::<String>()) {
        let _ = parse("any", &text);
    }

    #[test]
    #[cfg_attr(miri, ignore = "very many values")]
    fn nothing_like_a_document_panics(
        text in "((\\[{1,2}|\\{ ?)?(all|site|budget|retries|note|for|expires|\"ä\"|[.=,'\"0-9ä-]){0,6}[\\]}\r\n ]{0,3}){0,8}",
    ) {
        if let Err(faults) = parse("any", &text) {
            for fault in faults.iter() {
                let line = fault.line().expect("documents have lines");
                prop_assert!(line <= text.matches('\n').count() + 1, "{}", fault);
            }
        }
    }
}
