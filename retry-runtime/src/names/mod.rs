//! What answers to a name in the whole process: budgets and breakers.

mod book;
mod declare;
mod entry;
mod macros;
mod reference;
pub(crate) mod registry;
mod succession;
pub(crate) mod values;

pub(crate) use book::{Book, Told, tell};
pub use declare::DeclareError;
pub(crate) use declare::declare;
pub(crate) use reference::NameRef;
pub use registry::Origin;
pub(crate) use registry::{Conflict, Registered};
pub(crate) use succession::Succession;

use std::{cmp, fmt};

use crate::{ConfigError, Moment, sync};

/// Something that is declared under a name, found by it, and shared by all who use it.
pub(crate) trait Shared: fmt::Debug + Send + Sync + Sized + 'static {
    type Settings: Settings;
    /// What is to be told once no lock is held any more.
    type Aftermath;

    /// The table of its kind.
    fn table() -> &'static registry::Table<Self>;
    /// All that registered themselves at link time.
    fn linked() -> Vec<&'static Self>;
    /// What a name gets that nobody declared.
    fn stand_in(name: &'static str) -> Self;
    /// One with the same settings and nothing in it.
    #[cfg(feature = "testing")]
    fn fresh_copy(&self) -> Self;

    fn name(&self) -> &str;
    /// Never 0.
    fn id(&self) -> u32;
    /// What was declared, whatever is overridden by now.
    fn declared_settings(&self) -> Self::Settings;
    fn fault(&self) -> Option<ConfigError>;
    fn succession(&self) -> &Succession<Self>;
    /// The switch of another of this name was thrown before this one took over. It takes no lock that
    /// is held while the registry's is asked for.
    fn inherit_switch(&self);
    /// The one that is in force here: in an isolated test its copy.
    fn own(&'static self) -> &'static Self;
    /// From here on it goes by these overrides, as far as it can, and else by what was declared. `before`
    /// is what was said so far; nothing is known of it for one that is new under its name.
    fn heed(&'static self, told: &Told, before: Option<&Told>, now: Moment)
    -> Vec<Self::Aftermath>;
    /// Whether calls may find it without coming by; else each call that begins looks it up.
    fn is_found_by_lead(&self) -> bool {
        true
    }
}

/// Settings in comparable form.
pub(crate) trait Settings: Copy + PartialEq + fmt::Debug + fmt::Display {
    /// What it is that has them, as messages call it.
    const KIND: &'static str;

    /// Smaller is tighter. The order is total, and never depends on who was registered first.
    fn by_tightness(&self, other: &Self) -> cmp::Ordering;
}
