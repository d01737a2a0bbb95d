//! `budget_key`: one bucket for each key, and the budget above pays too.

use std::{cell::Cell, pin::pin, time::Duration};

use crate::bodies::{Answer, Dependency, T, assert_balance, budget as row};
use futures_util::FutureExt;
use stormless::{Budget, budget, retry, testing::isolated};

budget! {
    static HOSTS: Budget = Budget::new("keys.hosts").burst(4).ratio(0.5).max_keys(2);
    static TENANTS: Budget = Budget::new("keys.tenants").burst(100);
    static FEW: Budget = Budget::new("keys.few").burst(2);
}

#[retry(attempts = 10, backoff = "none", budget = HOSTS, budget_key = host)]
async fn by_path(host: &str, dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 10, backoff = "fixed", base = "1s", budget = "keys.hosts", budget_key = &*host)]
async fn by_name(host: String, dependency: &Dependency) -> Answer {
    dependency.answer()
}

struct Client {
    budget: &'static Budget,
    read: Cell<u32>,
}

impl Client {
    fn tenant(&self) -> u32 {
        self.read.set(self.read.get() + 1);
        7
    }

    #[retry(attempts = 3, backoff = "none", budget_key = (self.tenant(), path), budget = self.budget)]
    async fn call(&self, path: &str, dependency: &Dependency) -> Answer {
        dependency.answer()
    }
}

#[tokio::test(start_paused = true)]
async fn one_dead_host_uses_up_its_own_retries_and_what_is_above_bounds_all() {
    isolated(async {
        let one = Dependency::dead();
        assert_eq!(by_path("one", &one).await, Err(T));
        assert_eq!(one.bodies(), 5);
        assert_balance("keys.hosts", 0.0);
        // Two successes of another host pay for one retry above, and its own bucket is full.
        for _ in 0..2 {
            assert_eq!(by_path("two", &Dependency::always(Ok(()))).await, Ok(()));
        }
        let one = Dependency::dead();
        assert_eq!(by_path("one", &one).await, Err(T));
        assert_eq!(one.bodies(), 1);
        let two = Dependency::dead();
        assert_eq!(by_name("two".to_owned(), &two).await, Err(T));
        assert_eq!((two.bodies(), row("keys.hosts").budget().keys()), (2, 2));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_call_that_sleeps_keeps_its_bucket_and_gives_back_to_it() {
    isolated(async {
        let hosts = row("keys.hosts").budget();
        let dead = Dependency::dead();
        {
            let mut sleeping = pin!(by_name("asleep".to_owned(), &dead));
            assert!(sleeping.as_mut().now_or_never().is_none());
            assert_eq!(hosts.keyed("asleep").balance().to_string(), "3");
            for stranger in ["a", "b", "c", "d"] {
                assert_eq!(by_path(stranger, &Dependency::always(Ok(()))).await, Ok(()));
            }
            assert_eq!(hosts.keyed("asleep").balance().to_string(), "3");
        }
        assert_eq!(hosts.keyed("asleep").balance().to_string(), "4");
        assert_balance("keys.hosts", 4.0);
        // Nobody holds it any more.
        for stranger in ["a", "b", "c", "d"] {
            assert_eq!(by_path(stranger, &Dependency::always(Ok(()))).await, Ok(()));
        }
        assert_eq!(hosts.keyed("asleep").balance().to_string(), "0");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn however_a_call_ends_it_lets_go_of_its_bucket() {
    isolated(async {
        let hosts = row("keys.hosts").budget();
        assert_eq!(by_path("failed", &Dependency::dead()).await, Err(T));
        assert_eq!(by_path("succeeded", &Dependency::always(Ok(()))).await, Ok(()));
        drop(by_path("never polled", &Dependency::dead()));
        for stranger in 0..10 {
            let stranger = format!("stranger {stranger}");
            assert_eq!(by_path(&stranger, &Dependency::always(Ok(()))).await, Ok(()));
        }
        // Had one stayed in use, a key would still be theirs.
        for gone in ["failed", "succeeded"] {
            let bucket = hosts.keyed(gone);
            assert!(bucket.balance() < 1.0, "{gone}: {}", bucket.balance());
        }
        assert_eq!(hosts.keys(), 2);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_key_is_read_once_for_each_call() {
    isolated(async {
        let client = Client { budget: &TENANTS, read: Cell::new(0) };
        assert_eq!(client.call("a", &Dependency::dead()).await, Err(T));
        assert_eq!(client.call("a", &Dependency::dead()).await, Err(T));
        assert_eq!(client.call("b", &Dependency::dead()).await, Err(T));
        assert_eq!((client.read.get(), row("keys.tenants").budget().keys()), (3, 2));
        assert_balance("keys.tenants", 94.0);
        let tenants = row("keys.tenants").budget();
        assert_eq!(tenants.keyed(&(7_u32, "a")).balance().to_string(), "96");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn isolated_tests_share_no_keys() {
    for _ in 0..2 {
        isolated(async {
            let dead = Dependency::dead();
            assert_eq!(by_path("one", &dead).await, Err(T));
            assert_eq!((dead.bodies(), row("keys.hosts").budget().keys()), (5, 1));
            tokio::time::advance(Duration::from_secs(1)).await;
        })
        .await;
    }
    assert_eq!(HOSTS.keys(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_a_key_is_refused_is_counted_where_people_look() {
    #[retry(attempts = 3, backoff = "none", budget = FEW, budget_key = host)]
    async fn few(host: &str, dependency: &Dependency) -> Answer {
        dependency.answer()
    }
    isolated(async {
        for _ in 0..2 {
            assert_eq!(few("one", &Dependency::dead()).await, Err(T));
        }
        // Two were granted by the key's bucket and the one above, and two refused by the key's alone.
        let stats = row("keys.few").stats();
        assert_eq!((stats.withdrawn, stats.refused), (2, 1), "{stats:?}");
    })
    .await;
}
