//! `&mut self` methods, on a client with an interceptor that signs every request.

use stormless::retry;
use tonic::{
    Request, Status,
    metadata::{Ascii, MetadataValue},
    service::{Interceptor, interceptor::InterceptedService},
    transport::Channel,
};

use super::{
    PATIENT, WAREHOUSE, WarehouseError,
    generated::{
        AdjustRequest, GetStockRequest, Reservation, ReserveRequest, Stock, WatchRequest,
        warehouse_client::WarehouseClient,
    },
    request,
};

#[derive(Clone, Debug)]
struct Bearer(MetadataValue<Ascii>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        request.metadata_mut().insert("authorization", self.0.clone());
        Ok(request)
    }
}

/// One user's session, which counts what it asked for.
#[derive(Debug)]
pub struct Session {
    client: WarehouseClient<InterceptedService<Channel, Bearer>>,
    requests: u32,
}

impl Session {
    /// A session of the user to whom this token belongs.
    ///
    /// # Errors
    ///
    /// A token that cannot be sent is refused as the server would refuse it.
    pub fn new(channel: Channel, token: &str) -> Result<Self, WarehouseError> {
        let bearer = format!("Bearer {token}").parse().map(Bearer);
        let bearer = bearer.map_err(|_| Status::unauthenticated("no token"))?;
        Ok(Self { client: WarehouseClient::with_interceptor(channel, bearer), requests: 0 })
    }

    /// How many requests were made, repetitions included.
    #[must_use]
    pub fn requests(&self) -> u32 {
        self.requests
    }

    /// What is on hand.
    #[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
    pub async fn stock(&mut self, sku: &str) -> Result<i64, WarehouseError> {
        self.requests += 1;
        let message = GetStockRequest { sku: sku.to_owned() };
        Ok(self.client.get_stock(request(message)).await?.into_inner().on_hand)
    }

    /// Reserves, with a client of the session's own: no clone of it is made for an attempt.
    #[retry(policy = PATIENT, budget = WAREHOUSE, clone(message), idempotent)]
    pub async fn reserve(
        &mut self,
        message: ReserveRequest,
    ) -> Result<Reservation, WarehouseError> {
        self.requests += 1;
        let reservation = self.client.reserve(request(message)).await?;
        Ok(reservation.into_inner())
    }

    /// Adds to what is on hand, unless nobody knows whether it was done.
    #[retry(policy = PATIENT, budget = WAREHOUSE)]
    pub async fn adjust(&mut self, sku: &str, by: i64) -> Result<Stock, WarehouseError> {
        let Self { client, requests } = self;
        *requests += 1;
        let message = AdjustRequest { sku: sku.to_owned(), by };
        client.adjust(request(message)).await.map(tonic::Response::into_inner).map_err(Into::into)
    }

    /// Listens until the article is there in that number, and opens the stream again where it ends.
    #[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
    pub async fn wait_for(&mut self, sku: &str, on_hand: i64) -> Result<Stock, WarehouseError> {
        self.requests += 1;
        let message = WatchRequest { sku: sku.to_owned() };
        let mut changes = self.client.watch(request(message)).await?.into_inner();
        while let Some(stock) = changes.message().await? {
            if stock.on_hand >= on_hand {
                return Ok(stock);
            }
        }
        Err(WarehouseError::EndOfStream)
    }
}
