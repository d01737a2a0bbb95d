//! Every function of the gRPC client, against a server on loopback that fails by script.

mod server;
#[path = "../support/mod.rs"]
mod support;

use std::error::Error;

use server::{
    Reply::{Changes, Done, Fails, Pushback, Silence},
    Scripted,
};
use services::grpc::{
    Session, WarehouseApi, WarehouseError, adjust_stock, any_stock,
    generated::{Reservation, ReserveRequest, warehouse_client::WarehouseClient},
    reserve_all, stock_of,
};
use stormless::StopReason;
use support::run;
use tonic::Code;

type Tested = Result<(), Box<dyn Error>>;

async fn api() -> Result<(Scripted, WarehouseApi), Box<dyn Error>> {
    let (server, channel) = Scripted::start().await?;
    Ok((server, WarehouseApi::new(channel)))
}

fn code<T>(result: &Result<T, WarehouseError>) -> Option<Code> {
    match result {
        Err(WarehouseError::Status(status)) => Some(status.code()),
        _ => None,
    }
}

fn lamps(quantity: u32) -> ReserveRequest {
    ReserveRequest { sku: "lamp".into(), quantity }
}

#[test]
fn every_budget_that_is_named_is_declared() {
    assert!(stormless::verify().is_ok());
}

#[tokio::test]
async fn the_code_decides_whether_a_call_is_repeated() -> Tested {
    let (server, api) = api().await?;
    server.on("get_stock", [Fails(Code::Unavailable), Fails(Code::ResourceExhausted)]);
    server.on("get_stock", [Fails(Code::Internal), Done, Fails(Code::Aborted), Done]);
    let (result, ran) = run(api.stock("lamp")).await;
    assert_eq!((result?, ran.attempts("stock")), (12, vec![4]));
    let (result, ran) = run(api.stock("lamp")).await;
    assert_eq!((result?, ran.attempts("stock")), (12, vec![2]));

    for refusal in [Code::NotFound, Code::InvalidArgument, Code::PermissionDenied, Code::DataLoss] {
        server.on("get_stock", [Fails(refusal)]);
        let (result, ran) = run(api.stock("lamp")).await;
        assert_eq!((code(&result), ran.attempts("stock")), (Some(refusal), vec![1]));
        assert_eq!(ran.reason("stock"), Some(StopReason::Permanent));
    }
    server.on("get_stock", [Fails(Code::Cancelled)]);
    let (result, ran) = run(api.stock("lamp")).await;
    assert_eq!((code(&result), ran.attempts("stock")), (Some(Code::Cancelled), vec![1]));
    assert_eq!(server.seen("get_stock").len(), 11);
    Ok(())
}

#[tokio::test]
async fn the_reason_comes_with_the_error_where_it_is_asked_for() -> Tested {
    let (server, api) = api().await?;
    server.on("get_stock", [Fails(Code::Unavailable), Fails(Code::Unavailable)]);
    let (result, ran) = run(api.stock_or_why("lamp")).await;
    let error = result.unwrap_err();
    assert_eq!((error.attempts(), error.reason()), (2, StopReason::AttemptsExhausted));
    assert_eq!(ran.attempts("stock_or_why"), [2]);
    assert_eq!(server.seen("get_stock").len(), 2);
    Ok(())
}

#[tokio::test]
async fn the_server_says_when_to_come_back_or_never() -> Tested {
    let (server, api) = api().await?;
    server.on("list_stock", [Pushback("5"), Done, Pushback("-1")]);
    let (result, ran) = run(api.page(10, "p")).await;
    assert_eq!((result?.next_page_token, ran.attempts("page")), ("p+".into(), vec![2]));
    let (result, ran) = run(api.page(10, "p")).await;
    assert_eq!((code(&result), ran.attempts("page")), (Some(Code::Unavailable), vec![1]));
    assert_eq!(ran.reason("page"), Some(StopReason::ServerRefusedRetry));
    assert_eq!(server.seen("list_stock").len(), 3);
    Ok(())
}

#[tokio::test]
async fn all_attempts_of_a_reservation_carry_one_key() -> Tested {
    let (server, api) = api().await?;
    server.on("reserve", [Fails(Code::Unknown), Fails(Code::DeadlineExceeded), Done]);
    let (result, ran) = run(api.reserve("lamp", 2)).await;
    assert_eq!((result?.id, ran.attempts("reserve")), ("lamp×2".into(), vec![3]));
    let seen = server.seen("reserve");
    assert!(!seen[0].get("idempotency-key").expect("a key").is_empty());
    assert!(
        seen.len() == 3
            && seen.iter().all(|metadata| {
                metadata.get("idempotency-key") == seen[0].get("idempotency-key")
            })
    );

    server.on("reserve", [Fails(Code::Unavailable), Done]);
    let (result, ran) = run(api.reserve_for(17, lamps(3))).await;
    assert_eq!((result?.quantity, ran.attempts("reserve_for")), (3, vec![2]));
    let keys: Vec<_> = server.seen("reserve").split_off(3);
    assert!(
        keys.len() == 2
            && keys.iter().all(|metadata| metadata.get("idempotency-key").expect("a key") == "17")
    );
    Ok(())
}

#[tokio::test]
async fn the_server_is_told_of_the_time_that_is_left() -> Tested {
    let (server, api) = api().await?;
    server.on("release", [Fails(Code::Unavailable), Done]);
    let reservation = Reservation { id: "r".into(), ..Reservation::default() };
    let (result, ran) = run(api.release(&reservation)).await;
    result?;
    assert_eq!(ran.attempts("release"), [2]);
    let seen = server.seen("release");
    assert!(seen.len() == 2 && seen.iter().all(|metadata| metadata.contains_key("grpc-timeout")));
    Ok(())
}

#[tokio::test]
async fn what_may_have_been_adjusted_is_not_adjusted_again() -> Tested {
    let (server, api) = api().await?;
    server.on("adjust", [Fails(Code::ResourceExhausted), Done, Fails(Code::Unknown)]);
    let (result, ran) = run(api.adjust("lamp", -2)).await;
    assert_eq!((result?, ran.attempts("adjust")), (10, vec![2]));
    let (result, ran) = run(api.adjust("lamp", -2)).await;
    assert_eq!((code(&result), ran.attempts("adjust")), (Some(Code::Unknown), vec![1]));
    assert_eq!(ran.reason("adjust"), Some(StopReason::MaybeExecuted));
    assert_eq!(server.seen("adjust").len(), 3);
    Ok(())
}

#[tokio::test]
async fn a_stream_is_opened_again_until_it_is_open() -> Tested {
    let (server, api) = api().await?;
    server.on("watch", [Fails(Code::Unavailable), Changes(&[1, 2], Some(Code::Unavailable))]);
    let (result, ran) = run(api.watch("lamp")).await;
    let mut changes = result?;
    assert_eq!(ran.attempts("watch"), [2]);
    assert_eq!(changes.message().await?.map(|stock| stock.on_hand), Some(1));
    assert_eq!(changes.message().await?.map(|stock| stock.on_hand), Some(2));
    assert_eq!(changes.message().await.unwrap_err().code(), Code::Unavailable);
    assert_eq!(server.seen("watch").len(), 2);
    Ok(())
}

#[tokio::test]
async fn a_stream_that_breaks_off_or_says_nothing_is_opened_again() -> Tested {
    let (server, api) = api().await?;
    server.on("watch", [Changes(&[], Some(Code::Unavailable)), Silence, Changes(&[], None)]);
    server.on("watch", [Changes(&[5], None)]);
    let (result, ran) = run(api.next_change("lamp")).await;
    assert_eq!((result?.on_hand, ran.attempts("next_change")), (5, vec![4]));
    assert_eq!(ran.labels("next_change"), ["Status", "attempt_timeout", "EndOfStream"]);

    server.on("watch", [Changes(&[1, 2], Some(Code::Internal)), Changes(&[1, 2, 3], None)]);
    let (result, ran) = run(api.all_changes("lamp")).await;
    let all: Vec<_> = result?.into_iter().map(|stock| stock.on_hand).collect();
    assert_eq!((all, ran.attempts("all_changes")), (vec![1, 2, 3], vec![2]));
    assert_eq!(server.seen("watch").len(), 6);
    Ok(())
}

#[tokio::test]
async fn a_session_retries_behind_a_mutable_borrow() -> Tested {
    let (server, channel) = Scripted::start().await?;
    let mut session = Session::new(channel, "secret")?;
    server.on("get_stock", [Fails(Code::Unavailable), Fails(Code::Internal), Done]);
    let (result, ran) = run(session.stock("lamp")).await;
    assert_eq!((result?, ran.attempts("stock")), (12, vec![3]));

    server.on("reserve", [Fails(Code::Unknown), Done]);
    let (result, ran) = run(session.reserve(lamps(4))).await;
    assert_eq!((result?.quantity, ran.attempts("reserve")), (4, vec![2]));

    server.on("adjust", [Fails(Code::Unavailable), Done, Fails(Code::Internal)]);
    let (result, ran) = run(session.adjust("lamp", 1)).await;
    assert_eq!((result?.on_hand, ran.attempts("adjust")), (13, vec![2]));
    let (result, ran) = run(session.adjust("lamp", 1)).await;
    assert_eq!((code(&result), ran.attempts("adjust")), (Some(Code::Internal), vec![1]));

    server.on("watch", [Changes(&[1, 2], None), Changes(&[3, 9], None)]);
    let (result, ran) = run(session.wait_for("lamp", 9)).await;
    assert_eq!((result?.on_hand, ran.attempts("wait_for")), (9, vec![2]));

    assert_eq!(session.requests(), 10);
    let seen = ["get_stock", "reserve", "adjust", "watch"].map(|method| server.seen(method));
    assert_eq!(seen.each_ref().map(Vec::len), [3, 2, 3, 2]);
    let signed = |metadata: &tonic::metadata::MetadataMap| {
        metadata.get("authorization").is_some_and(|token| token == "Bearer secret")
    };
    assert!(seen.iter().flatten().all(signed));
    Ok(())
}

#[tokio::test]
async fn a_client_may_be_borrowed_owned_or_of_any_transport() -> Tested {
    let (server, channel) = Scripted::start().await?;
    let mut client = WarehouseClient::new(channel);
    server.on("get_stock", [Fails(Code::Unavailable), Done]);
    let (result, ran) = run(stock_of(&mut client, "lamp")).await;
    assert_eq!((result?, ran.attempts("stock_of")), (12, vec![2]));

    server.on("adjust", [Fails(Code::Aborted), Fails(Code::Aborted), Done]);
    let (result, ran) = run(adjust_stock(client.clone(), "lamp".into(), 3)).await;
    assert_eq!((result?, ran.attempts("adjust_stock")), (15, vec![3]));

    // The second article's failure repeats the first one as well, under the key that it had.
    server.on("reserve", [Done, Fails(Code::Internal), Done, Done]);
    let (result, ran) = run(reserve_all(&client, "o1", &[("lamp", 1), ("sofa", 2)])).await;
    assert_eq!(
        (result?, ran.attempts("reserve_all")),
        (vec!["lamp×1".into(), "sofa×2".into()], vec![2])
    );
    let seen = server.seen("reserve");
    let keys: Vec<_> = seen.iter().filter_map(|metadata| metadata.get("idempotency-key")).collect();
    assert_eq!(keys, ["o1/lamp", "o1/sofa", "o1/lamp", "o1/sofa"]);

    server.on("get_stock", [Fails(Code::NotFound), Fails(Code::Unavailable)]);
    server.on("get_stock", [Fails(Code::NotFound), Done]);
    let (result, ran) = run(any_stock(&mut client, &["sofa".into(), "lamp".into()])).await;
    assert_eq!((result?, ran.attempts("any_stock")), (Some(12), vec![2]));
    assert_eq!(server.seen("get_stock").len(), 6);
    Ok(())
}

#[tokio::test]
async fn a_server_that_is_not_there_is_asked_again_by_reads_alone() -> Tested {
    let api = WarehouseApi::new(Scripted::nobody().await?);
    let (result, ran) = run(api.stock("lamp")).await;
    assert_eq!((code(&result), ran.attempts("stock")), (Some(Code::Unavailable), vec![4]));
    let (result, ran) = run(api.adjust("lamp", 1)).await;
    assert_eq!((code(&result), ran.attempts("adjust")), (Some(Code::Unavailable), vec![1]));
    assert_eq!(ran.reason("adjust"), Some(StopReason::MaybeExecuted));
    Ok(())
}
