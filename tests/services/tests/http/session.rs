//! What surrounds the resource.

use std::time::Duration;

use reqwest::Client;
use services::http::{ApiError, Hits, fetch_json};
use stormless::StopReason;

use crate::{
    Tested, api,
    server::Reply::{Body, Busy, Half, Status},
    support::run,
};

#[tokio::test]
async fn health_is_asked_for_once() -> Tested {
    let (server, api) = api().await?;
    server.on("GET /health", [Status(503), Status(200)]);
    let (result, ran) = run(api.healthy()).await;
    assert!(result.is_err());
    assert_eq!(ran.attempts("healthy"), [1]);
    run(api.healthy()).await.0?;
    assert_eq!(server.seen("GET /health").len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_token_is_fetched_within_its_deadline_or_refused() -> Tested {
    let (server, api) = api().await?;
    server.on("POST /token", [Status(503), Body(r#"{"value":"t"}"#), Status(401)]);
    let (result, ran) = run(api.refresh_token("secret")).await;
    result?;
    assert_eq!(ran.attempts("refresh_token"), [2]);
    let (result, ran) = run(api.refresh_token("wrong")).await;
    assert!(matches!(result, Err(ApiError::Unauthorized)));
    assert_eq!(ran.attempts("refresh_token"), [1]);
    assert_eq!(server.seen("POST /token").len(), 3);
    Ok(())
}

#[tokio::test]
async fn the_token_of_an_attempt_is_not_retried_below_it() -> Tested {
    let (server, api) = api().await?;
    server.on("POST /token", [Status(503), Body(r#"{"value":"t"}"#)]);
    server.on("GET /me", [Status(503), Body("me"), Status(401)]);
    let (result, ran) = run(api.who_am_i("secret")).await;
    assert_eq!(result?, "me");
    // The first attempt ends with the token's failure, the second one with the answer's.
    assert_eq!((ran.attempts("who_am_i"), ran.attempts("refresh_token")), (vec![3], vec![1, 1]));
    assert_eq!(server.seen("GET /me")[1].headers["authorization"], "Bearer t");

    // A token that is refused is not kept.
    assert!(run(api.who_am_i("secret")).await.0.is_err());
    server.on("POST /token", [Body(r#"{"value":"u"}"#)]);
    server.on("GET /me", [Body("me")]);
    assert_eq!(run(api.who_am_i("secret")).await.0?, "me");
    Ok(())
}

#[tokio::test]
async fn a_search_that_is_never_whole_is_better_than_none() -> Tested {
    let (server, api) = api().await?;
    let (partial, whole) = (r#"{"ids":[7],"partial":true}"#, r#"{"ids":[7,8],"partial":false}"#);
    server.on("GET /search", [Body(partial), Status(503), Body(whole)]);
    let (result, ran) = run(api.search("a lamp")).await;
    assert_eq!(result?, Hits { ids: vec![7, 8], partial: false });
    assert_eq!(ran.attempts("search"), [3]);
    assert_eq!(server.seen("GET /search")[0].query.as_deref(), Some("q=a+lamp"));

    server.on("GET /search", [Body(partial), Body(partial), Body(partial)]);
    let (result, ran) = run(api.search("a lamp")).await;
    assert_eq!(result?, Hits { ids: vec![7], partial: true });
    assert_eq!((ran.attempts("search"), server.seen("GET /search").len()), (vec![3], 6));
    Ok(())
}

#[tokio::test]
async fn a_count_comes_with_the_reason_why_there_is_none() -> Tested {
    let (server, api) = api().await?;
    server.on("GET /orders/count", [Status(503), Body("12\n"), Body("twelve")]);
    let (result, ran) = run(api.count_orders(Duration::from_secs(60))).await;
    assert_eq!(result?, 12);
    assert_eq!(ran.attempts("count_orders"), [2]);

    let error = run(api.count_orders(Duration::from_secs(60))).await.0.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (1, StopReason::Permanent));
    assert!(matches!(error.get_ref(), Some(ApiError::NotUnderstood)));

    let error = run(api.count_orders(Duration::ZERO)).await.0.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (0, StopReason::DeadlineExceeded));
    assert_eq!(server.seen("GET /orders/count").len(), 3);
    Ok(())
}

#[tokio::test]
async fn what_is_generic_is_retried_for_each_type() -> Tested {
    let (server, _) = api().await?;
    server.on("GET /rates", [Busy { retry_after: "0.01" }, Body("[1,2]")]);
    let url = format!("http://{}/rates", server.address);
    let http = Client::builder().no_proxy().build()?;
    let (result, ran) = run(fetch_json::<Vec<u32>, _>(&http, url.as_str())).await;
    assert_eq!(result?, [1, 2]);
    assert_eq!(ran.attempts("fetch_json"), [2]);
    server.on("GET /rates", [Half("[1,2]"), Body("\"none\"")]);
    let (result, ran) = run(fetch_json::<String, _>(&http, url)).await;
    assert_eq!(result?, "none");
    assert_eq!(ran.attempts("fetch_json"), [2]);
    Ok(())
}
