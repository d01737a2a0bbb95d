//! What somebody on call sees: one warning where calls give up, however many do, and nothing of a healthy service.

#[path = "support/script.rs"]
mod script;
#[path = "support/spans.rs"]
mod spans;

use futures_util::FutureExt;
use script::{Failure, OK, Outcome, P, PE, Script, T, TM, ms, secs};
use spans::{Log, keeping, subscribed, subscribed_to};
use stormless::{retry, testing::isolated};
use tokio::time::advance;
use tracing::Level;

#[retry(backoff = "none", attempts = 3, budget = none, name = "order")]
async fn order(script: &Script) -> Outcome {
    script.body().await
}

/// What is above DEBUG: how many have been silent before, by reason.
fn above_debug(log: &Log) -> Vec<String> {
    let above = log.events().into_iter().filter(|event| event.level < Level::DEBUG);
    above
        .map(|event| {
            let told = |field| event.get(field).unwrap_or("-").to_owned();
            let (level, message) = (event.level, &event.message);
            format!("{level} {message}: {} {}", told("stormless.reason"), told("suppressed"))
        })
        .collect()
}

// R183
#[tokio::test(start_paused = true)]
async fn one_warning_for_each_reason_in_ten_seconds_with_the_number_of_those_in_between() {
    // Whether the spans are kept makes no difference.
    for line in ["info", "debug"] {
        isolated(async {
            let (log, _subscribed) = subscribed_to(line);
            assert_eq!(order(&Script::new([T, T, OK])).await, OK);
            assert_eq!(above_debug(&log), [""; 0], "a later attempt worked");

            assert_eq!(order(&Script::always(T)).await, T);
            let first = "WARN call gave up: attempts_exhausted 0";
            assert_eq!(above_debug(&log), [first]);
            for _ in 0..99 {
                advance(ms(100)).await;
                assert_eq!(order(&Script::always(T)).await, T);
            }
            assert_eq!(above_debug(&log), [first], "a hundred of them within ten seconds");

            assert_eq!(order(&Script::always(P)).await, P);
            let other = "WARN call gave up: permanent 0";
            assert_eq!(above_debug(&log), [first, other]);

            advance(ms(100)).await;
            assert_eq!(order(&Script::always(T)).await, T);
            let second = "WARN call gave up: attempts_exhausted 99";
            assert_eq!(above_debug(&log), [first, other, second]);
            assert!(log.at(Level::ERROR).is_empty());
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_warning_says_who_gave_up_and_why() {
    let (log, _subscribed) = subscribed();
    isolated(async { assert_eq!(order(&Script::always(T)).await, T) }).await;
    let warned = &log.at(Level::WARN)[..];
    let [warned] = warned else { panic!("{warned:?}") };
    let id = warned.get("stormless.retry_id").unwrap();
    assert_eq!(log.spans()[3].get("stormless.retry_id"), Some(id), "of the last attempt");
    for (field, value) in [
        ("stormless.site", "order"),
        ("stormless.reason", "attempts_exhausted"),
        ("stormless.kind", "transient"),
        ("stormless.attempts", "3"),
        ("error.type", "Unavailable"),
        ("suppressed", "0"),
    ] {
        assert_eq!(warned.get(field), Some(value), "{field}");
    }
    assert_eq!(
        (warned.target.as_str(), warned.within),
        ("stormless", Some(0)),
        "in the call's span"
    );
    let ends = ["call: call gave up", "call: call stopped"];
    let told = log.told();
    assert_eq!(told.iter().filter(|told| ends.contains(&told.as_str())).count(), 1, "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_healthy_service_logs_nothing() {
    #[retry(backoff = "none", attempts = 2, budget = none)]
    async fn outer(script: &Script) -> Outcome {
        order(script).await
    }
    isolated(async {
        let (log, _subscribed) = subscribed();
        assert_eq!(order(&Script::new([PE])).await, PE, "an answer of the dependency");
        assert_eq!(outer(&Script::new([T, OK])).await, OK, "repeated by the call around");
        assert_eq!(order(&Script::always(Err(Failure::Stopped))).await, Err(Failure::Stopped));
        let script = Script::hanging();
        let mut dropped = Box::pin(order(&script));
        assert_eq!((&mut dropped).now_or_never(), None);
        drop(dropped);
        assert_eq!(above_debug(&log), [""; 0]);
        assert!(log.at(Level::DEBUG).len() > 10, "all of it is there for whoever looks closer");

        assert_eq!(outer(&Script::always(T)).await, T);
        assert_eq!(above_debug(&log).len(), 1, "told of by the call that gives up");
        assert_eq!(log.at(Level::WARN)[0].get("stormless.site"), Some("tracing_records::outer"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_kept_for_verify_is_recorded_once() {
    isolated(async {
        let (log, _subscribed) = subscribed();
        for _ in 0..2 {
            assert_eq!(order(&Script::new([TM])).await, TM);
            advance(secs(1)).await;
        }
        let warned = above_debug(&log);
        assert_eq!(warned.len(), 2, "{warned:?}");
        assert!(warned[0].contains("add `idempotent`"), "{warned:?}");
        assert!(warned[1].contains("maybe_executed 0"), "{warned:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_was_warned_about_before_anybody_subscribed_is_recorded_once() {
    #[retry(backoff = "none", budget = "tracing_records.misspelt", name = "misspelt")]
    async fn misspelt(script: &Script) -> Outcome {
        script.body().await
    }
    // Whether it gives up, or has spans.
    for (line, outcome) in [("info", T), ("debug", OK)] {
        isolated(async {
            assert_eq!(order(&Script::new([TM])).await, TM);
            let (log, _subscribed) = subscribed_to(line);
            for _ in 0..2 {
                assert_eq!(order(&Script::always(outcome.clone())).await, outcome);
            }
            let warned = log.at(Level::WARN);
            let of = |text: &str| warned.iter().filter(|one| one.message.contains(text)).count();
            assert_eq!(of("add `idempotent`"), 1, "{warned:?}");
        })
        .await;
    }
    isolated(async {
        let (log, _subscribed) = subscribed_to("info");
        for _ in 0..2 {
            assert_eq!(misspelt(&Script::new([OK])).await, OK);
        }
        let warned = above_debug(&log);
        assert_eq!(warned.len(), 1, "{warned:?}");
        let start = "WARN the budget `tracing_records.misspelt` is declared nowhere";
        assert!(warned[0].starts_with(start), "{warned:?}");
    })
    .await;
}

#[test]
fn no_call_is_lost_when_threads_give_up_at_once() {
    #[retry(blocking, backoff = "none", attempts = 1, budget = none, name = "crowd")]
    fn crowd() -> Outcome {
        T
    }
    let (log, dispatch) = keeping("info");
    std::thread::scope(|threads| {
        for _ in 0..4 {
            threads.spawn(|| {
                tracing::dispatcher::with_default(&dispatch, || {
                    for _ in 0..250 {
                        assert_eq!(crowd(), T);
                    }
                });
            });
        }
    });
    let silent = |event: &spans::Event| event.get("suppressed").unwrap().parse::<u64>().unwrap();
    let warned = log.at(Level::WARN);
    assert_eq!(warned.iter().map(silent).sum::<u64>(), 0, "{warned:?}");
    assert_eq!(warned.len(), 1, "a thousand calls take no ten seconds: {warned:?}");
}
