//! Every function of the REST client, against a server on loopback that fails by script.

mod server;
#[path = "../support/mod.rs"]
mod support;

use std::{error::Error, time::Duration};

use bytes::Bytes;
use reqwest::Client;
use server::{
    Reply::{Body, Busy, Half, Lost, Silence, Status},
    Server,
};
use services::http::{ApiClient, ApiError, Changes, Hits, NewOrder, Order, OrderQuery, fetch_json};
use stormless::StopReason;
use support::run;

type Tested = Result<(), Box<dyn Error>>;

const ORDER: &str = r#"{"id":7,"item":"lamp","revision":1}"#;

fn lamp() -> Order {
    Order { id: 7, item: "lamp".into(), revision: 1 }
}

async fn api() -> Result<(Server, ApiClient), Box<dyn Error>> {
    let server = Server::start().await?;
    let client = ApiClient::new(format!("http://{}", server.address))?;
    Ok((server, client))
}

#[tokio::test]
async fn an_order_is_read_after_an_overload_and_a_lost_connection() -> Tested {
    let (server, api) = api().await?;
    server.on("GET /orders/7", [Status(503), Lost, Half(ORDER), Body(ORDER)]);
    let (result, ran) = run(api.order(7)).await;
    assert_eq!(result?, lamp());
    assert_eq!(ran.attempts("order"), [4]);
    assert_eq!(server.seen("GET /orders/7").len(), 4);
    Ok(())
}

#[tokio::test]
async fn an_order_that_is_not_there_is_not_asked_for_twice() -> Tested {
    let (server, api) = api().await?;
    server.on("GET /orders/8", [Status(404)]);
    let (result, ran) = run(api.order(8)).await;
    assert!(matches!(result, Err(ApiError::Refused { status, .. }) if status == 404));
    assert_eq!(
        (ran.attempts("order"), ran.reason("order")),
        (vec![1], Some(StopReason::Permanent))
    );

    server.on("GET /orders/8", [Status(502), Status(404)]);
    let (result, ran) = run(api.find_order(8)).await;
    assert_eq!(result?, None);
    assert_eq!(ran.attempts("find_order"), [2]);
    assert_eq!(server.seen("GET /orders/8").len(), 3);
    Ok(())
}

#[tokio::test]
async fn each_page_of_a_list_is_retried_by_itself() -> Tested {
    let (server, api) = api().await?;
    let first = r#"{"items":[{"id":7,"item":"lamp","revision":1}],"next":"p2"}"#;
    server.on("GET /orders", [Status(503), Body(first), Busy { retry_after: "0.01" }]);
    server.on("GET /orders", [Status(500), Body(r#"{"items":[],"next":null}"#)]);
    let query = OrderQuery { item: Some("lamp"), limit: 1 };
    let (result, ran) = run(api.all_orders(&query)).await;
    assert_eq!(result?, [lamp()]);
    assert_eq!(ran.attempts("order_page"), [2, 3]);
    let queries: Vec<_> = server.seen("GET /orders").into_iter().map(|seen| seen.query).collect();
    let (one, two) = ("item=lamp&limit=1", "item=lamp&limit=1&page=p2");
    assert_eq!(queries, [one, one, two, two, two].map(|query| Some(query.to_owned())));
    Ok(())
}

#[tokio::test]
async fn an_order_is_created_under_one_key_by_all_attempts() -> Tested {
    let (server, api) = api().await?;
    server.on("POST /orders", [Lost, Status(500), Body(ORDER)]);
    let (result, ran) = run(api.create_order(&NewOrder { item: "lamp".into() })).await;
    assert_eq!(result?, lamp());
    assert_eq!(ran.attempts("create_order"), [3]);
    let seen = server.seen("POST /orders");
    let key = seen[0].headers["idempotency-key"].clone();
    assert!(!key.is_empty());
    assert_eq!(seen.len(), 3);
    assert!(seen.iter().all(|seen| seen.headers["idempotency-key"] == key));
    assert!(seen.iter().all(|seen| seen.body == r#"{"item":"lamp"}"#));
    Ok(())
}

#[tokio::test]
async fn an_order_is_replaced_as_often_as_it_takes() -> Tested {
    let (server, api) = api().await?;
    server.on("PUT /orders/7", [Lost, Lost, Status(200)]);
    let (result, ran) = run(api.replace_order(&lamp())).await;
    result?;
    assert_eq!(ran.attempts("replace_order"), [3]);
    assert!(server.seen("PUT /orders/7").iter().all(|seen| seen.body == ORDER));
    Ok(())
}

#[tokio::test]
async fn a_change_is_repeated_only_where_the_server_says_that_it_did_nothing() -> Tested {
    let (server, api) = api().await?;
    let changes = Changes { item: Some("sofa".into()) };
    server.on("PATCH /orders/7", [Status(503), Status(425), Body(ORDER)]);
    let (result, ran) = run(api.patch_order(&lamp(), changes.clone())).await;
    result?;
    assert_eq!(ran.attempts("patch_order"), [3]);

    server.on("PATCH /orders/7", [Lost]);
    let (result, ran) = run(api.patch_order(&lamp(), changes)).await;
    assert!(matches!(result, Err(ApiError::Transport(_))));
    assert_eq!(ran.attempts("patch_order"), [1]);
    assert_eq!(ran.reason("patch_order"), Some(StopReason::MaybeExecuted));
    let seen = server.seen("PATCH /orders/7");
    assert_eq!(seen.len(), 4);
    assert!(seen.iter().all(|seen| seen.headers["if-match"] == "1"));
    Ok(())
}

#[tokio::test]
async fn what_a_lost_cancellation_cancelled_counts_as_cancelled() -> Tested {
    let (server, api) = api().await?;
    server.on("DELETE /orders/7", [Lost, Status(404), Status(404)]);
    let (result, ran) = run(api.cancel_order(7)).await;
    assert!(result?);
    assert_eq!(ran.attempts("cancel_order"), [2]);
    let (result, ran) = run(api.cancel_order(7)).await;
    assert!(!result?);
    assert_eq!(ran.attempts("cancel_order"), [1]);
    assert_eq!(server.seen("DELETE /orders/7").len(), 3);
    Ok(())
}

#[tokio::test]
async fn existence_is_asked_for_until_somebody_answers() -> Tested {
    let (server, api) = api().await?;
    server.on("HEAD /orders/7", [Status(503), Status(200)]);
    let (result, ran) = run(api.order_exists(7)).await;
    assert!(result?);
    assert_eq!(ran.attempts("order_exists"), [2]);
    server.on("HEAD /orders/7", [Status(500), Status(500), Status(404)]);
    let (result, ran) = run(api.order_exists(7)).await;
    assert!(!result?);
    assert_eq!(ran.attempts("order_exists"), [3]);
    Ok(())
}

#[tokio::test]
async fn every_attempt_uploads_the_whole_file() -> Tested {
    let (server, api) = api().await?;
    let content = Bytes::from(vec![b'x'; 100_000]);
    server.on("PUT /files/a", [Status(503), Lost, Status(201)]);
    let (result, ran) = run(api.upload("a", content.clone())).await;
    result?;
    assert_eq!(ran.attempts("upload"), [3]);
    let seen = server.seen("PUT /files/a");
    assert!(seen.len() == 3 && seen.iter().all(|seen| seen.body == content));
    Ok(())
}

#[tokio::test]
async fn an_attachment_is_repeated_if_it_may_be_overwritten() -> Tested {
    let (server, api) = api().await?;
    server.on("POST /files/a", [Lost, Status(201), Lost]);
    let (result, ran) = run(api.attach("a", "text", Some("text/plain"), true)).await;
    result?;
    assert_eq!(ran.attempts("attach"), [2]);
    let (result, ran) = run(api.attach("a", Vec::from(*b"text"), None, false)).await;
    assert!(result.is_err());
    assert_eq!(ran.attempts("attach"), [1]);
    let seen = server.seen("POST /files/a");
    assert!(seen.len() == 3 && seen.iter().all(|seen| seen.body == "text"));
    assert_eq!(seen[1].headers["content-type"], "text/plain");
    Ok(())
}

#[tokio::test]
async fn a_download_that_stops_or_breaks_off_begins_anew() -> Tested {
    let (server, api) = api().await?;
    server.on("GET /files/a", [Silence, Half("one\ntwo\n"), Body("one\ntwo\n")]);
    let (result, ran) = run(api.download("a")).await;
    assert_eq!(result?, b"one\ntwo\n");
    assert_eq!(ran.attempts("download"), [3]);
    assert_eq!(ran.labels("download"), ["attempt_timeout", "Transport"]);
    Ok(())
}

#[tokio::test]
async fn a_shared_buffer_holds_what_the_last_attempt_read() -> Tested {
    let (server, api) = api().await?;
    server.on("GET /files/a", [Half("one\ntwo\n"), Status(502), Body("one\ntwo\n")]);
    let mut buffer = Vec::from(*b"something old");
    let (result, ran) = run(api.download_into("a", &mut buffer)).await;
    assert_eq!(result?, 8);
    assert_eq!(ran.attempts("download_into"), [3]);
    assert_eq!(buffer, b"one\ntwo\n");

    server.on("GET /files/a", [Half("one\ntwo\n"), Body("one\ntwo\n")]);
    let (result, ran) = run(api.count_lines("a")).await;
    assert_eq!(result?, 2);
    assert_eq!(ran.attempts("count_lines"), [2]);
    Ok(())
}

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

#[tokio::test]
async fn a_server_that_is_not_there_is_tried_four_times() -> Tested {
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
    let api = ApiClient::new(format!("http://{nobody}"))?;
    let (result, ran) = run(api.replace_order(&lamp())).await;
    assert!(matches!(&result, Err(ApiError::Transport(error)) if error.is_connect()));
    assert_eq!(ran.attempts("replace_order"), [4]);
    assert_eq!(ran.reason("replace_order"), Some(StopReason::AttemptsExhausted));
    Ok(())
}
