use proptest::prelude::*;

use super::*;

fn facts() -> impl Strategy<Value = Facts> {
    let max = proptest::option::of(any::<u32>());
    let left = proptest::option::of(0..=LONGEST);
    (any::<u32>(), max, left, any::<bool>(), any::<bool>()).prop_map(
        |(attempt, max, left, idempotent, allow)| {
            let mut facts = Facts::new(attempt);
            facts = max.map_or(facts, |max| facts.max_attempts(max));
            facts = left.map_or(facts, |left| facts.time_left(Duration::from_millis(left)));
            facts = if idempotent { facts.idempotent() } else { facts };
            if allow { facts.allow_inner() } else { facts }
        },
    )
}

proptest! {
    #[test]
    #[cfg_attr(miri, ignore = "very many values")]
    fn what_was_written_is_read(facts in facts()) {
        prop_assert_eq!(Facts::parse(&facts.to_string()), Some(facts));
    }

    #[test]
    #[cfg_attr(miri, ignore = "very many values")]
    fn nothing_that_is_read_panics(text in any::<String>()) {
        let _ = Facts::parse(&text);
    }

    #[test]
    #[cfg_attr(miri, ignore = "very many values")]
    fn nothing_like_a_header_panics(text in "[0-9;=?a-z\" .\\\\:@%-]{0,40}") {
        if let Some(facts) = Facts::parse(&text) {
            prop_assert!(facts.attempt() >= 1);
            prop_assert!(facts.max().is_none_or(|max| max >= facts.attempt()));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "very many values")]
    fn never_more_time_is_written_than_is_left(nanos in any::<u64>()) {
        let left = Duration::from_nanos(nanos);
        let written = Facts::parse(&Facts::new(1).time_left(left).to_string()).unwrap();
        prop_assert!(written.remaining().unwrap() <= left);
    }
}

#[test]
fn the_header_of_the_documentation_means_what_it_says() {
    let facts = Facts::parse("2;max=3;remaining=1837").unwrap();
    let left = Duration::from_millis(1_837);
    assert_eq!(facts, Facts::new(2).max_attempts(3).time_left(left));
    assert_eq!(facts.to_string(), "2;max=3;remaining=1837");
}

#[test]
fn unknown_parameters_are_passed_over_and_the_last_of_a_name_counts() {
    let facts = Facts::parse(r#" 1;hop="a;max=9";max=7; max=3;x=?0;remaining=5;y=1.25"#);
    assert_eq!(facts, Some(Facts::new(1).max_attempts(3).time_left(Duration::from_millis(5))));
    assert_eq!(Facts::parse("1;idempotent=?0;allow=?1"), Some(Facts::new(1).allow_inner()));
}

#[test]
fn malformed_and_out_of_range_values_are_none() {
    for value in [
        "",
        "0",
        "-1",
        "x",
        "1.0",
        "\"1\"",
        "?1",
        "4294967296",
        "1;max=0",
        "3;max=2",
        "1;max=x",
        "1;max=4294967296",
        "1;max",
        "1;remaining=-1",
        "1;remaining=1.5",
        "1;remaining",
        "1;remaining=1000000000000000",
        "1;idempotent=1",
        "1;allow=x",
        "1, 1",
        "1;max=3,2",
        "1;max=3;max=x",
        "+1",
        "1;Max=3",
    ] {
        assert_eq!(Facts::parse(value), None, "{value:?}");
    }
}

#[test]
fn a_time_that_no_header_can_tell_is_the_longest_that_it_can() {
    let forever = Facts::new(1).time_left(Duration::MAX);
    assert_eq!(forever.to_string(), "1;remaining=999999999999999");
    assert_eq!(Facts::new(0), Facts::new(1));
    assert_eq!(Facts::new(3).max_attempts(2).max(), Some(3));
}
