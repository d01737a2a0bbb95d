//! `kube` 5.

use std::error::Error as StdError;
use std::io;
use std::iter::successors;
use std::time::Duration;

use ::kube::api::PostParams;
use ::kube::core::Status;
use ::kube::core::response::reason;
use ::kube::{Api, Config, Error};
use hyper_util::client::legacy;
use k8s_openapi::api::core::v1::ConfigMap;
use stormless::{Budget, Classification, Cut, Retryable, budget, retry};

/// What an error of `kube` means for a retry, if its own retries are [off](unretried).
pub fn classify(error: &Error) -> Classification {
    match error {
        Error::Api(status) => by_status(status),
        Error::Service(source) => by_cause(source.as_ref()),
        Error::HyperError(source) => by_cause(source),
        Error::ReadEvents(source) => source.classify(),
        // Settings, credentials, requests that were never built, answers that nobody can read.
        _ => Classification::permanent(),
    }
}

/// The reason says more than the code, and is missing where a proxy answered for the API server.
fn by_status(status: &Status) -> Classification {
    let class = match status.reason.as_str() {
        // The server gave up waiting: for its own store, for instance, which may carry on.
        reason::TIMEOUT | reason::SERVER_TIMEOUT => Classification::timeout(),
        // For functions that read, change and write. What exists already exists after the next attempt, too.
        reason::CONFLICT => Classification::conflict(),
        _ => Classification::from_status(status.code),
    };
    let seconds = status.details.as_ref().map_or(0, |details| details.retry_after_seconds);
    class.retry_after(Duration::from_secs(seconds.into()))
}

fn by_cause(error: &(dyn StdError + 'static)) -> Classification {
    let causes = || successors(Some(error), |&error| error.source());
    // No real error causes itself, and hyper would look for its timeouts for ever.
    if causes().nth(16).is_some() {
        return Classification::permanent();
    }
    let io = || causes().find_map(|error| error.downcast_ref::<io::Error>());

    let connecting = causes()
        .filter_map(|error| error.downcast_ref::<legacy::Error>())
        .any(legacy::Error::is_connect);
    if connecting {
        // The name server's failures are here as well, and are known by nothing else.
        return match io().map(io::Error::kind) {
            Some(io::ErrorKind::TimedOut) => Classification::timeout().not_executed(),
            _ => Classification::transient(),
        };
    }
    if let Some(error) = causes().find_map(|error| error.downcast_ref::<hyper::Error>()) {
        if error.is_canceled() || error.is_closed() {
            return Classification::transient();
        }
        if error.is_incomplete_message() {
            return Classification::transient().maybe_executed();
        }
        if error.is_timeout() {
            return Classification::timeout();
        }
    }
    // A cut of stormless is one of these, too.
    io().map_or(Classification::permanent(), Retryable::classify)
}

/// Without the retries of `Client::try_from` and `ClientBuilder`.
pub fn unretried(mut config: Config) -> Config {
    config.default_retry = false;
    config
}

budget! { static KUBERNETES: Budget = Budget::new("kubernetes"); }

/// Sets one entry of a config map. Whoever else changed it meanwhile made this attempt a conflict, and the
/// next one reads what they wrote.
///
/// # Errors
///
/// What the API server says, or a cut at the deadline.
#[retry(classify = classify, cut_error = cut, deadline = "10s", budget = KUBERNETES, idempotent)]
pub async fn set(maps: &Api<ConfigMap>, name: &str, key: &str, value: &str) -> Result<(), Error> {
    let mut map = maps.get(name).await?;
    map.data.get_or_insert_default().insert(key.to_owned(), value.to_owned());
    maps.replace(name, &PostParams::default(), &map).await?;
    Ok(())
}

fn cut(cut: Cut) -> Error {
    Error::Service(io::Error::other(cut).into())
}

#[cfg(test)]
mod tests;
