//! All annotated functions of the process and all closures that were run, and what tables call them.

use super::{Site, dynamic};

/// A site that registered itself at link time.
#[derive(Debug)]
pub struct SiteEntry(pub &'static Site);

inventory::collect!(SiteEntry);

/// All sites of the process, whatever they have in common.
pub(crate) fn every() -> impl Iterator<Item = &'static Site> {
    linked().chain(dynamic::sites())
}

/// All that registered themselves at link time: functions, and no closure.
pub(crate) fn linked() -> impl Iterator<Item = &'static Site> {
    inventory::iter::<SiteEntry>.into_iter().map(|entry| entry.0)
}

/// All sites of the process that have a row of their own, in the order of their names and places.
pub(crate) fn all() -> Vec<&'static Site> {
    in_order(linked().chain(dynamic::rows()))
}

/// In the order of their names and places.
pub(crate) fn in_order(sites: impl Iterator<Item = &'static Site>) -> Vec<&'static Site> {
    let mut sites: Vec<_> = sites.collect();
    sites.sort_by_key(|site| (site.name, site.file, site.line, site.column));
    sites
}

/// What [`all`] sites are called in tables: by their names, with the line where several share one, and
/// with the column where that is not enough.
pub(crate) fn labels(all: &[&Site]) -> Vec<String> {
    // They are sorted, so that those that share something are neighbours.
    let alike = |at: usize, same: fn(&Site, &Site) -> bool| {
        let is_same = |other: usize| all.get(other).is_some_and(|other| same(all[at], other));
        is_same(at + 1) || at.checked_sub(1).is_some_and(is_same)
    };
    let label = |(at, site): (usize, &&Site)| {
        if !alike(at, |one, other| one.name == other.name) {
            site.name.to_owned()
        } else if alike(at, |one, other| {
            (one.name, one.file, one.line) == (other.name, other.file, other.line)
        }) {
            site.at_column()
        } else {
            site.at_line()
        }
    };
    all.iter().enumerate().map(label).collect()
}
