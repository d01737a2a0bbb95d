//! The resource.

use services::http::{ApiClient, ApiError, Changes, NewOrder, OrderQuery};
use stormless::StopReason;

use crate::{
    ORDER, Tested, api, lamp,
    server::Reply::{Body, Busy, Half, Lost, Status},
    support::run,
};

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
async fn a_server_that_is_not_there_is_tried_four_times() -> Tested {
    let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await?.local_addr()?;
    let api = ApiClient::new(format!("http://{nobody}"))?;
    let (result, ran) = run(api.replace_order(&lamp())).await;
    assert!(matches!(&result, Err(ApiError::Transport(error)) if error.is_connect()));
    assert_eq!(ran.attempts("replace_order"), [4]);
    assert_eq!(ran.reason("replace_order"), Some(StopReason::AttemptsExhausted));
    Ok(())
}
