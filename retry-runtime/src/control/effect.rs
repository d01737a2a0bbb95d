//! What overrides come to for one function, budget or breaker.

use std::{fmt, time::Duration};

use super::{
    Layer, Store, Target, Value, duration,
    in_force::{Entry, InForce},
    numbers,
};
use crate::{Breaker, Budget, Moment, clock, isolation, site::Site};

/// What one override changes about a function, a budget or a breaker: as far as that can honour it, and no
/// stronger one says something else. From [`SiteRow::overrides`](crate::SiteRow::overrides) and the like.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, control::{self, Effect, Layer, Override, Target}, sites};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
/// control::set(Override::new(Target::All).set("attempts", 2).unwrap().note("INC-4711")).unwrap();
/// let table = sites();
/// let effects: Vec<Effect> = table.get("fetch").unwrap().overrides();
/// assert_eq!((effects[0].layer(), effects[0].target()), (Layer::Code, &Target::All));
/// assert_eq!(effects[0].note(), Some("INC-4711"));
/// assert_eq!(effects[0].settings(), "attempts = 2");
/// assert_eq!((effects[0].values().len(), effects[0].expires_in()), (1, None));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    layer: Layer,
    target: Target,
    values: Vec<(&'static str, Value)>,
    note: Option<String>,
    expires_in: Option<Duration>,
}

impl Effect {
    fn new(entry: &Entry, keys: &[&'static str], now: Moment) -> Option<Self> {
        let values = entry.item.values().filter(|(key, _)| keys.contains(key));
        let values: Vec<_> = values.map(|(key, value)| (key, value.clone())).collect();
        (!values.is_empty()).then(|| Self {
            layer: entry.layer,
            target: entry.target().clone(),
            values,
            note: entry.item.text().map(str::to_owned),
            expires_in: entry.expires_in(now),
        })
    }

    /// Where it comes from.
    #[must_use]
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// Whom the override is about, of whom this may be one of many.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// What it changes here.
    pub fn values(&self) -> impl ExactSizeIterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(key, value)| (*key, value))
    }

    /// The same in words.
    #[must_use]
    pub fn settings(&self) -> String {
        super::rows::settings(&self.target, self.values())
    }

    /// Why.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// How long it lasts from now on; `None` for ever.
    #[must_use]
    pub const fn expires_in(&self) -> Option<Duration> {
        self.expires_in
    }

    /// Whether it switches retries off.
    pub(crate) fn switches_off(&self) -> bool {
        self.values().any(|(key, value)| key == "retries" && *value == Value::from("off"))
    }

    /// Whether it does more than to switch retries off or on.
    pub(crate) fn changes_numbers(&self) -> bool {
        self.values().any(|(key, _)| key != "retries")
    }

    /// Who says so, why, and for how long.
    pub(crate) fn source(&self) -> String {
        source(self.layer, &self.target, self.note(), self.expires_in)
    }
}

/// Who says so, why, and for how long.
pub(super) fn source(
    layer: Layer,
    target: &Target,
    note: Option<&str>,
    expires_in: Option<Duration>,
) -> String {
    let note = note.map(|note| format!("; {note}")).unwrap_or_default();
    let left = expires_in.map(|left| format!("; {} left", whole(left))).unwrap_or_default();
    format!("layer `{layer}`, {target}{note}{left}")
}

/// `attempts = 2, base = "500ms" (layer code, all sites; INC-4711; 59m left)`.
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.settings(), self.source())
    }
}

/// What is left of a time, for tables: in whole seconds, and from an hour on in whole minutes.
pub(crate) fn whole(left: Duration) -> String {
    let seconds = left.as_secs();
    let odd = if seconds < 3_600 { 0 } else { seconds % 60 };
    duration::write(Duration::from_secs(seconds - odd))
}

/// What is in force, where anything is, with the time at which it is.
fn look(about: impl FnOnce(&InForce, Moment) -> Vec<Effect>) -> Vec<Effect> {
    super::expire_now();
    let in_force = isolation::overrides(Store::in_force);
    in_force.map(|in_force| about(&in_force, clock::now())).unwrap_or_default()
}

/// Of a site, the strongest first.
pub(crate) fn of_site(site: &Site) -> Vec<Effect> {
    look(|in_force, now| {
        let shares = in_force.shares(site, now);
        shares.iter().filter_map(|share| Effect::new(share.entry, &share.keys, now)).collect()
    })
}

/// Of a budget, the strongest first.
pub(crate) fn of_budget(budget: &Budget) -> Vec<Effect> {
    let target = Target::Budget(budget.name().to_owned());
    look(|in_force, now| {
        of_target(in_force, &target, now, |told| {
            let check = |told: &[(&'static str, &Value)]| {
                let told = told.iter().map(|(key, value)| (*key, *value));
                budget.check_numbers(told).map_err(|(_, fault)| fault)
            };
            numbers::heeded(told, check)
        })
    })
}

/// Of a breaker, the strongest first.
pub(crate) fn of_breaker(breaker: &Breaker) -> Vec<Effect> {
    let target = Target::Breaker(breaker.name().to_owned());
    look(|in_force, now| {
        of_target(in_force, &target, now, |told| {
            let check = |told: &[(&'static str, &Value)]| {
                let told = told.iter().map(|(key, value)| (*key, *value));
                breaker.check_numbers(told).map_err(|(_, fault)| fault)
            };
            numbers::heeded(told, check)
        })
    })
}

fn of_target(
    in_force: &InForce,
    target: &Target,
    now: Moment,
    heeded: impl FnOnce(&[(&'static str, &Value)]) -> Vec<&'static str>,
) -> Vec<Effect> {
    let about: Vec<&Entry> =
        in_force.entries().iter().rev().filter(|entry| entry.target() == target).collect();
    let mut told: Vec<(&'static str, &Value)> = Vec::new();
    let mut keys: Vec<Vec<&'static str>> = Vec::new();
    for entry in &about {
        let new =
            entry.item.values().filter(|(key, _)| !told.iter().any(|(known, _)| known == key));
        let new: Vec<_> = new.collect();
        keys.push(new.iter().map(|(key, _)| *key).collect());
        told.extend(new);
    }
    let heeded = heeded(&told);
    let effect = |(entry, keys): (&Entry, Vec<&'static str>)| {
        let keys: Vec<_> = keys.into_iter().filter(|key| heeded.contains(key)).collect();
        Effect::new(entry, &keys, now)
    };
    about.into_iter().zip(keys).filter_map(effect).collect()
}
