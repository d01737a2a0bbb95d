//! Numbers of budgets and breakers, overridden by name: checked, told, taken back.

use std::time::Duration;

use stormless::{
    Breaker, BreakerState, Budget, breaker, budget,
    control::{self, Layer, Override, Overrides, Target},
    testing::isolated,
};
use tokio::time::sleep;

budget! { static ORDERS: Budget = Budget::new("numbers.orders").burst(10).ratio(0.1); }
breaker! { static STOCK: Breaker = Breaker::new("numbers.stock").consecutive(5); }

fn orders() -> Target {
    Target::Budget("numbers.orders".into())
}

fn stock() -> Target {
    Target::Breaker("numbers.stock".into())
}

fn bound() -> String {
    let budgets = stormless::budgets();
    let row = budgets.get("numbers.orders").expect("it is declared");
    row.budget().settings().to_string()
}

#[tokio::test(start_paused = true)]
async fn a_budgets_numbers_are_those_of_the_strongest_layer_until_it_is_over() {
    isolated(async {
        let declared = bound();
        let file = Override::new(orders()).set("burst", 20).unwrap().set("ratio", 0.2).unwrap();
        control::apply(Layer::File, Overrides::from_iter([file])).unwrap();
        let of_file = bound();
        assert!(of_file != declared && of_file.contains("20"), "{of_file}");
        let code = Override::new(orders()).set("burst", 3).unwrap();
        control::set(code.expires_in(Duration::from_secs(60))).unwrap();
        let of_code = bound();
        assert!(of_code.contains('3') && of_code.contains("0.2"), "{of_code}");
        sleep(Duration::from_secs(60)).await;
        assert_eq!(bound(), of_file);
        assert_eq!(control::overrides().len(), 1);
        control::apply(Layer::File, Overrides::new()).unwrap();
        assert_eq!(bound(), declared);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_breaker_is_isolated_until_the_override_is_over() {
    isolated(async {
        let state = || {
            let breakers = stormless::breakers();
            breakers.get("numbers.stock").expect("it is declared").state()
        };
        let isolated = Override::new(stock()).set("state", "isolated").unwrap();
        control::set(isolated.expires_in(Duration::from_secs(60))).unwrap();
        assert_eq!(state(), BreakerState::Isolated);
        sleep(Duration::from_secs(60)).await;
        assert_eq!(state(), BreakerState::Closed);
        assert!(control::overrides().is_empty());
    })
    .await;
}

#[test]
fn what_is_no_number_of_it_is_refused() {
    let error = |target, key, value: i64| {
        let set = Override::new(target).set(key, value);
        let error = match set {
            Ok(one) => control::set(one).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(control::overrides().is_empty());
        error
    };
    let unknown = error(orders(), "bursts", 3);
    assert!(
        unknown.starts_with("budget `numbers.orders`: `bursts = 3`: there is no such key (did you mean `burst`?); there are `retries`, `burst`, "),
        "{unknown}"
    );
    let zero = error(orders(), "burst", 0);
    assert!(zero.starts_with("budget `numbers.orders`: `burst = 0`: it must be "), "{zero}");
    let other_kind = error(orders(), "max_tokens", 3);
    assert!(
        other_kind.contains("it is not a number of this kind of budget; this one has"),
        "{other_kind}"
    );
    let no_rule = error(stock(), "min_calls", 3);
    assert!(
        no_rule.contains("`min_calls = 3`: the breaker has no `failure_rate` or `slow_calls` rule"),
        "{no_rule}"
    );
    let retries = error(stock(), "retries", 3);
    assert!(retries.contains("there is no such key"), "{retries}");
}
