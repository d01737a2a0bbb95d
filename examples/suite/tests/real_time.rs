//! A suite whose time is real: with `no_delays` nothing is slept. And one that has nothing to do with retries.

mod support;

use std::time::{Duration, Instant};

use example_suite::{WarehouseError, order, stock};
use stormless::testing::{self, isolated, schedule};
use support::{Warehouse, ms};

#[tokio::test]
async fn the_delays_are_decided_and_nobody_waits() {
    isolated(async {
        testing::no_delays();
        testing::jitter(testing::Jitter::Highest);
        let (schedule, begun) = (schedule(), Instant::now());
        let busy = || Err(WarehouseError::Busy { wait: Some(ms(700)) });
        let warehouse = Warehouse::new().stock([busy(), busy(), busy()]);
        assert!(stock(&warehouse, 7).await.is_err());
        warehouse.assert_used_up();
        assert!(begun.elapsed() < Duration::from_millis(1_750));
        schedule.without_times().assert_schedule(
            "
            call  site             attempt  outcome           then
            1     warehouse.stock  1        Busy (throttled)  retry in 875ms
            1     warehouse.stock  2        Busy (throttled)  retry in 875ms
            1     warehouse.stock  3        Busy (throttled)  stopped: attempts_exhausted
            ",
        );
    })
    .await;
}

#[tokio::test]
async fn an_order_fails_where_a_step_does() {
    isolated(async {
        // This is about `order`: one request for each step is enough.
        testing::off();
        let warehouse = Warehouse::new().stock([Ok(1)]).reserve([Err(WarehouseError::Unavailable)]);
        assert!(matches!(order(&warehouse, 7).await, Err(WarehouseError::Unavailable)));
        warehouse.assert_used_up();
    })
    .await;
}
