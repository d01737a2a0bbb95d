//! Functions that block: arguments, results and qualifiers.
//!
//! As in an `async fn`: what the body consumes or changes is named in `clone(..)`, and all else is
//! borrowed.

use stormless::retry;

use crate::support::{Failed, Tries};

/// `blocking`, an argument given away.
/// Each attempt gives away a clone.
#[test]
fn given_away() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none", clone(name))]
    fn same(name: String, more: &mut String) -> Result<String, Failed> {
        more.push_str(&name);
        let mine = name;
        TRIES.run().map(|()| mine)
    }
    let mut more = String::new();
    assert_eq!(same("a".to_owned(), &mut more), Ok("a".to_owned()));
    assert_eq!((TRIES.bodies(), more), (3, "aaa".to_owned()));
}

/// `blocking`, `mut` arguments and patterns.
/// Each attempt changes clones of its own.
#[test]
fn changed() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none", clone(name, bytes))]
    fn sizes(mut name: String, (mut bytes, n): (Vec<u8>, usize)) -> Result<[usize; 3], Failed> {
        name.push('!');
        bytes.push(1);
        TRIES.run().map(|()| [name.len(), bytes.len(), n])
    }
    assert_eq!(sizes("a".to_owned(), (vec![1], 3)), Ok([2, 2, 3]));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, generic, `impl Trait` arguments.
/// As the plain function.
#[test]
fn generic() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none", attempts = N)]
    fn map<T, const N: u32>(value: &T, f: impl Fn(&T) -> usize) -> Result<usize, Failed>
    where
        T: AsRef<str> + ?Sized,
    {
        TRIES.run().map(|()| f(value))
    }
    assert_eq!(map::<str, 3>("four", str::len), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, `impl Trait` in the result.
/// Inference finds its type.
#[test]
fn opaque_result() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none")]
    fn doubled(values: &[u32]) -> Result<impl Iterator<Item = u32> + '_, Failed> {
        TRIES.run().map(|()| values.iter().map(|value| value * 2))
    }
    assert_eq!(doubled(&[1, 2]).map(Iterator::sum), Ok(6));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, a borrowed result.
/// It borrows from what the caller lent.
#[test]
fn borrowed_result() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none")]
    fn first<'a>(values: &'a [String], _: &str) -> Result<&'a str, Failed> {
        TRIES.run()?;
        values.first().map(String::as_str).ok_or(Failed)
    }
    assert_eq!(first(&["a".to_owned()], ""), Ok("a"));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, in a trait: a default method and one in the `impl`.
/// Both are retried; the inner one runs once for each attempt of the outer one.
#[test]
fn traits() {
    static TRIES: Tries = Tries::failing(2);
    trait Store {
        fn number(&self) -> Result<u32, Failed>;

        #[retry(blocking, backoff = "none")]
        fn double(&self) -> Result<u32, Failed> {
            Ok(self.number()? * 2)
        }
    }
    struct Memory(u32);
    impl Store for Memory {
        #[retry(blocking, backoff = "none")]
        fn number(&self) -> Result<u32, Failed> {
            TRIES.run().map(|()| self.0)
        }
    }
    let store: &dyn Store = &Memory(2);
    assert_eq!(store.double(), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, `extern "C"`.
/// The signature stays what it is.
#[test]
fn foreign() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(blocking, backoff = "none")]
    #[expect(improper_ctypes_definitions, reason = "as without `#[retry]`")]
    extern "C" fn same(id: u32) -> Result<u32, Failed> {
        TRIES.run().map(|()| id)
    }
    let pointer: extern "C" fn(u32) -> Result<u32, Failed> = same;
    assert_eq!(pointer(4), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `blocking`, `unsafe fn`.
/// The caller's `unsafe` is asked for once, for all attempts.
#[test]
#[expect(unsafe_code, reason = "the shape under test")]
fn unsafe_function() {
    static TRIES: Tries = Tries::failing(2);
    /// # Safety
    ///
    /// Always safe.
    #[retry(blocking, backoff = "none")]
    unsafe fn same(id: u32) -> Result<u32, Failed> {
        TRIES.run().map(|()| id)
    }
    // SAFETY: it is always safe.
    assert_eq!(unsafe { same(4) }, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

macro_rules! define {
    ($name:ident, $value:ident: $in:ty => $out:ty, $body:block) => {
        #[retry(blocking, backoff = "none")]
        fn $name($value: $in) -> $out $body
    };
}

/// `blocking`, made by `macro_rules!`.
/// Fragments may stand everywhere.
#[test]
fn made_by_a_macro() {
    static TRIES: Tries = Tries::failing(2);
    define!(same, id: u32 => Result<u32, Failed>, { TRIES.run().map(|()| id) });
    assert_eq!(same(4), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
