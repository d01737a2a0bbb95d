//! Arguments.
//!
//! Each attempt borrows what the call was given. What an attempt does to a `&mut`, the next one sees.

use std::{borrow::Cow, cell::Cell, fmt, fmt::Write, pin::Pin, rc::Rc, sync::Arc};

use stormless::retry;

use crate::support::{Failed, Tries, local, send};

/// No argument.
/// The body runs again, and that is all.
#[tokio::test(start_paused = true)]
async fn none() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn ping() -> Result<(), Failed> {
        TRIES.answer(()).await
    }
    assert_eq!(send(ping()).await, Ok(()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `&T` and `Copy`.
/// Each attempt reads them.
#[tokio::test(start_paused = true)]
async fn shared_and_copied() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn order(shop: &str, id: u64) -> Result<String, Failed> {
        TRIES.answer(format!("{shop}{id}")).await
    }
    assert_eq!(send(order("a", 7)).await, Ok("a7".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `&mut T`.
/// Borrowed anew by each attempt; what a failed one changed stays changed.
#[tokio::test(start_paused = true)]
async fn exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn fill(seen: &mut Vec<u32>) -> Result<usize, Failed> {
        seen.push(1);
        TRIES.answer(seen.len()).await
    }
    let mut seen = Vec::new();
    assert_eq!(send(fill(&mut seen)).await, Ok(3));
    assert_eq!((TRIES.bodies(), seen.len()), (3, 3));
}

/// `mut x: &mut T`.
/// The variable goes on from one attempt to the next, with what it points to.
#[tokio::test(start_paused = true)]
async fn rebindable_exclusive() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn write(mut text: &mut String) -> Result<usize, Failed> {
        write!(&mut text, "{}", 1).map_err(|_| Failed)?;
        TRIES.answer(text.len()).await
    }
    assert_eq!(send(write(&mut String::new())).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// An owned value, looked at.
/// The call owns it and the attempts borrow it: nothing has to be cloned.
#[tokio::test(start_paused = true)]
async fn owned() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn count(words: Vec<String>) -> Result<usize, Failed> {
        TRIES.answer(words.len()).await
    }
    assert_eq!(send(count(vec!["a".to_owned()])).await, Ok(1));
    assert_eq!(TRIES.bodies(), 3);
}

/// An owned value, cloned in the body.
/// The body says itself which copy it gives away.
#[tokio::test(start_paused = true)]
async fn cloned_by_hand() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn publish(words: Vec<String>) -> Result<Vec<String>, Failed> {
        TRIES.answer(words.clone()).await
    }
    assert_eq!(send(publish(vec!["a".to_owned()])).await, Ok(vec!["a".to_owned()]));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Arc<T>`.
/// The call keeps one reference to the end, the attempts borrow it.
#[tokio::test(start_paused = true)]
async fn arc() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn references(shared: Arc<str>) -> Result<usize, Failed> {
        TRIES.answer(Arc::strong_count(&shared)).await
    }
    assert_eq!(send(references("a".into())).await, Ok(1));
    assert_eq!(TRIES.bodies(), 2);
}

/// `Rc<T>` and `&Cell<T>`.
/// The future stays on its thread, as the plain one does.
#[tokio::test(start_paused = true)]
async fn not_send() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn count(text: Rc<str>, seen: &Cell<usize>) -> Result<usize, Failed> {
        seen.set(seen.get() + text.len());
        TRIES.answer(seen.get()).await
    }
    assert_eq!(local(count("ab".into(), &Cell::new(0))).await, Ok(6));
    assert_eq!(TRIES.bodies(), 3);
}

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

/// `&[T]` and `[T; N]`.
/// As any other borrowed or owned value.
#[tokio::test(start_paused = true)]
async fn slices_and_arrays() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn sum(some: &[u8], more: [u8; 2]) -> Result<u8, Failed> {
        TRIES.answer(some.iter().chain(&more).sum()).await
    }
    assert_eq!(send(sum(&[1, 2], [3, 4])).await, Ok(10));
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

/// An argument that is not used.
/// Its underscore keeps the compiler quiet, as without the attribute.
#[tokio::test(start_paused = true)]
async fn unused() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn ping(_reserved: String) -> Result<(), Failed> {
        TRIES.answer(()).await
    }
    assert_eq!(send(ping(String::new())).await, Ok(()));
    assert_eq!(TRIES.bodies(), 2);
}

/// An argument under `#[cfg]`.
/// It is there or not, as it would be.
#[tokio::test(start_paused = true)]
async fn under_cfg() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn sum(one: u8, #[cfg(test)] two: u8, #[cfg(not(test))] _: &str) -> Result<u8, Failed> {
        TRIES.answer(one + two).await
    }
    assert_eq!(send(sum(1, 2)).await, Ok(3));
    assert_eq!(TRIES.bodies(), 2);
}

/// An argument with a lint's attribute.
/// It stays where it is and does what it says.
#[tokio::test(start_paused = true)]
async fn under_expect() {
    static TRIES: Tries = Tries::failing(1);
    #[retry]
    async fn ping(#[expect(unused_variables)] later: u8) -> Result<(), Failed> {
        TRIES.answer(()).await
    }
    assert_eq!(send(ping(1)).await, Ok(()));
    assert_eq!(TRIES.bodies(), 2);
}

/// Raw identifiers.
/// In the signature, in the body and in `clone(..)`.
#[tokio::test(start_paused = true)]
async fn raw_identifiers() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(r#type))]
    async fn r#match(r#type: String, r#use: &str) -> Result<String, Failed> {
        TRIES.answer(r#type + r#use).await
    }
    assert_eq!(send(r#match("a".to_owned(), "b")).await, Ok("ab".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}
