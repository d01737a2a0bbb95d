//! Failed attempts, by kind and by the error's label.

use std::sync::{PoisonError, RwLock};

use ::metrics::{Counter, Recorder, SharedString};

use super::catalogue::{ATTEMPT_FAILURES, counter};
use crate::{
    Kind,
    site::errors::{MOST, OTHERS},
};

/// Those that were seen at one site. There are few, so that looking through them takes no longer than
/// hashing would.
#[derive(Default)]
pub(super) struct Failures(RwLock<Vec<Known>>);

struct Known {
    label: &'static str,
    kind: Kind,
    counter: Counter,
}

impl Failures {
    pub(super) fn count(
        &self,
        recorder: &dyn Recorder,
        site: &SharedString,
        kind: Kind,
        label: &'static str,
    ) {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = find(&known, kind, label) {
            return found.increment(1);
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let label =
            if find(&known, kind, label).is_none() && known.len() >= MOST { OTHERS } else { label };
        if let Some(found) = find(&known, kind, label) {
            return found.increment(1);
        }
        let labels = [
            ("site", site),
            ("kind", &SharedString::const_str(kind.label())),
            ("error", &SharedString::const_str(label)),
        ];
        let counter = counter(recorder, &ATTEMPT_FAILURES, &labels);
        counter.increment(1);
        known.push(Known { label, kind, counter });
    }
}

fn find<'a>(known: &'a [Known], kind: Kind, label: &str) -> Option<&'a Counter> {
    known.iter().find(|one| one.kind == kind && one.label == label).map(|one| &one.counter)
}
