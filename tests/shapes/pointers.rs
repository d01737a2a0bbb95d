//! Receivers behind pointers.
//!
//! Attempts borrow the pointer that the call owns. Where an attempt needs one of its own, it makes a
//! copy in the body, which for an `Arc` costs next to nothing.

use std::{pin::Pin, rc::Rc, sync::Arc};

use stormless::retry;

use crate::support::{Failed, Tries, local, send};

/// `self: Arc<Self>`.
/// The call holds one reference to the end.
#[tokio::test(start_paused = true)]
async fn arc() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn number(self: Arc<Self>) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    let store = Arc::new(Store(4));
    assert_eq!(send(Arc::clone(&store).number()).await, Ok(4));
    assert_eq!((TRIES.bodies(), Arc::strong_count(&store)), (3, 1));
}

/// `self: Arc<Self>`, handed to a task.
/// Each attempt clones the `Arc` for the task that it spawns.
#[tokio::test(start_paused = true)]
async fn arc_into_a_task() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn number(self: Arc<Self>) -> Result<u32, Failed> {
            let store = Arc::clone(&self);
            let task = tokio::spawn(async move { TRIES.answer(store.0).await });
            task.await.map_err(|_| Failed)?
        }
    }
    assert_eq!(send(Arc::new(Store(4)).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `self: &Arc<Self>`.
/// All attempts borrow the caller's `Arc`.
#[tokio::test(start_paused = true)]
async fn borrowed_arc() {
    static TRIES: Tries = Tries::failing(1);
    struct Store;
    impl Store {
        #[retry]
        async fn references(self: &Arc<Self>) -> Result<usize, Failed> {
            TRIES.answer(Arc::strong_count(self)).await
        }
    }
    assert_eq!(send(Arc::new(Store).references()).await, Ok(1));
    assert_eq!(TRIES.bodies(), 2);
}

/// `self: Rc<Self>`.
/// The future stays on its thread, as the plain one does.
#[tokio::test(start_paused = true)]
async fn rc() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn number(self: Rc<Self>) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(local(Rc::new(Store(4)).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `self: Box<Self>`.
/// The call owns the box and the attempts borrow what is in it.
#[tokio::test(start_paused = true)]
async fn boxed() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn number(self: Box<Self>) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Box::new(Store(4)).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `self: Pin<&Self>`.
/// All attempts copy the same pinned borrow.
#[tokio::test(start_paused = true)]
async fn pinned_shared() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn number(self: Pin<&Self>) -> Result<u32, Failed> {
            TRIES.answer(self.get_ref().0).await
        }
    }
    assert_eq!(send(Pin::new(&Store(4)).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `mut self: Pin<&mut Self>`.
/// Each attempt takes what it changes with `as_mut()`, and the next one sees it.
#[tokio::test(start_paused = true)]
async fn pinned_exclusive() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn count(mut self: Pin<&mut Self>) -> Result<u32, Failed> {
            self.as_mut().get_mut().0 += 1;
            TRIES.answer(self.0).await
        }
    }
    let mut store = Store(0);
    assert_eq!(send(Pin::new(&mut store).count()).await, Ok(3));
    assert_eq!((TRIES.bodies(), store.0), (3, 3));
}

/// No receiver: an associated function.
/// As any other function.
#[tokio::test(start_paused = true)]
async fn associated() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Debug, PartialEq)]
    struct Store(u32);
    impl Store {
        #[retry]
        async fn connect(number: u32) -> Result<Self, Failed> {
            TRIES.answer(Self(number)).await
        }
    }
    assert_eq!(send(Store::connect(4)).await, Ok(Store(4)));
    assert_eq!(TRIES.bodies(), 3);
}
