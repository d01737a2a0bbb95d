//! Switching retries off, in an incident or for a scope.
//!
//! A switch is asked at every decision: a call that is asleep when it is thrown makes the one attempt
//! that it has paid for, at its own time, and no other. Bodies always run once, and successes earn as
//! usual.

pub(crate) mod duration;
mod error;
mod keys;
mod model;
mod numbers;
mod patch;
mod settings;

use std::future::Future;

use crate::{
    Budget, Moment,
    budget::registry,
    context::{self, OFF, Scoped},
    diagnostics::nearest,
    isolation, site,
};

pub use error::{Fault, OverrideError, OverrideErrors};
pub use model::{Layer, Override, Overrides, Target, Value};
pub(crate) use patch::Patch;

/// Replaces all that a layer said before: everything or nothing.
///
/// # Errors
///
/// All that is wrong, and then nothing has changed.
pub fn apply(layer: Layer, overrides: Overrides) -> Result<(), OverrideErrors> {
    todo!("{layer}{overrides:?}")
}

/// Sets an override of the layer `code`, in place of the one for its target.
///
/// # Errors
///
/// What is wrong, and then nothing has changed.
pub fn set(one: Override) -> Result<(), OverrideErrors> {
    todo!("{one:?}")
}

/// Takes the override of the layer `code` for a target away; `false` if there was none.
pub fn clear(target: &Target) -> bool {
    todo!("{target}")
}

/// Whether any override of sites is in force.
pub(crate) fn is_patched() -> bool {
    todo!()
}

/// What the overrides in force say for a call.
pub(crate) fn patch(
    site: &'static site::Site,
    budget: Option<&'static Budget>,
    now: Moment,
) -> Option<Patch> {
    todo!("{site:?}{budget:?}{now:?}")
}

/// Takes away what has expired.
pub(crate) fn expire(now: Moment) {
    todo!("{now:?}")
}

/// Whether an override in force says something that matters before the first failure.
pub(crate) fn changes_begins() -> bool {
    todo!()
}

/// A switch for retries. Throwing it twice is throwing it once.
#[derive(Debug)]
#[must_use = "a switch does nothing until it is thrown"]
pub struct Switch(Thrown);

#[derive(Debug)]
enum Thrown {
    All,
    Budget(&'static Budget),
    Sites(Vec<&'static site::Site>),
}

impl Switch {
    /// No retries from here on.
    pub fn off(&self) {
        self.set(true);
    }

    /// Retries again.
    pub fn on(&self) {
        self.set(false);
    }

    fn set(&self, off: bool) {
        match &self.0 {
            Thrown::All => isolation::set_off(off),
            Thrown::Budget(budget) => budget.set_off(off),
            Thrown::Sites(sites) => sites.iter().for_each(|site| site.state().set_off(off)),
        }
    }

    /// Whether it is thrown.
    #[must_use]
    pub fn is_off(&self) -> bool {
        match &self.0 {
            Thrown::All => isolation::is_off(),
            Thrown::Budget(budget) => budget.is_off(),
            Thrown::Sites(sites) => sites.iter().all(|site| site.state().is_off()),
        }
    }
}

/// A name that does not say what to switch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownName {
    /// Nothing has this name.
    #[error("there is no {what} `{name}`{}", nearest.as_ref().map(|near| format!(": did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// `site` or `budget`.
        what: &'static str,
        /// The name that was given.
        name: String,
        /// The most similar name there is.
        nearest: Option<String>,
    },
    /// Several sites have this name.
    #[error("several sites are named `{name}`: say which of {}", places.join(", "))]
    Ambiguous {
        /// The name that was given.
        name: String,
        /// The names with their places, as the tables show them.
        places: Vec<String>,
    },
}

/// The switch for all retries of the process.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::control;
///
/// control::all().off();
/// assert!(control::all().is_off());
/// control::all().on();
/// ```
pub const fn all() -> Switch {
    Switch(Thrown::All)
}

/// The switch for the retries that a budget pays for.
///
/// # Errors
///
/// If no budget of this name is declared or in use.
pub fn budget(name: &str) -> Result<Switch, UnknownName> {
    let known = registry::all();
    match known.iter().find(|registered| registered.holder.name() == name) {
        Some(registered) => Ok(Switch(Thrown::Budget(registered.holder))),
        None => {
            Err(unknown("budget", name, known.iter().map(|registered| registered.holder.name())))
        }
    }
}

/// The switch for one annotated function, by its name, or by `name@file:line` where several share one,
/// or with `:column` too where that is not enough. It throws all functions that have the name and the
/// place: those that one call of a macro generates have both in common.
///
/// # Errors
///
/// If no site has this name, or several have it at different places.
pub fn site(name: &str) -> Result<Switch, UnknownName> {
    let all = site::all();
    let exact = |site: &&site::Site| site.at_line() == name || site.at_column() == name;
    let exact: Vec<_> = all.iter().copied().filter(exact).collect();
    if !exact.is_empty() {
        return Ok(Switch(Thrown::Sites(exact)));
    }
    let named: Vec<_> = all.iter().copied().filter(|site| site.name() == name).collect();
    match named.len() {
        0 => {
            // The function's name alone is what people remember.
            let tail = format!("::{name}");
            let known: Vec<&str> = all.iter().map(|site| site.name()).collect();
            match known.iter().find(|known| known.ends_with(&tail)) {
                Some(full) => Err(UnknownName::Unknown {
                    what: "site",
                    name: name.to_owned(),
                    nearest: Some((*full).to_owned()),
                }),
                None => Err(unknown("site", name, known.into_iter())),
            }
        }
        1 => Ok(Switch(Thrown::Sites(named))),
        _ => {
            // They stay sorted, and only their own names are alike.
            let mut places = site::labels(&named);
            places.dedup();
            Err(UnknownName::Ambiguous { name: name.to_owned(), places })
        }
    }
}

fn unknown<'a>(
    what: &'static str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> UnknownName {
    UnknownName::Unknown {
        what,
        name: name.to_owned(),
        nearest: nearest(name, known).map(str::to_owned),
    }
}

/// Runs a future in which nothing is retried.
pub async fn without_retries<F: Future>(future: F) -> F::Output {
    let outer = context::ambient();
    Scoped::new(outer.with_flags(outer.flags() | OFF), future).await
}

/// Whether calls that succeed at once are counted too. Off by default, because it is the one count
/// that a healthy service would pay for.
pub fn count_successes(on: bool) {
    isolation::set_counting(on);
}
