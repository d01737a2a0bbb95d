//! The dashboard: that Grafana can load it, that `Prometheus` can evaluate it, and that what it names exists.

mod support;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use observability::{promql::names, tool::promtool};
use serde_json::{Value, json};
use support::catalogue;

const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/observability");
/// Variables of Grafana, and what stands in for them where there is no Grafana.
const VARIABLES: [(&str, &str); 4] =
    [("$__rate_interval", "5m"), ("$job", "shop"), ("$site", ".*"), ("$budget", ".*")];

fn dashboard() -> Value {
    let text = fs::read_to_string(Path::new(DIRECTORY).join("dashboard.json"));
    serde_json::from_str(&text.expect("the dashboard is there")).expect("it is JSON")
}

fn panels(dashboard: &Value) -> Vec<Value> {
    dashboard["panels"].as_array().expect("there are panels").clone()
}

/// All values of a key, however deep.
fn all<'a>(value: &'a Value, key: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get(key));
            fields.values().for_each(|field| all(field, key, found));
        }
        Value::Array(items) => items.iter().for_each(|item| all(item, key, found)),
        _ => {}
    }
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    let mut found = Vec::new();
    all(value, key, &mut found);
    found.iter().filter_map(|text| text.as_str()).map(str::to_owned).collect()
}

fn without_variables(expression: &str) -> String {
    VARIABLES.iter().fold(expression.to_owned(), |text, (name, value)| text.replace(name, value))
}

/// A file for `promtool`, each test's own.
fn scratch(name: &str, content: &Value) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // JSON is YAML.
    fs::write(&path, content.to_string()).expect("the directory for tests can be written to");
    path
}

#[test]
fn panels_have_ids_of_their_own_and_places_that_do_not_overlap() {
    let dashboard = dashboard();
    let mut ids = BTreeSet::new();
    let mut cells: BTreeMap<(u64, u64), String> = BTreeMap::new();
    for panel in panels(&dashboard) {
        let title = panel["title"].as_str().expect("each panel has a title").to_owned();
        assert!(ids.insert(panel["id"].as_u64().expect("and an id")), "`{title}` repeats an id");
        let at = |key: &str| panel["gridPos"][key].as_u64().expect("and a place");
        assert!(at("x") + at("w") <= 24, "`{title}` is wider than the grid");
        for cell in (at("x")..at("x") + at("w"))
            .flat_map(|x| (at("y")..at("y") + at("h")).map(move |y| (x, y)))
        {
            let other = cells.insert(cell, title.clone());
            assert!(other.is_none(), "`{title}` lies on {other:?}");
        }
        if panel["type"] != "row" {
            let description = panel["description"].as_str().unwrap_or_default();
            assert!(!description.is_empty(), "`{title}` does not say what it shows");
            assert!(!texts(&panel, "expr").is_empty(), "`{title}` asks for nothing");
        }
    }
    assert!(dashboard["schemaVersion"].as_u64() >= Some(39), "it is for Grafana 11 and newer");
    assert!(dashboard["id"].is_null(), "an id belongs to one Grafana");
}

#[test]
fn the_data_source_and_all_choices_are_variables() {
    let dashboard = dashboard();
    let mut sources = Vec::new();
    all(&dashboard, "datasource", &mut sources);
    assert!(sources.len() > 20, "there are only {} data sources", sources.len());
    for source in sources {
        let uid = source["uid"].as_str().expect("each says which");
        // Grafana's own annotations.
        assert!(uid == "${datasource}" || uid == "-- Grafana --", "`{uid}` is wired in");
    }
    let variables = texts(&dashboard["templating"]["list"], "name");
    assert_eq!(variables, ["datasource", "job", "site", "budget"]);
    for expression in texts(&dashboard, "expr") {
        let rest = variables
            .iter()
            .fold(expression.clone(), |rest, name| rest.replace(&format!("${name}"), ""));
        let rest = rest.replace("$__rate_interval", "");
        assert!(!rest.contains('$'), "an unknown variable in {expression}");
    }
}

#[tokio::test]
async fn expressions_name_metrics_and_labels_that_exist() {
    let catalogue = catalogue().await;
    // What Prometheus itself adds.
    let added = ["job", "instance", "alertname", "alertstate"];
    let labels: BTreeSet<&str> =
        catalogue.values().flatten().map(String::as_str).chain(added).collect();
    let dashboard = dashboard();
    let rules = fs::read_to_string(Path::new(DIRECTORY).join("alerts.yml")).expect("it is there");
    let recorded: Vec<&str> =
        rules.lines().filter_map(|line| line.trim().strip_prefix("- record: ")).collect();

    let mut used = BTreeSet::new();
    let mut check = |expression: &str| {
        let names = names(&without_variables(expression));
        assert!(!names.metrics.is_empty(), "no metric in {expression}");
        for (metric, given) in names.metrics {
            if recorded.contains(&metric.as_str()) || matches!(metric.as_str(), "ALERTS" | "up") {
                continue;
            }
            let known = catalogue.get(&metric);
            let known = known.unwrap_or_else(|| panic!("there is no `{metric}`: {expression}"));
            for label in given {
                let exists = known.contains(&label) || added.contains(&label.as_str());
                assert!(exists, "`{metric}` has no `{label}`: {expression}");
            }
            used.insert(metric);
        }
        for label in names.labels {
            assert!(labels.contains(label.as_str()), "no `{label}` anywhere: {expression}");
        }
    };
    for expression in texts(&dashboard, "expr").iter().chain(&support::expressions_of(&rules)) {
        check(expression);
    }
    for query in texts(&dashboard["templating"], "definition") {
        let inside = query.strip_prefix("label_values(").and_then(|rest| rest.strip_suffix(')'));
        let (metric, label) = inside
            .and_then(|inside| inside.rsplit_once(", "))
            .expect("it asks for values of a label");
        check(metric);
        assert!(catalogue["stormless_site_budget"].contains(label) || label == "job", "{query}");
    }
    for legend in texts(&dashboard, "legendFormat") {
        let named = legend.split("{{").skip(1).filter_map(|rest| rest.split_once("}}"));
        for (label, _) in named {
            assert!(labels.contains(label), "no `{label}` for the legend `{legend}`");
        }
    }
    // Each metric is of use to somebody: on the dashboard, or in an alert.
    let families = |names: &BTreeSet<String>| -> BTreeSet<String> {
        let family = |name: &String| {
            let ends = ["_bucket", "_count", "_sum"];
            ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name).to_owned()
        };
        names.iter().map(family).collect()
    };
    assert_eq!(families(&used), families(&catalogue.into_keys().collect()));
}

#[test]
fn prometheus_can_parse_every_expression() {
    let expressions = texts(&dashboard(), "expr");
    let rules: Vec<_> = expressions
        .iter()
        .enumerate()
        .map(|(at, text)| json!({"record": format!("expression:{at}"), "expr": without_variables(text)}))
        .collect();
    let file = json!({"groups": [{"name": "dashboard", "rules": rules}]});
    promtool(&["check", "rules"], &scratch("dashboard_rules.yml", &file));
}

#[test]
fn panels_show_what_the_series_say() {
    // Per minute, in two processes together: 100 calls, of which 80 succeed at once, 10 after a retry, and 10 fail.
    let series = [
        (
            r#"stormless_calls_total{job="shop",instance="a",site="fetch",outcome="success"}"#,
            "0+80x20",
        ),
        (
            r#"stormless_calls_total{job="shop",instance="b",site="fetch",outcome="success_after_retry"}"#,
            "0+10x20",
        ),
        (
            r#"stormless_calls_total{job="shop",instance="b",site="fetch",outcome="failure"}"#,
            "0+10x20",
        ),
        (r#"stormless_attempts_total{job="shop",instance="a",site="fetch"}"#, "0+80x20"),
        (r#"stormless_attempts_total{job="shop",instance="b",site="fetch"}"#, "0+32x20"),
        (r#"stormless_retry_delay_seconds_count{job="shop",instance="b",site="fetch"}"#, "0+12x20"),
        (
            r#"stormless_retries_refused_total{job="shop",instance="b",site="fetch",budget="orders",reason="budget_exhausted"}"#,
            "0+6x20",
        ),
        (
            r#"stormless_call_attempts_bucket{job="shop",instance="b",site="fetch",le="1"}"#,
            "0+75x20",
        ),
        (r#"stormless_call_attempts_count{job="shop",instance="b",site="fetch"}"#, "0+100x20"),
        (r#"stormless_site_budget{job="shop",instance="a",site="fetch",budget="orders"}"#, "1x20"),
        (r#"stormless_site_budget{job="shop",instance="b",site="fetch",budget="orders"}"#, "1x20"),
        (r#"stormless_site_budget{job="shop",instance="b",site="fetch",budget="hosts"}"#, "1x20"),
        (r#"stormless_budget_level{job="shop",instance="a",budget="orders"}"#, "10x20"),
        (r#"stormless_budget_level{job="shop",instance="b",budget="orders"}"#, "2x20"),
        (r#"stormless_budget_capacity{job="shop",instance="a",budget="orders"}"#, "10x20"),
        (r#"stormless_budget_capacity{job="shop",instance="b",budget="orders"}"#, "10x20"),
        (r#"stormless_budget_implicit{job="shop",instance="a",budget="orders"}"#, "0x20"),
        (r#"stormless_budget_implicit{job="shop",instance="a",budget="hosts"}"#, "1x20"),
        (
            r#"stormless_breaker_state{job="shop",instance="a",breaker="pay",state="closed"}"#,
            "0x20",
        ),
        (
            r#"stormless_breaker_state{job="shop",instance="a",breaker="pay",state="half_open"}"#,
            "0x20",
        ),
        (r#"stormless_breaker_state{job="shop",instance="a",breaker="pay",state="open"}"#, "1x20"),
        (
            r#"stormless_breaker_state{job="shop",instance="a",breaker="pay",state="isolated"}"#,
            "0x20",
        ),
        (r#"stormless_retries_off{job="shop",instance="a",scope="budget",name="orders"}"#, "1x20"),
        (r#"stormless_retries_off{job="shop",instance="b",scope="budget",name="orders"}"#, "0x20"),
        (r#"stormless_overrides{job="shop",instance="a",layer="code"}"#, "1x20"),
        (r#"stormless_overrides{job="shop",instance="b",layer="code"}"#, "3x20"),
    ];
    let shown: [(&str, &[(&str, f64)]); 15] = [
        ("Calls", &[("{}", 100.0 / 60.0)]),
        ("Failed in the end", &[("{}", 0.1)]),
        ("Succeeded only after a retry", &[("{}", 0.1)]),
        ("Amplification", &[("{}", 1.12)]),
        ("Refused by budgets", &[("{}", 0.1)]),
        ("Breakers not closed", &[("{}", 1.0)]),
        ("Switched off", &[("{}", 1.0)]),
        ("Implicit budgets", &[("{}", 1.0)]),
        ("Retries by site", &[(r#"{site="fetch"}"#, 0.2)]),
        ("Retries by budget", &[(r#"{budget="hosts"}"#, 0.2), (r#"{budget="orders"}"#, 0.2)]),
        ("How full budgets are", &[(r#"{budget="orders"}"#, 0.2)]),
        ("Attempts per call", &[(r#"{le="1"}"#, 0.25)]),
        ("Breakers", &[(r#"{breaker="pay",instance="a"}"#, 2.0)]),
        ("Overrides in force", &[(r#"{layer="code"}"#, 3.0)]),
        ("Retries switched off", &[(r#"{scope="budget",name="orders"}"#, 1.0)]),
    ];
    let dashboard = dashboard();
    let expression = |title: &str| {
        let panel = panels(&dashboard).into_iter().find(|panel| panel["title"] == title);
        let panel = panel.unwrap_or_else(|| panic!("there is no panel `{title}`"));
        without_variables(&texts(&panel, "expr")[0])
    };
    let tests: Vec<_> = shown
        .iter()
        .map(|(title, samples)| {
            let samples: Vec<_> = samples
                .iter()
                .map(|(labels, value)| json!({"labels": labels, "value": value}))
                .collect();
            // Sums of floating-point numbers would differ in the last digit.
            let rounded = format!("round({}, 0.0001)", expression(title));
            let value =
                |sample: &Value| (sample["value"].as_f64().unwrap_or_default() * 1e4).round() / 1e4;
            let samples: Vec<_> = samples
                .iter()
                .map(|sample| json!({"labels": sample["labels"], "value": value(sample)}))
                .collect();
            json!({"expr": rounded, "eval_time": "15m", "exp_samples": samples})
        })
        .collect();
    let input: Vec<_> =
        series.iter().map(|(series, values)| json!({"series": series, "values": values})).collect();
    let file = json!({
        "rule_files": [],
        "evaluation_interval": "1m",
        "tests": [{"interval": "1m", "input_series": input, "promql_expr_test": tests}],
    });
    promtool(&["test", "rules"], &scratch("dashboard_test.yml", &file));
}
