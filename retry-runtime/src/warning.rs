//! What somebody should know, kept for `verify()` and the tables, and told to whoever listens.

mod kept;

pub use kept::warnings;
pub(crate) use kept::{Heard, Kept, about, differing, record, so_far, warn};

use crate::ConfigError;

/// Something that works but is probably not meant. Each is kept once.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, Warning};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let lost = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionReset));
/// let _error = Policy::new().run(lost).named("orders.place").await;
/// let warnings = stormless::warnings();
/// assert!(warnings.contains(&Warning::MaybeExecuted { site: "orders.place" }));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// A name that no declaration answers to got the default bucket.
    #[error(
        "the budget `{name}` is declared nowhere and got the default bucket: declare it with `budget!`, or mend its name"
    )]
    ImplicitBudget {
        /// The name in the attribute.
        name: String,
    },
    /// Two declarations of one name differ.
    #[error(
        "the budget `{name}` is declared twice and differently: {kept} is in force, {refused} is not"
    )]
    DifferingBudgets {
        /// The budget's name.
        name: String,
        /// The settings in force, the tighter ones.
        kept: String,
        /// The settings that are not.
        refused: String,
    },
    /// A name that no declaration answers to got the default breaker.
    #[error(
        "the breaker `{name}` is declared nowhere and got the default rule: declare it with `breaker!`, or mend its name"
    )]
    ImplicitBreaker {
        /// The name in the attribute.
        name: String,
    },
    /// Two declarations of one breaker's name differ.
    #[error(
        "the breaker `{name}` is declared twice and differently: {kept} is in force, {refused} is not"
    )]
    DifferingBreakers {
        /// The breaker's name.
        name: String,
        /// The settings in force, those that open sooner.
        kept: String,
        /// The settings that are not.
        refused: String,
    },
    /// A failure was not retried because it may have been carried out.
    #[error(
        "`{site}` stopped at a failure that may have been carried out: add `idempotent` if a repeat is harmless"
    )]
    MaybeExecuted {
        /// The annotated function.
        site: &'static str,
    },
    /// A failure inside another call's attempt was retried by nobody.
    #[error(
        "a failure of `{site}` was retried neither by it nor by `{outer}` around it: annotate one of the two, or give `{site}` `nested = \"independent\"`"
    )]
    LostToNesting {
        /// The inner function.
        site: &'static str,
        /// The function around it.
        outer: &'static str,
    },
    /// A `blocking` function was called inside an async runtime.
    #[error(
        "`{site}` waits on its thread, and was called inside an async runtime: make it an `async fn`, or call it in `spawn_blocking`"
    )]
    BlocksRuntime {
        /// The annotated function.
        site: &'static str,
    },
    /// A hook panicked; the call went on.
    #[error("the hook `{hook}` of `{site}` panicked")]
    HookPanicked {
        /// The annotated function.
        site: &'static str,
        /// The key of the attribute.
        hook: &'static str,
    },
    /// A budget that was neither checked nor declared has a setting that makes no sense; it runs with
    /// the settings that do.
    #[error("the budget `{budget}` that pays for `{site}` is faulty: {fault}")]
    FaultyBudget {
        /// The annotated function.
        site: &'static str,
        /// The budget's name.
        budget: String,
        /// What is wrong with it.
        fault: ConfigError,
    },
    /// A breaker that was neither checked nor declared has a setting that makes no sense; it runs with
    /// the settings that do.
    #[error("the breaker `{breaker}` that `{site}` asks is faulty: {fault}")]
    FaultyBreaker {
        /// The annotated function.
        site: &'static str,
        /// The breaker's name.
        breaker: String,
        /// What is wrong with it.
        fault: ConfigError,
    },
    /// A policy made at run time makes no sense, and the call ran without retries.
    #[error("`{site}` runs without retries, because its policy is faulty: {fault}")]
    FaultyPolicy {
        /// The annotated function.
        site: &'static str,
        /// What is wrong with it.
        fault: ConfigError,
    },
    /// There is nothing to wait with, and the call ended at a failure that a wait would have followed.
    #[error(
        "`{site}` runs without retries, because there is nothing to wait with: switch on a timer's feature or call `timer::install`; where no thread may sleep, make it an `async fn`"
    )]
    NoTimer {
        /// The annotated function.
        site: &'static str,
    },
}

impl Warning {
    /// Whether both say the same of the same. The values of a faulty setting make no difference: an
    /// expression that yields another one on each call is one fault, and NaN does not equal itself.
    fn repeats(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::ImplicitBudget { name }, Self::ImplicitBudget { name: known })
            | (Self::ImplicitBreaker { name }, Self::ImplicitBreaker { name: known }) => {
                name == known
            }
            (
                Self::DifferingBudgets { name, refused, .. },
                Self::DifferingBudgets { name: known, refused: also, .. },
            )
            | (
                Self::DifferingBreakers { name, refused, .. },
                Self::DifferingBreakers { name: known, refused: also, .. },
            ) => (name, refused) == (known, also),
            (Self::MaybeExecuted { site }, Self::MaybeExecuted { site: known })
            | (Self::BlocksRuntime { site }, Self::BlocksRuntime { site: known })
            | (Self::NoTimer { site }, Self::NoTimer { site: known })
            | (Self::FaultyPolicy { site, .. }, Self::FaultyPolicy { site: known, .. }) => {
                site == known
            }
            (
                Self::LostToNesting { site, outer: with },
                Self::LostToNesting { site: known, outer: also },
            )
            | (
                Self::HookPanicked { site, hook: with },
                Self::HookPanicked { site: known, hook: also },
            ) => (site, with) == (known, also),
            (
                Self::FaultyBudget { site, budget, .. },
                Self::FaultyBudget { site: known, budget: also, .. },
            )
            | (
                Self::FaultyBreaker { site, breaker: budget, .. },
                Self::FaultyBreaker { site: known, breaker: also, .. },
            ) => (site, budget) == (known, also),
            _ => false,
        }
    }

    /// The name that it is about, if it follows from what is registered.
    const fn registered(&self) -> Option<&String> {
        match self {
            Self::ImplicitBudget { name }
            | Self::DifferingBudgets { name, .. }
            | Self::ImplicitBreaker { name }
            | Self::DifferingBreakers { name, .. } => Some(name),
            _ => None,
        }
    }

    /// Whether it is about a function, and so belongs under the table of functions.
    pub(crate) const fn is_of_a_site(&self) -> bool {
        self.registered().is_none()
    }

    /// Whether it is about a budget, and so belongs under the table of budgets.
    pub(crate) const fn is_of_a_budget(&self) -> bool {
        matches!(
            self,
            Self::ImplicitBudget { .. } | Self::DifferingBudgets { .. } | Self::FaultyBudget { .. }
        )
    }

    /// Whether it is about a breaker, and so belongs under the table of breakers.
    pub(crate) const fn is_of_a_breaker(&self) -> bool {
        matches!(
            self,
            Self::ImplicitBreaker { .. }
                | Self::DifferingBreakers { .. }
                | Self::FaultyBreaker { .. }
        )
    }
}
