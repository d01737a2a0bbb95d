//! `#[async_trait]`: arguments, generics and lifetimes.
//!
//! As in a plain `async fn`: what the body consumes or changes is named in `clone(..)`, and all else is
//! borrowed.

use async_trait::async_trait;
use stormless::retry;

use crate::support::{Failed, Tries, local, send};

struct Memory(String);

/// `#[async_trait]`, an owned argument looked at.
/// All attempts borrow what the future owns.
#[tokio::test(start_paused = true)]
async fn looked_at() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn put(&self, value: Vec<u8>) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn put(&self, value: Vec<u8>) -> Result<usize, Failed> {
            TRIES.answer(self.0.len() + value.len()).await
        }
    }
    assert_eq!(send(Memory("a".to_owned()).put(vec![1])).await, Ok(2));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, an owned argument given away.
/// Each attempt gives away a clone.
#[tokio::test(start_paused = true)]
async fn given_away() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn put(&mut self, value: String) -> Result<String, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry(clone(value))]
        async fn put(&mut self, value: String) -> Result<String, Failed> {
            self.0.push('.');
            TRIES.answer(value + &self.0).await
        }
    }
    assert_eq!(send(Memory(String::new()).put("a".to_owned())).await, Ok("a...".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, a `mut` argument.
/// Each attempt changes a clone of its own.
#[tokio::test(start_paused = true)]
async fn changed() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn put(&self, value: String) -> Result<String, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry(clone(value))]
        async fn put(&self, mut value: String) -> Result<String, Failed> {
            value.push_str(&self.0);
            TRIES.answer(value).await
        }
    }
    assert_eq!(send(Memory("!".to_owned()).put("a".to_owned())).await, Ok("a!".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, `&mut` arguments.
/// Each attempt goes on with what the attempts before it left.
#[tokio::test(start_paused = true)]
async fn exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn read(&self, into: &mut Vec<u8>, at: &mut usize) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn read(&self, into: &mut Vec<u8>, at: &mut usize) -> Result<usize, Failed> {
            into.extend_from_slice(self.0.as_bytes());
            *at += into.len();
            TRIES.answer(*at).await
        }
    }
    let (mut into, mut at) = (Vec::new(), 0);
    assert_eq!(send(Memory("a".to_owned()).read(&mut into, &mut at)).await, Ok(6));
    assert_eq!((TRIES.bodies(), into.len()), (3, 3));
}

/// `#[async_trait]`, patterns.
/// What they bind is borrowed by all attempts, or cloned for each.
#[tokio::test(start_paused = true)]
async fn patterns() {
    static TRIES: Tries = Tries::failing(2);
    struct Point {
        x: u32,
        name: String,
    }
    #[async_trait]
    trait Store {
        async fn put(&self, pair: (u32, Vec<u8>), point: Point, _: u8) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry(clone(bytes, name))]
        async fn put(
            &self,
            (number, mut bytes): (u32, Vec<u8>),
            Point { x, name }: Point,
            _: u8,
        ) -> Result<usize, Failed> {
            bytes.extend(name.into_bytes());
            TRIES.answer(bytes.len() + usize::try_from(number + x).unwrap_or(0)).await
        }
    }
    let point = Point { x: 2, name: "ab".to_owned() };
    assert_eq!(send(Memory(String::new()).put((1, vec![1]), point, 0)).await, Ok(6));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, generic.
/// As in a plain generic method.
#[tokio::test(start_paused = true)]
async fn generic() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store<K> {
        async fn put<V, const N: usize>(&self, key: K, value: [V; N]) -> Result<(K, usize), Failed>
        where
            K: 'async_trait,
            V: Send + Sync;
    }
    #[async_trait]
    impl<K: Clone + Send + Sync> Store<K> for Memory {
        #[retry(clone(key))]
        async fn put<V, const N: usize>(&self, key: K, value: [V; N]) -> Result<(K, usize), Failed>
        where
            K: 'async_trait,
            V: Send + Sync,
        {
            TRIES.answer((key, value.len() + N)).await
        }
    }
    assert_eq!(send(Memory(String::new()).put("a", [1, 2])).await, Ok(("a", 4)));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, `impl Trait` arguments.
/// A closure is called by all attempts.
#[tokio::test(start_paused = true)]
async fn impl_trait() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn map(&self, f: impl Fn(usize) -> usize + Send + Sync) -> Result<usize, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn map(&self, f: impl Fn(usize) -> usize + Send + Sync) -> Result<usize, Failed> {
            TRIES.answer(f(self.0.len())).await
        }
    }
    assert_eq!(send(Memory("four".to_owned()).map(|length| length + 1)).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, lifetimes and a borrowed result.
/// The result borrows from what the caller lent, not from an attempt.
#[tokio::test(start_paused = true)]
async fn lifetimes() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn longer<'a>(&'a self, other: &'a str, _: &str) -> Result<&'a str, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry]
        async fn longer<'a>(&'a self, other: &'a str, _: &str) -> Result<&'a str, Failed> {
            let longer = if other.len() > self.0.len() { other } else { &self.0 };
            TRIES.answer(longer).await
        }
    }
    assert_eq!(send(Memory("four".to_owned()).longer("two", "")).await, Ok("four"));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait]`, arguments under `#[cfg]`.
/// One that is left out is not cloned either.
#[tokio::test(start_paused = true)]
async fn cfgs() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait]
    trait Store {
        async fn put(&self, value: String) -> Result<String, Failed>;
    }
    #[async_trait]
    impl Store for Memory {
        #[retry(clone(value, other))]
        async fn put(
            &self,
            #[cfg(not(any()))] mut value: String,
            #[cfg(any())] mut other: String,
        ) -> Result<String, Failed> {
            value.push_str(&self.0);
            #[cfg(any())]
            value.push_str(&other);
            TRIES.answer(value).await
        }
    }
    assert_eq!(send(Memory("!".to_owned()).put("a".to_owned())).await, Ok("a!".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_trait(?Send)]`, an argument that stays on its thread.
/// So does the future.
#[tokio::test(start_paused = true)]
async fn local_argument() {
    static TRIES: Tries = Tries::failing(2);
    #[async_trait(?Send)]
    trait Store {
        async fn put(&self, value: std::rc::Rc<str>) -> Result<usize, Failed>;
    }
    #[async_trait(?Send)]
    impl Store for Memory {
        #[retry]
        async fn put(&self, value: std::rc::Rc<str>) -> Result<usize, Failed> {
            TRIES.answer(value.len()).await
        }
    }
    assert_eq!(local(Memory(String::new()).put("four".into())).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
