//! What the tables have in common.

use std::{collections::BTreeMap, fmt::Display};

use crate::{
    names::{Origin, Registered, Shared},
    site::{self, Site},
};

/// One name, what answers to it, and who uses it.
#[derive(Debug)]
pub(super) struct Named<T: 'static> {
    pub(super) holder: &'static T,
    pub(super) others: Vec<&'static T>,
    pub(super) origin: Origin,
    pub(super) sites: Vec<&'static str>,
}

/// Not derived: what answers to a name cannot be copied, and need not be.
impl<T> Clone for Named<T> {
    fn clone(&self) -> Self {
        let (others, sites) = (self.others.clone(), self.sites.clone());
        Self { holder: self.holder, others, origin: self.origin, sites }
    }
}

/// The names of one kind, each with the functions that use it.
pub(super) fn named<T: Shared>(
    names: Vec<Registered<T>>,
    used_by: impl Fn(&'static Site) -> Option<&'static str>,
) -> impl Iterator<Item = Named<T>> {
    let mut users: BTreeMap<&str, Vec<&'static Site>> = BTreeMap::new();
    for site in site::in_order(site::every()) {
        if let Some(name) = used_by(site) {
            let known = users.entry(name).or_default();
            // A closure has a site for each set of settings, and one row.
            if !known.last().is_some_and(|last| last.shares_row(site)) {
                known.push(site);
            }
        }
    }
    names.into_iter().map(move |Registered { holder, origin, others }| {
        let users = users.remove(holder.name()).unwrap_or_default();
        let sites = users.into_iter().map(Site::name).collect();
        Named { holder, others, origin, sites }
    })
}

/// Numbers in force, and what was declared where that differs.
pub(super) fn in_force<T: PartialEq + Display>(settings: &T, declared: &T) -> String {
    if settings == declared {
        return settings.to_string();
    }
    format!("{settings} (declared: {declared})")
}

/// What every row of a name tells.
macro_rules! named_row {
    ($row:ty) => {
        impl $row {
            /// Its name.
            #[must_use]
            pub fn name(&self) -> &'static str {
                self.0.holder.name()
            }

            /// Whether no declaration answers to the name, so that it got the default.
            #[must_use]
            pub const fn is_implicit(&self) -> bool {
                matches!(self.0.origin, crate::names::Origin::Implicit)
            }

            /// The annotated functions that name it. Those that reach it by an expression are not
            /// known.
            #[must_use]
            pub fn sites(&self) -> &[&'static str] {
                &self.0.sites
            }

            /// The name as tables show it.
            fn title(&self) -> String {
                let implicit = if self.is_implicit() { " (implicit)" } else { "" };
                format!("{}{implicit}", self.name())
            }
        }
    };
}
pub(super) use named_row;

/// Lets a table be read like a slice of its rows, and searched by their names.
macro_rules! readable_rows {
    ($table:ty, $row:ty) => {
        impl $table {
            /// The row of this name, as the table shows it.
            ///
            /// ```
            /// # use retry_runtime as stormless;
            /// assert!(stormless::sites().get("nobody").is_none());
            /// assert!(stormless::budgets().get("nobody").is_none());
            /// assert!(stormless::breakers().get("nobody").is_none());
            /// ```
            #[must_use]
            pub fn get(&self, name: &str) -> Option<&$row> {
                self.0.iter().find(|row| row.name() == name)
            }
        }

        impl std::ops::Deref for $table {
            type Target = [$row];

            fn deref(&self) -> &[$row] {
                &self.0
            }
        }

        impl<'a> IntoIterator for &'a $table {
            type Item = &'a $row;
            type IntoIter = std::slice::Iter<'a, $row>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }
    };
}
pub(super) use readable_rows;
