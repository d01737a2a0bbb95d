//! Switching retries off: for the process, a budget, a function or a scope.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, P, T, TM, assert_balance, ms, site};
use stormless::{
    Budget, Context, Note, Outcome, StopReason, budget,
    control::{self, UnknownName},
    report, retry, sites,
    testing::isolated,
    verify,
};

budget! { static SWITCHED: Budget = Budget::new("control.switched").burst(10).ratio(0.1); }

#[retry(attempts = 4, backoff = "fixed", base = "1s", budget = SWITCHED, name = "switched")]
async fn switched(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 4, backoff = "fixed", base = "1s", budget = SWITCHED, name = "neighbour")]
async fn neighbour(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 4, backoff = "fixed", base = "1s", budget = none, name = "apart")]
async fn apart(dependency: &Dependency) -> Answer {
    dependency.answer()
}

/// The three switches that can be thrown while a call runs.
fn switches() -> [control::Switch; 3] {
    [
        control::all(),
        control::budget("control.switched").expect("it is declared"),
        control::site("switched").expect("it is linked"),
    ]
}

// R007
#[tokio::test(start_paused = true)]
async fn a_switch_thrown_during_a_sleep_leaves_the_attempt_that_is_paid_for() {
    for switch in switches() {
        isolated(async {
            let script = Dependency::script([Err(T), Err(T)]);
            let thrown = async {
                tokio::time::sleep(ms(500)).await;
                switch.off();
            };
            let ((result, calls), ()) = tokio::join!(report(switched(&script)), thrown);
            assert_eq!((result, script.starts()), (Err(T), vec![0, 1_000]), "{switch:?}");
            assert_eq!(calls[0].reason(), Some(StopReason::Disabled));
            assert_balance("control.switched", 9.0);
            assert!(switch.is_off());
        })
        .await;
    }
}

// R007
#[tokio::test(start_paused = true)]
async fn a_call_that_begins_while_it_is_off_runs_once_and_earns_as_usual() {
    for switch in switches() {
        isolated(async {
            assert_eq!(switched(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
            assert_balance("control.switched", 9.1);
            switch.off();
            switch.off();
            let (result, calls) = report(switched(&Dependency::script([Err(T)]))).await;
            assert_eq!((result, calls[0].reason()), (Err(T), Some(StopReason::Disabled)));
            assert_eq!(calls[0].slept(), Duration::ZERO);
            assert_balance("control.switched", 9.1);
            assert_eq!(switched(&Dependency::script([Ok(())])).await, Ok(()));
            assert_balance("control.switched", 9.2);
            switch.on();
            assert!(!switch.is_off());
            let script = Dependency::script([Err(T), Err(T), Ok(())]);
            assert_eq!((switched(&script).await, script.bodies()), (Ok(()), 3));
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_switch_reaches_what_it_names_and_nothing_else() {
    for (switch, off) in switches().iter().zip([[1, 1, 1], [1, 1, 4], [1, 4, 4]]) {
        isolated(async {
            switch.off();
            let dead: [Dependency; 3] = std::array::from_fn(|_| Dependency::dead());
            let results = tokio::join!(switched(&dead[0]), neighbour(&dead[1]), apart(&dead[2]));
            assert_eq!(results, (Err(T), Err(T), Err(T)));
            assert_eq!(dead.each_ref().map(Dependency::bodies), off, "{switch:?}");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_would_not_have_been_retried_keeps_its_own_reason() {
    isolated(async {
        control::all().off();
        for (failure, reason) in [(P, StopReason::Permanent), (TM, StopReason::MaybeExecuted)] {
            let (result, calls) = report(apart(&Dependency::script([Err(failure)]))).await;
            assert_eq!((result, calls[0].reason()), (Err(failure), Some(reason)));
        }
    })
    .await;
}

#[retry(attempts = 4, backoff = "none", budget = none, nested = "independent")]
async fn independent(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// R007
#[tokio::test(start_paused = true)]
async fn in_a_scope_without_retries_no_call_repeats_whatever_it_says() {
    isolated(async {
        let dead: [Dependency; 4] = std::array::from_fn(|_| Dependency::dead());
        let carried: &'static Dependency = Box::leak(Box::new(Dependency::dead()));
        let inside = control::without_retries(async {
            let task = async { switched(carried).await };
            let task = tokio::spawn(Context::capture().scope(task));
            (switched(&dead[0]).await, independent(&dead[1]).await, task.await.expect("no panic"))
        });
        let ((inside, calls), outside) = tokio::join!(report(inside), apart(&dead[2]));
        assert_eq!((inside, outside), ((Err(T), Err(T), Err(T)), Err(T)));
        assert_eq!(dead.each_ref().map(Dependency::bodies), [1, 1, 4, 0]);
        assert_eq!(carried.bodies(), 1);
        assert!(calls.iter().all(|call| call.reason() == Some(StopReason::Disabled)));
        assert_eq!(calls.len(), 3);
        assert_balance("control.switched", 10.0);
        assert_eq!(switched(&Dependency::script([Err(T), Ok(())])).await, Ok(()), "outside again");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_switch_of_the_process_and_that_of_a_test_are_two() {
    control::all().off();
    let (result, calls) = report(apart(&Dependency::dead())).await;
    let isolated = isolated(async { apart(&Dependency::script([Err(T), Ok(())])).await }).await;
    control::all().on();
    assert_eq!((result, calls[0].reason()), (Err(T), Some(StopReason::Disabled)));
    assert_eq!(isolated, Ok(()));
}

// R143
#[tokio::test(start_paused = true)]
async fn each_call_is_counted_once() {
    for counting in [false, true] {
        isolated(async {
            control::count_successes(counting);
            assert_eq!(apart(&Dependency::dead()).await, Err(T));
            let row = site("apart");
            let counts = (row.calls(), row.attempts(), row.failures(), row.retries());
            assert_eq!(counts, (1, 4, 4, 3));
            assert_eq!(row.stops(StopReason::AttemptsExhausted), 1);

            let (_, calls) = report(async {
                let _ = apart(&Dependency::script([Ok(())])).await;
                let _ = apart(&Dependency::script([Err(T), Ok(())])).await;
                let _ = apart(&Dependency::script([Err(P)])).await;
                let failing = Dependency::script([Err(T)]);
                tokio::time::timeout(ms(10), apart(&failing)).await
            })
            .await;
            let at_once = u64::from(counting);
            assert_eq!((row.calls(), row.recovered()), (4 + at_once, 1));
            assert_eq!((row.attempts(), row.retries()), (4 + at_once + 2 + 1 + 1, 4));
            let stopped: u64 = StopReason::ALL.iter().map(|reason| row.stops(*reason)).sum();
            assert_eq!(stopped + row.recovered() + at_once, row.calls());
            let cancelled = calls.iter().filter(|call| call.outcome() == Outcome::Cancelled);
            assert_eq!((cancelled.count(), row.stops(StopReason::Cancelled)), (1, 1));
        })
        .await;
    }
}

const ONE_LINE: u32 = line!() + 1;
#[retry(attempts = 2, backoff = "none", budget = none, name = "twin")]
async fn one_twin(dependency: &Dependency) -> Answer {
    dependency.answer()
}

const OTHER_LINE: u32 = line!() + 1;
#[retry(attempts = 2, backoff = "none", budget = none, name = "twin")]
async fn other_twin(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// R145
#[tokio::test(start_paused = true)]
async fn functions_that_share_a_name_are_told_apart_by_their_places() {
    isolated(async {
        let [one, other] = [ONE_LINE, OTHER_LINE].map(|line| format!("twin@{}:{line}", file!()));
        let ambiguous = control::site("twin").expect_err("there are two");
        assert_eq!(
            ambiguous.to_string(),
            format!("several sites are named `twin`: say which of {one}, {other}")
        );
        let places = vec![one.clone(), other.clone()];
        assert_eq!(
            ambiguous,
            UnknownName::Ambiguous { name: "twin".into(), places: places.clone() }
        );
        assert!(sites().get("twin").is_none());
        let notes = verify().expect("nothing is wrong");
        assert!(notes.contains(&Note::SharedName { sites: places }), "{notes:?}");

        control::site(&other).expect("the place says which").off();
        assert_eq!(one_twin(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
        assert_eq!(other_twin(&Dependency::script([Err(T)])).await, Err(T));
        assert_eq!((site(&one).retries(), site(&other).retries()), (1, 0));
        assert_eq!((site(&one).is_off(), site(&other).is_off()), (false, true));
    })
    .await;
}

macro_rules! clients {
    ($($client:ident)*) => {$(
        struct $client;

        impl $client {
            #[retry(attempts = 2, backoff = "none", budget = none, name = "client")]
            async fn load(&self, dependency: &Dependency) -> Answer {
                dependency.answer()
            }
        }
    )*};
}

clients!(Reader Writer);

#[tokio::test(start_paused = true)]
async fn functions_of_one_macro_call_share_name_place_and_switch() {
    isolated(async {
        let rows = sites();
        let names: Vec<String> = rows.iter().map(stormless::SiteRow::name).collect();
        let names: Vec<_> = names.iter().filter(|name| name.starts_with("client@")).collect();
        assert_eq!(names.len(), 2);
        assert_eq!(names[0], names[1]);
        control::site(names[0]).expect("it is in the table").off();
        let dead = Dependency::dead();
        assert_eq!((Reader.load(&dead).await, Writer.load(&dead).await), (Err(T), Err(T)));
        assert_eq!(dead.bodies(), 2);
    })
    .await;
}

const LEFT_RIGHT: u32 = line!() + 2;
#[rustfmt::skip]
mod in_one_line { use super::*; #[retry(budget = none, name = "pair")] pub(super) async fn left() -> Answer { Err(T) } #[retry(budget = none, name = "pair")] pub(super) async fn right() -> Answer { Err(T) } }

#[tokio::test(start_paused = true)]
async fn functions_in_one_line_are_told_apart_by_their_columns() {
    isolated(async {
        let rows = sites();
        let names: Vec<String> = rows.iter().map(stormless::SiteRow::name).collect();
        let line = format!("pair@{}:{LEFT_RIGHT}", file!());
        let names: Vec<_> = names.iter().filter(|name| name.starts_with(&line)).collect();
        assert_eq!(names.len(), 2);
        assert_ne!(names[0], names[1]);
        control::site(names[1]).expect("it is in the table").off();
        assert_eq!((site(names[0]).is_off(), site(names[1]).is_off()), (false, true));
        control::site(&line).expect("the line names both").off();
        assert!(site(names[0]).is_off());
        assert_eq!((in_one_line::left().await, in_one_line::right().await), (Err(T), Err(T)));
        let disabled = |name: &str| site(name).stops(StopReason::Disabled);
        assert_eq!((disabled(names[0]), disabled(names[1])), (1, 1));
    })
    .await;
}

#[retry(budget = none, name = "service@1")]
async fn service_one() -> Answer {
    Ok(())
}

#[retry(budget = none, name = "service@2")]
async fn service_two() -> Answer {
    Ok(())
}

#[tokio::test]
async fn a_name_may_contain_an_at_sign() {
    assert_eq!((service_one().await, service_two().await), (Ok(()), Ok(())));
    let notes = verify().expect("nothing is wrong");
    let shared = notes.iter().filter(|note| note.to_string().contains("service@"));
    assert_eq!(shared.count(), 0, "{notes:?}");
    assert!(control::site("service@1").is_ok());
}

#[test]
fn a_name_that_nothing_has_is_an_error_with_the_nearest() {
    let text = |error: Result<control::Switch, UnknownName>| error.unwrap_err().to_string();
    let site = text(control::site("swiched"));
    assert_eq!(site, "there is no site `swiched`: did you mean `switched`?");
    let budget = text(control::budget("control.swichd"));
    assert_eq!(budget, "there is no budget `control.swichd`: did you mean `control.switched`?");
    assert_eq!(text(control::budget("zzz")), "there is no budget `zzz`");
    assert_eq!(text(control::site("")), "there is no site ``");
}

mod clients {
    use super::{Answer, Dependency, retry};

    #[retry(budget = none)]
    pub(super) async fn far_down(dependency: &Dependency) -> Answer {
        dependency.answer()
    }
}

/// The name of a function alone is what people remember at night.
#[tokio::test]
async fn a_function_without_its_path_is_answered_with_the_path() {
    assert_eq!(clients::far_down(&Dependency::always(Ok(()))).await, Ok(()));
    let error = control::site("far_down").unwrap_err().to_string();
    let meant = "there is no site `far_down`: did you mean `control::clients::far_down`?";
    assert_eq!(error, meant);
}
