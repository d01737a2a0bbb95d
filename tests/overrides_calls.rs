//! What overrides do to calls: those that begin under them, and those that are asleep when they come.

#[path = "support/bodies.rs"]
mod bodies;

use std::{future::pending, time::Duration};

use bodies::{Answer, Dependency, Failure, P, T, TM, ms};
use stormless::{
    Backoff, Budget, Policy, RetryError, StopReason, budget,
    control::{self, Override, Target},
    report, retry,
    testing::isolated,
};
use tokio::time::{Instant, sleep};

budget! { static ORDERS: Budget = Budget::new("calls.orders"); }

#[retry(backoff = "fixed", base = "1s", budget = ORDERS, name = "calls.fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

fn about(target: Target) -> Override {
    Override::new(target)
}

fn at(name: &str) -> Override {
    about(Target::Site(name.into()))
}

fn set(one: Override) {
    control::set(one).expect("it makes sense");
}

#[tokio::test(start_paused = true)]
async fn attempts_and_delays_are_those_of_the_override() {
    isolated(async {
        set(at("calls.fetch").set("attempts", 5).unwrap().set("base", "100ms").unwrap());
        let dead = Dependency::dead();
        let (result, calls) = report(fetch(&dead)).await;
        assert_eq!((result, dead.starts()), (Err(T), vec![0, 100, 200, 300, 400]));
        assert_eq!(calls[0].reason(), Some(StopReason::AttemptsExhausted));

        control::clear(&Target::Site("calls.fetch".into()));
        let dead = Dependency::dead();
        assert_eq!((fetch(&dead).await, dead.starts()), (Err(T), vec![0, 1_000, 2_000]));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_asleep_makes_the_attempt_it_has_paid_for_and_then_goes_by_the_override() {
    isolated(async {
        let dead = Dependency::dead();
        let changed = async {
            sleep(ms(500)).await;
            let slow = about(Target::SitesOf("calls.orders".into())).set("base", "3s").unwrap();
            // So that it fits whoever else has that budget by now.
            set(slow.set("max", "3s").unwrap());
            sleep(ms(1_000)).await;
            set(at("calls.fetch").set("attempts", 1).unwrap());
        };
        let (result, ()) = tokio::join!(fetch(&dead), changed);
        // The second wait began under the first override; the attempt after it is paid for.
        assert_eq!((result, dead.starts()), (Err(T), vec![0, 1_000, 4_000]));
    })
    .await;
}

// The remedy for a bad classification.
#[tokio::test(start_paused = true)]
async fn what_is_to_be_stopped_is_not_retried() {
    isolated(async {
        for (stop, failure, bodies) in
            [("T", T, 1), ("transient", T, 1), ("TM", T, 3), ("throttled", T, 3), ("t", T, 3)]
        {
            set(at("calls.fetch").set("stop", [stop, "Other"]).unwrap());
            let dead = Dependency::always(Err(failure));
            let (result, calls) = report(fetch(&dead)).await;
            assert_eq!((result, dead.bodies()), (Err(failure), bodies), "{stop}");
            let reason =
                if bodies == 1 { StopReason::Disabled } else { StopReason::AttemptsExhausted };
            assert_eq!(calls[0].reason(), Some(reason), "{stop}");
        }
        let permanent = Dependency::script([Err(P)]);
        set(at("calls.fetch").set("stop", ["permanent"]).unwrap());
        let (_, calls) = report(fetch(&permanent)).await;
        assert_eq!(calls[0].reason(), Some(StopReason::Permanent), "its own reason");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_repeat_can_be_declared_harmless_and_harmful() {
    isolated(async {
        let lost = Dependency::script([Err(TM), Ok(())]);
        set(at("calls.fetch").set("idempotent", true).unwrap());
        assert_eq!((fetch(&lost).await, lost.bodies()), (Ok(()), 2));
        set(at("calls.fetch").set("idempotent", false).unwrap());
        let lost = Dependency::script([Err(TM)]);
        assert_eq!(fetch(&lost).await, Err(TM));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_deadline_bounds_attempts_and_waits() {
    isolated(async {
        set(at("calls.fetch").set("deadline", "1500ms").unwrap().set("attempts", 9).unwrap());
        let dead = Dependency::dead();
        let (result, calls) = report(fetch(&dead)).await;
        assert_eq!((result, dead.starts()), (Err(T), vec![0, 1_000]));
        assert_eq!(calls[0].reason(), Some(StopReason::DeadlineTooClose));

        set(at("calls.fetch")
            .set("deadline", "1500ms")
            .unwrap()
            .set("min_remaining", "600ms")
            .unwrap());
        let dead = Dependency::dead();
        assert_eq!((fetch(&dead).await, dead.starts()), (Err(T), vec![0]));
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = none, idempotent, name = "calls.hanging")]
async fn hanging() -> Result<(), RetryError<Failure>> {
    pending().await
}

#[tokio::test(start_paused = true)]
async fn attempts_are_cut_where_the_error_can_say_so() {
    isolated(async {
        set(at("calls.hanging").set("attempt_timeout", "2s").unwrap());
        let start = Instant::now();
        let error = hanging().await.expect_err("both attempts are cut");
        assert_eq!((error.attempts(), start.elapsed()), (2, Duration::from_secs(4)));
        assert!(error.cut().is_some());
    })
    .await;
}

#[retry(attempts = 2, backoff = "none", budget = none, name = "calls.outer")]
async fn outer(dependency: &Dependency) -> Answer {
    inner(dependency).await
}

#[retry(attempts = 2, backoff = "none", budget = none, name = "calls.inner")]
async fn inner(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn nested_calls_can_be_let_go_from_either_side() {
    isolated(async {
        let bodies = async || {
            let dead = Dependency::dead();
            assert_eq!(outer(&dead).await, Err(T));
            dead.bodies()
        };
        assert_eq!(bodies().await, 2);
        set(at("calls.outer").set("inner", "allow").unwrap());
        assert_eq!(bodies().await, 4);
        control::clear(&Target::Site("calls.outer".into()));
        set(at("calls.inner").set("nested", "independent").unwrap());
        assert_eq!(bodies().await, 4);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn closures_go_by_overrides_too_and_keep_delays_that_do_not_go_with_them() {
    const POLICY: Policy =
        Policy::new().backoff(Backoff::Fixed).base(ms(100)).max(Duration::from_secs(1));
    isolated(async {
        let run = async || {
            let dead = Dependency::dead();
            let call = async || dead.answer();
            assert_eq!(POLICY.run(call).named("calls.closure").budget(&ORDERS).await, Err(T));
            dead.starts()
        };
        assert_eq!(run().await, [0, 100, 200]);
        set(at("calls.closure").set("attempts", 2).unwrap().set("base", "300ms").unwrap());
        assert_eq!(run().await, [0, 300]);
        control::clear(&Target::Site("calls.closure".into()));
        set(about(Target::SitesOf("calls.orders".into())).set("attempts", 2).unwrap());
        assert_eq!(run().await, [0, 100]);
    })
    .await;
}

struct Client {
    budget: &'static Budget,
}

impl Client {
    #[retry(backoff = "none", budget = self.budget, name = "calls.client")]
    async fn load(&self, dependency: &Dependency) -> Answer {
        dependency.answer()
    }
}

#[tokio::test(start_paused = true)]
async fn sites_of_a_budget_are_those_too_whose_calls_bring_it_along() {
    isolated(async {
        set(about(Target::SitesOf("calls.orders".into())).set("attempts", 2).unwrap());
        let stock = Budget::dynamic("calls.stock").declare().expect("it makes sense");
        for (budget, bodies) in [(&ORDERS, 2), (stock, 3)] {
            let dead = Dependency::dead();
            assert_eq!((Client { budget }.load(&dead).await, dead.bodies()), (Err(T), bodies));
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn when_an_override_or_a_switch_is_over_calls_go_by_the_attribute_again() {
    isolated(async {
        let two = at("calls.fetch").set("attempts", 2).unwrap();
        set(two.expires_in(Duration::from_secs(10)));
        control::budget("calls.orders").unwrap().off_for(Duration::from_secs(5));
        let bodies = async || {
            let dead = Dependency::dead();
            assert_eq!(fetch(&dead).await, Err(T));
            dead.bodies()
        };
        assert_eq!(bodies().await, 1);
        sleep(Duration::from_secs(5)).await;
        assert_eq!(bodies().await, 2);
        sleep(Duration::from_secs(5)).await;
        assert_eq!(bodies().await, 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn one_site_is_excepted_from_the_switch_for_all() {
    isolated(async {
        control::all().off();
        set(at("calls.fetch").set("retries", "on").unwrap());
        let dead = [Dependency::dead(), Dependency::dead()];
        assert_eq!(tokio::join!(fetch(&dead[0]), outer(&dead[1])), (Err(T), Err(T)));
        assert_eq!(dead.each_ref().map(Dependency::bodies), [3, 1]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_process_that_shuts_down_makes_the_attempts_that_are_paid_for_and_no_more() {
    isolated(async {
        let dead = Dependency::dead();
        let ended = async {
            sleep(ms(500)).await;
            control::shutdown();
        };
        let ((result, calls), ()) = tokio::join!(report(fetch(&dead)), ended);
        assert_eq!((result, dead.starts()), (Err(T), vec![0, 1_000]));
        assert_eq!(calls[0].reason(), Some(StopReason::Disabled));
        let later = Dependency::dead();
        assert_eq!((fetch(&later).await, later.bodies()), (Err(T), 1));
    })
    .await;
}
