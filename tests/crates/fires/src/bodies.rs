//! Statements and expressions.

use std::rc::Rc;

use stormless::{RetryError, retry};

use crate::failure::{Failure, work};

#[deprecated(note = "out of fashion")]
const fn old() -> usize {
    1
}

/// What is to be looked at.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn dropped(words: &[String]) -> Result<u32, Failure> {
    work().await; //~ unused_must_use
    work(); //~ unused_must_use
    words.iter().map(String::len); //~ unused_must_use
    words.len() == 1; //~ unused_must_use clippy::unnecessary_operation
    words; //~ path_statements
    Ok(1)
}

/// What may panic, and what is left over from debugging.
///
/// # Errors
///
/// Always.
///
/// # Panics
///
/// Often.
#[retry]
pub async fn panics(words: &[String]) -> Result<u32, RetryError<Failure>> {
    let first = words.first().unwrap(); //~ clippy::unwrap_used
    let last = words.last().expect("there is one"); //~ clippy::expect_used
    let length = words[1].len(); //~ clippy::indexing_slicing
    dbg!(first); //~ clippy::dbg_macro
    println!("{last}"); //~ clippy::print_stdout
    if length > old() {
        //~^ deprecated
        todo!() //~ clippy::todo
    }
    work().await
}

/// What can be said with less.
///
/// # Errors
///
/// Always.
#[retry(clone(owned))]
pub async fn wordy(words: &[String], owned: String) -> Result<String, Failure> {
    if words.len() == 0 {
        //~^ clippy::len_zero
        let number = (work().await?); //~ unused_parens
        return Ok(number.to_string());
    }
    let copied = 1_u32.clone(); //~ clippy::clone_on_copy
    let parsed = owned.parse::<u32>().map_err(|_| Failure)? as u64; //~ clippy::cast_lossless
    let found = words.iter().any(|word| word.is_empty()); //~ clippy::redundant_closure_for_method_calls
    if found == true {
        //~^ clippy::bool_comparison
        return Ok(format!("{}", copied)); //~ clippy::uninlined_format_args
    }
    Ok(owned + &parsed.to_string())
}

/// What keeps it from being sent to another thread.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn kept() -> Result<u32, Failure> {
    //~^ clippy::future_not_send
    let shared = Rc::new(1);
    let number = work().await?;
    Ok(number + *shared)
}

/// Items among the statements.
///
/// # Errors
///
/// Always.
#[retry]
pub async fn items() -> Result<u32, Failure> {
    macro_rules! never {
        //~^ unused_macros
        () => {};
    }
    const fn never() {} //~ dead_code
    let number = work().await?;
    const LATE: u32 = 3; //~ clippy::items_after_statements
    Ok(std::cmp::max(number, LATE))
}
