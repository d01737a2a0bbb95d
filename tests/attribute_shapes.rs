//! Functions of every shape compile as they would without the attribute: `Send` stays, lints stay
//! exact, names cannot collide. The lints below would fire on generated code.

// No `allow` may be emitted for these: it would be an error here.
#![forbid(unreachable_code, unused_braces, unused_parens)]
#![deny(
    warnings,
    unused,
    future_incompatible,
    rust_2018_idioms,
    rust_2021_compatibility,
    rust_2024_compatibility,
    let_underscore_drop,
    meta_variable_misuse,
    single_use_lifetimes,
    trivial_casts,
    unit_bindings,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    clippy::all,
    clippy::pedantic
)]

use std::{cell::Cell, fmt::Debug, pin::Pin, sync::Arc};

use stormless::{Classification, Retryable, retry};

#[derive(Debug, PartialEq, Eq)]
struct Failed;

impl Retryable for Failed {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

impl From<std::num::ParseIntError> for Failed {
    fn from(_: std::num::ParseIntError) -> Self {
        Self
    }
}

/// The future that comes back, known to be `Send`.
fn sent<F: Future + Send>(future: F) -> F {
    future
}

/// Fails until it is asked for the third time.
fn third_time<T>(calls: &Cell<u32>, value: T) -> Result<T, Failed> {
    calls.set(calls.get() + 1);
    if calls.get() < 3 { Err(Failed) } else { Ok(value) }
}

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

fn attempt<T>(value: T) -> Result<T, Failed> {
    CALLS.with(|calls| third_time(calls, value))
}

mod free_functions {
    use super::*;

    #[retry]
    async fn nothing() -> Result<(), Failed> {
        attempt(())
    }

    #[retry]
    async fn borrowed(name: &str, id: u64) -> Result<String, Failed> {
        tokio::task::yield_now().await;
        attempt(format!("{name}{id}"))
    }

    #[retry]
    async fn borrowed_result<'a>(name: &'a str, _other: &str) -> Result<&'a str, Failed> {
        attempt(name)
    }

    #[retry]
    async fn mutable(seen: &mut Vec<u32>) -> Result<usize, Failed> {
        seen.push(1);
        tokio::task::yield_now().await;
        attempt(seen.len())
    }

    #[retry]
    async fn only_borrowed_by_the_body(words: Vec<String>) -> Result<usize, Failed> {
        tokio::task::yield_now().await;
        attempt(words.len())
    }

    #[retry(clone(words))]
    async fn moved(words: Vec<String>) -> Result<Vec<String>, Failed> {
        attempt(words)
    }

    #[retry(clone(words))]
    async fn changed(mut words: Vec<String>) -> Result<Vec<String>, Failed> {
        words.push("once".to_owned());
        attempt(words)
    }

    #[retry(clone(cell))]
    async fn send_but_not_sync(cell: Cell<u8>) -> Result<u8, Failed> {
        tokio::task::yield_now().await;
        attempt(cell.get())
    }

    #[retry]
    async fn patterns(
        (left, right): (u8, u8),
        &third: &u8,
        [first, ..]: [u8; 3],
        _: u8,
        #[cfg(not(test))] absent: u8,
    ) -> Result<u8, Failed> {
        attempt(left + right + third + first)
    }

    #[retry(clone(left, word))]
    async fn cloned_patterns(
        (mut left, right): (u8, u8),
        #[cfg(test)] word: String,
        #[cfg(not(test))] word: u8,
    ) -> Result<String, Failed> {
        left += right;
        attempt(format!("{word}{left}"))
    }

    #[tokio::test(start_paused = true)]
    async fn they_run_three_times_and_their_futures_are_send() {
        CALLS.set(0);
        sent(nothing()).await.unwrap();
        assert_eq!(CALLS.get(), 3);
        CALLS.set(0);
        assert_eq!(sent(borrowed("a", 7)).await, Ok("a7".to_owned()));
        CALLS.set(0);
        assert_eq!(sent(borrowed_result("a", "b")).await, Ok("a"));
        CALLS.set(0);
        let mut seen = Vec::new();
        assert_eq!(sent(mutable(&mut seen)).await, Ok(3));
        CALLS.set(0);
        assert_eq!(sent(only_borrowed_by_the_body(vec!["a".to_owned()])).await, Ok(1));
        CALLS.set(0);
        assert_eq!(sent(moved(vec!["a".to_owned()])).await, Ok(vec!["a".to_owned()]));
        CALLS.set(0);
        assert_eq!(sent(changed(Vec::new())).await, Ok(vec!["once".to_owned()]));
        CALLS.set(0);
        assert_eq!(sent(send_but_not_sync(Cell::new(4))).await, Ok(4));
        CALLS.set(0);
        assert_eq!(sent(patterns((1, 2), &3, [4, 0, 0], 0)).await, Ok(10));
        CALLS.set(0);
        assert_eq!(sent(cloned_patterns((1, 2), "a".to_owned())).await, Ok("a3".to_owned()));
    }
}

mod methods {
    use super::*;

    #[derive(Debug, Clone)]
    struct Store {
        text: String,
        count: u32,
    }

    impl Store {
        #[retry]
        async fn by_ref(&self) -> Result<&str, Failed> {
            tokio::task::yield_now().await;
            attempt(&self.text)
        }

        #[retry]
        async fn by_mut(&mut self) -> Result<u32, Failed> {
            self.count += 1;
            tokio::task::yield_now().await;
            attempt(self.count)
        }

        #[retry]
        async fn by_value(self) -> Result<usize, Failed> {
            attempt(self.text.len())
        }

        #[retry]
        async fn by_arc(self: Arc<Self>) -> Result<usize, Failed> {
            attempt(self.text.len())
        }

        #[retry]
        async fn by_box(self: Box<Self>) -> Result<usize, Failed> {
            attempt(self.text.len())
        }

        #[retry]
        async fn by_pin(mut self: Pin<&mut Self>) -> Result<u32, Failed> {
            self.as_mut().get_mut().count += 1;
            attempt(self.count)
        }

        #[retry(attempts = 1)]
        async fn consumed_once(mut self) -> Result<Self, Failed> {
            self.count += 1;
            attempt(self)
        }

        #[retry(attempts = 1)]
        async fn reborrowed_once(&mut self) -> Result<&mut String, Failed> {
            attempt(&mut self.text)
        }
    }

    trait Fetch {
        const TRIES: u32;
        type Error;

        async fn fetch(&mut self) -> Result<u32, Self::Error>;

        #[retry(attempts = Self::TRIES)]
        async fn by_default(&mut self) -> Result<u32, Failed>
        where
            Self: Debug,
        {
            attempt(Self::TRIES)
        }
    }

    impl Fetch for Store {
        const TRIES: u32 = 4;
        type Error = Failed;

        #[retry]
        async fn fetch(&mut self) -> Result<u32, Self::Error> {
            self.count += 1;
            attempt(self.count)
        }
    }

    #[tokio::test(start_paused = true)]
    async fn every_receiver_is_lent_to_each_attempt() {
        let mut store = Store { text: "text".to_owned(), count: 0 };
        CALLS.set(0);
        assert_eq!(sent(store.by_ref()).await, Ok("text"));
        CALLS.set(0);
        assert_eq!(sent(store.by_mut()).await, Ok(3));
        CALLS.set(0);
        assert_eq!(sent(store.clone().by_value()).await, Ok(4));
        CALLS.set(0);
        assert_eq!(sent(Arc::new(store.clone()).by_arc()).await, Ok(4));
        CALLS.set(0);
        assert_eq!(sent(Box::new(store.clone()).by_box()).await, Ok(4));
        CALLS.set(0);
        assert_eq!(sent(Pin::new(&mut store).by_pin()).await, Ok(6));
        CALLS.set(2);
        assert_eq!(sent(store.clone().consumed_once()).await.unwrap().count, 7);
        CALLS.set(2);
        assert_eq!(sent(store.reborrowed_once()).await.unwrap(), "text");
    }

    #[tokio::test(start_paused = true)]
    async fn methods_of_traits_are_retried() {
        let mut store = Store { text: String::new(), count: 0 };
        CALLS.set(0);
        assert_eq!(store.fetch().await, Ok(3));
        CALLS.set(0);
        assert_eq!(store.by_default().await, Ok(4));
    }
}

mod types {
    use super::*;

    trait Shape {
        fn sides(&self) -> u8;
    }

    #[derive(Debug)]
    struct Square;

    impl Shape for Square {
        fn sides(&self) -> u8 {
            4
        }
    }

    #[retry]
    async fn unsized_box() -> Result<Box<dyn Shape + Send>, Failed> {
        attempt(())?;
        Ok(Box::new(Square))
    }

    #[retry]
    async fn hidden() -> Result<impl Iterator<Item = u8> + Send, Failed> {
        attempt((0..3).map(|number| number * 2))
    }

    #[retry]
    async fn converted(text: &str) -> Result<u32, Failed> {
        let number: u32 = text.parse()?;
        attempt(number)
    }

    #[retry]
    async fn generic<'a, T, F, const N: usize>(
        value: &'a T,
        look: impl Fn(&T) -> usize + Send + Sync,
        more: F,
    ) -> Result<(&'a T, usize), Failed>
    where
        T: ?Sized + Sync + 'a,
        F: for<'x> Fn(&'x T) -> &'x T + Send + Sync,
    {
        tokio::task::yield_now().await;
        attempt((value, look(more(value)) + N))
    }

    type Answer<T> = Result<T, Failed>;

    #[retry]
    async fn by_alias() -> Answer<u8> {
        attempt(1)
    }

    #[retry]
    async fn returns_and_closures(numbers: &[&str]) -> Result<u32, Failed> {
        let parse = |text: &str| -> Result<u32, Failed> { Ok(text.parse::<u32>()?) };
        let mut left = numbers.iter();
        let found = 'search: loop {
            for number in left.by_ref() {
                if parse(number)? == 2 {
                    break 'search 2;
                }
            }
            if numbers.is_empty() {
                return Err(Failed);
            }
            left = numbers.iter();
        };
        if found == 2 {
            return attempt(found);
        }
        Err(Failed)
    }

    #[retry(attempts = 2)]
    async fn recursive(depth: u32) -> Result<u32, Failed> {
        if depth == 0 {
            return Ok(0);
        }
        Ok(Box::pin(recursive(depth - 1)).await? + 1)
    }

    #[tokio::test(start_paused = true)]
    async fn inference_in_the_body_goes_by_the_return_type() {
        CALLS.set(0);
        assert_eq!(sent(unsized_box()).await.ok().map(|shape| shape.sides()), Some(4));
        CALLS.set(0);
        assert_eq!(sent(hidden()).await.unwrap().collect::<Vec<_>>(), [0, 2, 4]);
        CALLS.set(0);
        assert_eq!(sent(converted("7")).await, Ok(7));
        CALLS.set(0);
        let found = sent(generic::<str, _, 3>("four", str::len, |text| text)).await;
        assert_eq!(found, Ok(("four", 7)));
        CALLS.set(0);
        assert_eq!(sent(by_alias()).await, Ok(1));
        CALLS.set(0);
        assert_eq!(sent(returns_and_closures(&["1", "2"])).await, Ok(2));
        assert_eq!(recursive(3).await, Ok(3));
    }
}

mod names {
    use super::*;

    #[retry(clone(r#type))]
    async fn r#match(r#type: String) -> Result<String, Failed> {
        attempt(r#type)
    }

    #[retry]
    async fn same_names(__call: u8, __result: u8, __ret: u8, __policy: u8) -> Result<u8, Failed> {
        attempt(__call + __result + __ret + __policy)
    }

    mod shadowed {
        #![expect(dead_code, unused_macros)]

        pub(super) use super::retry as again;

        mod core {}
        mod std {}
        mod stormless {}
        enum Option {}
        enum Some {}
        enum None {}
        enum Call {}
        struct Duration;
        macro_rules! file {
            () => {
                compile_error!("not this one")
            };
        }
        macro_rules! concat {
            () => {
                compile_error!("not this one")
            };
        }

        #[again(base = "1ms", clone(name))]
        pub(super) async fn shadowing(name: u8) -> Result<u8, super::Failed> {
            use super::attempt as Failed;
            Failed(name)
        }
    }

    macro_rules! define {
        ($name:ident, $base:literal, $attempts:expr, $ok:ty, $out:ty, $body:block) => {
            #[retry(base = $base, attempts = $attempts, clone(_value), classify = |_: &Failed| Classification::transient(),)]
            async fn $name(_value: $ok) -> $out $body
        };
    }

    define!(by_macro, "1ms", 3, u8, Result<u8, Failed>, { attempt(5) });

    #[tokio::test(start_paused = true)]
    async fn no_name_of_the_users_collides() {
        CALLS.set(0);
        assert_eq!(sent(r#match("a".to_owned())).await, Ok("a".to_owned()));
        CALLS.set(0);
        assert_eq!(sent(same_names(1, 2, 3, 4)).await, Ok(10));
        CALLS.set(0);
        assert_eq!(sent(shadowed::shadowing(3)).await, Ok(3));
        CALLS.set(0);
        assert_eq!(sent(by_macro(1)).await, Ok(5));
    }
}

mod qualifiers {
    use super::*;

    /// Documented.
    #[retry]
    #[deprecated]
    #[inline]
    pub(in crate::qualifiers) async fn old(value: u8) -> Result<u8, Failed> {
        #![expect(unused_assignments)]
        let mut value = value;
        value = 7;
        attempt(value)
    }

    #[retry]
    #[expect(improper_ctypes_definitions)]
    async extern "C" fn foreign() -> Result<u8, Failed> {
        attempt(1)
    }

    #[retry]
    #[expect(dead_code, reason = "the lint still sees that nobody calls it")]
    async fn forgotten() -> Result<u8, Failed> {
        attempt(1)
    }

    #[retry(clone(a))]
    #[expect(unused_variables, unused_mut, reason = "the lints still see the arguments")]
    pub(super) async fn unused(mut a: u8, b: u8) -> Result<u8, Failed> {
        attempt(a)
    }

    #[tokio::test(start_paused = true)]
    async fn they_stay_on_the_function() {
        CALLS.set(0);
        #[expect(deprecated)]
        let old = old(1);
        assert_eq!(old.await, Ok(7));
        CALLS.set(0);
        assert_eq!(foreign().await, Ok(1));
        CALLS.set(0);
        assert_eq!(unused(1, 2).await, Ok(1));
    }
}
