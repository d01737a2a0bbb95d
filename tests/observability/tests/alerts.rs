//! The alert rules: that they are valid, and that each fires when it should and is silent when it should not.

use std::{collections::BTreeMap, fs, path::PathBuf};

use observability::tool::promtool;
use stormless::StopReason;

fn file(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/observability")).join(name)
}

fn lines(name: &str) -> Vec<String> {
    let text = fs::read_to_string(file(name)).expect("the file is there");
    text.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_rules_are_valid() {
    promtool(&["check", "rules", "--lint=all", "--lint-fatal"], &file("alerts.yml"));
}

#[test]
fn alerts_fire_when_they_should_and_are_silent_when_they_should_not() {
    promtool(&["test", "rules"], &file("alerts_test.yml"));
}

#[test]
fn every_alert_is_tested_both_ways() {
    let named = |line: &String, key: &str| line.strip_prefix(key).map(str::to_owned);
    let mut tested: BTreeMap<String, [bool; 2]> = lines("alerts.yml")
        .iter()
        .filter_map(|line| named(line, "- alert: "))
        .map(|alert| (alert, [false; 2]))
        .collect();
    assert!(tested.len() >= 8, "there are only {} alerts", tested.len());

    let tests = lines("alerts_test.yml");
    for pair in tests.windows(2) {
        let Some(alert) = named(&pair[0], "alertname: ") else { continue };
        let ways = tested.get_mut(&alert).unwrap_or_else(|| panic!("there is no alert {alert}"));
        ways[usize::from(pair[1] != "exp_alerts: []")] = true;
    }
    for (alert, [silent, fires]) in tested {
        assert!(silent && fires, "{alert}: silent: {silent}, fires: {fires}");
    }
}

#[test]
fn every_alert_says_how_bad_it_is_and_what_to_do() {
    let rules = lines("alerts.yml");
    let starts = rules.iter().enumerate().filter(|(_, line)| line.starts_with("- alert: "));
    for (at, alert) in starts {
        let length = rules[at + 1..].iter().take_while(|line| !line.starts_with("- ")).count();
        let rule = &rules[at..=at + length];
        for key in ["for:", "severity: ", "summary: ", "description: ", "action: "] {
            assert!(rule.iter().any(|line| line.starts_with(key)), "{alert} has no `{key}`");
        }
    }
}

#[test]
fn the_page_for_on_call_lists_every_alert_and_every_reason() {
    let page = fs::read_to_string(file("../observability.md")).expect("the page is there");
    let rules = lines("alerts.yml");
    let mut listed = 0;
    for (at, line) in rules.iter().enumerate() {
        let Some(alert) = line.strip_prefix("- alert: ") else { continue };
        let severity = rules[at..].iter().find_map(|line| line.strip_prefix("severity: "));
        let row = page.lines().find(|row| row.starts_with(&format!("| `{alert}` |")));
        let row = row.unwrap_or_else(|| panic!("{alert} is not listed"));
        assert!(row.ends_with(&format!("| {} |", severity.expect("each has one"))), "{row}");
        listed += 1;
    }
    let rows = page.lines().filter(|row| row.starts_with("| `Stormless")).count();
    assert_eq!(rows, listed, "the page lists alerts that do not exist");
    for reason in StopReason::ALL {
        assert!(page.contains(&format!("`{}`", reason.label())), "what does {reason:?} mean?");
    }
}
