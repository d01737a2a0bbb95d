//! How many series there are: what calls bring along at run time makes no new ones.

use measured::Board;
use stormless::{Budget, Classification, Policy, Retryable, control, retry, testing::isolated};

struct Refused {
    #[expect(dead_code, reason = "what errors carry, and nobody reads")]
    text: String,
    label: &'static str,
    kind: Classification,
}

impl Refused {
    fn new(text: String, label: &'static str) -> Self {
        Self { text, label, kind: Classification::transient() }
    }
}

impl Retryable for Refused {
    fn classify(&self) -> Classification {
        self.kind
    }

    fn label(&self) -> &'static str {
        self.label
    }
}

stormless::budget! { static HOSTS: Budget = Budget::new("hosts").burst(100).max_keys(50); }

#[retry(backoff = "none", attempts = 2, budget = HOSTS, budget_key = &host, name = "fetch")]
async fn fetch(host: String, label: &'static str) -> Result<(), Refused> {
    Err(Refused::new(format!("{host} is gone"), label))
}

#[retry(budget = none, name = "odd")]
async fn odd(label: &'static str, kind: Classification) -> Result<(), Refused> {
    Err(Refused { kind, ..Refused::new(String::new(), label) })
}

#[retry(budget = given, name = "by_tenant")]
async fn by_tenant(given: &'static Budget) -> Result<(), Refused> {
    Err(Refused { kind: Classification::permanent(), ..Refused::new(String::new(), "no") })
}

#[retry(budget = none, name = "taken")]
async fn taken() -> Result<(), Refused> {
    Ok(())
}

mod one {
    #[stormless::retry(budget = none, name = "twin")]
    pub(super) async fn twin() -> Result<(), super::Refused> {
        Ok(())
    }
}

mod other {
    #[stormless::retry(budget = none, name = "twin")]
    pub(super) async fn twin() -> Result<(), super::Refused> {
        Ok(())
    }
}

fn leaked(number: usize) -> &'static str {
    format!("label {number}").leak()
}

/// In the process, and not in an isolated test: nobody else calls anything there.
// R147
#[tokio::test(start_paused = true)]
async fn distinct_texts_arguments_and_keys_make_no_series() {
    let (_installed, board) = Board::install();
    let _failed = fetch("first".to_owned(), "gone").await;
    let before = board.read().series();
    for call in 1..100_000 {
        let _failed = fetch(format!("host-{call}.example"), "gone").await;
    }
    let told = board.read();
    assert_eq!(told.series(), before);
    assert_eq!(told.sum("calls_total"), 100_000);
    let refused = told.sum("retries_refused_total fetch hosts");
    assert_eq!(refused, 100_000, "each call failed once, whatever its key");
    assert_eq!(told.series_of("budget_level hosts"), 1, "not one for each key");
}

// R147
#[tokio::test(start_paused = true)]
async fn labels_that_are_made_up_at_run_time_are_counted_together() {
    isolated(async {
        let (_installed, board) = Board::install();
        for number in 0..1_000 {
            let _failed = odd(leaked(number), Classification::permanent()).await;
        }
        let told = board.read();
        assert_eq!(told.series_of("attempt_failures_total odd"), 65);
        assert_eq!(told.counter("attempt_failures_total odd permanent label 63"), Some(1));
        assert_eq!(told.counter("attempt_failures_total odd permanent (other labels)"), Some(936));
        assert_eq!(told.sum("attempt_failures_total odd"), 1_000);
        // Those that were there before go on by their names.
        let _failed = odd(leaked(5), Classification::permanent()).await;
        let _failed = odd(leaked(5), Classification::cancelled()).await;
        let told = board.read();
        assert_eq!(told.counter("attempt_failures_total odd permanent label 5"), Some(2));
        assert_eq!(told.counter("attempt_failures_total odd cancelled (other labels)"), Some(1));
    })
    .await;
}

// R147
#[tokio::test(start_paused = true)]
async fn budgets_from_expressions_are_bounded_too() {
    isolated(async {
        let (_installed, board) = Board::install();
        assert_eq!(board.read().series_of("site_budget by_tenant"), 0, "no call has said");
        for number in 0..100 {
            let budget = Budget::declare(Budget::new(leaked(number))).unwrap();
            let _failed = by_tenant(budget).await;
        }
        let told = board.read();
        assert_eq!(told.series_of("site_budget by_tenant"), 65);
        assert_eq!(told.counter("retries_refused_total by_tenant label 0 permanent"), Some(1));
        let others = "retries_refused_total by_tenant (other budgets) permanent";
        assert_eq!(told.counter(others), Some(36));
    })
    .await;
}

// R145
#[tokio::test(start_paused = true)]
async fn two_sites_of_one_name_are_told_apart_by_their_places() {
    isolated(async {
        let (_installed, board) = Board::install();
        one::twin().await.unwrap_or_default();
        other::twin().await.unwrap_or_default();
        other::twin().await.unwrap_or_default();
        let told = board.read();
        let rows: Vec<_> = stormless::sites()
            .iter()
            .map(stormless::SiteRow::name)
            .filter(|name| name.starts_with("twin@"))
            .collect();
        assert_eq!(rows.len(), 2);
        let counts: Vec<_> =
            rows.iter().map(|row| told.counter(&format!("calls_total {row} success"))).collect();
        assert_eq!(counts, [Some(1), Some(2)], "as the tables name them");
        assert_eq!(told.counter("calls_total twin success"), None);
        assert!(control::site("twin").is_err(), "ambiguous");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_closure_that_came_later_leaves_the_series_of_its_name_alone() {
    isolated(async {
        let (_installed, board) = Board::install();
        taken().await.unwrap_or_default();
        let policy = Policy::new().attempts(1);
        policy.run(async || Ok::<_, Refused>(())).named("taken").await.unwrap_or_default();
        let told = board.read();
        assert_eq!(told.counter("calls_total taken success"), Some(1));
        let named = told.counted("calls_total taken@");
        assert!(matches!(named[..], [(place, 1)] if place.contains("series.rs")), "{named:?}");
    })
    .await;
}
