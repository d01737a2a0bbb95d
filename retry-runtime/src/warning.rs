//! What somebody should know, kept for `verify()` and the tables. Nothing is ever printed.

use crate::{ConfigError, budget::registry, isolation};

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
    /// A policy made at run time makes no sense, and the call ran without retries.
    #[error("`{site}` runs without retries, because its policy is faulty: {fault}")]
    FaultyPolicy {
        /// The annotated function.
        site: &'static str,
        /// What is wrong with it.
        fault: ConfigError,
    },
}

/// Keeps a warning, unless it is known.
pub(crate) fn warn(warning: Warning) {
    isolation::warnings(|kept| {
        // By their texts: a value in one may be NaN, which equals nothing, and would be kept each time.
        let text = warning.to_string();
        if kept.iter().all(|known| known.to_string() != text) {
            kept.push(warning);
        }
    });
}

/// All warnings so far, each once.
#[must_use]
pub fn warnings() -> Vec<Warning> {
    let implicit = registry::implicit_names()
        .into_iter()
        .map(|name| Warning::ImplicitBudget { name: name.to_owned() });
    let differing = registry::conflicts().into_iter().flat_map(|conflict| {
        let name = conflict.name.to_owned();
        conflict.others.into_iter().map(move |other| Warning::DifferingBudgets {
            name: name.clone(),
            kept: conflict.in_effect.to_string(),
            refused: other.to_string(),
        })
    });
    implicit.chain(differing).chain(isolation::warnings(|kept| kept.clone())).collect()
}
