//! A warehouse that answers by script.

#![allow(dead_code, reason = "each file of tests uses its part of this")]

use std::time::Duration;

use example_suite::{Transport, WarehouseError};
use stormless::testing::Script;

/// One script for each kind of request. A request that no script knows of fails the test.
pub(crate) struct Warehouse {
    pub(crate) stock: Script<Result<u32, WarehouseError>>,
    pub(crate) reserve: Script<Result<(), WarehouseError>>,
}

impl Warehouse {
    /// It expects no request.
    pub(crate) fn new() -> Self {
        Self { stock: Script::new([]).named("stock"), reserve: Script::new([]).named("reserve") }
    }

    pub(crate) fn stock(
        self,
        answers: impl IntoIterator<Item = Result<u32, WarehouseError>>,
    ) -> Self {
        Self { stock: Script::new(answers).named("stock"), ..self }
    }

    pub(crate) fn reserve(
        self,
        answers: impl IntoIterator<Item = Result<(), WarehouseError>>,
    ) -> Self {
        Self { reserve: Script::new(answers).named("reserve"), ..self }
    }

    /// Nobody is there, however often one asks.
    pub(crate) fn down() -> Self {
        let mut down = Self::new();
        down.stock = down.stock.then(|_| Err(WarehouseError::Unavailable));
        down.reserve = down.reserve.then(|_| Err(WarehouseError::Unavailable));
        down
    }

    /// Every answer was asked for.
    #[track_caller]
    pub(crate) fn assert_used_up(&self) {
        self.stock.assert_used_up();
        self.reserve.assert_used_up();
    }
}

impl Transport for Warehouse {
    async fn stock(&self, _: u32) -> Result<u32, WarehouseError> {
        self.stock.next().await
    }

    async fn reserve(&self, _: u32) -> Result<(), WarehouseError> {
        self.reserve.next().await
    }
}

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}
