//! Bodies that are more than a line of JSON.

use bytes::Bytes;

use crate::{
    Tested, api,
    server::Reply::{Body, Half, Lost, Silence, Status},
    support::run,
};

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
