//! What `verify()` says about overrides, about budgets above one another, and about bounds.

use stormless::{
    Budget, Note, Problem, Verify, budget,
    control::{self, Layer, Override, Overrides, Target},
    retry,
    testing::isolated_sync,
    verify,
};

budget! {
    static LARGE: Budget = Budget::new("verified.large").burst(100).ratio(0.5);
    static SMALL: Budget = Budget::new("verified.small").burst(10).ratio(0.1);
    static ABOVE: Budget = Budget::new("verified.above").parent(&BELOW);
    static BELOW: Budget = Budget::new("verified.below").parent(&ABOVE);
    static ALONE: Budget = Budget::new("verified.alone").parent(&ALONE);
    static UNDER: Budget = Budget::new("verified.under").parent(&ALONE);
}

#[retry(attempts = 1, budget = LARGE, name = "verified.single")]
async fn single() -> Result<(), std::io::Error> {
    Ok(())
}

#[retry(budget = SMALL, name = "verified.fetch")]
async fn fetch() -> Result<(), std::io::Error> {
    Ok(())
}

/// Without what is wrong with the budgets, which all tests share.
fn problems() -> Vec<String> {
    let error = verify().expect_err("there are circles");
    let about_overrides = |problem: &&Problem| {
        !matches!(problem, Problem::CircleOfBudgets { .. } | Problem::FaultyBudget { .. })
    };
    error.problems().iter().filter(about_overrides).map(ToString::to_string).collect()
}

fn notes(verify: Verify) -> Vec<String> {
    let error = verify.run().expect_err("there are circles");
    error.notes().iter().map(ToString::to_string).collect()
}

#[test]
fn budgets_above_themselves_are_a_problem_and_each_circle_is_one() {
    let error = verify().expect_err("there are circles");
    let circles: Vec<String> = error
        .problems()
        .iter()
        .filter(|problem| matches!(problem, Problem::CircleOfBudgets { .. }))
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        circles,
        [
            "the budgets `verified.above`, `verified.below` are parents of one another in a circle: take one of the parents away",
            "the budget `verified.alone` is its own parent: take the parent away",
        ]
    );
}

#[test]
fn an_override_that_reaches_nobody_is_a_problem_with_the_nearest_name() {
    isolated_sync(|| {
        assert_eq!(problems(), Vec::<String>::new());
        let off = |target| Override::new(target).set("retries", "off").unwrap();
        let document = [
            off(Target::Site("verified.fetsh".into())),
            off(Target::Budget("verified.lerge".into())),
            off(Target::SitesOf("nothing.like.it".into())),
            off(Target::Site("verified.fetch".into())),
        ];
        control::apply(Layer::Environment, Overrides::from_iter(document)).unwrap();
        assert_eq!(
            problems(),
            [
                "an override of the layer `environment` is about sites of budget `nothing.like.it`, which nothing is named: mend the name, or take it away",
                "an override of the layer `environment` is about site `verified.fetsh`, which nothing is named: did you mean `verified.fetch`?",
                "an override of the layer `environment` is about budget `verified.lerge`, which nothing is named: did you mean `verified.large`?",
            ]
        );
    });
    assert_eq!(problems(), Vec::<String>::new());
}

#[test]
fn a_site_that_does_without_part_of_an_override_is_noted() {
    isolated_sync(|| {
        let more = Override::new(Target::All).set("attempts", 5).unwrap();
        control::set(more).expect("one site can");
        let notes = notes(Verify::new());
        let left_out: Vec<_> = notes.iter().filter(|note| note.contains("does without")).collect();
        assert_eq!(
            left_out,
            [
                "`verified.single` does without `attempts` of the override of all sites in the layer `code`: with `attempts = 1` in its attribute there is no loop around it"
            ]
        );
    });
}

#[test]
fn bounds_above_the_users_limits_are_noted_for_all_processes_together() {
    let of = |verify: Verify| -> Vec<String> {
        let ours =
            |note: &String| note.contains("`verified.large`") || note.contains("`verified.small`");
        notes(verify).into_iter().filter(ours).filter(|note| note.contains("limit")).collect()
    };
    assert_eq!(of(Verify::new()), Vec::<String>::new());
    assert_eq!(of(Verify::new().max_burst(100.0)), Vec::<String>::new());
    assert_eq!(
        of(Verify::new().max_burst(99.0)),
        ["the budget `verified.large` allows 100 retries at once, above the limit of 99"]
    );
    assert_eq!(
        of(Verify::new().max_burst(500.0).processes(51).max_amplification(1.2)),
        [
            "the budget `verified.large` allows 1.50 attempts for each answered call, above the limit of 1.20",
            "the budget `verified.large` allows 5100 retries at once over 51 processes, above the limit of 500",
            "the budget `verified.small` allows 510 retries at once over 51 processes, above the limit of 500",
        ]
    );
}

#[tokio::test]
async fn the_functions_are_linked() {
    assert!(single().await.is_ok() && fetch().await.is_ok());
    let used = verify().expect_err("there are circles");
    let unused = |name: &str| used.notes().contains(&Note::UnusedBudget { name: name.into() });
    assert!(!unused("verified.large") && !unused("verified.small"));
}
