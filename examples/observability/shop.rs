//! A service with four annotated functions, and the traffic that it gets.

use std::{sync::Arc, time::Duration};

use stormless::{Breaker, Budget, breaker, budget, retry};
use tokio::{
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

use crate::dependency::{Dependency, Schedule, ShopError};

budget! {
    /// What retries towards the order service are paid from, whoever makes them.
    pub(crate) static ORDERS: Budget = Budget::new("orders").burst(20).ratio(0.1);
    pub(crate) static PAYMENTS: Budget = Budget::new("payments").burst(10).ratio(0.1);
}

breaker! {
    /// Payments are left alone for a second when more than half of them fail.
    pub(crate) static PAYMENTS_BREAKER: Breaker = Breaker::new("payments")
        .failure_rate(0.5)
        .min_calls(20)
        .window(Duration::from_secs(2))
        .open_for(Duration::from_secs(1));
}

pub(crate) struct Shop {
    orders: Dependency,
    payments: Dependency,
    recommendations: Dependency,
}

impl Shop {
    pub(crate) fn new(schedule: Schedule) -> Self {
        Self {
            orders: Dependency::new(schedule, 1),
            payments: Dependency::new(schedule, 2),
            recommendations: Dependency::new(schedule, 3),
        }
    }

    /// A read with a limit on each attempt and on the whole: repeated whatever happened to it.
    #[retry(budget = ORDERS, base = "20ms", attempt_timeout = "120ms", deadline = "300ms", idempotent)]
    pub(crate) async fn fetch_order(&self) -> Result<(), ShopError> {
        self.orders.ask().await
    }

    /// Behind a breaker. Inside `checkout` it makes one attempt a time, and `checkout` does the retrying.
    #[retry(budget = PAYMENTS, breaker = PAYMENTS_BREAKER, base = "20ms")]
    pub(crate) async fn charge(&self) -> Result<(), ShopError> {
        self.payments.ask().await
    }

    /// Calls two others that retry as well. Three attempts of three would be nine; it stays at three.
    #[retry(budget = "orders", base = "30ms", deadline = "1s", idempotent)]
    pub(crate) async fn checkout(&self) -> Result<(), ShopError> {
        self.fetch_order().await?;
        self.charge().await
    }

    /// Names a budget that is declared nowhere, as a misspelt name would. It works, from a bucket with
    /// default numbers; the page, the metrics, the alert rules and `verify()` say so.
    #[retry(budget = "recomendations", base = "20ms")]
    pub(crate) async fn recommend(&self) -> Result<(), ShopError> {
        self.recommendations.ask().await
    }

    /// Calls it a hundred times a second until it is dropped; what is under way is dropped with it.
    pub(crate) async fn serve(self: Arc<Self>) {
        let mut ticks = interval(Duration::from_millis(20));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut requests = JoinSet::new();
        for request in 0_u64.. {
            ticks.tick().await;
            let shop = Arc::clone(&self);
            // The caller of this service gets the error; here it is only about what was counted.
            requests.spawn(async move {
                let _ = match request % 5 {
                    0 | 1 => shop.checkout().await,
                    2 => shop.charge().await,
                    3 => shop.recommend().await,
                    _ => shop.fetch_order().await,
                };
            });
            let shop = Arc::clone(&self);
            requests.spawn(async move {
                let _ = shop.fetch_order().await;
            });
            while requests.try_join_next().is_some() {}
        }
    }
}
