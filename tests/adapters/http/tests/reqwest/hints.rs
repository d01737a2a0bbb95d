//! `Retry-After`, from the bytes that a server sends to the delay that is slept, on a function that returns
//! the response as it is.

use std::{process::Command, time::Duration};

use faults::{Script, h1};
use reqwest::{Client, Response, StatusCode};
use stormless::{
    Budget, CallReport, StopReason, budget, report, retry,
    testing::{Jitter, isolated, jitter},
};
use tokio::runtime::{Builder, Runtime};

use crate::{client, start};

budget! {
    static HINTED: Budget = Budget::new("adapters.hinted");
}

/// Functions that differ in their settings alone.
macro_rules! get {
    ($($name:ident [$($setting:tt)*])*) => {$(
        #[retry(classify_result = stormless::reqwest::classify_result, $($setting)*)]
        async fn $name(client: &Client, url: &str) -> reqwest::Result<Response> {
            client.get(url).send().await
        }
    )*};
}

get! {
    patient [backoff = "none", max_retry_after = "10m", budget = none]
    fixed [backoff = "fixed", base = "1s", budget = none]
    jittered [base = "100ms", budget = none]
    capped [max = "30s", budget = HINTED]
    limited [base = "100ms", attempts = 5, max_retry_after = "5s", budget = none]
}

/// The status of a call against a server that says 503 with each of these fields, and then 200; its report;
/// and how many requests have reached the server.
macro_rules! ran {
    ($call:ident, $fields:expr, $draws:expr) => {
        async {
            let busy = $fields.map(|fields| vec![h1::response(503, fields, "busy")]);
            let done = vec![h1::response(200, &[], "done")];
            let server = start(Script::requests(busy.into_iter().chain([done])));
            let (client, url) = (client(), server.url("/"));
            let call = async {
                jitter($draws);
                $call(&client, &url).await
            };
            let (result, calls) = isolated(report(call)).await;
            (result.unwrap().status(), calls.into_iter().next().unwrap(), server.hits().requests)
        }
    };
}

fn delays(call: &CallReport) -> Vec<u128> {
    call.delays().map(|delay| delay.as_millis()).collect()
}

fn paused() -> Runtime {
    Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
}

const SENT: &str = "date: Sun, 06 Nov 1994 08:49:37 GMT";

// R051
#[test]
fn dates_are_gmt_whatever_the_time_zone() {
    const CHILD: &str = "STORMLESS_TEST_HTTP_ZONE";
    if std::env::var_os(CHILD).is_some() {
        paused().block_on(async {
            let fields: &[&str] = &[SENT, "retry-after: Sun, 06 Nov 1994 08:51:37 GMT"];
            for (draws, delay) in [(Jitter::Lowest, 120_000), (Jitter::Highest, 150_000)] {
                let (status, call, requests) = ran!(patient, [fields], draws).await;
                assert_eq!((status, delays(&call), requests), (StatusCode::OK, vec![delay], 2));
            }
        });
        return;
    }
    // New York and Tokyo, by rules that need no zone database.
    for zone in ["EST5EDT,M3.2.0,M11.1.0", "JST-9"] {
        // A process's zone is settled when it starts, so each has one of its own.
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "hints::dates_are_gmt_whatever_the_time_zone"])
            .env("TZ", zone)
            .env(CHILD, "yes")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success() && said.contains("1 passed"), "{zone}: {said}");
    }
}

// R053, R059
#[tokio::test(start_paused = true)]
async fn what_has_passed_or_is_malformed_is_no_hint() {
    let values = [
        "retry-after: -1",
        "retry-after: 0",
        "retry-after: Sun, 06 Nov 1994 08:49:36 GMT",
        "retry-after: Wed, 99 Foo",
        "retry-after: soon",
        "retry-after:",
    ];
    for value in values {
        let (status, call, requests) = ran!(fixed, [&[SENT, value]], Jitter::Random).await;
        assert_eq!((status, delays(&call), requests), (StatusCode::OK, vec![1000], 2), "{value}");
    }
}

// R055
#[tokio::test(start_paused = true)]
async fn fractions_of_a_second_are_rounded_up_to_the_millisecond() {
    let (short, long): (&[&str], &[&str]) = (&["retry-after: 0.503"], &["retry-after: 0.5031"]);
    for (fields, draws, delay) in
        [(short, Jitter::Lowest, 503), (long, Jitter::Lowest, 504), (short, Jitter::Highest, 629)]
    {
        let (status, call, requests) = ran!(jittered, [fields], draws).await;
        assert_eq!((status, delays(&call), requests), (StatusCode::OK, vec![delay], 2));
    }
}

// R057
#[tokio::test(start_paused = true)]
async fn a_hint_above_the_longest_accepted_stops_the_call_with_the_response_that_gave_it() {
    // 484,289 hours.
    let busy = vec![h1::response(503, &["retry-after: 1743440400"], "busy")];
    let (server, client) = (start(Script::requests([busy])), client());
    isolated(async {
        let (result, calls) = report(capped(&client, &server.url("/"))).await;
        let response = result.unwrap();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(response.text().await.unwrap(), "busy");
        assert_eq!(calls[0].reason(), Some(StopReason::RetryAfterTooLong));
        assert_eq!((calls[0].attempts(), calls[0].slept()), (1, Duration::ZERO));
        assert_eq!((HINTED.stats().withdrawn, server.hits().requests), (0, 1));
    })
    .await;
}

// R061
#[tokio::test(start_paused = true)]
async fn settings_hold_for_every_attempt() {
    let (one, ten): (&[&str], &[&str]) = (&["retry-after: 1"], &["retry-after: 10"]);
    for seed in 0..5 {
        let (status, call, requests) = ran!(limited, [one, one, ten], Jitter::Seeded(seed)).await;
        assert_eq!((status, requests), (StatusCode::SERVICE_UNAVAILABLE, 3));
        let slept = delays(&call);
        assert!(slept.len() == 2 && slept.iter().all(|delay| (1000..=1250).contains(delay)));
        assert_eq!(call.reason(), Some(StopReason::RetryAfterTooLong));
    }
}
