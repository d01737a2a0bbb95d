//! `&self` methods: tonic's clients want `&mut self`, and are cheap to clone for each call.

use std::time::Duration;

use stormless::{RetryError, retry};
use tonic::{Streaming, transport::Channel};

use super::{
    PATIENT, WAREHOUSE, WarehouseError,
    generated::{
        AdjustRequest, GetStockRequest, ListStockRequest, ListStockResponse, ReleaseRequest,
        Reservation, ReserveRequest, Stock, WatchRequest, warehouse_client::WarehouseClient,
    },
    request,
};

/// How long one stream is listened to for a change.
const CHANGE_WITHIN: Duration = Duration::from_secs(1);

/// The warehouse as the rest of a service sees it.
#[derive(Clone, Debug)]
pub struct WarehouseApi {
    client: WarehouseClient<Channel>,
}

impl WarehouseApi {
    /// Over a channel that others may use as well.
    #[must_use]
    pub fn new(channel: Channel) -> Self {
        Self { client: WarehouseClient::new(channel) }
    }

    /// What is on hand of one article.
    #[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
    pub async fn stock(&self, sku: &str) -> Result<i64, WarehouseError> {
        let message = GetStockRequest { sku: sku.to_owned() };
        let stock = self.client.clone().get_stock(request(message)).await?;
        Ok(stock.into_inner().on_hand)
    }

    /// As [`stock`](Self::stock), for a caller who wants to know why there was no answer.
    #[retry(policy = PATIENT, budget = WAREHOUSE, attempts = 2, idempotent)]
    pub async fn stock_or_why(&self, sku: &str) -> Result<i64, RetryError<WarehouseError>> {
        let message = GetStockRequest { sku: sku.to_owned() };
        Ok(self.client.clone().get_stock(request(message)).await?.into_inner().on_hand)
    }

    /// One page of all articles.
    #[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
    pub async fn page(
        &self,
        page_size: u32,
        page_token: &str,
    ) -> Result<ListStockResponse, WarehouseError> {
        let message = ListStockRequest { page_size, page_token: page_token.to_owned() };
        Ok(self.client.clone().list_stock(request(message)).await?.into_inner())
    }

    /// Reserves some of an article, once: the key tells the server of a repetition.
    #[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
    pub async fn reserve(&self, sku: &str, quantity: u32) -> Result<Reservation, WarehouseError> {
        let message = ReserveRequest { sku: sku.to_owned(), quantity };
        Ok(self.client.clone().reserve(request(message)).await?.into_inner())
    }

    /// Reserves as the order says by whose number the server knows a repetition.
    #[retry(
        policy = PATIENT,
        budget = WAREHOUSE,
        idempotent,
        idempotency_key = order,
        clone(message)
    )]
    pub async fn reserve_for(
        &self,
        order: u64,
        message: ReserveRequest,
    ) -> Result<Reservation, WarehouseError> {
        Ok(self.client.clone().reserve(request(message)).await?.into_inner())
    }

    /// Gives back what was reserved. Whatever happens, it has two seconds, and the server is told so.
    #[retry(policy = PATIENT, budget = WAREHOUSE, deadline = "2s", idempotent)]
    pub async fn release(&self, reservation: &Reservation) -> Result<(), WarehouseError> {
        let message = ReleaseRequest { id: reservation.id.clone() };
        self.client.clone().release(request(message)).await?;
        Ok(())
    }

    /// Adds to what is on hand, or takes from it: a repetition would do so twice.
    #[retry(policy = PATIENT, budget = WAREHOUSE)]
    pub async fn adjust(&self, sku: &str, by: i64) -> Result<i64, WarehouseError> {
        let message = AdjustRequest { sku: sku.to_owned(), by };
        Ok(self.client.clone().adjust(request(message)).await?.into_inner().on_hand)
    }

    /// Opens a stream of changes. What it says once it is open is the caller's concern.
    #[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
    pub async fn watch(&self, sku: &str) -> Result<Streaming<Stock>, WarehouseError> {
        let message = WatchRequest { sku: sku.to_owned() };
        Ok(self.client.clone().watch(request(message)).await?.into_inner())
    }

    /// The next change of an article: a stream that breaks off before it is opened again.
    #[retry(
        policy = PATIENT,
        budget = WAREHOUSE,
        attempt_timeout = CHANGE_WITHIN,
        idempotent
    )]
    pub async fn next_change(&self, sku: &str) -> Result<Stock, WarehouseError> {
        let message = WatchRequest { sku: sku.to_owned() };
        let mut changes = self.client.clone().watch(request(message)).await?.into_inner();
        changes.message().await?.ok_or(WarehouseError::EndOfStream)
    }

    /// All changes up to the end of the stream, handed over only when they are all there.
    #[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
    pub async fn all_changes(&self, sku: &str) -> Result<Vec<Stock>, WarehouseError> {
        let message = WatchRequest { sku: sku.to_owned() };
        let mut changes = self.client.clone().watch(request(message)).await?.into_inner();
        let mut all = Vec::new();
        while let Some(stock) = changes.message().await? {
            all.push(stock);
        }
        Ok(all)
    }
}
