//! What the tables have in common.

use std::collections::BTreeMap;

use crate::site::{self, Site};

/// Lets a table be read like a slice of its rows.
macro_rules! readable_rows {
    ($table:ty, $row:ty) => {
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

/// The functions that use something of a name, by that name.
pub(super) fn users(
    used_by: impl Fn(&'static Site) -> Option<&'static str>,
) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut users: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
    for site in site::all() {
        if let Some(name) = used_by(site) {
            users.entry(name).or_default().push(site.name());
        }
    }
    users
}
