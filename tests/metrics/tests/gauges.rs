//! What calls share: levels, capacities, breakers and switches.

use std::time::Duration;

use measured::{Board, Reading};
use stormless::{
    Breaker, Budget, Classification, Retryable, breaker, budget,
    control::{self, Layer, Override, Overrides, Target},
    metrics, retry,
    testing::{self, Jitter, isolated},
};

#[derive(Debug)]
struct Down;

impl Retryable for Down {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.5); }
budget! { static WINDOWED: Budget = Budget::sliding_window("windowed"); }
breaker! { static PAYMENTS: Breaker = Breaker::new("payments").open_for(Duration::from_secs(30)); }

#[retry(backoff = "fixed", base = "10ms", attempts = 3, budget = "orders", name = "order")]
async fn order(works: bool) -> Result<(), Down> {
    if works { Ok(()) } else { Err(Down) }
}

#[retry(backoff = "none", attempts = 2, name = "alone")]
async fn alone() -> Result<(), Down> {
    Err(Down)
}

#[retry(backoff = "none", attempts = 1, budget = none, name = "unpaid")]
async fn unpaid() -> Result<(), Down> {
    Err(Down)
}

#[retry(budget = "undeclared", name = "surprising")]
async fn surprising() -> Result<(), Down> {
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn levels_follow_withdrawals_and_deposits_by_themselves() {
    isolated(async {
        let (_installed, board) = Board::install();
        let level = || board.read().gauge("budget_level orders").unwrap();
        assert!((level() - 10.0).abs() < f64::EPSILON);
        order(false).await.unwrap_err();
        assert!((level() - 8.0).abs() < f64::EPSILON, "two retries");
        order(true).await.unwrap();
        assert!((level() - 8.5).abs() < f64::EPSILON, "half of one was earned");

        let _failed = alone().await;
        let told = board.read();
        assert_eq!(told.gauge("budget_level (own) alone"), Some(9.0));
        assert_eq!(told.gauge("budget_capacity (own) alone"), Some(10.0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_refresh_shows_what_changed_without_a_call() {
    isolated(async {
        let (_installed, board) = Board::install();
        let now = stormless::engine::Moment::from_nanos(0);
        assert!(ORDERS.in_effect().balance() >= 10.0);
        let copy = stormless::budgets().get("orders").unwrap().budget();
        let _paid = copy.withdraw(3, now).unwrap();
        assert_eq!(board.read().gauge("budget_level orders"), Some(10.0));
        metrics::refresh();
        assert_eq!(board.read().gauge("budget_level orders"), Some(7.0));
        copy.deposit();
        metrics::refresh();
        assert_eq!(board.read().gauge("budget_level orders"), Some(7.5));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn budgets_show_their_capacity_and_who_uses_them_before_any_call() {
    isolated(async {
        let (_installed, board) = Board::install();
        let told = board.read();
        assert_eq!(told.gauge("budget_capacity orders"), Some(10.0));
        assert_eq!(told.gauge("budget_capacity windowed"), None, "it grows with the traffic");
        assert!(told.gauge("budget_level windowed").is_some());
        assert_eq!(told.gauge("site_budget order orders"), Some(1.0));
        assert_eq!(told.gauge("site_budget alone (own) alone"), Some(1.0));
        assert_eq!(told.gauge("site_budget unpaid none"), Some(1.0));
        assert_eq!(told.gauge("budget_implicit orders"), Some(0.0));
        assert_eq!(told.gauge("budget_implicit undeclared"), Some(1.0), "though nobody has called");
        surprising().await.unwrap();
        unpaid().await.unwrap_err();
        assert_eq!(board.read().gauge("budget_implicit undeclared"), Some(1.0));
    })
    .await;
}

/// The states that are 1.
fn states(told: &Reading) -> Vec<&'static str> {
    let is = |state: &&str| {
        let name = format!("breaker_state payments {state}");
        let value = told.gauge(&name).unwrap();
        assert!(value == 0.0 || (value - 1.0).abs() < f64::EPSILON, "{name} is {value}");
        value > 0.0
    };
    ["closed", "open", "half_open", "isolated"].into_iter().filter(is).collect()
}

#[tokio::test(start_paused = true)]
async fn a_breaker_is_in_one_state_at_a_time() {
    isolated(async {
        testing::jitter(Jitter::Highest);
        let (_installed, board) = Board::install();
        let refreshed = || {
            metrics::refresh();
            states(&board.read())
        };
        assert_eq!(states(&board.read()), ["closed"]);
        let breaker = stormless::breakers().get("payments").unwrap().breaker();
        breaker.open();
        assert_eq!(refreshed(), ["open"]);
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!(refreshed(), ["half_open"]);
        breaker.isolate();
        assert_eq!(refreshed(), ["isolated"]);
        breaker.close();
        assert_eq!(refreshed(), ["closed"]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn thrown_switches_are_seen_at_once() {
    isolated(async {
        let (_installed, board) = Board::install();
        let off = || {
            let told = board.read();
            ["process (all)", "budget orders", "site order"]
                .map(|name| told.gauge(&format!("retries_off {name}")).unwrap() > 0.0)
        };
        assert_eq!(off(), [false, false, false]);
        control::all().off();
        assert_eq!(off(), [true, false, false]);
        control::all().on();
        control::budget("orders").unwrap().off();
        control::site("order").unwrap().off();
        assert_eq!(off(), [false, true, true]);
        control::shutdown();
        assert_eq!(off(), [true, true, true]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn overrides_are_counted_by_layer_and_set_what_follows_from_them_until_they_expire() {
    isolated(async {
        let (_installed, board) = Board::install();
        let overrides = || {
            let told = board.read();
            let layers = ["environment", "file", "code"];
            layers
                .map(|layer| told.gauge(&format!("overrides {layer}")).unwrap().to_string())
                .join(" ")
        };
        let capacity = || board.read().gauge("budget_capacity orders");
        assert_eq!((overrides(), capacity()), ("0 0 0".to_owned(), Some(10.0)));

        let budget = Override::new(Target::Budget("orders".to_owned()));
        let (short, site) = (Duration::from_secs(60), Target::Site("order".to_owned()));
        control::set(budget.set("burst", 3).unwrap().expires_in(short)).unwrap();
        let all = Override::new(Target::All).set("attempts", 2).unwrap();
        let said = Overrides::from_iter([all, Override::new(site).set("base", "1s").unwrap()]);
        control::apply(Layer::File, said).unwrap();
        assert_eq!((overrides(), capacity()), ("0 2 1".to_owned(), Some(3.0)), "without a refresh");
        assert_eq!(board.read().gauge("budget_level orders"), Some(3.0));

        control::all().off();
        assert_eq!(overrides(), "0 2 2", "a switch is one");
        control::all().on();
        let wrong = control::set(Override::new(Target::Site("nobody".to_owned())));
        assert!(wrong.is_err());
        assert_eq!(overrides(), "0 2 1", "what is refused is none");

        tokio::time::advance(short).await;
        metrics::refresh();
        assert_eq!((overrides(), capacity()), ("0 2 0".to_owned(), Some(10.0)), "it is over");
        control::apply(Layer::File, Overrides::default()).unwrap();
        assert_eq!(overrides(), "0 0 0");
    })
    .await;
}

#[tokio::test]
async fn a_budget_that_is_declared_later_takes_the_series_of_its_name() {
    isolated(async {
        let (_installed, board) = Board::install();
        let first = Budget::declare(Budget::new("late").burst(20)).unwrap();
        metrics::refresh();
        assert_eq!(board.read().gauge("budget_capacity late"), Some(20.0));
        Budget::declare(Budget::new("late").burst(5)).unwrap_err();
        assert_eq!(first.name(), "late");
        metrics::refresh();
        let told = board.read();
        assert_eq!(told.gauge("budget_capacity late"), Some(5.0), "the tightest is in effect");
        assert_eq!(told.series_of("budget_level late"), 1);
    })
    .await;
}

#[retry(budget = "sooner", name = "sooner")]
async fn sooner() -> Result<(), Down> {
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_capacity_goes_and_comes_with_what_answers_to_the_name() {
    isolated(async {
        let (_installed, board) = Board::install();
        sooner().await.unwrap();
        let capacity = || board.read().gauge("budget_capacity sooner");
        assert_eq!(capacity(), Some(10.0), "the default's");
        Budget::declare(Budget::sliding_window("sooner")).unwrap();
        metrics::refresh();
        assert!(capacity().unwrap().is_nan(), "a window has none: {:?}", capacity());

        Budget::declare(Budget::sliding_window("sampled")).unwrap();
        metrics::refresh();
        assert_eq!(board.read().gauge("budget_capacity sampled"), None);
    })
    .await;
}

#[derive(Debug, Retryable)]
enum Refused {
    #[retryable(breaker_open)]
    NotAsked,
}

#[retry(attempts = 1, budget = none, breaker = "one for two", name = "asks")]
async fn asks() -> Result<(), Refused> {
    Ok(())
}

#[retry(attempts = 1, budget = none, breaker = "one for two", name = "asks_too")]
async fn asks_too() -> Result<(), Refused> {
    Ok(())
}

// R145
#[tokio::test(start_paused = true)]
async fn one_breaker_of_two_sites_has_one_series_for_each_state() {
    isolated(async {
        let (_installed, board) = Board::install();
        for _ in 0..3 {
            asks().await.unwrap();
            asks_too().await.unwrap();
            metrics::refresh();
        }
        let told = board.read();
        assert_eq!(told.series_of("breaker_state one for two"), 4);
        assert_eq!(told.gauge("breaker_state one for two closed"), Some(1.0));
    })
    .await;
}

// R145
#[tokio::test(start_paused = true)]
async fn a_policy_that_is_overridden_twice_makes_no_series_and_the_newest_holds() {
    isolated(async {
        let (_installed, board) = Board::install();
        let _failed = alone().await;
        // Other tests of the process bring functions of their own meanwhile.
        let before = board.read().series_with("alone");
        assert!(before > 0);
        for attempts in [5, 3] {
            let of_alone = Override::new(Target::Site("alone".into()));
            control::set(of_alone.set("attempts", attempts).unwrap()).unwrap();
            let _failed = alone().await;
            metrics::refresh();
        }
        assert_eq!(board.read().series_with("alone"), before);
        let table = stormless::sites();
        let row = table.get("alone").unwrap();
        assert_eq!(row.policy_in_force().max_attempts(), Some(3));
        assert_eq!(row.policy_in_words(), "3 attempts (declared: 2 attempts), no waits");
    })
    .await;
}
