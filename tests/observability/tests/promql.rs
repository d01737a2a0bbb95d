//! The reader sees what an expression names, and takes nothing else for a name.

use std::collections::BTreeSet;

use observability::promql::names;

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn metrics_are_told_from_functions_operators_numbers_and_values() {
    let found = names(
        r#"1.5 * sum(rate(a_total{job=~"b{c}[d]\"e",f!="g"}[5m])) / on (h) group_left (i) j > bool 0"#,
    );
    assert_eq!(
        found.metrics,
        [("a_total".to_owned(), set(&["f", "job"])), ("j".to_owned(), set(&[]))]
    );
    assert_eq!(found.labels, set(&["h", "i"]));
}

#[test]
fn grouping_is_seen_before_and_after_what_is_grouped() {
    let found = names("max by (a) (b offset 1h) unless ignoring (c) sum(d:e) without (f)");
    assert_eq!(found.metrics, [("b".to_owned(), set(&[])), ("d:e".to_owned(), set(&[]))]);
    assert_eq!(found.labels, set(&["a", "c", "f"]));
}
