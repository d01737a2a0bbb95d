//! What somebody should know, kept for `verify()` and the tables. Nothing is ever printed.

use crate::{
    Breaker, Budget, ConfigError, What, event, isolation,
    names::{Shared, registry},
};

/// Something that works but is probably not meant. Each is kept once.
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

    /// Whether it is about a function, and so belongs under the table of functions.
    pub(crate) const fn is_of_a_site(&self) -> bool {
        !matches!(
            self,
            Self::ImplicitBudget { .. }
                | Self::DifferingBudgets { .. }
                | Self::ImplicitBreaker { .. }
                | Self::DifferingBreakers { .. }
        )
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

/// Keeps a warning, unless it is known.
pub(crate) fn warn(warning: Warning) {
    let is_new = isolation::warnings(|kept| {
        let is_new = !kept.iter().any(|known| known.repeats(&warning));
        if is_new {
            kept.push(warning.clone());
        }
        is_new
    });
    if is_new {
        event::tell(|| What::Warned(warning.into()));
    }
}

/// All warnings so far, each once.
#[must_use]
pub fn warnings() -> Vec<Warning> {
    let budgets = of_names::<Budget>(
        |name| Warning::ImplicitBudget { name },
        |name, kept, refused| Warning::DifferingBudgets { name, kept, refused },
    );
    let breakers = of_names::<Breaker>(
        |name| Warning::ImplicitBreaker { name },
        |name, kept, refused| Warning::DifferingBreakers { name, kept, refused },
    );
    budgets.chain(breakers).chain(isolation::warnings(|kept| kept.clone())).collect()
}

/// What the registry of a kind has to say.
fn of_names<T: Shared>(
    implicit: impl Fn(String) -> Warning,
    differing: impl Fn(String, String, String) -> Warning + Copy,
) -> impl Iterator<Item = Warning> {
    let unknown = registry::implicit_names::<T>();
    let conflicts = registry::conflicts::<T>().into_iter().flat_map(move |conflict| {
        let (name, kept) = (conflict.name, conflict.in_effect.to_string());
        let warn =
            move |other: T::Settings| differing(name.into(), kept.clone(), other.to_string());
        conflict.others.into_iter().map(warn)
    });
    unknown.into_iter().map(move |name| implicit(name.to_owned())).chain(conflicts)
}
