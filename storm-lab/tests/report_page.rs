//! The page that can be mailed, as a browser shows it.

mod made_up;

use std::{fs, path::PathBuf};

use made_up::{outcomes, scenario};
use observability::browser::Browser;
use serde_json::{Value as Json, json};
use storm_lab::{
    report::{Section, html},
    summary::{Measure, Spread, Summary, Unit, Value},
};

const POLICIES: [&str; 12] = [
    "naive",
    "full jitter",
    "ratio 10 % per 60 s",
    "success budget",
    "equal jitter and a budget of successes",
    "decorrelated",
    "gRPC throttling",
    "AWS standard 2026",
    "a<b> & \"c\" 'd' </script>",
    "hedged",
    "no retry",
    "a name that is long enough to be cut off wherever there is little room for it, as in a legend",
];

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// What a cell must have in its attribute.
fn plain(value: Value, unit: Unit) -> String {
    match value {
        Value::Number(number) => unit.shown(number).to_string(),
        Value::Never => "never".to_owned(),
        Value::Undefined => String::new(),
    }
}

fn shown(value: Value, unit: Unit) -> String {
    match value {
        Value::Number(number) => unit.text(number),
        Value::Never => "never".to_owned(),
        Value::Undefined => "–".to_owned(),
    }
}

async fn opened(policies: &[&str], name: &str) -> Option<(Browser, Summary, String)> {
    let browser = Browser::start().await?;
    let scenario = scenario(policies, &["edge", "orders", "store"]);
    let outcomes = outcomes(&scenario);
    let summary = Summary::of(&scenario, &outcomes);
    let section = Section {
        scenario: &scenario,
        outcomes: &outcomes,
        summary: &summary,
        failures: &[],
        complete: true,
        measured: None,
    };
    let path = file(name).with_extension("html");
    fs::write(&path, html(&[section], None)).expect("the directory can be written to");
    let url = format!("file://{}", path.display());
    browser.open(&url).await;
    Some((browser, summary, url))
}

/// Each policy's cells: measure, value, low, high, ratio, and what is read.
const CELLS: &str = "return [...document.querySelectorAll('table.figures tbody tr')].map((row) => [row.dataset.policy, \
    [...row.querySelectorAll('td')].map(({ dataset, firstChild }) => [dataset.measure, dataset.value, dataset.low, \
    dataset.high, dataset.ratio ?? null, firstChild.textContent])])";

async fn the_table_has_the_figures(browser: &Browser, summary: &Summary) {
    let found = browser.run(CELLS).await;
    let rows = found.as_array().expect("rows");
    // In two tables.
    assert_eq!(rows.len(), 2 * summary.rows.len());
    let (first, second) = rows.split_at(summary.rows.len());
    for ((row, rest), wanted) in first.iter().zip(second).zip(&summary.rows) {
        assert_eq!((&row[0], &rest[0]), (&json!(wanted.policy), &json!(wanted.policy)));
        let cells = [row, rest].map(|row| row[1].as_array().expect("cells").as_slice()).concat();
        assert!(cells.len() >= 10, "{cells:?}");
        for cell in &cells {
            let measure =
                Measure::ALL.into_iter().find(|one| cell[0] == one.key()).expect("a measure");
            let (figure, unit) = (wanted.figure(measure), measure.unit());
            let Spread { median, low, high, .. } = figure.value;
            let values = [median, low, high].map(|value| plain(value, unit));
            assert_eq!(
                json!([cell[1], cell[2], cell[3]]),
                json!(values),
                "{} of {}",
                cell[0],
                wanted.policy
            );
            assert_eq!(cell[5], shown(median, unit));
            if let Some(ratio) = cell[4].as_str() {
                let over = figure.ratio.expect("others than the first have it");
                assert_eq!(ratio, plain(over.median, Unit::Ratio));
            }
        }
    }
    // The same in the block of data.
    let script = "const data = JSON.parse(document.querySelector('#figures').textContent).scenarios[0]; \
                  return data.policies.map(({ name, figures }) => [name, figures.amplification.value.median])";
    let data = browser.run(script).await;
    let wanted: Vec<Json> = summary
        .rows
        .iter()
        .map(|row| {
            let median = row
                .figure(Measure::Amplification)
                .value
                .median
                .as_number()
                .expect("there were calls");
            json!([row.policy, Unit::PerCall.shown(median)])
        })
        .collect();
    assert_eq!(data, json!(wanted));
}

/// Texts of plots that are cut off, or that lie on one another.
const COLLISIONS: &str = "const found = []; \
    for (const svg of document.querySelectorAll('figure svg')) { \
      const whole = svg.getBoundingClientRect(); \
      const texts = [...svg.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect()]); \
      if (texts.length < 8) found.push('hardly a text in ' + svg.ariaLabel); \
      texts.forEach(([text, box], at) => { \
        if (box.left < whole.left || box.right > whole.right || box.top < whole.top || box.bottom > whole.bottom) \
          found.push('cut off: ' + text); \
        for (const [other, place] of texts.slice(at + 1)) { \
          const wide = Math.min(box.right, place.right) - Math.max(box.left, place.left); \
          const high = Math.min(box.bottom, place.bottom) - Math.max(box.top, place.top); \
          if (wide > 1 && high > 3) found.push(text + ' lies on ' + other + ' in ' + svg.ariaLabel); \
        } \
      }); \
    } \
    return found";

/// That collisions are found: one of the texts, once more, where it is, and another beyond the edge.
async fn collisions_are_found(browser: &Browser) {
    let spoil = "const text = document.querySelector('figure svg text'); \
                 const [twin, stray] = [text.cloneNode(true), text.cloneNode(true)]; \
                 stray.setAttribute('x', 790); stray.setAttribute('y', 200); \
                 text.parentNode.append(twin, stray); document.spoiled = [twin, stray]";
    browser.run(spoil).await;
    let found = browser.run(COLLISIONS).await;
    let found: Vec<&str> =
        found.as_array().expect("a list").iter().filter_map(Json::as_str).collect();
    assert!(found.iter().any(|text| text.contains(" lies on ")), "{found:?}");
    assert!(found.iter().any(|text| text.starts_with("cut off: ")), "{found:?}");
    browser.run("document.spoiled.forEach((text) => text.remove())").await;
}

async fn it_fits(browser: &Browser, name: &str) {
    for width in [360, 800, 1_400] {
        browser.resize(width, 900, width < 500).await;
        browser.wait_for(&format!("innerWidth === {width}")).await;
        let widths = "const { scrollWidth, clientWidth } = document.documentElement; return [scrollWidth, clientWidth]";
        let widths = browser.run(widths).await;
        assert_eq!(widths[0], widths[1], "it scrolls sideways at {width}");
        assert_eq!(browser.run(COLLISIONS).await, json!([]), "at {width}");
        let hidden = "return [...document.querySelectorAll('figure svg')].filter((svg) => !svg.checkVisibility() || \
                      svg.getBoundingClientRect().width < 300).length";
        assert_eq!(browser.run(hidden).await, 0, "plots that nobody can read at {width}");
        browser.screenshot(&file(&format!("{name}-{width}.png"))).await;
    }
}

/// All columns of the figures are seen on a narrow screen.
async fn no_figure_is_hidden(browser: &Browser) {
    browser.resize(800, 900, false).await;
    browser.wait_for("innerWidth === 800").await;
    let hidden = "return [...document.querySelectorAll('table.figures')].map((table) => \
                  [table.parentNode.scrollWidth, table.parentNode.clientWidth])";
    let widths = browser.run(hidden).await;
    let widths = widths.as_array().expect("tables");
    assert_eq!(widths.len(), 2);
    assert!(widths.iter().all(|table| table[0] == table[1]), "{widths:?}");
}

async fn nothing_is_missing(browser: &Browser, url: &str) {
    let requests = browser.requests().await;
    assert!(requests.iter().any(|asked| asked == url), "{requests:?}");
    let others: Vec<_> =
        requests.iter().filter(|asked| *asked != url && !asked.starts_with("data:")).collect();
    assert!(others.is_empty(), "it asked for {others:?}");
    assert_eq!(browser.complaints().await, [] as [Json; 0]);
}

#[tokio::test]
async fn the_page_shows_the_figures_and_the_plots_of_four_policies() {
    let Some((browser, summary, url)) = opened(&POLICIES[..4], "report-four").await else { return };
    the_table_has_the_figures(&browser, &summary).await;
    let plots =
        "return [...document.querySelectorAll('figure')].map((figure) => figure.dataset.plot)";
    let plots = browser.run(plots).await;
    assert_eq!(plots, json!(["load", "retries", "budget", "latency", "amplification"]));
    collisions_are_found(&browser).await;
    it_fits(&browser, "report-four").await;
    no_figure_is_hidden(&browser).await;
    browser.darken().await;
    let paper = "return getComputedStyle(document.querySelector('figure svg .paper')).fill";
    assert_eq!(browser.run(paper).await, "rgb(22, 24, 29)");
    browser.screenshot(&file("report-four-dark.png")).await;
    nothing_is_missing(&browser, &url).await;
}

#[tokio::test]
async fn the_page_shows_twelve_policies_with_any_names() {
    let Some((browser, summary, url)) = opened(&POLICIES, "report-twelve").await else { return };
    the_table_has_the_figures(&browser, &summary).await;
    it_fits(&browser, "report-twelve").await;
    nothing_is_missing(&browser, &url).await;
}
