//! Overrides that do not reach whom they are about.

use super::{Note, Problem};
use crate::control;

pub(super) fn check(problems: &mut Vec<Problem>, notes: &mut Vec<Note>) {
    for row in &control::overrides() {
        let (target, layer) = (row.target().clone(), row.layer());
        if row.is_pending() {
            let nearest = row.nearest().map(str::to_owned);
            problems.push(Problem::UnmatchedOverride { target, layer, nearest });
        } else if let Some(sites) = row.ambiguous() {
            let sites = sites.to_vec();
            problems.push(Problem::AmbiguousOverride { target, layer, sites });
        } else {
            notes.extend(row.left_out().map(|(site, key, reason)| {
                let (target, site) = (target.clone(), site.to_owned());
                Note::OverrideLeftOut { target, layer, site, key, reason }
            }));
        }
    }
}
