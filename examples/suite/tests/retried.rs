//! What is retried, when, and what is not. Time is virtual: `start_paused`.

mod support;

use example_suite::{WarehouseError, order, reserve, stock};
use stormless::{
    StopReason, report,
    testing::{self, Step, isolated, schedule},
};
use support::{Warehouse, ms};

#[tokio::test(start_paused = true)]
async fn an_order_survives_a_failure_of_each_step() {
    isolated(async {
        // The highest delay of each range, so that there is something to see.
        testing::jitter(testing::Jitter::Highest);
        let schedule = schedule();
        let warehouse = Warehouse::new()
            .stock([Err(WarehouseError::Unavailable), Ok(3)])
            .reserve([Err(WarehouseError::Unavailable), Ok(())]);
        assert!(order(&warehouse, 7).await.expect("both steps succeed at the second attempt"));
        warehouse.assert_used_up();
        schedule.assert_schedule(
            "
            call  site               attempt  started  outcome                  then
            1     warehouse.stock    1        0ns      Unavailable (transient)  retry in 50ms
            1     warehouse.stock    2        50ms     ok                       -
            2     warehouse.reserve  1        50ms     Unavailable (transient)  retry in 50ms
            2     warehouse.reserve  2        100ms    ok                       -
            ",
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_warehouse_is_given_the_time_that_it_asks_for() {
    isolated(async {
        let schedule = schedule();
        let busy = WarehouseError::Busy { wait: Some(ms(400)) };
        let warehouse = Warehouse::new().stock([Err(busy), Ok(3)]);
        assert_eq!(stock(&warehouse, 7).await.expect("it is not busy any more"), 3);
        // Not before, and not everybody at once.
        schedule.assert_delays([ms(400)..=ms(500)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_may_have_been_done_is_not_done_again() {
    isolated(async {
        // One answer: a second request would fail the test.
        let warehouse = Warehouse::new().reserve([Err(WarehouseError::Lost)]);
        let (result, calls) = report(reserve(&warehouse, 7)).await;
        assert!(matches!(result, Err(WarehouseError::Lost)));
        assert_eq!(calls[0].reason(), Some(StopReason::MaybeExecuted));
        // Reading is another matter.
        let warehouse = Warehouse::new().stock([Err(WarehouseError::Lost), Ok(3)]);
        assert_eq!(stock(&warehouse, 7).await.expect("it was read again"), 3);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_an_answer() {
    isolated(async {
        let warehouse = Warehouse::new().stock([Err(WarehouseError::Unknown)]);
        let (result, calls) = report(order(&warehouse, 7)).await;
        assert!(matches!(result, Err(WarehouseError::Unknown)));
        assert_eq!(calls[0].reason(), Some(StopReason::Permanent));
        assert_eq!(warehouse.reserve.calls(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_longer_than_the_deadline() {
    isolated(async {
        let begun = tokio::time::Instant::now();
        let mut warehouse = Warehouse::new();
        warehouse.stock = testing::Script::steps([Step::hangs()]);
        let result = stock(&warehouse, 7).await;
        assert!(matches!(result, Err(WarehouseError::OutOfTime)), "{result:?}");
        assert_eq!(begun.elapsed(), ms(2_000));
    })
    .await;
}
