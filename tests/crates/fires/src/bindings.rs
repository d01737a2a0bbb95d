//! Variables and imports.

use stormless::retry;

use crate::failure::{Failure, work};

#[retry]
async fn unused(argument: u32, (left, right): (u32, u32)) -> Result<u32, Failure> {
    //~^ unused_variables unused_variables
    let local = 1; //~ unused_variables
    work().await?;
    Ok(right)
}

#[retry(clone(cloned, used))]
async fn unused_clone(cloned: Vec<u32>, used: Vec<u32>) -> Result<Vec<u32>, Failure> {
    //~^ unused_variables
    work().await?;
    Ok(used)
}

#[retry(clone(cloned))]
async fn unchanged(mut cloned: Vec<u32>) -> Result<Vec<u32>, Failure> {
    //~^ unused_mut
    let mut local = work().await?; //~ unused_mut
    Ok(if local > 1 { cloned } else { Vec::new() })
}

#[retry]
async fn assigned() -> Result<u32, Failure> {
    let mut number = 1; //~ unused_assignments
    number = work().await?;
    Ok(number)
}

#[retry]
async fn imports() -> Result<u32, Failure> {
    use std::collections::HashMap; //~ unused_imports
    work().await
}

#[retry(clone(name))]
async fn shadows(name: String) -> Result<String, Failure> {
    let length = name.len();
    let name = work().await?.to_string(); //~ clippy::shadow_unrelated
    Ok(format!("{length}{name}"))
}

#[retry]
async fn Named(Argument: u32) -> Result<u32, Failure> {
    //~^ non_snake_case non_snake_case
    const limit: u32 = 3; //~ non_upper_case_globals
    let Local = work().await?; //~ non_snake_case
    Ok(Local + Argument + limit)
}

#[retry]
async fn underscored(_number: u32) -> Result<u32, Failure> {
    work().await?;
    Ok(_number) //~ clippy::used_underscore_binding
}

/// Whoever calls them.
///
/// # Errors
///
/// Theirs.
pub async fn call() -> Result<(), Failure> {
    unused(1, (2, 3)).await?;
    unused_clone(Vec::new(), Vec::new()).await?;
    unchanged(Vec::new()).await?;
    shadows(String::new()).await?;
    let sum = assigned().await? + imports().await? + Named(1).await? + underscored(1).await?;
    if sum > 0 { Ok(()) } else { Err(Failure) }
}
