//! A client of the SDK, and functions around it as services write them.

use aws_sdk_sts::{
    Client,
    config::{BehaviorVersion, Credentials, Region, SharedCredentialsProvider, retry::RetryConfig},
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
        .behavior_version(BehaviorVersion::v2025_08_07())
        .region(Region::from_static("nowhere-1"))
        .credentials_provider(SharedCredentialsProvider::new(Credentials::new(
            "id", "key", None, None, "fixed",
        )))
        .endpoint_url(url)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .retry_config(RetryConfig::standard())
        .sleep_impl(SharedAsyncSleep::new(TokioSleep::new()))
}

/// Asks who one is, once as far as we are concerned.
///
/// # Errors
///
/// What the SDK says.
pub async fn account(client: &Client) -> Result<String, IdentityError> {
    let identity = client.get_caller_identity().send().await?;
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
