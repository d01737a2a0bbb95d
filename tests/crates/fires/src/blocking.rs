//! Functions that are not async, and functions that return a future.

use std::{fs, path::Path, pin::Pin};

use stormless::retry;

use crate::failure::{Failure, work};

#[retry(blocking)]
fn never_called() -> Result<u32, Failure> {
    //~^ dead_code
    Ok(1)
}

#[retry(blocking, clone(text))]
fn unused(path: &Path, mut text: String, number: u32) -> Result<String, Failure> {
    //~^ unused_mut unused_variables
    let mut local = fs::read_to_string(path).or(Err(Failure))?; //~ unused_mut
    let length = local.len(); //~ unused_variables
    Ok(local + &text)
}

/// What is lent could have been asked for as such.
///
/// # Errors
///
/// Always.
///
/// # Panics
///
/// Often.
#[retry(blocking)]
pub fn lent(text: String, path: &Path) -> Result<(), Failure> {
    //~^ clippy::needless_pass_by_value
    fs::write(path, &text); //~ unused_must_use
    fs::write(path, &text).unwrap(); //~ clippy::unwrap_used
    return fs::remove_file(path).or(Err(Failure)); //~ clippy::needless_return
}

/// What has no need of a name.
///
/// # Errors
///
/// Always.
#[retry(blocking, attempts = 2)]
pub fn named<'a>(path: &'a Path) -> Result<&'a Path, Failure> {
    //~^ clippy::needless_lifetimes
    if path.is_dir() {
        todo!(); //~ clippy::todo
        return Ok(path); //~ unreachable_code
    }
    fs::metadata(path).or(Err(Failure))?;
    const NAME: &str = "name"; //~ clippy::items_after_statements
    println!("{NAME}"); //~ clippy::print_stdout
    Ok(path)
}

/// A boxed future.
#[must_use]
#[retry]
pub fn boxed(number: u32) -> Pin<Box<dyn Future<Output = Result<u32, Failure>> + Send>> {
    let mut before = number; //~ unused_mut
    Box::pin(async move {
        let mut inside = work().await?; //~ unused_mut
        work().await; //~ unused_must_use
        return Ok(before + inside); //~ clippy::needless_return
    })
}

/// A future without a name for its type.
///
/// # Errors
///
/// Always.
///
/// # Panics
///
/// Always.
#[retry]
pub fn unnamed(unused: u32) -> impl Future<Output = Result<u32, Failure>> {
    //~^ unused_variables
    let number = 1;
    async move {
        panic!("always"); //~ clippy::panic
        Ok(number) //~ unreachable_code
    }
}

/// Whoever calls them.
///
/// # Errors
///
/// Theirs.
pub fn call(path: &Path) -> Result<String, Failure> {
    unused(path, String::new(), 1)
}
