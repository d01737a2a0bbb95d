//! What surrounds the resource: health, credentials, search, and other hosts.

use std::{fmt, time::Duration};

use reqwest::{Client, IntoUrl, StatusCode};
use serde::{Deserialize, de::DeserializeOwned};
use stormless::{Classification, RetryError, deadline, retry};

use super::{ApiClient, ApiError, ORDERS_API, PATIENT, send};

/// What requests are authorized by.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Token {
    value: String,
}

/// Tokens do not belong into logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Hits {
    /// Orders that match.
    pub ids: Vec<u64>,
    /// Whether some part of the index did not answer.
    pub partial: bool,
}

impl ApiClient {
    /// Whether the API lives at this moment: a second look would answer another question.
    #[retry(attempts = 1, budget = ORDERS_API)]
    pub async fn healthy(&self) -> Result<(), ApiError> {
        send(self.http.get(self.url("/health"))).await.map(drop)
    }

    /// A new token. Whoever needs one waits for it, so it is fetched within two seconds or not at all.
    #[retry(policy = PATIENT, budget = ORDERS_API, deadline = "2s", min_remaining = "5ms", idempotent)]
    pub async fn refresh_token(&self, secret: &str) -> Result<Token, ApiError> {
        let mut request = self.http.post(self.url("/token")).json(&[secret]);
        if let Some(left) = deadline::remaining() {
            request = request.timeout(left);
        }
        match send(request).await {
            Err(ApiError::Refused { status: StatusCode::UNAUTHORIZED, .. }) => {
                Err(ApiError::Unauthorized)
            }
            Err(error) => Err(error),
            Ok(response) => Ok(response.json().await?),
        }
    }

    /// Who the caller is. The token is refreshed inside of the attempt, where the inner call does not
    /// retry: this one does, for both.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn who_am_i(&self, secret: &str) -> Result<String, ApiError> {
        let mut kept = self.token.lock().await;
        let token = match &*kept {
            Some(token) => token.clone(),
            None => kept.insert(self.refresh_token(secret).await?).clone(),
        };
        drop(kept);
        let answer = send(self.http.get(self.url("/me")).bearer_auth(&token.value)).await;
        if let Err(ApiError::Refused { status: StatusCode::UNAUTHORIZED, .. }) = answer {
            self.token.lock().await.take();
        }
        Ok(answer?.text().await?)
    }

    /// A search that may come back before all of the index has answered: worth another try, and if
    /// there is none left, better than nothing.
    #[retry(
        policy = PATIENT,
        attempts = 3,
        budget = ORDERS_API,
        classify_result = |found| match found {
            Ok(hits) if hits.partial => Some(Classification::transient()),
            _ => None,
        },
        idempotent
    )]
    pub async fn search(&self, text: &str) -> Result<Hits, ApiError> {
        Ok(send(self.http.get(self.url("/search")).query(&[("q", text)])).await?.json().await?)
    }

    /// A count for a page's corner: the caller says how long it is worth waiting for, and learns why
    /// there was none.
    #[retry(policy = PATIENT, budget = ORDERS_API, deadline = within, idempotent)]
    pub async fn count_orders(&self, within: Duration) -> Result<u64, RetryError<ApiError>> {
        let text = send(self.http.get(self.url("/orders/count"))).await?.text().await?;
        text.trim().parse().map_err(|_| ApiError::NotUnderstood)
    }
}

/// JSON from anywhere, for whatever type the caller wants.
#[retry(policy = PATIENT, budget = "services.orders", clone(url), idempotent)]
pub async fn fetch_json<T, U>(http: &Client, url: U) -> Result<T, ApiError>
where
    T: DeserializeOwned,
    U: IntoUrl + Clone + Send,
{
    Ok(send(http.get(url)).await?.json().await?)
}
