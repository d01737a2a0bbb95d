//! Functions that block: receivers.
//!
//! `#[retry(blocking)]` is for a plain `fn`: the body is repeated as that of an `async fn` is, and the
//! waits put the thread to sleep.

#![expect(clippy::boxed_local, reason = "shapes under test")]

use std::{pin::Pin, sync::Arc};

use stormless::retry;

use crate::{
    support::{Failed, Tries},
    waits::Waits,
};

/// `blocking`.
/// The thread sleeps between the attempts.
#[test]
fn function() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "fixed")]
    fn length(name: &str) -> Result<usize, Failed> {
        TRIES.run()?;
        Ok(name.len())
    }
    let waits = Waits::start();
    assert_eq!(length("four"), Ok(4));
    assert_eq!((TRIES.bodies(), waits.count()), (3, 2));
}

/// `blocking`, `&self`.
/// All attempts see the same value.
#[test]
fn shared() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry(blocking, backoff = "none")]
        fn number(&self) -> Result<u32, Failed> {
            TRIES.run().map(|()| self.0)
        }
    }
    assert_eq!(Store(4).number(), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, `&mut self`.
/// Each attempt sees what the attempts before it changed.
#[test]
fn exclusive() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry(blocking, backoff = "none", on_retry = |_| assert!(self.0 > 0))]
        fn count(&mut self) -> Result<u32, Failed> {
            self.0 += 1;
            TRIES.run().map(|()| self.0)
        }
    }
    assert_eq!(Store(0).count(), Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, `self`.
/// The call owns it and the attempts borrow it.
#[test]
fn owned() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(String);
    impl Store {
        #[retry(blocking, backoff = "none")]
        fn length(self) -> Result<usize, Failed> {
            TRIES.run().map(|()| self.0.len())
        }
    }
    assert_eq!(Store("four".to_owned()).length(), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, `mut self`, consumed.
/// Allowed with `attempts = 1` alone.
#[test]
fn consumed_once() {
    static TRIES: Tries = Tries::failing(0);
    #[derive(Debug, PartialEq)]
    struct Store(u32);
    impl Store {
        #[retry(blocking, attempts = 1)]
        fn counted(mut self) -> Result<Self, Failed> {
            self.0 += 1;
            TRIES.run().map(|()| self)
        }
    }
    assert_eq!(Store(0).counted(), Ok(Store(1)));
    assert_eq!(TRIES.bodies(), 1);
}

/// `blocking`, `self: Arc<Self>` and `self: Box<Self>`.
/// The attempts borrow the pointer that the call owns.
#[test]
fn pointers() {
    static TRIES: Tries = Tries::failing(3);
    struct Store(u32);
    impl Store {
        #[retry(blocking, backoff = "none")]
        fn by_arc(self: Arc<Self>) -> Result<u32, Failed> {
            TRIES.run().map(|()| self.0)
        }

        #[retry(blocking, backoff = "none")]
        fn by_box(self: Box<Self>) -> Result<u32, Failed> {
            TRIES.run().map(|()| self.0)
        }
    }
    assert_eq!(Arc::new(Store(4)).by_arc(), Err(Failed));
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(Box::new(Store(4)).by_box(), Ok(4));
    assert_eq!(TRIES.bodies(), 4);
}

/// `blocking`, `mut self: Pin<&mut Self>`.
/// Each attempt takes what it changes with `as_mut()`.
#[test]
fn pinned() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry(blocking, backoff = "none")]
        fn count(mut self: Pin<&mut Self>) -> Result<u32, Failed> {
            self.as_mut().get_mut().0 += 1;
            TRIES.run().map(|()| self.0)
        }
    }
    assert_eq!(Pin::new(&mut Store(0)).count(), Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}
