//! Receivers.
//!
//! Each attempt borrows `self`, however the method takes it. What an attempt changes through a `&mut`,
//! the next one sees, and so does the caller.

#![expect(clippy::needless_arbitrary_self_type, clippy::mut_mut, reason = "shapes under test")]

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `&self`.
/// All attempts see the same value.
#[tokio::test(start_paused = true)]
async fn shared() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn number(&self) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(4).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `&mut self`.
/// Each attempt borrows it anew and sees what the attempts before it changed.
#[tokio::test(start_paused = true)]
async fn exclusive() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn count(&mut self) -> Result<u32, Failed> {
            self.0 += 1;
            TRIES.answer(self.0).await
        }
    }
    let mut store = Store(0);
    assert_eq!(send(store.count()).await, Ok(3));
    assert_eq!((TRIES.bodies(), store.0), (3, 3));
}

/// `self`, looked at.
/// The call owns it and the attempts borrow it.
#[tokio::test(start_paused = true)]
async fn owned() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(String);
    impl Store {
        #[retry]
        async fn length(self) -> Result<usize, Failed> {
            TRIES.answer(self.0.len()).await
        }
    }
    assert_eq!(send(Store("four".to_owned()).length()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `self`, cloned in the body.
/// `clone(..)` cannot name `self`, so the body makes the copy that each attempt consumes.
#[tokio::test(start_paused = true)]
async fn cloned_in_the_body() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Clone, Debug, PartialEq)]
    struct Store(String);
    impl Store {
        #[retry]
        async fn renamed(self) -> Result<Self, Failed> {
            let mut own = self.clone();
            own.0.push('!');
            TRIES.answer(own).await
        }
    }
    assert_eq!(send(Store("a".to_owned()).renamed()).await, Ok(Store("a!".to_owned())));
    assert_eq!(TRIES.bodies(), 3);
}

/// `self`, consumed.
/// Allowed with `attempts = 1`, where no second attempt would find it gone.
#[tokio::test(start_paused = true)]
async fn consumed_once() {
    static TRIES: Tries = Tries::failing(1);
    #[derive(Debug, PartialEq)]
    struct Store(String);
    impl Store {
        #[retry(attempts = 1)]
        async fn opened(self) -> Result<Self, Failed> {
            TRIES.answer(self).await
        }
    }
    assert_eq!(send(Store("a".to_owned()).opened()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 1);
    assert_eq!(send(Store("a".to_owned()).opened()).await, Ok(Store("a".to_owned())));
    assert_eq!(TRIES.bodies(), 2);
}

/// `mut self`, consumed.
/// Allowed with `attempts = 1` alone: no attempt may see what another one changed.
#[tokio::test(start_paused = true)]
async fn changed_once() {
    static TRIES: Tries = Tries::failing(0);
    #[derive(Debug, PartialEq)]
    struct Store(u32);
    impl Store {
        #[retry(attempts = 1)]
        async fn counted(mut self) -> Result<Self, Failed> {
            self.0 += 1;
            TRIES.answer(self).await
        }
    }
    assert_eq!(send(Store(0).counted()).await, Ok(Store(1)));
    assert_eq!(TRIES.bodies(), 1);
}

/// `self: &Self`.
/// As `&self`.
#[tokio::test(start_paused = true)]
async fn typed_shared() {
    static TRIES: Tries = Tries::failing(1);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn number(self: &Self) -> Result<u32, Failed> {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(4).number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `self: &mut Self`.
/// As `&mut self`.
#[tokio::test(start_paused = true)]
async fn typed_exclusive() {
    static TRIES: Tries = Tries::failing(1);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn count(self: &mut Self) -> Result<u32, Failed> {
            self.0 += 1;
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(0).count()).await, Ok(2));
    assert_eq!(TRIES.bodies(), 2);
}

/// `mut self: &mut Self`.
/// The receiver itself may be borrowed mutably: each attempt goes on with the same `self`.
#[tokio::test(start_paused = true)]
async fn rebindable_exclusive() {
    static TRIES: Tries = Tries::failing(1);
    struct Store(u32);
    impl Store {
        #[retry]
        async fn count(mut self: &mut Self) -> Result<u32, Failed> {
            let again: &mut &mut Self = &mut self;
            again.0 += 1;
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(0).count()).await, Ok(2));
    assert_eq!(TRIES.bodies(), 2);
}

/// `mut self: &Self`, given another target.
/// Allowed with `attempts = 1` alone, as `mut self` is.
#[tokio::test(start_paused = true)]
async fn rebound_once() {
    static TRIES: Tries = Tries::failing(0);
    struct Store(u32, Option<Box<Store>>);
    impl Store {
        #[retry(attempts = 1)]
        async fn last(mut self: &Self) -> Result<u32, Failed> {
            while let Some(next) = &self.1 {
                self = next;
            }
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(1, Some(Box::new(Store(2, None)))).last()).await, Ok(2));
    assert_eq!(TRIES.bodies(), 1);
}
