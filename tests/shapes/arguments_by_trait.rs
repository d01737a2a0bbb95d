//! Arguments by trait, and arguments in a wrapper.
//!
//! They are borrowed by the attempts like all others.

use std::{borrow::Cow, fmt, fmt::Write, pin::Pin};

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `Cow<'_, T>`.
/// The attempts look through it.
#[tokio::test(start_paused = true)]
async fn cow() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn length(text: Cow<'_, str>) -> Result<usize, Failed> {
        TRIES.answer(text.len()).await
    }
    assert_eq!(send(length("four".into())).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `fn` pointer.
/// Copied by each attempt that calls it.
#[tokio::test(start_paused = true)]
async fn function_pointer() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn apply(function: fn(&str) -> usize, text: &str) -> Result<usize, Failed> {
        TRIES.answer(function(text)).await
    }
    assert_eq!(send(apply(str::len, "four")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `impl Trait`.
/// Borrowed by each attempt; across an await it must be `Sync` for the future to be `Send`.
#[tokio::test(start_paused = true)]
async fn impl_trait() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn greet(name: impl AsRef<str> + Send + Sync) -> Result<String, Failed> {
        TRIES.answer(format!("hello {}", name.as_ref())).await
    }
    assert_eq!(send(greet("a")).await, Ok("hello a".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `impl Fn`.
/// Called by each attempt.
#[tokio::test(start_paused = true)]
async fn impl_fn() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn ask(answer: impl Fn(u8) -> u8 + Send + Sync) -> Result<u8, Failed> {
        TRIES.answer(answer(4)).await
    }
    assert_eq!(send(ask(|number| number + 1)).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}

/// `&mut impl FnMut`.
/// The closure goes on counting from one attempt to the next.
#[tokio::test(start_paused = true)]
async fn impl_fn_mut() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn ask(next: &mut (impl FnMut() -> u8 + Send)) -> Result<u8, Failed> {
        TRIES.answer(next()).await
    }
    let mut last = 0;
    let mut next = || {
        last += 1;
        last
    };
    assert_eq!(send(ask(&mut next)).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// `&dyn Trait`.
/// As any `&T`.
#[tokio::test(start_paused = true)]
async fn shared_dyn() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn show(value: &(dyn fmt::Display + Sync)) -> Result<String, Failed> {
        TRIES.answer(value.to_string()).await
    }
    assert_eq!(send(show(&4)).await, Ok("4".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `&mut dyn Trait`.
/// As any `&mut T`.
#[tokio::test(start_paused = true)]
async fn exclusive_dyn() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn log(sink: &mut (dyn Write + Send)) -> Result<(), Failed> {
        sink.write_char('x').map_err(|_| Failed)?;
        TRIES.answer(()).await
    }
    let mut text = String::new();
    assert_eq!(send(log(&mut text)).await, Ok(()));
    assert_eq!((TRIES.bodies(), &*text), (3, "xxx"));
}

/// `Option<&T>`.
/// Copied by each attempt.
#[tokio::test(start_paused = true)]
async fn option_of_shared() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn length(text: Option<&str>) -> Result<usize, Failed> {
        TRIES.answer(text.map_or(0, str::len)).await
    }
    assert_eq!(send(length(Some("four"))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// `&mut Option<&mut T>`.
/// An `Option<&mut T>` would be moved out of by the first attempt; through a `&mut`, each attempt
/// reborrows what is in it.
#[tokio::test(start_paused = true)]
async fn option_of_exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn note(seen: &mut Option<&mut Vec<u8>>) -> Result<(), Failed> {
        if let Some(seen) = seen {
            seen.push(1);
        }
        TRIES.answer(()).await
    }
    let mut seen = Vec::new();
    assert_eq!(send(note(&mut Some(&mut seen))).await, Ok(()));
    assert_eq!((TRIES.bodies(), seen.len()), (3, 3));
}

/// `mut x: Pin<&mut T>`.
/// Each attempt goes on with the pinned value by `as_mut()`.
#[tokio::test(start_paused = true)]
async fn pinned() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn next<I: Iterator<Item = u8> + Unpin + Send>(
        mut source: Pin<&mut I>,
    ) -> Result<Option<u8>, Failed> {
        let next = source.as_mut().get_mut().next();
        TRIES.answer(next).await
    }
    assert_eq!(send(next(Pin::new(&mut (1..=9)))).await, Ok(Some(3)));
    assert_eq!(TRIES.bodies(), 3);
}
