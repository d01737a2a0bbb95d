//! `#[async_trait]`: default methods.
//!
//! A default method is generic over `Self`, and one site for all that implement the trait: the tables
//! show its calls in one row. One that takes `self` by value, boxed or pinned needs a trait that is `Sync`,
//! since the attempts borrow what the call owns.

use std::{cell::Cell, pin::Pin, sync::Arc};

use async_trait::async_trait;
use stormless::retry;

use crate::support::{Failed, Tries, send};

/// A default method, `&self`.
/// All attempts see the same value.
#[tokio::test(start_paused = true)]
async fn shared() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        fn size(&self) -> usize;

        #[retry]
        async fn double(&self) -> Result<usize, Failed> {
            TRIES.answer(self.size() * 2).await
        }
    }
    impl Store for String {
        fn size(&self) -> usize {
            self.len()
        }
    }
    assert_eq!(send("ab".to_owned().double()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A default method, `&mut self`.
/// Each attempt sees what the attempts before it changed.
#[tokio::test(start_paused = true)]
async fn exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        fn add(&mut self) -> u32;

        #[retry]
        async fn count(&mut self) -> Result<u32, Failed> {
            let sum = self.add();
            TRIES.answer(sum).await
        }
    }
    impl Store for u32 {
        fn add(&mut self) -> u32 {
            *self += 1;
            *self
        }
    }
    assert_eq!(send(0.count()).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// A default method, `&mut self` only looked at.
/// The attempts borrow it as `&mut`, so that the trait need not be `Sync`.
#[tokio::test(start_paused = true)]
async fn exclusive_looked_at() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        fn size(&self) -> usize;

        #[retry]
        async fn double(&mut self) -> Result<usize, Failed> {
            TRIES.answer(self.size() * 2).await
        }
    }
    impl Store for Cell<usize> {
        fn size(&self) -> usize {
            self.get()
        }
    }
    assert_eq!(send(Cell::new(2).double()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A default method, `self: Arc<Self>`, `Box<Self>` and `Pin<&mut Self>`.
/// As in an `impl`; the trait is `Sync`.
#[tokio::test(start_paused = true)]
async fn pointers() {
    static TRIES: Tries = Tries::failing(6);
    #[async_trait]
    trait Store: Sync {
        fn size(&self) -> usize;

        #[retry]
        async fn by_arc(self: Arc<Self>) -> Result<usize, Failed> {
            TRIES.answer(self.size()).await
        }

        #[retry(attempts = 4)]
        async fn by_box(self: Box<Self>) -> Result<usize, Failed> {
            TRIES.answer(self.size()).await
        }

        #[retry]
        async fn by_pin(self: Pin<&mut Self>) -> Result<usize, Failed> {
            TRIES.answer(self.size()).await
        }
    }
    struct Memory;
    impl Store for Memory {
        fn size(&self) -> usize {
            4
        }
    }
    assert_eq!(send(Arc::new(Memory).by_arc()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(send(Box::new(Memory).by_box()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 7);
    assert_eq!(send(Pin::new(&mut Memory).by_pin()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 8);
}

/// A default method, `self` and a `mut` argument.
/// Each attempt changes a clone of the argument; the trait is `Sync`.
#[tokio::test(start_paused = true)]
async fn owned() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store: Sized + Sync {
        fn size(&self) -> usize;

        #[retry(clone(sizes))]
        async fn sizes(self, mut sizes: Vec<usize>) -> Result<Vec<usize>, Failed> {
            sizes.push(self.size());
            TRIES.answer(sizes).await
        }
    }
    impl Store for String {
        fn size(&self) -> usize {
            self.len()
        }
    }
    assert_eq!(send("four".to_owned().sizes(vec![1])).await, Ok(vec![1, 4]));
    assert_eq!(TRIES.bodies(), 3);
}

/// A default method that calls another annotated method.
/// The inner one runs once for each attempt of the outer one.
#[tokio::test(start_paused = true)]
async fn nested() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        #[retry]
        async fn outer(&self) -> Result<u32, Failed> {
            Ok(self.inner().await? + 1)
        }

        async fn inner(&self) -> Result<u32, Failed>;
    }
    struct Memory(u32);
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn inner(&self) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Memory(4).outer()).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}
