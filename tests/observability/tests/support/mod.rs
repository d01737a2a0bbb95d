//! Which metrics there are, by looking at what is exported.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use stormless::{Breaker, Budget, Retryable, breaker, budget, control, metrics, retry};

budget! { static ORDERS: Budget = Budget::new("orders").burst(1); }
breaker! { static STORE: Breaker = Breaker::new("store"); }

#[derive(Debug, Retryable)]
enum Fault {
    #[retryable(transient)]
    Unavailable,
    #[retryable(breaker_open)]
    NotAsked,
}

/// Fails always: a retry that is paid for, and one that is not.
#[retry(budget = ORDERS, breaker = STORE, base = "1ms")]
async fn fetch() -> Result<(), Fault> {
    Err(Fault::Unavailable)
}

fn exporter() -> &'static PrometheusHandle {
    static EXPORTER: OnceLock<PrometheusHandle> = OnceLock::new();
    EXPORTER.get_or_init(|| {
        let mut builder = PrometheusBuilder::new();
        for (name, bounds) in metrics::BUCKETS {
            let name = Matcher::Full((*name).to_owned());
            builder = builder.set_buckets_for_metric(name, bounds).expect("there are bounds");
        }
        let handle = builder.install_recorder().expect("there is no other recorder");
        metrics::install().forever();
        handle
    })
}

/// What Prometheus reads after calls that make use of everything.
pub(crate) async fn scrape() -> String {
    let exporter = exporter();
    assert!(matches!(fetch().await, Err(Fault::Unavailable | Fault::NotAsked)));
    let everything = control::Override::new(control::Target::All);
    let shorter = everything.set("max", "1s").expect("that can be overridden");
    control::set(shorter).expect("by code");
    metrics::refresh();
    exporter.run_upkeep();
    exporter.render()
}

/// Each metric, with its labels.
pub(crate) async fn catalogue() -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in scrape().await.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (series, _) = line.rsplit_once(' ').expect("a value follows");
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        let labels = labels.split("\",").filter_map(|label| Some(label.split_once('=')?.0));
        found.entry(name.to_owned()).or_default().extend(labels.map(str::to_owned));
    }
    found
}

/// The expressions of a file of rules. As `YAML` goes it is simple: one line, or a block that is indented
/// further.
pub(crate) fn expressions_of(rules: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = rules.lines().collect();
    let starts = lines.iter().enumerate().filter(|(_, line)| line.trim().starts_with("expr:"));
    starts
        .map(|(at, line)| match line.trim().trim_start_matches("expr:").trim() {
            ">" => {
                let block = lines[at + 1..].iter().take_while(|next| indent(next) > indent(line));
                block.map(|next| next.trim()).collect::<Vec<_>>().join(" ")
            }
            short => short.to_owned(),
        })
        .collect()
}
