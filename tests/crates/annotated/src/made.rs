//! Functions that macros make, and functions in modules and functions.

use stormless::retry;

use crate::{client::Client, errors::OrderError};

macro_rules! getters {
    ($($(#[$attribute:meta])* $vis:vis fn $name:ident($line:literal) -> $ty:ty, base = $base:literal;)*) => {
        $(
            $(#[$attribute])*
            #[retry(base = $base, max = "1s")]
            $vis async fn $name(client: &Client) -> Result<$ty, OrderError> {
                Ok(client.send($line).await?.trim().parse::<$ty>()?)
            }
        )*
    };
}

getters! {
    /// How many orders there are.
    ///
    /// # Errors
    ///
    /// The service's.
    pub fn orders("orders") -> u64, base = "10ms";
    /// How many customers there are.
    ///
    /// # Errors
    ///
    /// The service's.
    pub fn customers("customers") -> u32, base = "20ms";
}

macro_rules! function {
    ($(#[$attribute:meta])* $name:ident, $argument:ident: $input:ty, $result:ty, $tries:expr, $body:block) => {
        $(#[$attribute])*
        #[retry(attempts = $tries)]
        pub async fn $name($argument: $input) -> $result $body
    };
}

const TRIES: u32 = 2;

function! {
    /// All of it is an argument of a macro.
    ///
    /// # Errors
    ///
    /// The service's.
    made, client: &Client, Result<String, OrderError>, TRIES, { Ok(client.send("made").await?) }
}

/// A module in a module.
pub mod nested {
    /// One more.
    pub mod deeper {
        use stormless::retry;

        use crate::{client::Client, errors::OrderError};

        /// Deep down.
        ///
        /// # Errors
        ///
        /// The service's.
        #[retry]
        pub async fn ping(client: &Client) -> Result<(), OrderError> {
            client.tell("ping").await?;
            super::super::orders(client).await.map(drop)
        }
    }
}

/// Has the annotated function inside.
///
/// # Errors
///
/// The service's.
pub async fn outer(client: &Client) -> Result<String, OrderError> {
    #[retry(attempts = 2)]
    async fn inner(client: &Client) -> Result<String, OrderError> {
        Ok(client.send("inner").await?)
    }

    inner(client).await
}
