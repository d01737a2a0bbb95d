//! What a signature says.

use stormless::retry;

use crate::failure::{Failure, work};

#[retry]
pub async fn undocumented() -> Result<u32, Failure> {
    //~^ missing_docs clippy::missing_errors_doc
    work().await
}

struct Private;

/// With a type that nobody else can name.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn private(_: &Private) -> Result<u32, Failure> {
    //~^ private_interfaces
    work().await
}

mod inside {
    use stormless::retry;

    use crate::failure::{Failure, work};

    #[retry]
    pub async fn hidden() -> Result<u32, Failure> {
        //~^ unreachable_pub
        work().await
    }
}

/// With a lifetime that could be left out.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn lifetimes<'a>(word: &'a str) -> Result<&'a str, Failure> {
    //~^ clippy::needless_lifetimes
    work().await?;
    Ok(word)
}

/// With a lifetime that nobody uses.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn unused<'a>(word: &str) -> Result<u32, Failure> {
    //~^ clippy::extra_unused_lifetimes
    work().await?;
    Ok(u32::from(word.is_empty()))
}

/// With paths that say too much.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn qualified() -> std::result::Result<u32, crate::failure::Failure> {
    //~^ unused_qualifications unused_qualifications
    work().await
}

/// With too much at once.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn many(
    //~^ clippy::too_many_arguments
    one: u32,
    two: u32,
    three: u32,
    four: u32,
    five: u32,
    six: u32,
    seven: u32,
    eight: u32,
) -> Result<u32, Failure> {
    Ok(work().await? + one + two + three + four + five + six + seven + eight)
}

/// With types that ask for more than they need.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn types(words: &Vec<u32>, number: &Box<u32>) -> Result<u32, Failure> {
    //~^ clippy::ptr_arg clippy::borrowed_box
    work().await?;
    words.first().map_or(Err(Failure), |word| Ok(word + **number))
}

/// Whoever calls them.
///
/// # Errors
///
/// Theirs.
pub async fn call() -> Result<u32, Failure> {
    Ok(inside::hidden().await? + private(&Private).await?)
}
