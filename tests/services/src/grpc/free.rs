//! Functions that are handed a client: borrowed, owned, and of whatever transport.

use std::error::Error;

use stormless::retry;
use tonic::{
    Status,
    body::Body,
    client::GrpcService,
    codegen::{Body as HttpBody, Bytes},
    transport::Channel,
};

use super::{
    PATIENT, WAREHOUSE, WarehouseError,
    generated::{
        AdjustRequest, GetStockRequest, ReserveRequest, warehouse_client::WarehouseClient,
    },
    request,
};

/// What is on hand, by a client that is borrowed.
#[retry(policy = PATIENT, budget = WAREHOUSE, idempotent)]
pub async fn stock_of(
    client: &mut WarehouseClient<Channel>,
    sku: impl Into<String> + Copy + Send + Sync,
) -> Result<i64, WarehouseError> {
    let stock = client.get_stock(request(GetStockRequest { sku: sku.into() })).await?;
    Ok(stock.into_inner().on_hand)
}

/// Adds to what is on hand, by a client that is the function's own.
#[retry(policy = PATIENT, budget = WAREHOUSE, clone(client, sku))]
pub async fn adjust_stock(
    mut client: WarehouseClient<Channel>,
    sku: String,
    by: i64,
) -> Result<i64, WarehouseError> {
    let stock = client.adjust(request(AdjustRequest { sku, by })).await?;
    Ok(stock.into_inner().on_hand)
}

/// Reserves several articles at a time; all of them again if one fails, each with its own key.
#[retry(policy = PATIENT, budget = WAREHOUSE, idempotent, idempotency_key = order)]
pub async fn reserve_all(
    client: &WarehouseClient<Channel>,
    order: &str,
    articles: &[(&str, u32)],
) -> Result<Vec<String>, WarehouseError> {
    let mut ids = Vec::with_capacity(articles.len());
    for &(sku, quantity) in articles {
        let mut client = client.clone();
        let mut message = request(ReserveRequest { sku: sku.to_owned(), quantity });
        let key = format!("{order}/{sku}").parse();
        let key = key.map_err(|_| Status::invalid_argument("an article's name is no key"))?;
        message.metadata_mut().insert("idempotency-key", key);
        ids.push(client.reserve(message).await?.into_inner().id);
    }
    Ok(ids)
}

/// What is on hand of the first of these articles that the warehouse knows, over any transport.
#[retry(policy = PATIENT, budget = "services.warehouse", idempotent)]
pub async fn any_stock<T>(
    client: &mut WarehouseClient<T>,
    skus: &[String],
) -> Result<Option<i64>, WarehouseError>
where
    T: GrpcService<Body> + Send,
    T::Error: Into<Box<dyn Error + Send + Sync>>,
    T::Future: Send,
    T::ResponseBody: HttpBody<Data = Bytes> + Send + 'static,
    <T::ResponseBody as HttpBody>::Error: Into<Box<dyn Error + Send + Sync>> + Send,
{
    for sku in skus {
        match client.get_stock(request(GetStockRequest { sku: sku.clone() })).await {
            Ok(stock) => return Ok(Some(stock.into_inner().on_hand)),
            Err(status) if status.code() == tonic::Code::NotFound => {}
            Err(status) => return Err(status.into()),
        }
    }
    Ok(None)
}
