//! How often and how fast, and who pays.

use std::{f64::consts::E, time::Duration};

use stormless::{Backoff, BackoffContext, Budget, Policy, budget, retry};
use tokio::time::sleep;

use crate::{
    client::Client,
    errors::{Down, OrderError},
};

budget! {
    /// Pays for retries towards the order service.
    pub static ORDERS: Budget = Budget::new("orders").burst(20).ratio(0.1);
}

static STOCK: Budget = Budget::new("stock").burst(5);
const TRIES: u32 = 4;
const FIRST: Duration = Duration::from_millis(20);
const PATIENT: Policy = Policy::new().attempts(6).base(Duration::from_millis(200));
const PLUS_A_BIT: Backoff = Backoff::exponential_plus(Duration::from_millis(100));

const fn by_attempt(context: &BackoffContext<'_>) -> Duration {
    Duration::from_millis(100).saturating_mul(context.attempt())
}

/// Without settings.
///
/// # Errors
///
/// The service's.
#[retry]
pub async fn fetch(client: &Client, id: u64) -> Result<String, OrderError> {
    Ok(client.send(&format!("get {id}")).await?)
}

/// Every number and word about the backoff, and a budget by its name.
///
/// # Errors
///
/// The service's.
#[retry(
    attempts = 5,
    backoff = "equal_jitter",
    base = "100ms",
    max = "2s",
    factor = 1.5,
    max_retry_after = "30s",
    budget = "orders"
)]
pub async fn list(client: &Client) -> Result<Vec<String>, OrderError> {
    Ok(client.send("list").await?.lines().map(str::to_owned).collect())
}

/// Numbers from consts, and a budget by its path.
///
/// # Errors
///
/// The service's.
#[retry(attempts = TRIES, base = FIRST, max = Duration::MAX, factor = E, budget = ORDERS)]
pub async fn count(client: &Client) -> Result<u64, OrderError> {
    Ok(client.send("count").await?.trim().parse()?)
}

/// The backoff is a function.
///
/// # Errors
///
/// The service's.
#[retry(backoff = by_attempt, budget = &STOCK)]
pub async fn stock(client: &Client, article: u64) -> Result<u64, OrderError> {
    Ok(client.send(&format!("stock {article}")).await?.trim().parse()?)
}

/// The backoff is a const; nobody pays.
///
/// # Errors
///
/// The service's.
#[retry(backoff = PLUS_A_BIT, base = "500ms", max = "30s", budget = none)]
pub async fn warm_up(client: &Client) -> Result<(), OrderError> {
    client.tell("ping").await?;
    Ok(())
}

/// Once, and the argument is consumed.
///
/// # Errors
///
/// The service's.
#[retry(attempts = 1)]
pub async fn once(client: &Client, line: String) -> Result<String, OrderError> {
    client.tell(&line).await?;
    Ok(line)
}

/// A loop that supervises.
///
/// # Errors
///
/// Those that no retry helps.
#[retry(attempts = "unlimited", deadline = none, budget = none, inner = "allow")]
pub async fn stay_connected(client: &Client) -> Result<(), OrderError> {
    loop {
        warm_up(client).await?;
        sleep(Duration::from_secs(30)).await;
    }
}

/// A shared policy, with one number of its own.
///
/// # Errors
///
/// Always that it is down.
#[retry(policy = PATIENT, attempts = 2)]
pub async fn patient(client: &Client) -> Result<(), Down> {
    client.tell("ping").await.or(Err(Down))
}

/// What each tenant has of its own.
#[derive(Debug)]
pub struct Tenant {
    policy: Policy,
    budget: &'static Budget,
    client: Client,
}

impl Tenant {
    /// A tenant with the policy from its configuration.
    #[must_use]
    pub const fn new(policy: Policy, budget: &'static Budget, client: Client) -> Self {
        Self { policy, budget, client }
    }

    /// Policy and budget are those of the receiver.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry(policy = self.policy, budget = self.budget)]
    pub async fn orders(&self) -> Result<String, OrderError> {
        Ok(self.client.send("list").await?)
    }

    /// The same, with what the policy is overridden by.
    ///
    /// # Errors
    ///
    /// The service's.
    #[retry(policy = self.policy, attempts = 2, base = "1ms", idempotent = self.harmless(line))]
    pub async fn send(&self, line: &str) -> Result<String, OrderError> {
        Ok(self.client.send(line).await?)
    }

    fn harmless(&self, line: &str) -> bool {
        line.starts_with("get") && !self.budget.is_off()
    }
}
