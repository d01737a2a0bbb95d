use std::time::Duration;

use ::object_store::http::{HttpBuilder, HttpStore};
use ::object_store::{BackoffConfig, ClientOptions, Error, RetryConfig};
use stormless::{DeadlineExceeded, Execution, Kind};

use super::{HttpError, HttpErrorKind, KeepStatus, Path, classify, cut, read, unretried};
use crate::loopback::{Answer, Cyclic, Http, at_once, facts, refused, wait};

const BUSY: &[Answer] = &[Answer::Text("503 Slow Down\r\nretry-after: 7", "")];
const DOWN: &[Answer] = &[Answer::Text("500 Internal Server Error", "")];

/// Not over TLS, but built with it: reqwest asks for a provider, and mongodb's is at hand.
fn builder(url: &str) -> HttpBuilder {
    let _ = async_nats::rustls::crypto::ring::default_provider().install_default();
    let options = ClientOptions::new().with_allow_http(true);
    HttpBuilder::new().with_url(url).with_client_options(options)
}

fn store(url: &str) -> HttpStore {
    builder(url).with_retry(unretried()).with_http_connector(KeepStatus).build().unwrap()
}

async fn failure(store: &HttpStore) -> Error {
    let path = Path::from("a");
    // As `read` does, and once.
    at_once(stormless::control::without_retries(read(store, &path))).await.unwrap_err()
}

#[test]
fn answers_are_permanent_and_show_that_the_store_lives() {
    let source = || "no".into();
    let path = || "a".to_owned();
    for error in [
        Error::NotFound { path: path(), source: source() },
        Error::AlreadyExists { path: path(), source: source() },
        Error::Precondition { path: path(), source: source() },
        Error::NotModified { path: path(), source: source() },
        Error::PermissionDenied { path: path(), source: source() },
        Error::Unauthenticated { path: path(), source: source() },
    ] {
        assert!(classify(&error).is_answer(), "{error:?}");
    }
}

#[test]
fn what_the_store_was_not_asked_is_permanent_and_a_cut_is_a_timeout() {
    for error in [
        Error::NotSupported { source: "no".into() },
        Error::NotImplemented { operation: "rename".into(), implementer: "this".into() },
        Error::UnknownConfigurationKey { store: "s3", key: "colour".into() },
        Error::Generic { store: "s3", source: "no idea".into() },
    ] {
        assert_eq!(facts(classify(&error)), (Kind::Permanent, Execution::NotExecuted), "{error:?}");
    }
    assert_eq!(classify(&cut(DeadlineExceeded::default().into())).kind(), Kind::Timeout);
}

#[tokio::test]
async fn a_task_that_was_aborted_is_cancelled() {
    let task = tokio::spawn(std::future::pending::<()>());
    task.abort();
    let error = Error::from(task.await.unwrap_err());
    assert_eq!(classify(&error).kind(), Kind::Cancelled);
}

#[tokio::test]
async fn a_refused_connection_was_not_executed() {
    let error = failure(&store(&format!("http://{}", refused().await))).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::NotExecuted), "{error:?}");
}

#[tokio::test]
async fn a_lost_answer_and_a_body_that_breaks_off_may_have_been_executed() {
    for script in [&[Answer::Close], &[Answer::Cut]] {
        let error = failure(&store(&Http::new(script).await.url())).await;
        assert_eq!(
            facts(classify(&error)),
            (Kind::Transient, Execution::MaybeExecuted),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn a_store_that_is_silent_is_a_timeout() {
    let server = Http::new(&[Answer::Silence]).await;
    let options =
        ClientOptions::new().with_allow_http(true).with_timeout(Duration::from_millis(50));
    let store = builder(&server.url())
        .with_retry(unretried())
        .with_client_options(options)
        .build()
        .unwrap();
    let error = failure(&store).await;
    assert_eq!(facts(classify(&error)), (Kind::Timeout, Execution::MaybeExecuted), "{error:?}");
}

#[tokio::test]
async fn the_kept_status_decides_and_the_hint_with_it() {
    let server = Http::new(BUSY).await;
    let error = failure(&store(&server.url())).await;
    assert_eq!(facts(classify(&error)), (Kind::Throttled, Execution::NotExecuted), "{error:?}");
    assert_eq!((wait(classify(&error)), server.requests()), (Some(7), 1));
    assert!(format!("{error}").contains("the store answered 503"), "{error}");

    let error = failure(&store(&Http::new(DOWN).await.url())).await;
    assert_eq!(facts(classify(&error)), (Kind::Transient, Execution::MaybeExecuted), "{error:?}");

    let missing = Http::new(&[Answer::Text("404 Not Found", "")]).await;
    assert!(classify(&failure(&store(&missing.url())).await).is_answer());
}

#[tokio::test]
async fn a_status_that_nobody_kept_is_permanent() {
    let server = Http::new(BUSY).await;
    let store = builder(&server.url()).with_retry(unretried()).build().unwrap();
    let error = failure(&store).await;
    assert_eq!(facts(classify(&error)), (Kind::Permanent, Execution::NotExecuted), "{error:?}");
}

#[tokio::test]
async fn three_attempts_are_three_requests_and_with_the_stores_own_retries_many() {
    let path = Path::from("a");
    let server = Http::new(DOWN).await;
    at_once(read(&store(&server.url()), &path)).await.unwrap_err();
    assert_eq!(server.requests(), 3);

    // Nine, if the default's ten retries were two, and each failure one that is repeated.
    let server = Http::new(&[Answer::Close]).await;
    let moment = Duration::from_millis(1);
    let backoff = BackoffConfig { init_backoff: moment, max_backoff: 2 * moment, base: 2.0 };
    let retried = RetryConfig { backoff, max_retries: 2, ..RetryConfig::default() };
    at_once(read(&builder(&server.url()).with_retry(retried).build().unwrap(), &path))
        .await
        .unwrap_err();
    assert_eq!(server.requests(), 9);
}

// R126
#[test]
fn a_cause_that_causes_itself_is_permanent() {
    for kind in [HttpErrorKind::Connect, HttpErrorKind::Timeout, HttpErrorKind::Unknown] {
        let source = HttpError::new(kind, Cyclic).into();
        let error = Error::Generic { store: "test", source };
        assert_eq!(classify(&error).kind(), Kind::Permanent, "{kind:?}");
    }
}
