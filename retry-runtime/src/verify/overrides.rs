//! Overrides that do not reach whom they are about.

use super::{Note, Problem};
use crate::{
    control::{self, OverrideRow},
    tables::sites,
};

pub(super) fn check(problems: &mut Vec<Problem>, notes: &mut Vec<Note>) {
    for row in &control::overrides() {
        notes.extend(unseen_labels(row));
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

/// Labels are checked by nobody before a failure carries one.
fn unseen_labels(row: &OverrideRow) -> Vec<Note> {
    let mut unseen: Vec<&String> = row.stopped_labels().iter().collect();
    if unseen.is_empty() {
        return Vec::new();
    }
    for site in &sites() {
        let seen = site.errors();
        unseen.retain(|label| !seen.iter().any(|error| error.label() == label.as_str()));
    }
    let note = |label: &String| Note::UnseenLabel {
        target: row.target().clone(),
        layer: row.layer(),
        label: label.clone(),
    };
    unseen.into_iter().map(note).collect()
}
