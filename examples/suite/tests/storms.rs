//! Budgets and breakers: what a dependency in trouble is spared.

mod support;

use example_suite::{SICK, Transport, WAREHOUSE, WarehouseError, reserve, stock};
use stormless::{
    BreakerState,
    testing::{Chaos, isolated, schedule, seed},
};
use support::{Warehouse, ms};

/// A warehouse in trouble.
struct Shaky(Chaos<WarehouseError>);

impl Transport for Shaky {
    async fn stock(&self, _: u32) -> Result<u32, WarehouseError> {
        self.0.run(async { Ok(3) }).await
    }

    async fn reserve(&self, _: u32) -> Result<(), WarehouseError> {
        self.0.strike().await
    }
}

#[tokio::test(start_paused = true)]
async fn an_outage_costs_the_warehouse_ten_requests_more() {
    isolated(async {
        let schedule = schedule();
        let down = Warehouse::down();
        for item in 0..100 {
            assert!(stock(&down, item).await.is_err());
        }
        assert_eq!(down.stock.calls(), 110);
        assert!(WAREHOUSE.balance() < 1.0);
        schedule.assert_amplification(1.1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn in_a_storm_at_most_a_tenth_is_added_and_hardly_a_caller_notices_a_breeze() {
    for (rate, failing) in [(0.05, 0..5), (0.5, 400..550)] {
        isolated(async {
            seed(7);
            let schedule = schedule();
            let chaos =
                Chaos::seeded(7).errors(rate, || WarehouseError::Unavailable).latency(0.1, ms(80));
            assert_eq!(chaos.check(), Ok(()));
            let shaky = Shaky(chaos);
            let mut failed = 0;
            for item in 0..1_000 {
                failed += i32::from(stock(&shaky, item).await.is_err());
            }
            assert!(failing.contains(&failed), "{failed} at a rate of {rate}");
            // The burst of ten, and a tenth of what was answered.
            schedule.assert_amplification(1.11);
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_sick_warehouse_is_left_alone_for_ten_seconds() {
    isolated(async {
        seed(7);
        let down = Warehouse::down();
        while SICK.state() == BreakerState::Closed {
            assert!(reserve(&down, 7).await.is_err());
        }
        let asked = down.reserve.calls();
        assert_eq!(asked, 5);
        assert!(matches!(reserve(&down, 7).await, Err(WarehouseError::LeftAlone)));
        assert_eq!(down.reserve.calls(), asked);
        tokio::time::advance(ms(10_001)).await;
        assert!(reserve(&Warehouse::new().reserve([Ok(())]), 7).await.is_ok());
    })
    .await;
}
