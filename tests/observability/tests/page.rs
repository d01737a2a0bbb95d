//! The page of tables, as a browser shows it.

mod shop;

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Router, http::StatusCode, response::Html, routing::get};
use observability::browser::Browser;
use stormless::{control, tables::Page};
use tokio::net::TcpListener;

/// A server of the page, and how often it was asked for it.
async fn serve() -> (String, Arc<AtomicU64>) {
    let (url, asked, _) = serve_with_pauses().await;
    (url, asked)
}

/// The same, and whether it is as good as away.
async fn serve_with_pauses() -> (String, Arc<AtomicU64>, Arc<AtomicBool>) {
    let (asked, away) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let (counter, gone) = (Arc::clone(&asked), Arc::clone(&away));
    let page = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        let gone = gone.load(Ordering::Relaxed);
        async move {
            let page = Page::new().title("shop").refresh(Duration::from_secs(1)).render();
            if gone { Err((StatusCode::SERVICE_UNAVAILABLE, "starting")) } else { Ok(Html(page)) }
        }
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let routes = Router::new().route("/debug/retries", get(page));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    (format!("http://{address}/debug/retries"), asked, away)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_stays_while_its_process_answers_nothing() {
    let Some(browser) = Browser::start().await else { return };
    let (url, asked, away) = serve_with_pauses().await;
    browser.open(&url).await;
    browser.wait_for("document.querySelector('#sites td')").await;
    away.store(true, Ordering::Relaxed);
    let before = asked.load(Ordering::Relaxed);
    browser
        .wait_for("document.querySelector('#loaded').textContent.endsWith('no answer since')")
        .await;
    assert!(asked.load(Ordering::Relaxed) > before);
    browser.run("document.body.isOld = true").await;
    let tables = "return document.querySelectorAll('#sites td').length";
    assert_ne!(browser.run(tables).await, 0);
    away.store(false, Ordering::Relaxed);
    browser.wait_for("!document.body.isOld && document.querySelector('#sites td')").await;
    let loaded = "return document.querySelector('#loaded').textContent";
    let loaded = browser.run(loaded).await;
    assert!(loaded.as_str().is_some_and(|text| !text.contains("no answer")), "{loaded}");
}

fn picture(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    println!("a picture: {}", path.display());
    path
}

/// What a cell of a table says.
async fn cell(browser: &Browser, table: &str, row: &str, column: &str) -> String {
    let selector = format!(
        r#"#{table} tr[data-{}$="{row}"] td[data-col="{column}"]"#,
        &table[..table.len() - 1]
    );
    let script =
        format!("return document.querySelector('{selector}')?.textContent ?? 'no {selector}'");
    browser.run(&script).await.as_str().expect("text").to_owned()
}

async fn numbers<const N: usize>(browser: &Browser, row: &str, columns: [&str; N]) -> [String; N] {
    let mut found = std::array::from_fn(|_| String::new());
    for (number, column) in found.iter_mut().zip(columns) {
        *number = cell(browser, "sites", row, column).await;
    }
    found
}

const COUNTS: [&str; 8] = [
    "calls",
    "success",
    "success_after_retry",
    "failure",
    "failure_after_retry",
    "attempts",
    "failures",
    "retries",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_page_shows_what_the_traffic_implies_and_needs_nothing_else() {
    let Some(browser) = Browser::start().await else { return };
    control::count_successes(true);
    shop::traffic().await;
    let (url, asked) = serve().await;
    browser.open(&url).await;

    // Ten succeed at once, one after a retry; one makes the only other retry that there is and fails.
    assert_eq!(
        numbers(&browser, "read", COUNTS).await,
        ["12", "10", "1", "0", "1", "14", "3", "2"]
    );
    let errors = cell(&browser, "sites", "read", "errors").await;
    assert!(errors.contains("Unavailable") && errors.contains("transient"), "{errors}");
    let stops = cell(&browser, "sites", "read", "stops").await;
    assert_eq!(stops, "1 budget_exhausted");
    // Permanent: asked once.
    assert_eq!(numbers(&browser, "find", COUNTS).await, ["1", "0", "0", "1", "0", "1", "1", "0"]);
    // Listed, although nobody has called it.
    assert_eq!(numbers(&browser, "never", COUNTS).await, ["0"; 8]);
    assert!(cell(&browser, "budgets", "ledger", "budget").await.contains("ledger"));
    assert!(cell(&browser, "breakers", "ledger", "state").await.contains("isolated"));

    // What is wrong stands on top.
    let problems = browser.run("return document.querySelector('#problems').textContent").await;
    let problems = problems.as_str().expect("text");
    assert!(problems.contains("lost"), "the implicit budget: {problems}");
    let order = "const [problems, table] = ['#problems', 'table'].map((one) => document.querySelector(one)); \
                 return problems.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING";
    assert_ne!(browser.run(order).await, 0);
    let narrowest = "return Math.min(...[...document.querySelectorAll('td:first-child')].map((cell) => cell.offsetWidth))";
    let narrowest = browser.run(narrowest).await;
    assert!(narrowest.as_u64() >= Some(200), "names have {narrowest} pixels");
    pause(&browser).await;
    browser.screenshot(&picture("page.png")).await;
    go_on(&browser).await;

    it_refreshes_until_it_is_told_not_to(&browser, &asked).await;
    it_is_filtered_and_sorted(&browser).await;
    it_fits_a_phone(&browser).await;

    // The page itself, and not a font, a script or an icon.
    let requests = browser.requests().await;
    assert!(requests.len() >= 2, "{requests:?}");
    let others: Vec<_> =
        requests.iter().filter(|asked| **asked != url && !asked.starts_with("data:")).collect();
    assert!(others.is_empty(), "it asked for {others:?}");
    assert_eq!(browser.complaints().await, [] as [serde_json::Value; 0]);
}

/// Stops the page from loading itself again, and waits until a load that had begun is over.
async fn pause(browser: &Browser) {
    let paused = "document.querySelector('#pause').textContent === 'go on'";
    browser.click("#pause").await;
    browser.wait_for(paused).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    browser.wait_for(&format!("document.readyState === 'complete' && {paused}")).await;
}

async fn go_on(browser: &Browser) {
    browser.click("#pause").await;
    browser.wait_for("document.querySelector('#pause').textContent === 'pause'").await;
}

async fn it_refreshes_until_it_is_told_not_to(browser: &Browser, asked: &AtomicU64) {
    let calls = r#"document.querySelector('#sites tr[data-site$="read"] td[data-col="calls"]').textContent"#;
    shop::more_traffic().await;
    browser.wait_for(&format!("{calls} === '17'")).await;

    pause(browser).await;
    let before = asked.load(Ordering::Relaxed);
    shop::more_traffic().await;
    // Longer than two loads would take.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert_eq!(asked.load(Ordering::Relaxed), before, "it was loaded although it was to pause");
    assert_eq!(cell(browser, "sites", "read", "calls").await, "17");
    go_on(browser).await;
    browser.wait_for(&format!("{calls} === '22'")).await;
}

async fn it_is_filtered_and_sorted(browser: &Browser) {
    let shown =
        "[...document.querySelectorAll('#sites tbody tr')].filter((row) => row.offsetParent)";
    let visible = format!("{shown}.map((row) => row.dataset.site.split('::').pop()).join()");
    browser.enter("#filter", "not found").await;
    browser.enter("#filter", "::find").await;
    browser.wait_for(&format!("{visible} === 'find'")).await;
    // What was typed outlives the next load.
    browser.run("document.body.isOld = true").await;
    browser.wait_for("!document.body.isOld").await;
    browser.wait_for(&format!("{visible} === 'find'")).await;
    browser
        .run("const filter = document.querySelector('#filter'); filter.value = ''; filter.dispatchEvent(new Event('input'))")
        .await;
    browser.wait_for(&format!("{shown}.length >= 4")).await;

    browser.click(r#"#sites th[data-col="calls"]"#).await;
    browser.wait_for(&format!("{visible}.startsWith('read,')")).await;
    browser.click(r#"#sites th[data-col="calls"]"#).await;
    browser.wait_for(&format!("{visible}.endsWith(',read')")).await;
}

async fn it_fits_a_phone(browser: &Browser) {
    pause(browser).await;
    for (width, name) in [(360, "page-phone.png"), (768, "page-tablet.png")] {
        browser.resize(width, 800, true).await;
        browser.wait_for(&format!("innerWidth === {width}")).await;
        let widths = browser
            .run("const { scrollWidth, clientWidth } = document.documentElement; return [scrollWidth, clientWidth]")
            .await;
        assert_eq!(widths[0], widths[1], "it scrolls sideways");
        assert_eq!(widths[1], width, "it is laid out for this screen");
        let hidden = "return [...document.querySelectorAll('.wide, td, li')].filter((one) => one.scrollWidth > one.clientWidth)\
                      .map((one) => one.textContent)";
        assert_eq!(browser.run(hidden).await, serde_json::json!([]), "that is cut off at {width}");
        browser.screenshot(&picture(name)).await;
    }
    browser.resize(1400, 1000, false).await;
    browser.darken().await;
    browser.screenshot(&picture("page-dark.png")).await;
}
