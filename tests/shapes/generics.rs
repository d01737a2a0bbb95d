//! Generics.
//!
//! The parameters stay on the function, and its body sees them as before.

use std::{fmt::Display, marker::PhantomData, str::FromStr};

use stormless::{Retryable, retry};

use crate::support::{Failed, Tries, local, send};

/// A type parameter with bounds.
/// Each type has its own loop; attempts, budget and counters are those of the function.
#[tokio::test(start_paused = true)]
async fn bounded() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn show<T: Display + Sync>(value: &T) -> Result<String, Failed> {
        TRIES.answer(value.to_string()).await
    }
    assert_eq!(send(show(&4)).await, Ok("4".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// A `where` clause.
/// As bounds in the list.
#[tokio::test(start_paused = true)]
async fn where_clause() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sum<I>(numbers: I) -> Result<u32, Failed>
    where
        I: IntoIterator<Item = u32> + Clone + Send + Sync,
        I::IntoIter: Send,
    {
        TRIES.answer(numbers.clone().into_iter().sum()).await
    }
    assert_eq!(send(sum([1, 2])).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// A type that only the return type names.
/// Chosen by the caller, with a turbofish if need be.
#[tokio::test(start_paused = true)]
async fn returned() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn parse<T>(text: &str) -> Result<T, Failed>
    where
        T: FromStr + Send,
        Failed: From<T::Err>,
    {
        let parsed = text.parse()?;
        TRIES.answer(parsed).await
    }
    assert_eq!(send(parse::<u16>("7")).await, Ok(7));
    assert_eq!(TRIES.bodies(), 3);
}

/// A const parameter.
/// In arguments, in the body and in the return type.
#[tokio::test(start_paused = true)]
async fn const_parameter() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn double<const N: usize>(numbers: [u8; N]) -> Result<[u8; N], Failed> {
        TRIES.answer(numbers.map(|number| number * 2)).await
    }
    assert_eq!(send(double([1, 2])).await, Ok([2, 4]));
    assert_eq!(TRIES.bodies(), 3);
}

/// A const parameter as a setting.
/// Checked for each value that is used: with 0 it would not compile.
#[tokio::test(start_paused = true)]
async fn const_setting() {
    static TRIES: Tries = Tries::failing(9);
    #[retry(attempts = N)]
    async fn ping<const N: u32>() -> Result<(), Failed> {
        TRIES.answer(()).await
    }
    assert_eq!(send(ping::<2>()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 2);
    assert_eq!(send(ping::<5>()).await, Err(Failed));
    assert_eq!(TRIES.bodies(), 7);
}

/// `T: ?Sized`.
/// Behind a reference, as always.
#[tokio::test(start_paused = true)]
async fn not_sized() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn length<T: AsRef<[u8]> + ?Sized + Sync>(value: &T) -> Result<usize, Failed> {
        TRIES.answer(value.as_ref().len()).await
    }
    assert_eq!(send(length("four")).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `F: Fn() -> Fut`.
/// Each attempt makes a future of its own.
#[tokio::test(start_paused = true)]
async fn function_of_futures() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn call<F, Fut>(make: F) -> Result<u8, Failed>
    where
        F: Fn() -> Fut + Send + Sync,
        Fut: Future<Output = Result<u8, Failed>> + Send,
    {
        make().await
    }
    assert_eq!(send(call(|| TRIES.answer(4))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// `F: AsyncFn`.
/// No bound can say that its futures are `Send`; the future stays on its thread, as the plain one.
#[tokio::test(start_paused = true)]
async fn async_closure() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn call<F: AsyncFn(u8) -> Result<u8, Failed>>(ask: F) -> Result<u8, Failed> {
        ask(4).await
    }
    assert_eq!(local(call(async |number| TRIES.answer(number + 1).await)).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}

/// `F: AsyncFnMut`.
/// Lent to each attempt as `&mut`.
#[tokio::test(start_paused = true)]
async fn async_closure_with_state() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn call<F: AsyncFnMut() -> Result<u8, Failed>>(ask: &mut F) -> Result<u8, Failed> {
        ask().await
    }
    let mut calls = 0;
    let mut ask = async || {
        calls += 1;
        TRIES.answer(calls).await
    };
    assert_eq!(local(call(&mut ask)).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// A generic error, `E: Retryable`.
/// The caller's error type says what is worth a retry.
#[tokio::test(start_paused = true)]
async fn error_parameter() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn call<T, E: Retryable>(ask: impl Fn(u8) -> Result<T, E> + Send + Sync) -> Result<T, E> {
        tokio::task::yield_now().await;
        ask(4)
    }
    assert_eq!(send(call(|number| TRIES.run().map(|()| number))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// All of it at once.
/// Lifetimes, types, consts, `impl Trait` and a `where` clause.
#[tokio::test(start_paused = true)]
async fn at_once() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn look<'a, T, F, const N: usize>(
        value: &'a T,
        look: impl Fn(&T) -> usize + Send + Sync,
        more: F,
    ) -> Result<(&'a T, usize), Failed>
    where
        T: ?Sized + Sync + 'a,
        F: for<'x> Fn(&'x T) -> &'x T + Send + Sync,
    {
        TRIES.answer((value, look(more(value)) + N)).await
    }
    let found = send(look::<str, _, 3>("four", str::len, |text| text)).await;
    assert_eq!(found, Ok(("four", 7)));
    assert_eq!(TRIES.bodies(), 3);
}

/// A method of a generic type, with parameters of its own.
/// Both lists are there in the body.
#[tokio::test(start_paused = true)]
async fn generic_method() {
    static TRIES: Tries = Tries::failing(2);
    struct Table<T, const N: usize>([T; N]);
    impl<T: Sync, const N: usize> Table<T, N> {
        #[retry]
        async fn find<Q>(&self, wanted: &Q) -> Result<Option<&T>, Failed>
        where
            Q: PartialEq<T> + Sync + ?Sized,
        {
            TRIES.answer(self.0.iter().find(|value| wanted == *value)).await
        }
    }
    let table = Table(["a".to_owned(), "b".to_owned()]);
    assert_eq!(send(table.find("b")).await, Ok(Some(&"b".to_owned())));
    assert_eq!(TRIES.bodies(), 3);
}

/// A type parameter that no argument has.
/// `Self` is a marker alone.
#[tokio::test(start_paused = true)]
async fn phantom() {
    static TRIES: Tries = Tries::failing(2);
    struct Typed<T>(PhantomData<fn() -> T>);
    impl<T: Default + Send> Typed<T> {
        #[retry]
        async fn value(&self) -> Result<T, Failed> {
            TRIES.answer(T::default()).await
        }
    }
    assert_eq!(send(Typed::<u8>(PhantomData).value()).await, Ok(0));
    assert_eq!(TRIES.bodies(), 3);
}
