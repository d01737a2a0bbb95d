//! Numbers and states that are over: no call and no question finds them any more, whoever comes first.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, Failure, TooLate};
use stormless::{
    Breaker, BreakerState, Budget, Cut, breaker, breakers, budget, budgets,
    control::{self, Layer, Override, Target},
    retry,
    testing::isolated,
};
use tokio::time::{advance, sleep};

budget! { static ORDERS: Budget = Budget::new("expiring.orders").burst(10).ratio(0.5); }
breaker! {
    static GUARD: Breaker = Breaker::new("expiring.guard").open_for(Duration::from_secs(7_200));
    static SLOW: Breaker =
        Breaker::new("expiring.slow").slow_calls(0.5, Duration::from_secs(10)).min_calls(1);
}

const fn refused(_: Cut) -> Failure {
    TooLate
}

#[retry(budget = ORDERS, breaker = GUARD, cut_error = refused, name = "expiring.fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = ORDERS, breaker = SLOW, cut_error = refused, name = "expiring.slowly")]
async fn slowly(dependency: &Dependency) -> Answer {
    sleep(Duration::from_secs(1)).await;
    dependency.answer()
}

const MINUTE: Duration = Duration::from_secs(60);

fn of_guard() -> Target {
    Target::Breaker("expiring.guard".into())
}

fn of_orders() -> Target {
    Target::Budget("expiring.orders".into())
}

/// Sets something for a minute, and lets an hour pass.
async fn long_ago(one: Override) {
    control::set(one.expires_in(MINUTE)).unwrap();
    advance(60 * MINUTE).await;
}

#[tokio::test(start_paused = true)]
async fn the_first_call_after_an_isolation_is_over_is_let_through() {
    isolated(async {
        long_ago(Override::new(of_guard()).set("state", "isolated").unwrap()).await;
        let well = Dependency::always(Ok(()));
        assert_eq!(fetch(&well).await, Ok(()));
        assert_eq!(breakers().get("expiring.guard").unwrap().stats().rejected, 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn whoever_asks_first_finds_the_declared_state_and_numbers() {
    let questions: [fn(); 6] = [
        || assert_eq!(GUARD.state(), BreakerState::Closed),
        || assert_eq!(GUARD.opens_in(), Some(Duration::ZERO)),
        || assert_eq!(GUARD.settings(), GUARD.declared_settings()),
        || assert_eq!(ORDERS.settings(), ORDERS.declared_settings()),
        || assert_eq!(ORDERS.bound().burst(), Some(10.0)),
        || assert!((ORDERS.balance() - 10.0).abs() < 1e-9),
    ];
    for question in questions {
        isolated(async {
            let state = Override::new(of_guard()).set("state", "isolated").unwrap();
            let state = state.set("consecutive", 1).unwrap();
            control::set(state.expires_in(MINUTE)).unwrap();
            long_ago(Override::new(of_orders()).set("burst", 3).unwrap()).await;
            question();
        })
        .await;
        isolated(async {
            let burst = Override::new(of_orders()).set("burst", 3).unwrap();
            control::set(burst.expires_in(MINUTE)).unwrap();
            assert_eq!(budgets().get("expiring.orders").unwrap().bound().burst(), Some(3.0));
            advance(60 * MINUTE).await;
            assert_eq!(budgets().get("expiring.orders").unwrap().bound().burst(), Some(10.0));
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn successes_earn_by_the_declared_ratio_again() {
    isolated(async {
        assert!(fetch(&Dependency::dead()).await.is_err());
        let spent = ORDERS.balance();
        assert!(spent < 10.0);
        long_ago(Override::new(of_orders()).set("ratio", 0).unwrap()).await;
        let well = Dependency::always(Ok(()));
        for _ in 0..2 {
            assert_eq!(fetch(&well).await, Ok(()));
        }
        assert_eq!(ORDERS.stats().withdrawn, 2);
        assert!((ORDERS.balance() - (spent + 1.0).min(10.0)).abs() < 1e-9);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_success_that_was_slow_by_numbers_that_are_over_opens_nothing() {
    isolated(async {
        let slow = Target::Breaker("expiring.slow".into());
        long_ago(Override::new(slow).set("slow_calls_over", "1ms").unwrap()).await;
        assert_eq!(slowly(&Dependency::always(Ok(()))).await, Ok(()));
        assert_eq!(breakers().get("expiring.slow").unwrap().stats().opened, 0);
        assert_eq!(SLOW.state(), BreakerState::Closed);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_breaker_that_appears_later_enters_the_state_that_is_said_of_it() {
    isolated(async {
        for (name, state, found) in [
            ("expiring.late.open", "open", BreakerState::Open),
            ("expiring.late.isolated", "isolated", BreakerState::Isolated),
            ("expiring.late.closed", "closed", BreakerState::Closed),
        ] {
            let one = Override::new(Target::Breaker(name.into())).set("state", state).unwrap();
            control::apply(Layer::File, [one].into_iter().collect()).unwrap();
            advance(60 * MINUTE).await;
            let late = Breaker::dynamic(name).open_for(MINUTE).declare().unwrap();
            assert_eq!(late.state(), found, "{name}");
            if state == "open" {
                assert_eq!(late.opens_in(), Some(MINUTE));
                advance(MINUTE).await;
                assert_eq!(late.state(), BreakerState::HalfOpen);
            }
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_state_is_entered_each_time_that_it_is_set() {
    isolated(async {
        let set = |state: &str| {
            control::set(Override::new(of_guard()).set("state", state).unwrap()).unwrap();
        };
        set("open");
        assert_eq!(GUARD.state(), BreakerState::Open);
        assert!(control::overrides().to_string().contains("state = \"open\" (entered once)"));
        GUARD.close();
        // What has nothing to do with it enters nothing.
        control::set(Override::new(of_orders()).set("burst", 5).unwrap()).unwrap();
        assert_eq!(GUARD.state(), BreakerState::Closed);
        set("open");
        assert_eq!(GUARD.state(), BreakerState::Open);
        set("isolated");
        GUARD.close();
        set("isolated");
        assert_eq!(GUARD.state(), BreakerState::Isolated);
        set("closed");
        assert_eq!(GUARD.state(), BreakerState::Closed);
        // By hand, so it stays when the override goes.
        GUARD.isolate();
        assert!(control::clear(&of_guard()));
        assert_eq!(GUARD.state(), BreakerState::Isolated);
        GUARD.close();
    })
    .await;
}
