//! How layers come to say something else.

use std::{collections::HashMap, sync::Arc};

use super::{
    Fault, Layer, Override, OverrideError, OverrideErrors, Overrides, Store, Target, UnknownName,
    change::Change,
    check::Proposal,
    in_force::{Entry, InForce},
    reach::{self, Strangers},
    store::Later,
    written::Written,
};
use crate::{Moment, clock};

/// Whether so many are taken at once.
fn fits(count: usize) -> Result<(), OverrideErrors> {
    if count <= Overrides::MOST {
        return Ok(());
    }
    Err(OverrideError::about(Target::All, Fault::TooMany(count)).into())
}

impl Store {
    /// Replaces what a layer says. Whether it is `told` when that is refused.
    pub(super) fn apply(
        &self,
        layer: Layer,
        overrides: Overrides,
        told: bool,
    ) -> Result<(), OverrideErrors> {
        let (applied, untold) = self.apply_and_tell_later(layer, overrides, told);
        untold.tell();
        applied
    }

    /// The same for those who have a lock that whoever is told may want.
    pub(super) fn apply_and_tell_later(
        &self,
        layer: Layer,
        overrides: Overrides,
        told: bool,
    ) -> (Result<(), OverrideErrors>, Later) {
        let now = clock::now();
        let (strangers, fits) = (reach::strangers(&overrides), fits(overrides.len()));
        Self::write_and_tell_later(self.lock(), |written| {
            let applied = fits.and_then(|()| {
                let said = written.layers[layer as usize].iter().filter(|known| !known.switch);
                let said: HashMap<&Target, &Entry> =
                    said.map(|known| (known.target(), known)).collect();
                let entries = overrides.into_iter().map(|item| {
                    // What the same document said before goes on as it was.
                    let known = said.get(item.target()).filter(|known| *known.item == item);
                    known.map_or_else(|| Entry::new(layer, item, now), |known| (*known).clone())
                });
                let entries: Vec<Entry> = entries.collect();
                let change = Change::Applied { layer, overrides: entries.len() };
                self.replace(written, layer, (entries, &strangers), vec![change], now)
            });
            if applied.is_ok() {
                self.refuse(layer, None);
            }
            written.tell_refused(layer, &applied, told);
            applied
        })
    }

    /// Sets overrides of the layer `code`: all of them, or none. Whether it is `told` when they are refused.
    pub(super) fn set(
        &self,
        items: impl IntoIterator<Item = Override>,
        told: bool,
    ) -> Result<(), OverrideErrors> {
        let now = clock::now();
        let items: Vec<Override> = items.into_iter().collect();
        let (strangers, fits) = (reach::strangers(&items), fits(items.len()));
        self.write(|written| {
            let mut entries = written.layers[Layer::Code as usize].clone();
            let mut changes = Vec::new();
            let enters = |item: &&Override| item.values().any(|(key, _)| key == "state");
            let anew = items.iter().filter(enters).map(|item| item.target().clone()).collect();
            for item in items {
                let switches = item.settings().retries.is_some();
                entries
                    .retain(|known| known.target() != item.target() || (known.switch && !switches));
                let entry = Entry::new(Layer::Code, item, now);
                changes.push(Change::Set(entry.item.clone()));
                entries.push(entry);
            }
            written.anew = anew;
            let set = fits.and_then(|()| {
                self.replace(written, Layer::Code, (entries, &strangers), changes, now)
            });
            written.anew.clear();
            written.tell_refused(Layer::Code, &set, told);
            set
        })
    }

    /// Throws a switch; with that nothing can be wrong. One that was thrown for longer stays: it may be
    /// another's.
    pub(super) fn switch_off(&self, item: Override) {
        let now = clock::now();
        self.write(|written| {
            let entries = &mut written.layers[Layer::Code as usize];
            let entry = Entry { switch: true, ..Entry::new(Layer::Code, item, now) };
            let same = |known: &Entry| known.switch && known.target() == entry.target();
            if entries.iter().any(|known| same(known) && known.expires > entry.expires) {
                return;
            }
            entries.retain(|known| !same(known));
            written.changes.push(Change::Set(entry.item.clone()));
            entries.push(entry);
            self.settle(written, now);
        });
    }

    /// Takes away what the layer `code` says about a target's `retries`, or all that it says about it.
    pub(super) fn clear(&self, target: &Target, only_retries: bool) -> bool {
        self.write(|written| {
            let entries = &mut written.layers[Layer::Code as usize];
            let about = |entry: &Entry| {
                entry.target() == target
                    && (!only_retries || entry.item.settings().retries.is_some())
            };
            if !entries.iter().any(about) {
                return false;
            }
            *entries = std::mem::take(entries)
                .into_iter()
                .filter_map(|mut entry| {
                    if about(&entry) {
                        let rest = Override::clone(&entry.item).without("retries");
                        entry.item = Arc::new(rest.filter(|_| only_retries)?);
                    }
                    Some(entry)
                })
                .collect();
            written.changes.push(Change::Cleared(target.clone()));
            self.settle(written, clock::now());
            true
        })
    }

    /// Whether a layer says this and nothing else, what of it has expired included.
    #[cfg(feature = "toml-1")]
    pub(super) fn says(&self, layer: Layer, overrides: &Overrides) -> bool {
        self.lock().says(layer, overrides)
    }

    /// Takes away what a layer says if that is this, and tells of it later.
    #[cfg(feature = "toml-1")]
    pub(super) fn clear_layer_of(&self, layer: Layer, overrides: &Overrides) -> Later {
        let ((), untold) = Self::write_and_tell_later(self.lock(), |written| {
            if written.says(layer, overrides) {
                self.clear_layer_in(written, layer);
            }
        });
        untold
    }

    /// Takes away all that a layer says, its switches included; with that nothing can be wrong.
    #[cfg(feature = "http-body-1")]
    pub(super) fn clear_layer(&self, layer: Layer) {
        self.write(|written| self.clear_layer_in(written, layer));
    }

    #[cfg(feature = "toml-1")]
    fn clear_layer_in(&self, written: &mut Written, layer: Layer) {
        self.refuse(layer, None);
        written.layers[layer as usize].clear();
        written.changes.push(Change::Applied { layer, overrides: 0 });
        self.settle(written, clock::now());
    }

    /// Puts these in the place of what the layer says, unless something is wrong with them.
    fn replace(
        &self,
        written: &mut Written,
        layer: Layer,
        (entries, strangers): (Vec<Entry>, &Strangers),
        changes: Vec<Change>,
        now: Moment,
    ) -> Result<(), OverrideErrors> {
        let others = Layer::ALL.iter().filter(|other| **other != layer);
        let others = others.flat_map(|other| &written.layers[*other as usize]);
        let after = InForce::of(others.chain(&entries).cloned(), now);
        let before = InForce::of(written.layers.iter().flatten().cloned(), now);
        Proposal::new(layer, (&entries, strangers), (&before, &after), now).check()?;
        written.changes.extend(changes);
        for entry in &entries {
            if let Some(UnknownName::Unknown { nearest, .. }) = strangers.get(entry.target()) {
                let (target, nearest) = (entry.target().clone(), nearest.clone());
                written.changes.push(Change::Pending { layer, target, nearest });
            }
        }
        written.layers[layer as usize] = entries;
        self.settle(written, now);
        Ok(())
    }
}
