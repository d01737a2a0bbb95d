//! Associated types and consts.
//!
//! `Self` is in the body and in the settings what it is in the signature.

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `impl<T> Trait for Type<T>`.
/// The implementation's parameters are there in the body.
#[tokio::test(start_paused = true)]
async fn generic_implementation() {
    static TRIES: Tries = Tries::failing(2);
    trait Fetch {
        type Out;
        async fn fetch(&self) -> Result<Self::Out, Failed>;
    }
    struct Store<T>(Vec<T>);
    impl<T: Clone + Send + Sync> Fetch for Store<T> {
        type Out = Option<T>;
        #[retry]
        async fn fetch(&self) -> Result<Self::Out, Failed> {
            TRIES.answer(self.0.last().cloned()).await
        }
    }
    assert_eq!(send(Store(vec![4]).fetch()).await, Ok(Some(4)));
    assert_eq!(TRIES.bodies(), 3);
}

/// Associated types in the return type.
/// `Result<Self::Out, Self::Error>`, and the error says for itself what is worth a retry.
#[tokio::test(start_paused = true)]
async fn associated_types() {
    static TRIES: Tries = Tries::failing(2);
    trait Fetch {
        type Out;
        type Error;
        async fn fetch(&self) -> Result<Self::Out, Self::Error>;
    }
    struct Store(u8);
    impl Fetch for Store {
        type Out = u8;
        type Error = Failed;
        #[retry]
        async fn fetch(&self) -> Result<Self::Out, Self::Error> {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(4).fetch()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// An associated const as a setting.
/// Each type has its own number, checked when it is compiled.
#[tokio::test(start_paused = true)]
async fn associated_const() {
    static TRIES: Tries = Tries::failing(9);
    trait Fetch {
        const LIMIT: u32 = 2;
        #[retry(attempts = Self::LIMIT)]
        async fn fetch(&self) -> Result<(), Failed> {
            TRIES.answer(()).await
        }
    }
    struct Twice;
    struct Often;
    impl Fetch for Twice {}
    impl Fetch for Often {
        const LIMIT: u32 = 5;
    }
    assert_eq!(send(Twice.fetch()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 2);
    assert_eq!(send(Often.fetch()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 7);
}

/// A trait with a lifetime.
/// What is borrowed outlives the call.
#[tokio::test(start_paused = true)]
async fn trait_of_a_lifetime() {
    static TRIES: Tries = Tries::failing(2);
    trait Words<'a> {
        async fn first(&self) -> Result<&'a str, Failed>;
    }
    struct Text<'a>(&'a str);
    impl<'a> Words<'a> for Text<'a> {
        #[retry]
        async fn first(&self) -> Result<&'a str, Failed> {
            TRIES.answer(self.0.split(' ').next().unwrap_or_default()).await
        }
    }
    assert_eq!(send(Text("a b").first()).await, Ok("a"));
    assert_eq!(TRIES.bodies(), 3);
}

/// An associated type that is a `Result`.
/// It is one in the implementation, and that is where the attribute stands.
#[tokio::test(start_paused = true)]
async fn associated() {
    static TRIES: Tries = Tries::failing(2);
    trait Ask {
        type Answer;
        async fn ask(&self) -> Self::Answer;
    }
    struct Store(u8);
    impl Ask for Store {
        type Answer = Result<u8, Failed>;
        #[retry]
        async fn ask(&self) -> Self::Answer {
            TRIES.answer(self.0).await
        }
    }
    assert_eq!(send(Store(4).ask()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
