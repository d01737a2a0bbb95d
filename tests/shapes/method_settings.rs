//! `#[async_trait]`: settings that use `self`.
//!
//! Settings see `self` and the arguments as the body does, whatever `#[async_trait]` calls them inside.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use async_trait::async_trait;
use stormless::{Classification, Cut, Policy, RetryEvent, retry};

use crate::support::{Failed, Tries, send};

/// What the settings read and write.
struct Client {
    policy: Policy,
    limit: Duration,
    sent: u32,
    told: AtomicU32,
}

impl Client {
    const fn new(attempts: u32) -> Self {
        let policy = Policy::new().attempts(attempts);
        Self { policy, limit: Duration::from_secs(1), sent: 0, told: AtomicU32::new(0) }
    }

    fn judge<E>(&self, _: &E) -> Classification {
        let _ = self.told.fetch_add(1, Ordering::Relaxed);
        if self.sent > 1 { Classification::permanent() } else { Classification::transient() }
    }

    fn hear(&self, _: &RetryEvent<'_, Failed>) {
        let _ = self.told.fetch_add(10, Ordering::Relaxed);
    }

    fn late(&self, _: Cut) -> Failed {
        let _ = self.told.fetch_add(100, Ordering::Relaxed);
        Failed
    }

    fn told(&self) -> u32 {
        self.told.load(Ordering::Relaxed)
    }
}

/// `#[async_trait]`, `policy = self.policy`.
/// Read once for each call.
#[tokio::test(start_paused = true)]
async fn policy() {
    static TRIES: Tries = Tries::failing(9);
    #[async_trait]
    trait Orders {
        async fn number(&self) -> Result<u32, Failed>;
    }
    #[async_trait]
    impl Orders for Client {
        #[retry(policy = self.policy)]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.answer(self.sent).await
        }
    }
    assert_eq!(send(Client::new(4).number()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 4);
    assert_eq!(send(Client::new(1).number()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 5);
}

/// `#[async_trait]`, `deadline = self.limit` and a `cut_error` that uses `self`.
/// The attempt that runs at the deadline is cut.
#[tokio::test(start_paused = true)]
async fn deadline() {
    static TRIES: Tries = Tries::failing(1);
    #[async_trait]
    trait Orders {
        async fn number(&self) -> Result<u32, Failed>;
    }
    #[async_trait]
    impl Orders for Client {
        #[retry(deadline = self.limit, base = "10ms", cut_error = |cut| self.late(cut))]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.run()?;
            std::future::pending().await
        }
    }
    let client = Client::new(0);
    let start = tokio::time::Instant::now();
    assert_eq!(send(client.number()).await, Err(Failed));
    assert_eq!((TRIES.bodies(), client.told()), (2, 100));
    assert_eq!(start.elapsed().as_secs(), 1);
}

/// `#[async_trait]`, `classify` and `on_retry` that use `self`.
/// Asked after each attempt that fails.
#[tokio::test(start_paused = true)]
async fn classifier() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Orders {
        async fn number(&self) -> Result<u32, Failed>;
    }
    #[async_trait]
    impl Orders for Client {
        #[retry(classify = |error| self.judge(error), on_retry = |event| self.hear(event))]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.answer(self.sent).await
        }
    }
    let client = Client::new(0);
    assert_eq!(send(client.number()).await, Ok(0));
    assert_eq!((TRIES.bodies(), client.told()), (3, 22));
}

/// `#[async_trait]`, `&mut self` and all settings that use it.
/// They see what the attempts before them changed.
#[tokio::test(start_paused = true)]
async fn exclusive() {
    static TRIES: Tries = Tries::failing(9);
    #[async_trait]
    trait Orders {
        async fn number(&mut self) -> Result<u32, Failed>;
    }
    #[async_trait]
    impl Orders for Client {
        #[retry(
            policy = self.policy,
            deadline = self.limit,
            classify = |error| self.judge(error),
            classify_result = |_| (self.sent > 5).then(Classification::permanent),
            on_retry = |event| self.hear(event),
            cut_error = |cut| self.late(cut),
        )]
        async fn number(&mut self) -> Result<u32, Failed> {
            self.sent += 1;
            TRIES.answer(self.sent).await
        }
    }
    let mut client = Client::new(4);
    assert_eq!(send(client.number()).await, Err(Failed));
    assert_eq!((TRIES.bodies(), client.sent), (2, 2), "the second failure is permanent");
    assert_eq!(client.told(), 12, "judged twice and retried once");
}

/// `#[async_trait]`, settings of a default method.
/// `self` is of whichever type implements the trait.
#[tokio::test(start_paused = true)]
async fn of_a_default() {
    static TRIES: Tries = Tries::failing(9);
    #[async_trait]
    trait Orders: Sync {
        fn client(&self) -> &Client;

        #[retry(
            policy = self.client().policy,
            classify = |error| self.client().judge(error),
            on_retry = |event| self.client().hear(event),
        )]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.answer(self.client().sent).await
        }
    }
    impl Orders for Client {
        fn client(&self) -> &Client {
            self
        }
    }
    let client = Client::new(4);
    assert_eq!(send(client.number()).await, Err(Failed));
    assert_eq!((TRIES.bodies(), client.told()), (4, 34));
}

/// `#[async_trait]`, a budget for each key.
/// The key is read once for each call, and the body still has the argument.
#[tokio::test(start_paused = true)]
async fn keys() {
    static TRIES: Tries = Tries::failing(2);
    stormless::budget! {
        static HOSTS: stormless::Budget = stormless::Budget::new("shapes.hosts").burst(10).ratio(0.1);
    }
    #[async_trait]
    trait Hosts {
        async fn fetch(&self, host: String) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Hosts for Client {
        #[retry(budget = HOSTS, budget_key = (self.sent, host.as_str()))]
        async fn fetch(&self, host: String) -> Result<usize, Failed> {
            TRIES.answer(host.len()).await
        }
    }
    let client = Client::new(0);
    assert_eq!(send(client.fetch("one".to_owned())).await, Ok(3));
    assert_eq!((TRIES.bodies(), HOSTS.keys()), (3, 1));
}

/// `#[async_trait]`, settings that use arguments.
/// A setting borrows what the body only looks at.
#[tokio::test(start_paused = true)]
async fn arguments() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Orders {
        async fn number(&self, id: String, tries: Vec<u32>) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Orders for Client {
        #[retry(
            idempotency_key = id.as_str(),
            idempotent = tries.is_empty(),
            on_retry = |_| { let _ = self.told.fetch_add(tries[0], Ordering::Relaxed); },
        )]
        async fn number(&self, id: String, tries: Vec<u32>) -> Result<usize, Failed> {
            TRIES.answer(id.len() + tries.len()).await
        }
    }
    let client = Client::new(0);
    assert_eq!(send(client.number("a".to_owned(), vec![7])).await, Ok(2));
    assert_eq!((TRIES.bodies(), client.told()), (3, 14));
}
