//! The page: well-formed, with the numbers of the tables, and with what is wrong on top.

#[path = "support/bodies.rs"]
mod bodies;
#[path = "support/html.rs"]
mod html;

use std::time::Duration;

use bodies::{Answer, Dependency, P, T, budget as budget_row, site};
use html::{Node, parse};
use stormless::{
    Breaker, Budget, Policy, Retryable, breaker, breakers, budget, budgets, control, report_page,
    retry, sites, tables::Page, testing::isolated,
};

budget! {
    static ORDERS: Budget = Budget::new("orders").burst(3);
    static CALM: Budget = Budget::new("calm");
}
breaker! { static GUARD: Breaker = Breaker::new("guard").consecutive(1); }

#[derive(Debug, Retryable)]
enum Refused {
    #[retryable(transient)]
    Down,
    #[retryable(breaker_open)]
    Open,
}

#[retry(attempts = 3, backoff = "none", budget = ORDERS, name = "fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", name = "around")]
async fn around(dependency: &Dependency) -> Answer {
    fetch(dependency).await.map_err(|_| P)
}

#[retry(attempts = 1, breaker = GUARD, budget = "undeclared", name = "guarded")]
async fn guarded() -> Result<(), Refused> {
    Err(Refused::Down)
}

const ONE_LINE: u32 = line!() + 1;
#[retry(attempts = 2, budget = CALM, name = "twin")]
async fn one_twin(dependency: &Dependency) -> Answer {
    dependency.answer()
}

const OTHER_LINE: u32 = line!() + 1;
#[retry(attempts = 2, budget = CALM, name = "twin")]
async fn other_twin(dependency: &Dependency) -> Answer {
    dependency.answer()
}

/// Something of everything.
async fn traffic() {
    control::count_successes(true);
    assert_eq!(fetch(&Dependency::script([Ok(())])).await, Ok(()));
    assert_eq!(fetch(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
    assert_eq!(fetch(&Dependency::dead()).await, Err(T));
    assert_eq!(fetch(&Dependency::dead()).await, Err(T));
    assert_eq!(around(&Dependency::dead()).await, Err(P));
    for _ in 0..3 {
        guarded().await.unwrap_err();
    }
}

#[track_caller]
fn row<'a>(page: &'a Node, kind: &str, name: &str) -> &'a Node {
    let rows = page.with(kind, name);
    assert_eq!((rows.len(), rows[0].name.as_str()), (1, "tr"), "{name}");
    rows[0]
}

fn problems(page: &Node) -> Vec<(&str, &str)> {
    page.id("problems")
        .named("li")
        .into_iter()
        .filter_map(|node| node.attribute("data-problem").zip(node.attribute("data-subject")))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn the_page_has_the_numbers_of_the_tables() {
    isolated(async {
        traffic().await;
        let page = parse(&report_page());
        for site in &sites() {
            let (row, outcomes) = (row(&page, "data-site", &site.name()), site.outcomes());
            for (column, count) in [
                ("calls", site.calls()),
                ("success", outcomes.success),
                ("success_after_retry", outcomes.success_after_retry),
                ("failure", outcomes.failure),
                ("failure_after_retry", outcomes.failure_after_retry),
                ("attempts", site.attempts()),
                ("failures", site.failures()),
                ("retries", site.retries()),
                ("lost_to_nesting", site.lost_to_nesting()),
                ("uncut", site.uncut()),
            ] {
                assert_eq!(row.cell(column), count.to_string(), "{column} of {}", site.name());
            }
            let errors: String = site.errors().iter().map(ToString::to_string).collect();
            assert_eq!(row.cell("errors"), errors);
            assert_eq!(row.cell("longest_call"), site.longest_call().to_string());
        }
        assert_eq!(
            row(&page, "data-site", "fetch").cell("failures"),
            site("fetch").failures().to_string()
        );
        assert_eq!(row(&page, "data-site", "fetch").cell("calls"), "5");
        for budget in &budgets() {
            let (row, stats) = (row(&page, "data-budget", budget.name()), budget.stats());
            for (column, count) in [
                ("withdrawn", stats.withdrawn),
                ("refused", stats.refused),
                ("given_back", stats.given_back),
            ] {
                assert_eq!(row.cell(column), count.to_string(), "{column} of {}", budget.name());
            }
            assert_eq!(row.cell("balance"), format!("{:.1}", budget.balance()));
            assert_eq!(row.cell("next_retry"), budget.next_retry().to_string());
            assert!(row.cell("budget").contains(&budget.bound().to_string()));
            assert_eq!(row.with("role", "meter").len(), 1);
        }
        assert!(budget_row("orders").stats().refused > 0);
        for breaker in &breakers() {
            let (row, stats) = (row(&page, "data-breaker", breaker.name()), breaker.stats());
            assert_eq!(row.cell("state"), breaker.state().to_string());
            assert_eq!(row.cell("rejected"), stats.rejected.to_string());
            assert_eq!(row.cell("opened"), stats.opened.to_string());
        }
        assert_eq!(page.id("warnings").named("li").len(), stormless::warnings().len());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_wrong_stands_on_top_the_worst_first() {
    isolated(async {
        let quiet = parse(&report_page());
        assert_eq!(problems(&quiet), [("implicit", "undeclared")]);
        assert_eq!(quiet.id("status").text(), "1 problem");

        traffic().await;
        control::all().off();
        control::site("guarded").expect("it is linked").off();
        let page = parse(&report_page());
        assert_eq!(
            problems(&page),
            [
                ("off", "all functions"),
                ("off", "guarded"),
                ("open", "guard"),
                ("exhausted", "orders"),
                ("implicit", "undeclared"),
                ("lost", "fetch"),
            ]
        );
        assert_eq!(page.id("status").text(), "6 problems");
        // And first in their tables.
        let first = |table: &str, key: &str| {
            let rows = page.id(table).named("tbody")[0].named("tr");
            rows[0].attribute(key).map(str::to_owned)
        };
        assert_eq!(first("sites", "data-site").as_deref(), Some("fetch"));
        assert_eq!(first("budgets", "data-budget").as_deref(), Some("orders"));
        control::all().on();
    })
    .await;
}

// R145
#[tokio::test(start_paused = true)]
async fn functions_that_share_a_name_have_a_row_each_with_their_places() {
    isolated(async {
        assert_eq!(one_twin(&Dependency::script([Err(P)])).await, Err(P));
        assert_eq!(other_twin(&Dependency::script([Ok(())])).await, Ok(()));
        let page = parse(&report_page());
        let at = |line: u32| format!("twin@{}:{line}", file!());
        let failures = |line| row(&page, "data-site", &at(line)).cell("failures");
        assert_eq!((failures(ONE_LINE), failures(OTHER_LINE)), ("1".to_owned(), "0".to_owned()));
        assert!(page.with("data-site", "twin").is_empty());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn names_are_text_whatever_they_contain() {
    const EVIL: &str = "</td></tr><script>alert('\"&amp;')</script>";
    isolated(async {
        let label = "<b>&\"'";
        let call = Policy::new().attempts(1).run(async || Err::<(), u8>(1)).named(EVIL).no_budget();
        let classify = |_: &u8| stormless::Classification::transient().label(label);
        assert_eq!(call.classify(classify).await, Err(1));
        let page = Page::new().title("<title> & \"more\"").render();
        assert_eq!(page.matches("<script>").count(), 1, "only the page's own");
        let page = parse(&page);
        assert_eq!(page.named("title")[0].text(), "<title> & \"more\"");
        let row = row(&page, "data-site", EVIL);
        assert!(row.cell("errors").contains(label));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_page_needs_nothing_from_elsewhere() {
    isolated(async {
        let page = report_page();
        for elsewhere in ["http:", "https:", "://", "src=", "@import", "url("] {
            assert!(!page.contains(elsewhere), "{elsewhere}");
        }
        let page = parse(&page);
        assert_eq!(page.named("link")[0].attribute("href"), Some("data:,"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_page_does_as_it_is_told() {
    isolated(async {
        let page =
            Page::new().title("orders-api").processes(12).refresh(Duration::from_millis(1_500));
        let page = parse(&page.render());
        assert_eq!(page.named("h1")[0].text(), "orders-api");
        assert_eq!(page.named("header")[0].attribute("data-refresh"), Some("2"));
        let refresh = page.with("http-equiv", "refresh");
        assert_eq!(refresh[0].attribute("content"), Some("2"));
        let budget = row(&page, "data-budget", "orders").cell("budget");
        assert!(budget.contains("At most 36 retries at once in 12 processes"), "{budget}");

        let still = parse(&Page::new().refresh(Duration::ZERO).render());
        assert!(
            still.with("http-equiv", "refresh").is_empty() && still.with("id", "pause").is_empty()
        );
        assert_eq!(Page::default(), Page::new());
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_not_counted_is_a_dash_and_no_zero() {
    isolated(async {
        assert_eq!(fetch(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        let cells = || {
            let page = parse(&report_page());
            let columns = ["calls", "success", "attempts", "success_after_retry", "failures"];
            let guard = row(&page, "data-breaker", "guard").cell("successes");
            let site = row(&page, "data-site", "fetch");
            (columns.map(|column| site.cell(column)), guard)
        };
        let [none, one, two, dash] = ["0", "1", "2", "-"].map(str::to_owned);
        let unknown = [&dash, &dash, &dash, &one, &one].map(Clone::clone);
        assert_eq!(cells(), (unknown, dash));
        let text = breakers().to_string();
        let words = text.lines().find(|line| line.starts_with("guard ")).expect("a row");
        assert_eq!(words.split_whitespace().nth(3), Some("-"), "{text}");
        control::count_successes(true);
        let known = [&one, &none, &two, &one, &one].map(Clone::clone);
        assert_eq!(cells(), (known, none));
    })
    .await;
}

/// What a call was refused with is why it stopped, and no failure.
#[tokio::test(start_paused = true)]
async fn a_refusal_of_a_breaker_is_no_error() {
    isolated(async {
        guarded().await.unwrap_err();
        guarded().await.unwrap_err();
        let row = site("guarded");
        assert_eq!(row.stops(stormless::StopReason::BreakerOpen), 1);
        let errors = row.errors();
        let labels: Vec<_> = errors.iter().map(stormless::ErrorRow::label).collect();
        assert_eq!(labels, ["Down"]);
    })
    .await;
}
