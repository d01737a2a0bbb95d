//! Who has a name.

use std::collections::BTreeMap;

use crate::{
    Breaker, Budget, breaker, budget,
    diagnostics::nearest,
    names::{Shared, registry::Registered},
    site::{self, Site},
};

/// A name that does not say what is meant.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{self, UnknownName};
///
/// let error = control::budget("oders").unwrap_err();
/// assert!(matches!(error, UnknownName::Unknown { .. }));
/// println!("{error}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownName {
    /// Nothing has this name.
    #[error("there is no {what} `{name}`{}", nearest.as_ref().map(|near| format!(": did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// `site`, `budget` or `breaker`.
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

/// The sites of a name, or of `name@file:line`, or with `:column` too: more than one only where they have
/// the place in common as well.
pub(super) fn sites(name: &str) -> Result<Vec<&'static Site>, UnknownName> {
    let all = site::all();
    let exact = |site: &&Site| site.name() != name && site.answers_to(name);
    let exact: Vec<_> = all.iter().copied().filter(exact).collect();
    if !exact.is_empty() {
        return Ok(exact);
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
        1 => Ok(named),
        _ => {
            // They stay sorted, and only their own names are alike.
            let mut places = site::labels(&named);
            places.dedup();
            Err(UnknownName::Ambiguous { name: name.to_owned(), places })
        }
    }
}

/// What tables call each site, for those who ask about many.
pub(super) struct Labels(BTreeMap<usize, String>);

impl Labels {
    pub(super) fn new() -> Self {
        let all = site::all();
        let labels = site::labels(&all);
        Self(all.into_iter().map(Self::key).zip(labels).collect())
    }

    pub(super) fn of(&self, site: &Site) -> String {
        self.0.get(&Self::key(site)).cloned().unwrap_or_else(|| site.name().to_owned())
    }

    /// Sites of one row have their counters in common.
    fn key(site: &Site) -> usize {
        std::ptr::from_ref(site.process_state()).addr()
    }
}

/// The budget of a name, declared or in use.
pub(super) fn budget(name: &str) -> Result<Registered<Budget>, UnknownName> {
    find("budget", name, budget::registry::all())
}

/// The breaker of a name, declared or in use.
pub(super) fn breaker(name: &str) -> Result<Registered<Breaker>, UnknownName> {
    find("breaker", name, breaker::all())
}

fn find<T: Shared>(
    what: &'static str,
    name: &str,
    mut known: Vec<Registered<T>>,
) -> Result<Registered<T>, UnknownName> {
    match known.iter().position(|one| one.holder.name() == name) {
        Some(at) => Ok(known.swap_remove(at)),
        None => Err(unknown(what, name, known.iter().map(|one| one.holder.name()))),
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
