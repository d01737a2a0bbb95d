//! What becomes of broken connections: real ones, whatever tonic makes of them in either build.

use std::{error::Error, time::Duration};

use adapters_grpc::{ask, ask_within};
use faults::{Script, Server, h1, h2};
use stormless::{
    Execution::{self, MaybeExecuted, NotExecuted},
    Kind::{self, Permanent, Throttled, Timeout, Transient},
    Retryable,
};
use tonic::{Status, transport::Endpoint};

type Tested = Result<(), Box<dyn Error>>;

async fn refused_by(script: Script) -> Result<Status, Box<dyn Error>> {
    let server = Server::start(script)?;
    let channel = Endpoint::from_shared(server.url(""))?.connect_lazy();
    ask(&channel).await.err().ok_or_else(|| "an answer".into())
}

fn facts(status: &Status) -> (Kind, Execution, &'static str) {
    let class = status.classify();
    (class.kind(), class.execution(), status.label())
}

#[tokio::test]
async fn a_stream_or_a_connection_that_ends_is_known_by_its_cause() -> Tested {
    let half = |code| {
        let head = h2::headers(200, &[("content-type", "application/grpc")], false);
        vec![head, h2::Step::Reset(code)]
    };
    for (name, script, kind, execution, label) in [
        ("refused", Script::refused(), Transient, NotExecuted, "connection_refused"),
        (
            "refused stream",
            Script::streams([h2::reset(h2::REFUSED_STREAM)]),
            Transient,
            NotExecuted,
            "h2_refused_stream",
        ),
        (
            "cancelled stream",
            Script::streams([h2::reset(h2::CANCEL)]),
            Transient,
            MaybeExecuted,
            "h2_cancel",
        ),
        (
            "calmed stream",
            Script::streams([h2::reset(h2::ENHANCE_YOUR_CALM)]),
            Throttled,
            MaybeExecuted,
            "h2_enhance_your_calm",
        ),
        (
            "broken stream",
            Script::streams([h2::reset(h2::INTERNAL_ERROR)]),
            Transient,
            MaybeExecuted,
            "h2_internal_error",
        ),
        (
            "broken after the head",
            Script::streams([half(h2::INTERNAL_ERROR)]),
            Transient,
            MaybeExecuted,
            "h2_internal_error",
        ),
        (
            "going away, not taken",
            Script::streams([h2::go_away_before(h2::NO_ERROR)]),
            Transient,
            NotExecuted,
            "h2_no_error",
        ),
    ] {
        let status = refused_by(script).await?;
        assert_eq!(facts(&status), (kind, execution, label), "{name}: {status:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_connection_that_is_lost_during_the_call_may_have_carried_it() -> Tested {
    for (name, script) in [
        ("closed", Script::streams([h2::close()])),
        ("reset", Script::streams([h2::abort()])),
        ("going away, taken", Script::streams([h2::go_away_after(h2::NO_ERROR)])),
    ] {
        let status = refused_by(script).await?;
        let (kind, execution, label) = facts(&status);
        assert_eq!((kind, execution), (Transient, MaybeExecuted), "{name}: {status:?}");
        // Whether the end or the reset is seen first is up to the kernel.
        let io = ["broken_pipe", "connection_reset", "unexpected_eof"];
        assert!(io.contains(&label), "{name}: {label} {status:?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_connection_that_is_lost_before_the_call_is_transient_however_far_it_got() -> Tested {
    for script in [Script::connections([h1::close()]), Script::connections([vec![h1::Step::Reset]])]
    {
        let status = refused_by(script).await?;
        assert_eq!(status.classify().kind(), Transient, "{status:?}");
    }
    Ok(())
}

#[tokio::test]
async fn what_is_not_http_is_not_asked_again() -> Tested {
    let status = refused_by(Script::connections([h1::garbage()])).await?;
    assert_eq!(facts(&status), (Permanent, MaybeExecuted, "h2_frame_size_error"), "{status:?}");
    Ok(())
}

#[tokio::test]
async fn a_name_that_nobody_knows_was_never_connected_to() -> Tested {
    for nobody in ["http://nobody.invalid:1", "unix:///no/such/socket"] {
        let status = ask(&Endpoint::from_static(nobody).connect_lazy()).await.unwrap_err();
        assert_eq!(facts(&status), (Transient, NotExecuted, "connect"), "{status:?}");
    }
    Ok(())
}

const PATIENCE: Duration = Duration::from_secs(3);

#[tokio::test(start_paused = true)]
async fn the_clients_own_limits_are_timeouts_although_tonic_says_cancelled() -> Tested {
    let server = Server::start(Script::streams([h2::stall()]))?;
    let endpoint = Endpoint::from_shared(server.url(""))?;
    let limited = ask(&endpoint.clone().timeout(PATIENCE).connect_lazy()).await.unwrap_err();
    let told = ask_within(&endpoint.connect_lazy(), PATIENCE).await.unwrap_err();
    for status in [limited, told] {
        assert_eq!(status.code(), tonic::Code::Cancelled);
        assert_eq!(facts(&status), (Timeout, MaybeExecuted, "timeout_expired"), "{status:?}");
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_does_not_come_about_in_time_carried_nothing() -> Tested {
    let server = Server::start(Script::deaf())?;
    let endpoint = Endpoint::from_shared(server.url(""))?.connect_timeout(PATIENCE);
    let status = ask(&endpoint.connect_lazy()).await.unwrap_err();
    assert_eq!(facts(&status), (Timeout, NotExecuted, "connect_timeout"), "{status:?}");
    Ok(())
}
