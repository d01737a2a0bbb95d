//! A client of the SDK, and functions around it as services write them.

#![forbid(unsafe_code)]

use std::time::Duration;

use aws_sdk_sts::{
    Client,
    config::{
        BehaviorVersion, Credentials, Region, SharedCredentialsProvider,
        StalledStreamProtectionConfig, retry::RetryConfig,
    },
    error::SdkError,
    operation::get_caller_identity::GetCallerIdentityError,
};
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_types::{SdkConfig, sdk_config::Builder};
use stormless::retry;

/// What asking who one is can end with.
pub type IdentityError = SdkError<GetCallerIdentityError>;

/// A configuration for a server on loopback, as `aws_config::load_defaults` would give one.
#[must_use]
pub fn config(url: String) -> Builder {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("nowhere-1"))
        .credentials_provider(SharedCredentialsProvider::new(Credentials::new(
            "id", "key", None, None, "fixed",
        )))
        .endpoint_url(url)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        // Three attempts; loopback needs none of the seconds between them.
        .retry_config(RetryConfig::standard().with_initial_backoff(Duration::from_millis(1)))
        // Its timers would pass at once in a test that stops time.
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
}

/// Asks who one is, once as far as we are concerned.
///
/// # Errors
///
/// What the SDK says.
pub async fn account(client: &Client) -> Result<String, IdentityError> {
    // The SDK's futures take tens of kilobytes.
    let identity = Box::pin(client.get_caller_identity().send()).await?;
    Ok(identity.account.unwrap_or_default())
}

/// Asks three times at most. Who one is may be asked any number of times.
///
/// # Errors
///
/// What the SDK says of the last attempt.
#[retry(base = "1ms", max = "5ms", max_retry_after = "10s", idempotent)]
pub async fn account_again(client: &Client) -> Result<String, IdentityError> {
    account(client).await
}

/// The page about this adapter is compiled like every other.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/adapters/aws.md")]
struct Page;
