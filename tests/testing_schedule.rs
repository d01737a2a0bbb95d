//! `testing::schedule`: what was attempted when, and what is asserted about it.

#[path = "support/failing.rs"]
mod failing;
#[path = "support/script.rs"]
mod support;

use std::time::Duration;

use failing::message;
use stormless::{
    Budget, Context, Policy, StopReason, budget, retry,
    testing::{
        AttemptOutcome, DelayRange, Jitter, Schedule, Script, Step, isolated, jitter, no_delays,
        schedule, seed,
    },
};
use support::{Failure, OK, P, T, ms, p, secs};

type Server = Script<Result<(), Failure>>;

budget! {
    static SCARCE: Budget = Budget::new("testing.scarce").burst(10).ratio(0.1);
}

#[retry(attempts = 3, backoff = "fixed", base = "100ms", budget = none, name = "fixed")]
async fn fixed(server: &Server) -> Result<(), Failure> {
    server.next().await
}

#[retry(attempts = 3, base = "100ms", max = "1s", budget = none, name = "jittered")]
async fn jittered(server: &Server) -> Result<(), Failure> {
    server.next().await
}

#[retry(attempts = 3, backoff = "fixed", base = "1s", budget = none, name = "outer")]
async fn outer(server: &Server) -> Result<(), Failure> {
    fixed(server).await
}

#[retry(attempts = 3, backoff = "none", budget = none, inner = "allow", name = "multiplying")]
async fn multiplying(server: &Server) -> Result<(), Failure> {
    fixed(server).await
}

#[retry(attempts = 3, backoff = "none", budget = none, inner = "allow", name = "twice")]
async fn twice_multiplying(server: &Server) -> Result<(), Failure> {
    multiplying(server).await
}

#[retry(attempts = 3, backoff = "none", budget = none, name = "both")]
async fn both(first: &Server, second: &Server) -> Result<(), Failure> {
    fixed(first).await?;
    jittered(second).await
}

#[retry(attempts = 3, backoff = "none", budget = SCARCE, name = "paid")]
async fn paid(server: &Server) -> Result<(), Failure> {
    server.next().await
}

#[retry(attempts = 2, hedge = "50ms", idempotent, budget = none, name = "hedged")]
async fn hedged(server: &Server) -> Result<(), Failure> {
    server.next().await
}

fn dead() -> Server {
    Script::new([T]).repeat_last()
}

/// Runs this in a test of its own, in time that is paused.
fn test<T>(run: impl AsyncFnOnce(Schedule) -> T) -> T {
    support::paused().block_on(isolated(async { run(schedule()).await }))
}

#[test]
fn the_table_tells_each_attempt_in_the_order_in_which_it_started() {
    test(async |schedule| {
        tokio::time::sleep(ms(5)).await;
        let server = Script::new([T, T, OK, T, p(1)]);
        assert_eq!(fixed(&server).await, OK);
        assert_eq!(fixed(&server).await, p(1));
        schedule.assert_schedule(
            "
            call  site   attempt  started  outcome                  then
            1     fixed  1        5ms      Unavailable (transient)  retry in 100ms
            1     fixed  2        105ms    Unavailable (transient)  retry in 100ms
            1     fixed  3        205ms    ok                       -
            2     fixed  1        205ms    Unavailable (transient)  retry in 100ms
            2     fixed  2        305ms    Refused (permanent)      stopped: permanent
            ",
        );
        schedule.without_times().assert_schedule(
            "
            call  site   attempt  outcome                  then
            1     fixed  1        Unavailable (transient)  retry in 100ms
            1     fixed  2        Unavailable (transient)  retry in 100ms
            1     fixed  3        ok                       -
            2     fixed  1        Unavailable (transient)  retry in 100ms
            2     fixed  2        Refused (permanent)      stopped: permanent
            ",
        );
        let rows = schedule.rows();
        assert_eq!((rows[4].call(), rows[4].attempt(), rows[4].site()), (2, 2, "fixed"));
        assert_eq!((rows[4].started(), rows[4].delay()), (Some(ms(305)), None));
        assert_eq!(rows[4].stopped(), Some(StopReason::Permanent));
        assert_eq!(rows[2].outcome(), AttemptOutcome::Succeeded);
        assert_eq!((schedule.attempts(), schedule.delays()), (5, vec![ms(100); 3]));
    });
}

#[test]
fn calls_side_by_side_are_told_apart() {
    test(async |schedule| {
        let (one, other) =
            (Script::new([T, OK]), Script::steps([Step::new(T).takes(ms(30)), Step::new(OK)]));
        let results = tokio::join!(fixed(&one), fixed(&other));
        assert_eq!(results, (OK, OK));
        schedule.assert_schedule(
            "
            call  site   attempt  started  outcome                  then
            1     fixed  1        0ns      Unavailable (transient)  retry in 100ms
            2     fixed  1        0ns      Unavailable (transient)  retry in 100ms
            1     fixed  2        100ms    ok                       -
            2     fixed  2        130ms    ok                       -
            ",
        );
    });
}

#[test]
fn what_does_not_end_by_itself_is_told_too() {
    test(async |schedule| {
        let hanging = Script::steps([Step::<Result<(), Failure>>::hangs()]);
        assert!(tokio::time::timeout(ms(20), fixed(&hanging)).await.is_err());
        assert!(tokio::time::timeout(ms(20), fixed(&dead())).await.is_err());
        let call = stormless::deadline::within(Duration::ZERO, jittered(&hanging));
        // The deadline ends whatever is around it, and the call before its first attempt.
        let _cut = call.await;
        let slow = Script::steps([Step::new(OK).takes(ms(80)), Step::new(OK)]);
        assert_eq!(hedged(&slow).await, OK);
        let running = fixed(&hanging);
        drop(running);
        let panicking =
            tokio::spawn(Context::capture().scope(async { fixed(&Script::new([])).await }));
        assert!(panicking.await.expect_err("the script has run out").is_panic());
        let table = schedule.without_times().to_string();
        let lines: Vec<&str> = table.lines().map(str::trim).collect();
        assert!(lines[1].ends_with("dropped                  stopped: cancelled"), "{table}");
        assert!(lines[2].ends_with("retry in 100ms, stopped: cancelled"), "{table}");
        assert!(lines.iter().any(|line| line.contains("2 (hedge)")), "{table}");
        assert!(lines.last().is_some_and(|line| line.contains("panicked")), "{table}");
    });
}

#[test]
fn a_call_that_was_kept_from_its_first_attempt_has_a_row_and_no_attempt() {
    test(async |schedule| {
        let policy = Policy::new();
        let server = Script::new([OK]);
        let call = policy
            .run(async || server.next().await)
            .named("late")
            .deadline(tokio::time::Instant::now());
        assert_eq!(call.await, Err(Failure::Late));
        schedule.assert_schedule(
            "
            call  site  attempt  started  outcome      then
            1     late  0        -        not started  stopped: deadline_exceeded
            ",
        );
        assert_eq!((schedule.attempts(), schedule.amplification()), (0, None));
    });
}

#[test]
fn the_delays_are_told_whether_they_are_slept_or_not() {
    let table = |skip: bool| {
        test(async |schedule| {
            seed(7);
            if skip {
                no_delays();
            }
            assert_eq!(jittered(&dead()).await, T);
            schedule.without_times().to_string()
        })
    };
    assert_eq!(table(true), table(false));
}

#[test]
fn it_hears_of_its_own_test_alone_and_of_tasks_to_which_the_context_is_carried() {
    test(async |schedule| {
        isolated(fixed(&dead())).await.unwrap_err();
        assert_eq!(schedule.attempts(), 0);
        let task = async { fixed(&dead()).await };
        tokio::spawn(task).await.expect("it ends").unwrap_err();
        assert_eq!(schedule.attempts(), 0);
        let task = async { fixed(&dead()).await };
        tokio::spawn(Context::capture().scope(task)).await.expect("it ends").unwrap_err();
        assert_eq!(schedule.attempts(), 3);
    });
}

#[test]
fn a_view_of_one_function_goes_on_with_the_rest() {
    test(async |schedule| {
        let of_fixed = schedule.of("fixed");
        assert_eq!(outer(&dead()).await, T);
        assert_eq!((of_fixed.attempts(), schedule.attempts()), (3, 6));
        assert_eq!((of_fixed.delays(), schedule.of("outer").delays()), (vec![], vec![secs(1); 2]));
        assert_eq!(schedule.of("nobody").rows(), []);
        drop(schedule);
        assert_eq!(fixed(&dead()).await, T);
        assert_eq!(of_fixed.attempts(), 6);
    });
}

#[test]
fn amplification_is_attempts_by_calls_where_nothing_is_nested() {
    test(async |schedule| {
        assert_eq!(schedule.amplification(), None);
        let server = Script::new([OK, T, OK, P]);
        for _ in 0..3 {
            let _ended = fixed(&server).await;
        }
        let amplification = schedule.amplification().expect("something was attempted");
        assert!((amplification - 4.0 / 3.0).abs() < 1e-9, "{amplification}");
        schedule.assert_amplification(1.34);
    });
}

#[test]
fn amplification_is_about_what_reaches_the_dependency() {
    for (layers, expected) in [(1, 3.0), (2, 3.0), (3, 9.0), (4, 27.0)] {
        let amplification = test(async |schedule| {
            let server = dead();
            let _failed = match layers {
                1 => fixed(&server).await,
                2 => outer(&server).await,
                3 => multiplying(&server).await,
                _ => twice_multiplying(&server).await,
            };
            schedule.amplification()
        });
        assert_eq!(amplification, Some(expected), "{layers}");
    }
}

#[test]
fn a_call_that_makes_several_amplifies_nothing_until_it_repeats_them() {
    test(async |schedule| {
        assert_eq!(both(&Script::new([OK]), &Script::new([OK])).await, OK);
        assert_eq!(schedule.amplification(), Some(1.0));
        schedule.assert_amplification(1.0);
    });
    test(async |schedule| {
        assert_eq!(both(&Script::new([OK, OK]), &Script::new([T, OK])).await, OK);
        assert_eq!(schedule.amplification(), Some(2.0));
    });
    test(async |schedule| {
        // The second one would not have been called at all.
        assert_eq!(both(&Script::new([T, OK]), &Script::new([OK])).await, OK);
        assert_eq!(schedule.amplification(), Some(3.0));
        assert_eq!(schedule.of("jittered").amplification(), Some(f64::INFINITY));
    });
}

#[test]
fn a_hedge_is_an_attempt() {
    test(async |schedule| {
        let slow = Script::steps([Step::new(OK).takes(ms(80)), Step::new(OK)]);
        assert_eq!(hedged(&slow).await, OK);
        assert_eq!(schedule.amplification(), Some(2.0));
        assert!(schedule.rows()[1].is_hedge());
    });
}

#[test]
fn a_budget_keeps_the_amplification_within_its_bound_and_without_it_the_assertion_fails() {
    test(async |schedule| {
        let server = dead();
        for _ in 0..100 {
            assert_eq!(paid(&server).await, T);
        }
        // The burst of ten, for a hundred calls.
        schedule.assert_amplification(1.1);
    });
    test(async |schedule| {
        let server = dead();
        for _ in 0..100 {
            assert_eq!(fixed(&server).await, T);
        }
        let said = message(|| schedule.assert_amplification(1.1));
        let start = "expected an amplification of at most 1.1, observed 3.000:\ncall  site";
        assert!(said.starts_with(start), "{said}");
        assert!(said.ends_with("… and 201 lines more\n"), "{said}");
    });
}

#[test]
fn an_amplification_of_nothing_is_a_test_that_fails() {
    test(async |schedule| {
        let said = message(|| schedule.assert_amplification(1.1));
        assert_eq!(said, "expected an amplification of at most 1.1, but nothing was attempted");
        assert_eq!(fixed(&Script::new([OK])).await, OK);
        schedule.assert_amplification(1.0);
        message(|| schedule.assert_amplification(f64::NAN));
        message(|| schedule.assert_amplification(0.99));
    });
}

#[test]
fn delays_are_compared_with_figures_or_ranges() {
    test(async |schedule| {
        let said = message(|| schedule.assert_delays([] as [Duration; 0]));
        assert_eq!(said, "expected certain delays, but nothing was attempted");
        assert_eq!(fixed(&Script::new([OK])).await, OK);
        schedule.assert_delays([] as [Duration; 0]);
        message(|| schedule.of("misspelt").assert_delays([] as [Duration; 0]));
    });
    test(async |schedule| {
        assert_eq!(fixed(&dead()).await, T);
        schedule.assert_delays([ms(100), ms(100)]);
        schedule.assert_delays(vec![ms(50)..=ms(100); 2]);
        schedule.assert_delays([ms(100)..ms(101), ms(0)..ms(101)]);
        let mixed: [DelayRange; 2] = [ms(100).into(), (ms(1)..=secs(1)).into()];
        schedule.assert_delays(mixed);
        for wrong in [
            message(|| schedule.assert_delays([ms(100), ms(99)])),
            message(|| schedule.assert_delays([ms(100), ms(101)])),
            message(|| schedule.assert_delays([ms(0)..ms(101), ms(0)..ms(100)])),
        ] {
            assert_eq!(wrong.matches("WRONG").count(), 1, "{wrong}");
            assert_eq!(wrong.matches("as expected").count(), 1, "{wrong}");
        }
        for wrong in [
            message(|| schedule.assert_delays([ms(100)])),
            message(|| schedule.assert_delays([ms(100), ms(100), ms(100)])),
            message(|| schedule.assert_delays([] as [Duration; 0])),
        ] {
            assert!(wrong.contains("WRONG") && wrong.contains("none"), "{wrong}");
        }
    });
}

#[test]
fn delays_that_are_others_than_expected_are_shown_beside_them_and_the_table() {
    test(async |schedule| {
        jitter(Jitter::Highest);
        assert_eq!(jittered(&dead()).await, T);
        let said = message(|| schedule.assert_delays([ms(50)..=ms(100), ms(100)..=ms(150)]));
        let lines: Vec<&str> = said.lines().map(str::trim_end).collect();
        assert_eq!(
            lines,
            [
                "the delays are others than expected:",
                "delay  expected       observed  verdict",
                "1      50ms..=100ms   100ms     as expected",
                "2      100ms..=150ms  200ms     WRONG",
                "",
                "observed:",
                "call  site      attempt  started  outcome                  then",
                "1     jittered  1        0ns      Unavailable (transient)  retry in 100ms",
                "1     jittered  2        100ms    Unavailable (transient)  retry in 200ms",
                "1     jittered  3        300ms    Unavailable (transient)  stopped: attempts_exhausted",
            ]
        );
    });
}

#[test]
fn another_table_than_expected_is_shown_below_it() {
    test(async |schedule| {
        assert_eq!(fixed(&Script::new([OK])).await, OK);
        let table = schedule.to_string();
        schedule.assert_schedule(&table);
        let said = message(|| schedule.assert_schedule(&table.replace("ok", "no")));
        assert!(said.contains(&table) && said.contains(&table.replace("ok", "no")), "{said}");
        message(|| schedule.assert_schedule(""));
        message(|| schedule.assert_schedule(&format!("{table}\n1     fixed  2")));
    });
}

#[test]
fn a_call_that_was_under_way_is_told_from_there_on() {
    test(async |first| {
        let server = Script::steps([Step::new(T).takes(ms(10)), Step::new(OK)]);
        let mut call = Box::pin(fixed(&server));
        tokio::select! {
            _ = &mut call => unreachable!("it takes ten milliseconds"),
            () = tokio::time::sleep(ms(5)) => {}
        }
        let late = schedule();
        assert_eq!(call.await, OK);
        assert_eq!(first.attempts(), 2);
        late.assert_schedule(
            "
            call  site   attempt  started  outcome                  then
            1     fixed  1        -        Unavailable (transient)  retry in 100ms
            1     fixed  2        105ms    ok                       -
            ",
        );
    });
}
