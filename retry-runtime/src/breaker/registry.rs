//! Which breaker answers to which name in this process.

use std::sync::LazyLock;

use super::changes::Untold;
use super::{Breaker, BreakerSettings};
use crate::names::{
    Registered, Shared, Succession, Told,
    registry::{Registry, Table, snapshot},
};
use crate::site::{self, BreakerRef, Site};
use crate::{ConfigError, Moment, isolation};

/// A breaker in a `static` that registers itself at link time; `breaker!` submits it.
#[derive(Debug)]
pub struct BreakerEntry(pub &'static Breaker);

inventory::collect!(BreakerEntry);

static REGISTRY: Table<Breaker> = LazyLock::new(Registry::linked);

impl Shared for Breaker {
    type Settings = BreakerSettings;
    type Aftermath = Untold;

    fn table() -> &'static Table<Self> {
        &REGISTRY
    }
    fn linked() -> Vec<&'static Self> {
        let declared = inventory::iter::<BreakerEntry>.into_iter().map(|entry| entry.0);
        // A plain `static` that an attribute names is as good as one in `breaker!`.
        let named = site::every().filter_map(|site| match site.breaker_ref() {
            BreakerRef::Static(breaker) => Some(breaker),
            BreakerRef::None | BreakerRef::Named(_) => None,
        });
        declared.chain(named).collect()
    }
    fn stand_in(name: &'static str) -> Self {
        Self::new(name)
    }
    #[cfg(feature = "testing")]
    fn fresh_copy(&self) -> Self {
        self.fresh_copy()
    }
    fn name(&self) -> &str {
        self.name()
    }
    /// Nobody tells breakers apart by number.
    fn id(&self) -> u32 {
        1
    }
    fn declared_settings(&self) -> BreakerSettings {
        self.declared_settings()
    }
    fn fault(&self) -> Option<ConfigError> {
        self.check().err()
    }
    fn succession(&self) -> &Succession<Self> {
        &self.succession
    }
    fn own(&'static self) -> &'static Self {
        isolation::own(self)
    }
    fn heed(&'static self, told: &Told, before: Option<&Told>, now: Moment) -> Vec<Untold> {
        self.go_by(told, before, now)
    }
    fn inherit_switch(&self) {
        let _nothing_new_under_the_name = self.isolate_here();
    }
}

/// Every name that is declared or that a linked function uses, called or not, in alphabetical order.
pub(crate) fn all() -> Vec<Registered<Breaker>> {
    for site in site::every() {
        if let BreakerRef::Named(name) = site.breaker_ref() {
            name.resolve();
        }
    }
    snapshot()
}

/// The name of the breaker that a function asks, if it asks one.
pub(crate) fn used_by(site: &'static Site) -> Option<&'static str> {
    match site.breaker_ref() {
        BreakerRef::None => None,
        BreakerRef::Static(breaker) => Some(breaker.name()),
        BreakerRef::Named(name) => Some(name.name()),
    }
}
