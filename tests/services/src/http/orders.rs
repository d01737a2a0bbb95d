//! The resource itself: one method for each thing that the API can do with an order.

use reqwest::{StatusCode, header::IF_MATCH};
use serde::{Deserialize, Serialize};
use stormless::{current, retry};

use super::{ApiClient, ApiError, ORDERS_API, PATIENT, send};

/// An order as the API knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Given by the API.
    pub id: u64,
    /// What was ordered.
    pub item: String,
    /// Counts the changes.
    pub revision: u32,
}

/// An order that the API does not know yet.
#[derive(Clone, Debug, Serialize)]
pub struct NewOrder {
    /// What is ordered.
    pub item: String,
}

/// What is to be changed in an order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    /// Another item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
}

/// Which orders to list.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OrderQuery<'a> {
    /// Only orders of this item.
    pub item: Option<&'a str>,
    /// Orders on a page.
    pub limit: u32,
}

/// Some of the orders, and where the others begin.
#[derive(Clone, Debug, Deserialize)]
pub struct Page<T> {
    /// What is on this page.
    pub items: Vec<T>,
    /// The next page, if there is one.
    pub next: Option<String>,
}

impl ApiClient {
    /// An order that must exist.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn order(&self, id: u64) -> Result<Order, ApiError> {
        let request = self.http.get(self.url(&format!("/orders/{id}")));
        Ok(send(request).await?.json().await?)
    }

    /// An order that may exist.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn find_order(&self, id: u64) -> Result<Option<Order>, ApiError> {
        match send(self.http.get(self.url(&format!("/orders/{id}")))).await {
            Ok(response) => Ok(Some(response.json().await?)),
            Err(ApiError::Refused { status: StatusCode::NOT_FOUND, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// One page of a list.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn order_page(
        &self,
        query: &OrderQuery<'_>,
        page: Option<&str>,
    ) -> Result<Page<Order>, ApiError> {
        let mut request = self.http.get(self.url("/orders")).query(query);
        if let Some(page) = page {
            request = request.query(&[("page", page)]);
        }
        Ok(send(request).await?.json().await?)
    }

    /// All pages of a list, each retried by itself: what was read is not read again.
    pub async fn all_orders(&self, query: &OrderQuery<'_>) -> Result<Vec<Order>, ApiError> {
        let mut orders = Vec::new();
        let mut page = None;
        loop {
            let read = self.order_page(query, page.as_deref()).await?;
            orders.extend(read.items);
            match read.next {
                Some(next) => page = Some(next),
                None => return Ok(orders),
            }
        }
    }

    /// Creates an order. The key is the same on all attempts, so a repetition creates no second one.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn create_order(&self, order: &NewOrder) -> Result<Order, ApiError> {
        let mut request = self.http.post(self.url("/orders")).json(order);
        if let Some(attempt) = current() {
            request = request.header("idempotency-key", attempt.idempotency_key().to_string());
        }
        Ok(send(request).await?.json().await?)
    }

    /// Puts an order in the place of what was there, which comes out the same however often it is done.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn replace_order(&self, order: &Order) -> Result<(), ApiError> {
        let request = self.http.put(self.url(&format!("/orders/{}", order.id))).json(order);
        send(request).await.map(drop)
    }

    /// Changes an order. Nobody knows whether a lost request was carried out, and a second one would
    /// fail for its revision: so it is repeated only where the server says that it did nothing.
    #[retry(policy = PATIENT, budget = ORDERS_API)]
    pub async fn patch_order(&self, order: &Order, changes: Changes) -> Result<Order, ApiError> {
        let request = self
            .http
            .patch(self.url(&format!("/orders/{}", order.id)))
            .header(IF_MATCH, order.revision)
            .json(&changes);
        Ok(send(request).await?.json().await?)
    }

    /// Cancels an order; whether there was one to cancel. What an earlier attempt may have cancelled
    /// already is no surprise to a later one.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn cancel_order(&self, id: u64) -> Result<bool, ApiError> {
        match send(self.http.delete(self.url(&format!("/orders/{id}")))).await {
            Ok(_) => Ok(true),
            Err(ApiError::Refused { status: StatusCode::NOT_FOUND, .. }) => {
                Ok(current().is_some_and(|attempt| attempt.is_retry()))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether there is such an order.
    #[retry(policy = PATIENT, budget = ORDERS_API, idempotent)]
    pub async fn order_exists(&self, id: u64) -> Result<bool, ApiError> {
        let response = self.http.head(self.url(&format!("/orders/{id}"))).send().await?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(false),
            status if status.is_success() => Ok(true),
            status => Err(ApiError::Refused { status, wait: None }),
        }
    }
}
