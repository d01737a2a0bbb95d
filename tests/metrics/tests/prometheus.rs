//! What Prometheus scrapes, word for word, and what its own checker says about it.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
use stormless::{
    Breaker, Budget, Classification, Retryable, breaker, budget, metrics, retry,
    testing::{self, Jitter, isolated},
};

struct Down;

impl Retryable for Down {
    fn classify(&self) -> Classification {
        Classification::throttled()
    }

    fn label(&self) -> &'static str {
        "Down"
    }
}

budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }
breaker! { static PAYMENTS: Breaker = Breaker::new("payments"); }

/// The first attempt fails, and so does every one of the second call.
#[retry(backoff = "fixed", base = "100ms", attempts = 3, budget = "orders", name = "shop::order")]
async fn order(failures: &mut u32) -> Result<(), Down> {
    tokio::time::sleep(Duration::from_millis(20)).await;
    match failures.checked_sub(1) {
        Some(left) => {
            *failures = left;
            Err(Down)
        }
        None => Ok(()),
    }
}

/// The metrics in the order of their names, each with its series in theirs.
fn in_order(text: &str) -> String {
    let mut metrics: Vec<String> = text
        .split("\n\n")
        .filter(|metric| !metric.trim().is_empty())
        .map(|metric| {
            let (mut head, mut series): (Vec<_>, Vec<_>) =
                metric.trim().lines().partition(|line| line.starts_with('#'));
            // Buckets keep theirs.
            series.sort_by_key(|line| line.split("le=").next().unwrap_or_default().to_owned());
            head.extend(series);
            head.join("\n")
        })
        .collect();
    metrics.sort();
    metrics.join("\n\n") + "\n"
}

fn builder() -> PrometheusBuilder {
    metrics::BUCKETS.iter().fold(PrometheusBuilder::new(), |builder, (name, buckets)| {
        builder.set_buckets_for_metric(Matcher::Full((*name).to_owned()), buckets).unwrap()
    })
}

/// What a scrape shows after three calls.
async fn scrape(builder: PrometheusBuilder) -> String {
    isolated(async {
        testing::jitter(Jitter::Highest);
        let recorder = builder.build_recorder();
        let scrape = recorder.handle();
        let _installed = metrics::install_to(recorder);
        for failures in [0, 1, 9] {
            let _result = order(&mut { failures }).await;
        }
        metrics::refresh();
        in_order(&scrape.render())
    })
    .await
}

fn golden() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.prom");
    std::fs::read_to_string(path).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_scrape_is_what_it_was() {
    let scraped = scrape(builder()).await;
    assert!(scraped == golden(), "this is what it is now:\n{scraped}");
}

#[tokio::test(start_paused = true)]
async fn an_exporter_that_names_units_itself_names_none_twice() {
    assert_eq!(scrape(builder().with_recommended_naming(true)).await, golden());
}

#[tokio::test(start_paused = true)]
async fn the_checker_of_prometheus_finds_nothing() {
    let Ok(mut checker) = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
    else {
        assert!(
            std::env::var_os("STORMLESS_REQUIRE_SERVERS").is_none(),
            "promtool is to be there: it is in Debian's package prometheus"
        );
        return;
    };
    let scraped = scrape(builder()).await;
    checker.stdin.take().unwrap().write_all(scraped.as_bytes()).unwrap();
    let found = checker.wait_with_output().unwrap();
    let said = [found.stdout, found.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(found.status.success() && said.trim().is_empty(), "{said}");
}

#[test]
fn the_page_lists_every_metric_with_its_type_and_its_labels() {
    let page = include_str!("../../../docs/metrics.md");
    let golden = golden();
    let described = golden.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let mut listed = 0;
    for (name, kind) in described.filter_map(|line| line.split_once(' ')) {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("the page lacks `{name}`"));
        assert!(row.contains(kind), "{row}");
        let series = golden
            .lines()
            .find(|line| line.starts_with(name) && line[name.len()..].starts_with(['{', '_']));
        let labels = series.unwrap().split(['{', ',', '}']).filter_map(|part| part.split_once('='));
        for (label, _) in labels.filter(|(label, _)| *label != "le") {
            assert!(row.contains(&format!("`{label}`")), "{row} lacks `{label}`");
        }
        listed += 1;
    }
    assert_eq!(listed, page.lines().filter(|line| line.starts_with("| `stormless_")).count());
}
