//! Overrides that fitted when they were set, and do not any more because something else went away or
//! appeared: they stand in nobody's way, and no call goes by them.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, T, ms, site};
use stormless::{
    Breaker, Budget, Policy, breaker, breakers, budget,
    control::{self, Layer, Override, OverrideErrors, Target},
    retry,
    testing::{self, isolated},
};
use tokio::time::advance;

budget! { static ORDERS: Budget = Budget::new("contradicted.orders"); }
breaker! {
    static GUARD: Breaker = Breaker::new("contradicted.guard")
        .consecutive(3)
        .open_for(Duration::from_secs(10))
        .max_open(Duration::from_secs(30));
}

#[retry(base = "1s", max = "20s", budget = ORDERS, name = "contradicted.fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(deadline = "5s", uncut, budget = ORDERS, name = "contradicted.store")]
async fn store(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = none, name = "contradicted.other")]
#[expect(dead_code, reason = "only what is said about it matters")]
async fn other(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(budget = none, name = "contradicted.twin")]
async fn twin(dependency: &Dependency) -> Answer {
    dependency.answer()
}

const HOUR: Duration = Duration::from_secs(3_600);

fn about(target: Target) -> Override {
    Override::new(target)
}

fn at(name: &str) -> Target {
    Target::Site(name.into())
}

fn apply(layer: Layer, all: &[&Override]) -> Result<(), OverrideErrors> {
    control::apply(layer, all.iter().copied().cloned().collect())
}

/// A file's `base` that only fits beside the `max` of the code.
fn base_of_a_file() -> Override {
    let max = about(at("contradicted.fetch")).set("max", "1m").unwrap().expires_in(HOUR);
    control::set(max).unwrap();
    let base = about(at("contradicted.fetch")).set("base", "30s").unwrap();
    apply(Layer::File, &[&base]).expect("the code's `max` is above it");
    base
}

async fn starts_of_fetch() -> Vec<u128> {
    testing::jitter(testing::Jitter::Highest);
    let dead = Dependency::dead();
    assert_eq!(fetch(&dead).await, Err(T));
    dead.starts()
}

#[tokio::test(start_paused = true)]
async fn a_contradiction_that_came_about_later_blocks_no_other_override() {
    for expires in [false, true] {
        isolated(async {
            let base = base_of_a_file();
            if expires {
                advance(HOUR).await;
            } else {
                assert!(control::clear(&at("contradicted.fetch")));
            }
            // As the attribute says: it goes by neither.
            assert_eq!(starts_of_fetch().await, [0, 1_000, 3_000]);
            assert_eq!(site("contradicted.fetch").overrides(), []);

            let gentle = about(at("contradicted.other")).set("attempts", 2).unwrap();
            control::set(gentle.clone()).expect("it is about somebody else");
            let all = about(Target::All).set("attempts", 2).unwrap();
            control::set(all).expect("it is about something else");
            apply(Layer::Environment, &[&gentle]).expect("another layer");
            apply(Layer::File, &[&base, &gentle]).expect("what contradicts was there before");
            assert_eq!(starts_of_fetch().await, [0, 1_000]);

            // What has to do with it is checked as ever.
            let more = about(at("contradicted.fetch")).set("base", "40s").unwrap();
            let error = control::set(more).unwrap_err().to_string();
            assert!(error.contains("would make no sense"), "{error}");
            let worse = about(at("contradicted.fetch")).set("base", "50s").unwrap();
            apply(Layer::File, &[&worse]).unwrap_err();
            // And what mends it is welcome.
            let mended = about(at("contradicted.fetch")).set("max", "50s").unwrap();
            control::set(mended).expect("now it fits");
            assert_eq!(starts_of_fetch().await, [0, 30_000]);
            apply(Layer::File, &[]).expect("an end is always welcome");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn an_override_that_leaves_no_time_any_more_takes_no_retry_away() {
    isolated(async {
        let deadline = about(at("contradicted.store")).set("deadline", "1m").unwrap();
        control::set(deadline).unwrap();
        let patient = about(Target::All).set("min_remaining", "10s").unwrap();
        apply(Layer::File, &[&patient]).expect("there is a minute");
        control::clear(&at("contradicted.store"));
        let dead = Dependency::dead();
        assert_eq!((store(&dead).await, dead.bodies()), (Err(T), 3));
        let row = control::overrides();
        let left_out: Vec<_> = row.iter().flat_map(control::OverrideRow::left_out).collect();
        assert_eq!((left_out[0].0, left_out[0].1), ("contradicted.store", "min_remaining"));
        assert!(left_out[0].2.contains("no time for an attempt"), "{left_out:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn attempts_without_number_do_not_outlive_their_deadline() {
    isolated(async {
        let target = || at("contradicted.other");
        let endless = about(target()).set("attempts", "unlimited").unwrap();
        let endless = endless.set("deadline", "5s").unwrap().set("inner", "suppress").unwrap();
        control::set(endless).unwrap();
        // Nothing is known of it while it waits, and nobody asked its closure.
        let run =
            || Policy::new().min_remaining(ms(6_000)).run(async || Err::<(), _>(T)).named("later");
        let all = about(at("later")).set("attempts", "unlimited").unwrap();
        let all = all.set("deadline", "5s").unwrap().set("inner", "suppress").unwrap();
        apply(Layer::File, &[&all]).expect("it waits for its name");
        run().no_budget().await.unwrap_err();
        let row = site("later");
        assert_eq!((row.policy_in_force().max_attempts(), row.overrides().len()), (Some(3), 1));
        assert_eq!(row.overrides()[0].settings(), "inner = \"suppress\"");
        assert_eq!(site("contradicted.other").policy_in_force().max_attempts(), None);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_name_that_several_share_by_now_blocks_no_other_override() {
    isolated(async {
        assert_eq!(twin(&Dependency::script([Ok(())])).await, Ok(()));
        let doubled = about(at("contradicted.twin")).set("attempts", 2).unwrap();
        control::set(doubled.clone()).unwrap();
        apply(Layer::File, &[&doubled]).unwrap();
        let run = Policy::new().run(async || Ok::<_, std::io::Error>(()));
        run.named("contradicted.twin").await.unwrap();
        control::set(doubled.clone().note("again")).expect_err("there are two now");
        let gentle = about(at("contradicted.other")).set("attempts", 2).unwrap();
        control::set(gentle.clone()).expect("that is no other's affair");
        apply(Layer::File, &[&doubled, &gentle]).expect("nor that of the file");
        apply(Layer::Environment, &[&doubled]).expect_err("nobody said it there");
        assert!(control::clear(&at("contradicted.twin")));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn numbers_that_do_not_fit_any_more_block_no_other_override() {
    isolated(async {
        let guard = || Target::Breaker("contradicted.guard".into());
        control::set(about(guard()).set("max_open", "2m").unwrap()).unwrap();
        let long = about(guard()).set("open_for", "1m").unwrap();
        apply(Layer::File, &[&long]).expect("the code's `max_open` is above it");
        control::clear(&guard());
        let settings = || breakers().get("contradicted.guard").unwrap().settings();
        assert_eq!(settings(), GUARD.declared_settings(), "it goes by neither");
        assert_eq!(breakers().get("contradicted.guard").unwrap().overrides(), []);
        let more = about(guard()).set("consecutive", 5).unwrap();
        control::set(more).expect("that has to do with nothing");
        let gentle = about(Target::All).set("attempts", 2).unwrap();
        apply(Layer::File, &[&long, &gentle]).expect("it was there before");
        // Whichever of the two comes last is to blame.
        let short = about(guard()).set("max_open", "20s").unwrap();
        control::set(short).expect_err("below the file's `open_for`");
        apply(Layer::File, &[]).unwrap();
        control::set(about(guard()).set("max_open", "20s").unwrap()).unwrap();
        let error = apply(Layer::File, &[&long]).expect_err("above the code's `max_open`");
        assert_eq!(error.iter().next().unwrap().key(), Some("open_for"));
    })
    .await;
}
