//! Arguments.
//!
//! Each attempt borrows what the call was given. What an attempt does to a `&mut`, the next one sees.

use std::{cell::Cell, fmt::Write, rc::Rc, sync::Arc};

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
