//! What the clients call: functions as users write them.
//!
//! An attribute is compiled, with the function on which it stands. So `load` has a fixed set of them by name, and
//! takes no text; `run` and `plan` do, because the simulator needs no function.

use std::fmt;

use clap::ValueEnum;
use reqwest::Client;
use serde::{Deserialize, Serialize};
use stormless::{Budget, budget, retry};

use super::ledger::Call;

budget! {
    static SUCCESS: Budget = Budget::new("success").burst(10).ratio(0.1);
    static RATIO: Budget = Budget::sliding_window("ratio");
}

/// One of the annotated functions. All of them make four attempts, and each says `idempotent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[value(rename_all = "snake_case")]
pub enum Function {
    /// Retries after 100 ms, without a budget.
    Naive,
    /// Full jitter from 100 ms to 1 s, without a budget.
    FullJitter,
    /// The same jitter, and retries are at most 10 % of the requests of a minute.
    Ratio,
    /// The same jitter, 10 retries in reserve, and each answered call earns a tenth of one: the default of stormless.
    Success,
}

#[retry(backoff = "fixed", base = "100ms", max = "100ms", attempts = 4, budget = none, idempotent)]
async fn naive(client: &Client, url: &str, call: &Call<'_>) -> Result<String, reqwest::Error> {
    get(client, url, call).await
}

#[retry(backoff = "full_jitter", base = "100ms", max = "1s", attempts = 4, budget = none, idempotent)]
async fn full_jitter(
    client: &Client,
    url: &str,
    call: &Call<'_>,
) -> Result<String, reqwest::Error> {
    get(client, url, call).await
}

#[retry(
    backoff = "full_jitter",
    base = "100ms",
    max = "1s",
    attempts = 4,
    budget = "ratio",
    idempotent
)]
async fn ratio(client: &Client, url: &str, call: &Call<'_>) -> Result<String, reqwest::Error> {
    get(client, url, call).await
}

#[retry(
    backoff = "full_jitter",
    base = "100ms",
    max = "1s",
    attempts = 4,
    budget = "success",
    idempotent
)]
async fn success(client: &Client, url: &str, call: &Call<'_>) -> Result<String, reqwest::Error> {
    get(client, url, call).await
}

async fn get(client: &Client, url: &str, call: &Call<'_>) -> Result<String, reqwest::Error> {
    call.attempt();
    client.get(url).send().await?.error_for_status()?.text().await
}

impl Function {
    /// One logical call.
    ///
    /// # Errors
    ///
    /// The last attempt's error.
    pub async fn call(
        self,
        client: &Client,
        url: &str,
        call: &Call<'_>,
    ) -> Result<String, reqwest::Error> {
        match self {
            Self::Naive => naive(client, url, call).await,
            Self::FullJitter => full_jitter(client, url, call).await,
            Self::Ratio => ratio(client, url, call).await,
            Self::Success => success(client, url, call).await,
        }
    }

    /// What pays for its retries.
    pub fn budget(self) -> Option<&'static Budget> {
        match self {
            Self::Naive | Self::FullJitter => None,
            Self::Ratio => Some(&RATIO),
            Self::Success => Some(&SUCCESS),
        }
    }

    /// What its budget can hold, in retries; `None` for one that has no such figure.
    pub fn burst(self) -> Option<f64> {
        match self {
            Self::Success => SUCCESS.bound().burst(),
            Self::Naive | Self::FullJitter | Self::Ratio => None,
        }
    }

    /// What its attribute says, for the same tables and reports as those of simulations.
    pub const fn attribute(self) -> &'static str {
        match self {
            Self::Naive => {
                r#"backoff = "fixed", base = "100ms", max = "100ms", attempts = 4, budget = none, idempotent"#
            }
            Self::FullJitter => {
                r#"backoff = "full_jitter", base = "100ms", max = "1s", attempts = 4, budget = none, idempotent"#
            }
            Self::Ratio => {
                r#"backoff = "full_jitter", base = "100ms", max = "1s", attempts = 4, budget = "ratio", idempotent"#
            }
            Self::Success => {
                r#"backoff = "full_jitter", base = "100ms", max = "1s", attempts = 4, budget = "success", idempotent"#
            }
        }
    }

    /// Its attempts, the first included.
    pub const MOST_ATTEMPTS: u64 = 4;

    /// Its name, as the command line has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::FullJitter => "full_jitter",
            Self::Ratio => "ratio",
            Self::Success => "success",
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As on one line, however it was broken.
    fn flat(text: &str) -> String {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.replace("( ", "(").replace(", )", ")").replace(" )", ")")
    }

    #[test]
    fn what_is_shown_is_what_was_compiled() {
        let source = flat(include_str!("functions.rs"));
        for function in Function::value_variants() {
            let compiled = format!("#[retry({})] async fn {function}(", function.attribute());
            assert!(source.contains(&compiled), "{compiled}");
        }
    }
}
