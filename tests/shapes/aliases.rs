//! Aliases of `Result`.
//!
//! The return type is asked for by what it is, not by how it is called.

use std::{fmt, io};

use stormless::{Classification, retry};

use crate::support::{Failed, Tries, send};

/// An alias with a default for the error, as most crates have one.
type Answer<T, E = Failed> = Result<T, E>;

/// `io::Result<T>`.
/// Every kind of `io::Error` is classified: refused connections are retried, a missing file is not.
#[tokio::test(start_paused = true)]
async fn io_result() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn read(path: &str) -> io::Result<usize> {
        if path.is_empty() {
            let _ran = TRIES.answer(()).await;
            return Err(io::ErrorKind::NotFound.into());
        }
        TRIES.answer(path.len()).await.map_err(|_| io::ErrorKind::ConnectionRefused.into())
    }
    assert_eq!(send(read("four")).await.unwrap(), 4);
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(send(read("")).await.unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(TRIES.bodies(), 4);
}

/// `anyhow::Result<T>`.
/// The error could be anything, so `classify` looks into it.
#[tokio::test(start_paused = true)]
async fn anyhow_result() {
    static TRIES: Tries = Tries::failing(2);
    fn by_cause(error: &anyhow::Error) -> Classification {
        match error.downcast_ref::<io::Error>() {
            Some(_) => Classification::transient(),
            None => Classification::permanent(),
        }
    }
    #[retry(classify = by_cause)]
    async fn parse(text: &str) -> anyhow::Result<u8> {
        TRIES.answer(()).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
        anyhow::ensure!(!text.is_empty(), "nothing to parse");
        Ok(text.parse()?)
    }
    assert_eq!(send(parse("7")).await.unwrap(), 7);
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(send(parse("")).await.unwrap_err().to_string(), "nothing to parse");
    assert_eq!(TRIES.bodies(), 4);
}

/// `fmt::Result`.
/// An alias without a parameter, of somebody else's error.
#[tokio::test(start_paused = true)]
async fn fmt_result() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(classify = |_| Classification::transient())]
    async fn show(sink: &mut (dyn fmt::Write + Send)) -> fmt::Result {
        TRIES.answer(()).await.map_err(|_| fmt::Error)?;
        write!(sink, "{}", 4)
    }
    let mut text = String::new();
    assert_eq!(send(show(&mut text)).await, Ok(()));
    assert_eq!((TRIES.bodies(), &*text), (3, "4"));
}

/// An alias with a default error.
/// The default is the error.
#[tokio::test(start_paused = true)]
async fn defaulted() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number() -> Answer<u8> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// An alias with another error than its default.
/// What is written counts.
#[tokio::test(start_paused = true)]
async fn given() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn number() -> Answer<u8, io::Error> {
        TRIES.answer(4).await.map_err(|_| io::ErrorKind::ConnectionReset.into())
    }
    assert_eq!(send(number()).await.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    assert_eq!(TRIES.bodies(), 1, "the request may have been carried out");
}

/// An alias without parameters.
/// Nothing in the signature names a `Result` or an error.
#[tokio::test(start_paused = true)]
async fn bare() {
    static TRIES: Tries = Tries::failing(2);
    type Done = Result<(), Failed>;
    #[retry]
    async fn ping() -> Done {
        TRIES.answer(()).await
    }
    assert_eq!(send(ping()).await, Ok(()));
    assert_eq!(TRIES.bodies(), 3);
}

/// An alias with a lifetime.
/// The borrow is that of the argument.
#[tokio::test(start_paused = true)]
async fn borrowing() {
    static TRIES: Tries = Tries::failing(2);
    type Text<'a> = Result<&'a str, Failed>;
    #[retry]
    async fn trim(text: &str) -> Text<'_> {
        TRIES.answer(text.trim()).await
    }
    assert_eq!(send(trim(" a ")).await, Ok("a"));
    assert_eq!(TRIES.bodies(), 3);
}

/// An alias called `Result`.
/// One parameter, as `io` and `anyhow` have it.
#[tokio::test(start_paused = true)]
async fn own_result() {
    static TRIES: Tries = Tries::failing(2);
    type Result<T> = std::result::Result<T, Failed>;
    #[retry]
    async fn number() -> Result<u8> {
        TRIES.answer(4).await
    }
    assert_eq!(send(number()).await, Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}

/// An alias over a generic argument.
/// The alias takes the function's own parameter.
#[tokio::test(start_paused = true)]
async fn over_a_parameter() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    async fn first<T: Clone + Sync + Send>(values: &[T]) -> Answer<Option<T>> {
        TRIES.answer(values.first().cloned()).await
    }
    assert_eq!(send(first(&[4, 5])).await, Ok(Some(4)));
    assert_eq!(TRIES.bodies(), 3);
}
