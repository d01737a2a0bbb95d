//! Overrides that are each valid, said in whatever order: functions keep their senses, what has nothing to do
//! with a contradiction is taken, and what is taken away is gone.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, ms, site};
use proptest::{prelude::*, test_runner::TestCaseError};
use stormless::{
    Budget, budget,
    control::{self, Layer, Override, Overrides, Target},
    retry,
    testing::isolated,
};
use tokio::time::advance;

budget! { static ORDERS: Budget = Budget::new("said.orders"); }

#[retry(base = "1s", max = "20s", budget = ORDERS, name = "said.fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(deadline = "5s", uncut, budget = ORDERS, name = "said.store")]
async fn store(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = none, name = "said.other")]
async fn other(dependency: &Dependency) -> Answer {
    dependency.answer()
}

const HOUR: Duration = Duration::from_secs(3_600);

fn about(target: Target) -> Override {
    Override::new(target)
}

fn at(name: &str) -> Target {
    Target::Site(name.into())
}

#[derive(Clone, Debug)]
enum Step {
    Set(Box<Override>),
    Clear(Target),
    Apply(Layer, Vec<Override>),
    Wait,
}

fn targets() -> impl Strategy<Value = Target> {
    prop_oneof![
        Just(Target::All),
        Just(Target::SitesOf("said.orders".into())),
        Just(at("said.fetch")),
        Just(at("said.store")),
        Just(at("said.other")),
    ]
}

/// One that is valid by itself.
fn valid() -> impl Strategy<Value = Override> {
    let key = prop::sample::select(
        &[
            ("base", ["1ms", "30s", "2m"]),
            ("max", ["1ms", "10s", "3m"]),
            ("min_remaining", ["1ms", "4s", "10s"]),
            ("time_per_attempt", ["1ms", "4s", "10s"]),
            ("deadline", ["1s", "5s", "1m"]),
        ][..],
    );
    let keys = prop::collection::vec((key, 0..3_usize), 1..3);
    (targets(), keys, prop::bool::ANY).prop_map(|(target, keys, expires)| {
        let one = keys.iter().fold(about(target), |one, ((key, values), at)| {
            one.set(key, values[*at]).expect("each is allowed")
        });
        if expires { one.expires_in(HOUR) } else { one }
    })
}

fn step() -> impl Strategy<Value = Step> {
    let layer = prop::sample::select(&[Layer::Environment, Layer::File][..]);
    prop_oneof![
        4 => valid().prop_map(|one| Step::Set(Box::new(one))),
        2 => targets().prop_map(Step::Clear),
        3 => (layer, prop::collection::vec(valid(), 0..3)).prop_map(|(layer, all)| Step::Apply(layer, all)),
        1 => Just(Step::Wait),
    ]
}

/// What is in force, in words, without what changes by itself.
fn said() -> Vec<String> {
    let line = |row: &control::OverrideRow| {
        format!("{}: {}: {}", row.layer(), row.target(), row.settings())
    };
    control::overrides().iter().map(line).collect()
}

/// What holds whatever was said.
fn assert_consistent() -> Result<(), TestCaseError> {
    for name in ["said.fetch", "said.store", "said.other"] {
        let row = site(name);
        let policy = row.policy_in_force();
        prop_assert_eq!(policy.check(), Ok(()), "{}: {}", name, row.policy_in_words());
        let mut keys: Vec<&str> = Vec::new();
        let effects = row.overrides();
        let deadline = effects.iter().flat_map(control::Effect::values).find_map(|(key, value)| {
            keys.push(key);
            (key == "deadline").then(|| value.to_string())
        });
        let own = (name == "said.store").then_some("\"5s\"".to_owned());
        let deadline = match deadline.or(own).as_deref() {
            Some("\"1s\"") => Some(ms(1_000)),
            Some("\"5s\"") => Some(ms(5_000)),
            Some("\"1m\"") => Some(ms(60_000)),
            _ => None,
        };
        if let Some(deadline) = deadline {
            prop_assert!(
                policy.least_remaining() < deadline && policy.attempts_within(deadline) > 0
            );
        }
    }
    // Nothing that is in force stands in the way of what has nothing to do with it.
    let before = said();
    let harmless = about(Target::Site("said.bystander".into())).set("attempts", 2).unwrap();
    prop_assert_eq!(control::set(harmless), Ok(()));
    prop_assert!(control::clear(&Target::Site("said.bystander".into())));
    prop_assert_eq!(said(), before);
    Ok(())
}

#[retry(budget = none, name = "said.bystander")]
async fn bystander(dependency: &Dependency) -> Answer {
    dependency.answer()
}

async fn take(step: &Step) -> Result<(), TestCaseError> {
    let before = said();
    match step {
        Step::Set(one) => {
            if control::set(Override::clone(one)).is_err() {
                prop_assert_eq!(said(), before, "nothing has changed");
            } else {
                // It is what it says, and may be said again.
                let line = format!("code: {}: ", one.target());
                prop_assert_eq!(said().iter().filter(|said| said.starts_with(&line)).count(), 1);
                prop_assert_eq!(control::set(Override::clone(one)), Ok(()));
            }
        }
        Step::Clear(target) => {
            let line = format!("code: {target}: ");
            let there = before.iter().any(|said| said.starts_with(&line));
            prop_assert_eq!(control::clear(target), there);
            prop_assert!(!said().iter().any(|said| said.starts_with(&line)));
        }
        Step::Apply(layer, all) => {
            let applied = control::apply(*layer, Overrides::from_iter(all.clone()));
            if applied.is_err() {
                prop_assert!(!all.is_empty(), "an end is always welcome");
                prop_assert_eq!(said(), before, "nothing has changed");
            }
        }
        Step::Wait => advance(HOUR).await,
    }
    assert_consistent()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn whatever_is_said_in_whatever_order_no_function_loses_its_senses(
        steps in prop::collection::vec(step(), 1..16),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        runtime.block_on(isolated(async {
            for step in &steps {
                take(step).await?;
            }
            for layer in [Layer::Environment, Layer::File] {
                prop_assert_eq!(control::apply(layer, Overrides::new()), Ok(()));
            }
            let targets = || control::overrides().iter().map(|row| row.target().clone()).collect();
            let left: Vec<Target> = targets();
            for target in &left {
                prop_assert!(control::clear(target));
            }
            prop_assert!(said().is_empty());
            Ok(())
        }))?;
    }
}

#[tokio::test(start_paused = true)]
async fn the_functions_are_linked() {
    isolated(async {
        assert_eq!(fetch(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(store(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(other(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(bystander(&Dependency::script([Ok(())])).await, Ok(()));
        assert_eq!(ORDERS.name(), "said.orders");
    })
    .await;
}
