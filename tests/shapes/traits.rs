//! Methods of traits.
//!
//! `async fn` in traits needs no detour. The attribute stands on a body: in an implementation, or on a
//! default method.

use std::fmt::Debug;

use stormless::retry;

use crate::support::{Failed, Tries, local, send};

/// `async fn` in an implementation.
/// The trait does not know of it, and each implementation has its own settings.
#[tokio::test(start_paused = true)]
async fn implemented() {
    static TRIES: Tries = Tries::failing(2);
    trait Fetch {
        async fn fetch(&mut self, id: u32) -> Result<u32, Failed>;
    }
    struct Store(u32);
    impl Fetch for Store {
        #[retry]
        async fn fetch(&mut self, id: u32) -> Result<u32, Failed> {
            self.0 += id;
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(0).fetch(2)).await, Ok(6));
    assert_eq!(TRIES.bodies(), 3);
}

/// A default method.
/// Retried for each type that does not override it.
#[tokio::test(start_paused = true)]
async fn defaulted() {
    static TRIES: Tries = Tries::failing(2);
    trait Fetch {
        fn id(&self) -> u32;
        #[retry]
        async fn fetch(&self) -> Result<u32, Failed> {
            TRIES.answer(self.id()).await
        }
    }
    struct Store(u32);
    impl Fetch for Store {
        fn id(&self) -> u32 {
            self.0
        }
    }
    assert_eq!(send(Store(4).fetch()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A default method over another method.
/// What it calls belongs to the type, and so does whether the future is `Send`.
#[tokio::test(start_paused = true)]
async fn defaulted_over_another() {
    static TRIES: Tries = Tries::failing(2);
    trait Fetch: Debug {
        async fn once(&mut self) -> Result<u32, Failed>;
        #[retry]
        async fn fetch(&mut self) -> Result<u32, Failed>
        where
            Self: Debug,
        {
            self.once().await
        }
    }
    #[derive(Debug)]
    struct Store(u32);
    impl Fetch for Store {
        async fn once(&mut self) -> Result<u32, Failed> {
            self.0 += 1;
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(0).fetch()).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// A generic method.
/// With its own parameters and bounds.
#[tokio::test(start_paused = true)]
async fn generic_method() {
    static TRIES: Tries = Tries::failing(2);
    trait Convert {
        async fn convert<T: From<u8> + Send>(&self) -> Result<T, Failed>;
    }
    struct Store(u8);
    impl Convert for Store {
        #[retry]
        async fn convert<T: From<u8> + Send>(&self) -> Result<T, Failed> {
            TRIES.answer(T::from(self.0)).await
        }
    }
    assert_eq!(send(Store(4).convert::<u64>()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// A blanket implementation.
/// One function for all types.
#[tokio::test(start_paused = true)]
async fn blanket() {
    static TRIES: Tries = Tries::failing(2);
    trait Length {
        async fn length(&self) -> Result<usize, Failed>;
    }
    impl<T: AsRef<str> + Sync + ?Sized> Length for T {
        #[retry]
        async fn length(&self) -> Result<usize, Failed> {
            TRIES.answer(self.as_ref().len()).await
        }
    }
    assert_eq!(send("four".length()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `async fn` for a method that is declared with `impl Future + Send`.
/// How a trait asks for `Send`; the retried function keeps it.
#[tokio::test(start_paused = true)]
async fn declared_as_a_future() {
    static TRIES: Tries = Tries::failing(2);
    trait Fetch {
        fn fetch(&self) -> impl Future<Output = Result<u8, Failed>> + Send;
    }
    struct Store(u8);
    impl Fetch for Store {
        #[retry]
        async fn fetch(&self) -> Result<u8, Failed> {
            TRIES.answer(self.0).await
        }
    }
    fn any<T: Fetch>(store: &T) -> impl Future<Output = Result<u8, Failed>> + Send {
        store.fetch()
    }
    assert_eq!(send(any(&Store(4))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// No receiver.
/// A constructor that a trait declares.
#[tokio::test(start_paused = true)]
async fn without_receiver() {
    static TRIES: Tries = Tries::failing(2);
    trait Connect: Sized {
        async fn connect(address: &str) -> Result<Self, Failed>;
    }
    #[derive(Debug, PartialEq)]
    struct Store(String);
    impl Connect for Store {
        #[retry]
        async fn connect(address: &str) -> Result<Self, Failed> {
            TRIES.answer(Self(address.to_owned())).await
        }
    }
    assert_eq!(send(Store::connect("a")).await, Ok(Store("a".to_owned())));
    assert_eq!(TRIES.bodies(), 3);
}

/// Called through a generic bound.
/// `T: Trait` alone does not promise `Send`, with the attribute or without it.
#[tokio::test(start_paused = true)]
async fn through_a_bound() {
    static TRIES: Tries = Tries::failing(2);
    trait Fetch {
        async fn fetch(&self) -> Result<u8, Failed>;
    }
    impl Fetch for u8 {
        #[retry]
        async fn fetch(&self) -> Result<u8, Failed> {
            TRIES.answer(*self).await
        }
    }
    async fn any<T: Fetch>(store: T) -> Result<u8, Failed> {
        store.fetch().await
    }
    assert_eq!(local(any(4)).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
