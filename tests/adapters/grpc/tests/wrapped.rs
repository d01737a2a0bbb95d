//! Statuses inside errors of one's own, and errors of all kinds inside statuses.

mod support;

use std::{error::Error, fmt, sync::Arc, time::Duration};

use adapters_grpc::ask;
use stormless::{
    Classification, Execution, FailedAttempt, Kind, Retryable, StopReason, retry, tonic::classify,
};
use support::{Tested, done, run, says, serve};
use tonic::{Code, ConnectError, Status, transport::Channel};

#[derive(Debug, Retryable)]
enum OrderError {
    #[retryable(forward)]
    Warehouse(Status),
    #[retryable(permanent)]
    Empty,
}

#[retry(base = "1ms", max = "5ms", max_retry_after = "10s", idempotent)]
async fn order(channel: &Channel, items: u32) -> Result<(), OrderError> {
    if items == 0 {
        return Err(OrderError::Empty);
    }
    ask(channel).await.map_err(OrderError::Warehouse)
}

#[test]
fn a_status_that_is_forwarded_says_what_it_says_itself() {
    for code in (1..=16).map(Code::from_i32) {
        let mut status = Status::new(code, "");
        status.metadata_mut().insert("retry-after", "2".parse().expect("a value"));
        let (class, label) = (status.classify(), status.label());
        let error = OrderError::Warehouse(status);
        assert_eq!((error.classify(), error.label()), (class, label));
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_acts_on_a_status_that_is_forwarded() -> Tested {
    const PUSHBACK: &str = "grpc-retry-pushback-ms";
    let answers = [
        says(Code::Unavailable, &[]),
        says(Code::ResourceExhausted, &[(PUSHBACK, "4000")]),
        done(),
    ];
    let (server, channel) = serve(answers)?;
    let (result, call) = run(order(&channel, 1)).await;
    assert!(result.is_ok());
    let labels: Vec<_> = call.failures().iter().map(FailedAttempt::label).collect();
    assert_eq!(labels, ["UNAVAILABLE", "RESOURCE_EXHAUSTED"]);
    assert_eq!((call.attempts(), server.hits().requests), (3, 3));
    assert!(call.slept() >= Duration::from_secs(4), "{:?}", call.slept());

    for (answer, reason) in [
        (says(Code::NotFound, &[]), StopReason::Permanent),
        (says(Code::ResourceExhausted, &[(PUSHBACK, "-1")]), StopReason::ServerRefusedRetry),
    ] {
        let (server, channel) = serve([answer, done()])?;
        let (result, call) = run(order(&channel, 1)).await;
        assert!(matches!(result, Err(OrderError::Warehouse(_))));
        assert_eq!((call.reason(), server.hits().requests), (Some(reason), 1));
    }

    let (_server, channel) = serve([done()])?;
    assert!(matches!(order(&channel, 0).await, Err(OrderError::Empty)));
    Ok(())
}

/// An error that names itself as its own cause.
#[derive(Debug)]
struct Cyclic;

impl fmt::Display for Cyclic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("round and round")
    }
}

impl Error for Cyclic {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self)
    }
}

const ENDLESS: Classification = Classification::permanent().maybe_executed();

// R126
#[test]
fn a_cause_that_causes_itself_is_looked_at_for_a_while_and_is_permanent() {
    for code in (1..=16).map(Code::from_i32) {
        let sources: [Arc<dyn Error + Send + Sync>; 2] =
            [Arc::new(Cyclic), Arc::new(ConnectError(Cyclic.into()))];
        for source in sources {
            // `Status::from_error` would follow the chain for ever by itself.
            let mut status = Status::new(code, "");
            status.set_source(source);
            assert_eq!((status.classify(), status.label()), (ENDLESS, "_OTHER"), "{code:?}");
            assert_eq!(classify(&status), ENDLESS);
        }
    }
    let connecting = classify(&ConnectError(Cyclic.into()));
    assert_eq!(
        (connecting.kind(), connecting.execution()),
        (Kind::Permanent, Execution::MaybeExecuted)
    );
    assert_eq!(classify(&Cyclic), Classification::permanent());
}
