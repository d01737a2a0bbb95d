//! `#[async_trait]`: receivers.
//!
//! `#[async_trait]` stands on the `impl` block or the trait, and so is applied before `#[retry]` on a
//! method. It moves `self` and all arguments into a boxed future; the moves stay before the first
//! attempt, and the attempts borrow what was moved.

use std::{pin::Pin, rc::Rc, sync::Arc};

use async_trait::async_trait;
use stormless::retry;

use crate::support::{Failed, Tries, local, send};

/// `#[async_trait]`, `&self`.
/// All attempts see the same value.
#[tokio::test(start_paused = true)]
async fn shared() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn number(&self) -> Result<u32, Failed>;
    }
    struct Memory(u32);
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    let store: Box<dyn Store + Sync> = Box::new(Memory(4));
    assert_eq!(send(store.number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, `&mut self`.
/// Each attempt borrows it anew and sees what the attempts before it changed.
#[tokio::test(start_paused = true)]
async fn exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn count(&mut self) -> Result<u32, Failed>;
    }
    struct Memory(u32);
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn count(&mut self) -> Result<u32, Failed> {
            self.0 += 1;
            TRIES.answer(self.0).await
        }
    }
    let mut store = Memory(0);
    assert_eq!(send(store.count()).await, Ok(3));
    assert_eq!((TRIES.bodies(), store.0), (3, 3));
}

/// `#[async_trait]`, `self`.
/// The call owns it and the attempts borrow it.
#[tokio::test(start_paused = true)]
async fn owned() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn length(self) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Store for String {
        #[retry]
        async fn length(self) -> Result<usize, Failed> {
            TRIES.answer(self.len()).await
        }
    }
    assert_eq!(send("four".to_owned().length()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, `mut self`, consumed.
/// Allowed with `attempts = 1` alone.
#[tokio::test(start_paused = true)]
async fn consumed_once() {
    static TRIES: Tries = Tries::failing(0);
    #[async_trait]
    trait Store {
        async fn louder(self) -> Result<String, Failed>;
    }
    #[async_trait]
    impl Store for String {
        #[retry(attempts = 1)]
        async fn louder(mut self) -> Result<String, Failed> {
            self.push('!');
            TRIES.answer(self).await
        }
    }
    assert_eq!(send("a".to_owned().louder()).await, Ok("a!".to_owned()));
    assert_eq!(TRIES.bodies(), 1);
}

/// `#[async_trait]`, `self: Arc<Self>`.
/// The call holds one reference to the end.
#[tokio::test(start_paused = true)]
async fn arc() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn number(self: Arc<Self>) -> Result<u32, Failed>;
    }
    struct Memory(u32);
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn number(self: Arc<Self>) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    let store = Arc::new(Memory(4));
    assert_eq!(send(Arc::clone(&store).number()).await, Ok(4));
    assert_eq!((TRIES.bodies(), Arc::strong_count(&store)), (3, 1));
}

/// `#[async_trait]`, `self: Box<Self>`.
/// The call owns the box and the attempts borrow what is in it.
#[tokio::test(start_paused = true)]
async fn boxed() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn number(self: Box<Self>) -> Result<u32, Failed>;
    }
    struct Memory(u32);
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn number(self: Box<Self>) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    let store: Box<dyn Store + Send> = Box::new(Memory(4));
    assert_eq!(send(store.number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, `mut self: Pin<&mut Self>`.
/// Each attempt takes what it changes with `as_mut()`, and the next one sees it.
#[tokio::test(start_paused = true)]
async fn pinned() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn count(self: Pin<&mut Self>) -> Result<u32, Failed>;
    }
    struct Memory(u32);
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn count(mut self: Pin<&mut Self>) -> Result<u32, Failed> {
            self.as_mut().get_mut().0 += 1;
            TRIES.answer(self.0).await
        }
    }
    let mut store = Memory(0);
    assert_eq!(send(Pin::new(&mut store).count()).await, Ok(3));
    assert_eq!((TRIES.bodies(), store.0), (3, 3));
}

/// `#[async_trait]`, no receiver.
/// As any other function.
#[tokio::test(start_paused = true)]
async fn associated() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Connect: Sized {
        async fn connect(to: &str) -> Result<Self, Failed>;
    }
    #[async_trait]
    impl Connect for usize {
        #[retry]
        async fn connect(to: &str) -> Result<Self, Failed> {
            TRIES.answer(to.len()).await
        }
    }
    assert_eq!(send(usize::connect("four")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait(?Send)]`, `self: Rc<Self>`.
/// The future stays on its thread.
#[tokio::test(start_paused = true)]
async fn rc() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait(?Send)]
    trait Store {
        async fn number(self: Rc<Self>) -> Result<u32, Failed>;
    }
    struct Memory(u32);
    #[async_trait(?Send)]
    impl Store for Memory {
        #[retry]
        async fn number(self: Rc<Self>) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(local(Rc::new(Memory(4)).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
