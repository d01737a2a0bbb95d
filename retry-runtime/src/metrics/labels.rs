//! What sites are called in the label `site`.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use ::metrics::SharedString;

use crate::site::{self, Site};

/// So many closures are told apart. Functions are all, because there are no more of them than the program was
/// compiled with; but names of closures can be made up at run time.
const MOST_CLOSURES: usize = 1_000;

/// The label of all for whom there was no room.
const OTHERS: &str = "(other closures)";

/// By what a site is known.
#[derive(Clone)]
pub(super) enum Label {
    /// Alone.
    Own(Arc<str>),
    /// Together with all that came too late.
    Others,
}

impl Label {
    pub(super) fn to_shared(&self) -> SharedString {
        match self {
            Self::Own(label) => SharedString::from_shared(Arc::clone(label)),
            Self::Others => SharedString::const_str(OTHERS),
        }
    }
}

/// The address of what changes about a site, which all sites of one closure share.
pub(super) fn address(site: &'static Site) -> usize {
    std::ptr::from_ref(site.process_state()).addr()
}

/// All labels that were given. A site keeps the one that it got.
pub(super) struct Labels {
    given: BTreeMap<usize, Label>,
    taken: BTreeSet<Arc<str>>,
    names: BTreeSet<&'static str>,
    closures: usize,
}

impl Labels {
    /// Those that the tables show, of all that is known.
    pub(super) fn new(all: &[&'static Site]) -> Self {
        let functions: BTreeSet<_> = site::linked().map(address).collect();
        let mut labels = Self {
            given: BTreeMap::new(),
            taken: BTreeSet::new(),
            names: BTreeSet::new(),
            closures: 0,
        };
        for (site, label) in all.iter().zip(site::labels(all)) {
            if functions.contains(&address(site)) {
                labels.give(site, label);
            } else {
                labels.give_closure(site, label);
            }
        }
        labels
    }

    /// The label of a site that may have come later: it leaves to others the names that they have.
    pub(super) fn of(&mut self, site: &'static Site) -> Label {
        if let Some(known) = self.given.get(&address(site)) {
            return known.clone();
        }
        let label = match (self.names.contains(site.name()), site.at_line()) {
            (false, _) => site.name().to_owned(),
            (true, at_line) if self.taken.contains(at_line.as_str()) => site.at_column(),
            (true, at_line) => at_line,
        };
        self.give_closure(site, label)
    }

    fn give_closure(&mut self, site: &'static Site, label: String) -> Label {
        if self.closures == MOST_CLOSURES {
            self.given.insert(address(site), Label::Others);
            return Label::Others;
        }
        self.closures += 1;
        self.give(site, label)
    }

    fn give(&mut self, site: &'static Site, label: String) -> Label {
        let label: Arc<str> = Arc::from(label);
        self.taken.insert(Arc::clone(&label));
        self.names.insert(site.name());
        let label = Label::Own(label);
        self.given.insert(address(site), label.clone());
        label
    }
}
