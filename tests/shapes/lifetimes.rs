//! Lifetimes.
//!
//! What an attempt lends ends with it; what the call was lent may come back.

use std::{borrow::Cow, collections::HashMap, fmt::Display};

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// `F: for<'a> Fn(&'a str) -> &'a str`.
/// Higher-ranked bounds hold for what an attempt lends.
#[tokio::test(start_paused = true)]
async fn higher_ranked() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn cut<F>(text: &str, cut: F) -> Result<String, Failed>
    where
        F: for<'a> Fn(&'a str) -> &'a str + Send + Sync,
    {
        let own = format!(" {text} ");
        TRIES.answer(cut(&own).to_owned()).await
    }
    assert_eq!(send(cut("a", str::trim)).await, Ok("a".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `'a: 'b`.
/// Bounds between lifetimes.
#[tokio::test(start_paused = true)]
async fn outlives() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn sort<'a: 'b, 'b>(left: &'a str, right: &'b str) -> Result<(&'b str, &'a str), Failed> {
        let longer = if left.len() > right.len() { left } else { right };
        TRIES.answer((longer, left)).await
    }
    assert_eq!(send(sort("ab", "c")).await, Ok(("ab", "ab")));
    assert_eq!(TRIES.bodies(), 3);
}

/// `T: 'a` and `dyn Trait + 'a`.
/// A borrowed trait object that comes back.
#[tokio::test(start_paused = true)]
async fn object_of_a_lifetime() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn shown<'a, T>(value: &'a T) -> Result<Box<dyn Display + Send + 'a>, Failed>
    where
        T: Display + Sync + 'a,
    {
        TRIES.answer(()).await?;
        Ok(Box::new(value))
    }
    assert_eq!(send(shown(&4)).await.unwrap().to_string(), "4");
    assert_eq!(TRIES.bodies(), 3);
}

/// `'_` in a type.
/// A borrow that hides in a struct.
#[tokio::test(start_paused = true)]
async fn elided_in_a_type() {
    static TRIES: Tries = Tries::failing(2);
    #[derive(Debug, PartialEq)]
    struct Word<'a>(&'a str);
    #[retry]
    async fn first<'a>(words: &[Word<'a>], _limit: Word<'_>) -> Result<Word<'a>, Failed> {
        TRIES.answer(Word(words[0].0)).await
    }
    assert_eq!(send(first(&[Word("a")], Word("b"))).await, Ok(Word("a")));
    assert_eq!(TRIES.bodies(), 3);
}

/// A borrow from `&self`.
/// Its lifetime is that of the caller's borrow, not of an attempt.
#[tokio::test(start_paused = true)]
async fn from_self() {
    static TRIES: Tries = Tries::failing(2);
    struct Store(String);
    impl Store {
        #[retry]
        async fn text(&self) -> Result<&str, Failed> {
            TRIES.answer(&self.0).await.map(|text| &**text)
        }
    }
    let store = Store("text".to_owned());
    assert_eq!(send(store.text()).await, Ok("text"));
    assert_eq!(TRIES.bodies(), 3);
}

/// A borrow from an argument.
/// By a named lifetime, beside other arguments.
#[tokio::test(start_paused = true)]
async fn from_an_argument() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn find<'a>(words: &'a [String], start: &str) -> Result<Option<&'a String>, Failed> {
        let found = words.iter().find(|word| word.starts_with(start));
        TRIES.answer(found).await
    }
    let words = ["ab".to_owned(), "cd".to_owned()];
    assert_eq!(send(find(&words, "c")).await, Ok(Some(&words[1])));
    assert_eq!(TRIES.bodies(), 3);
}

/// Borrows with two lifetimes.
/// Each keeps its own.
#[tokio::test(start_paused = true)]
async fn two_lifetimes() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn pair<'a, 'b>(left: &'a str, right: &'b str) -> Result<(&'b str, &'a str), Failed> {
        TRIES.answer((right, left)).await
    }
    assert_eq!(send(pair("a", "b")).await, Ok(("b", "a")));
    assert_eq!(TRIES.bodies(), 3);
}

/// A borrow from `&mut self`.
/// Allowed with `attempts = 1`: the next attempt would need the receiver that was given away.
#[tokio::test(start_paused = true)]
async fn from_exclusive_self() {
    static TRIES: Tries = Tries::failing(0);
    struct Store(HashMap<u8, String>);
    impl Store {
        #[retry(attempts = 1)]
        async fn entry(&mut self, id: u8) -> Result<&mut String, Failed> {
            TRIES.answer(self.0.entry(id).or_default()).await
        }
    }
    let mut store = Store(HashMap::new());
    send(store.entry(4)).await.unwrap().push('a');
    assert_eq!((TRIES.bodies(), &*store.0[&4]), (1, "a"));
}

/// `Result<Cow<'_, str>, E>`.
/// A borrow in one attempt, an owned value in another.
#[tokio::test(start_paused = true)]
async fn cow() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn shout(text: &str) -> Result<Cow<'_, str>, Failed> {
        let quiet = text.contains(char::is_lowercase);
        let text = if quiet { text.to_uppercase().into() } else { text.into() };
        TRIES.answer(text).await
    }
    assert_eq!(send(shout("a")).await.as_deref(), Ok("A"));
    assert_eq!(TRIES.bodies(), 3);
}
