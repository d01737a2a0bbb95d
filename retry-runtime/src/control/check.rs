//! What can be wrong with overrides, seen beside those whom they are about.

use super::{
    Fault, Layer, OverrideError, OverrideErrors, Target,
    in_force::{Entry, InForce},
    names::{self, UnknownName},
};
use crate::{
    ConfigError, Moment, Policy,
    site::{self, DeadlineRule, Site},
};

/// Whether `entries`, which are all that a layer is to say, make sense: each by itself, and `all` together.
pub(super) fn check(
    layer: Layer,
    entries: &[Entry],
    all: &InForce,
    now: Moment,
) -> Result<(), OverrideErrors> {
    let mut errors: Vec<OverrideError> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let target = entry.target();
        if entry.switch {
            continue;
        }
        let twice = entries[..at].iter().any(|known| !known.switch && known.target() == target);
        if twice {
            errors.push(OverrideError::about(target.clone(), Fault::Twice));
        }
        errors.extend(entry.item.check().err());
        errors.extend(name_fault(layer, target));
        errors.extend(refusal(entry));
    }
    if errors.is_empty() {
        for site in site::every() {
            let Some(error) = policy_fault(site, entries, all, now) else { continue };
            let same = |known: &OverrideError| {
                (known.target(), known.key()) == (error.target(), error.key())
            };
            if !errors.iter().any(same) {
                errors.push(error);
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(OverrideErrors(errors)) }
}

/// Who is meant; `Err` if nobody, or if that cannot be told.
fn look_up(target: &Target) -> Result<(), UnknownName> {
    match target {
        Target::All => Ok(()),
        Target::Site(name) => names::sites(name).map(drop),
        Target::Budget(name) | Target::SitesOf(name) => names::budget(name).map(drop),
        Target::Breaker(name) => names::breaker(name).map(drop),
    }
}

fn name_fault(layer: Layer, target: &Target) -> Option<OverrideError> {
    match look_up(target).err()? {
        // Closures have their sites from their first call on, and names may be declared later.
        UnknownName::Unknown { .. } if layer != Layer::Code => None,
        error => Some(OverrideError::about(target.clone(), Fault::Name(error))),
    }
}

/// Whether nobody has the target's name; with the nearest that somebody has.
pub(super) fn pending(target: &Target) -> Option<Option<String>> {
    match look_up(target).err()? {
        error @ UnknownName::Unknown { .. } => Some(error.nearest().map(str::to_owned)),
        UnknownName::Ambiguous { .. } => None,
    }
}

/// The names with their places, where by now several sites answer to the one that the target gives.
pub(super) fn ambiguous(target: &Target) -> Option<Vec<String>> {
    match look_up(target).err()? {
        UnknownName::Ambiguous { places, .. } => Some(places),
        UnknownName::Unknown { .. } => None,
    }
}

/// All sites that an override is about.
pub(super) fn met(entry: &Entry) -> impl Iterator<Item = &'static Site> {
    site::every().filter(|site| entry.meets(site, site.budget_name()))
}

/// An override that none of those can honour whom it is about.
fn refusal(entry: &Entry) -> Option<OverrideError> {
    let mut first = None;
    for site in met(entry) {
        let (key, reason) = entry.item.settings().refusal(site)?;
        first.get_or_insert((site, key, reason));
    }
    let (site, key, reason) = first?;
    let fault = Fault::CannotHonour { site: names::label(site), reason };
    Some(blame(entry, key, fault))
}

fn blame(entry: &Entry, key: &str, fault: Fault) -> OverrideError {
    let value = entry.item.values().find(|(known, _)| *known == key);
    let value = value.map(|(_, value)| value.clone());
    OverrideError::about(entry.target().clone(), fault).with(key, value)
}

/// What a site's policy would be like with all overrides, if that makes no sense.
fn policy_fault(
    site: &Site,
    entries: &[Entry],
    all: &InForce,
    now: Moment,
) -> Option<OverrideError> {
    let own = site.policy();
    // What varies is only known to the call.
    if site.varies() || own.check().is_err() {
        return None;
    }
    let settings = all.settings(site, site.budget_name(), now)?;
    let policy = settings.policy(own);
    let deadline = match (settings.deadline, site.deadline_rule()) {
        (Some(time), _) | (None, DeadlineRule::After(time)) => Some(time),
        (None, DeadlineRule::Inherit | DeadlineRule::None) => None,
    };
    let label = || names::label(site);
    let (keys, fault): (&[&str], Fault) = if let Err(fault) = policy.check() {
        let keys: &[&str] = match fault {
            ConfigError::BaseAboveMax { .. } => &["base", "max"],
            _ => super::keys::SITE,
        };
        (keys, Fault::Policy { site: label(), fault })
    } else {
        let deadline = deadline?;
        let (key, needed) = if policy.least_remaining() >= deadline {
            ("min_remaining", policy.least_remaining())
        } else if policy.attempts_within(deadline) == 0 {
            ("time_per_attempt", time_per_attempt(&policy, deadline))
        } else {
            return None;
        };
        let keys = match key {
            "min_remaining" => &["min_remaining", "deadline"],
            _ => &["time_per_attempt", "deadline"],
        };
        (keys, Fault::NoTime { site: label(), key, needed, deadline })
    };
    // The strongest that has to do with it, of those that are new if one of them has.
    let guilty = |entry: &&Entry| {
        entry.meets(site, site.budget_name())
            && entry.item.values().any(|(key, _)| keys.contains(&key))
    };
    let entry = entries.iter().rfind(guilty).or_else(|| all.entries().iter().rfind(guilty))?;
    let key = entry.item.values().map(|(key, _)| key).find(|key| keys.contains(key))?;
    Some(blame(entry, key, fault))
}

/// What an attempt is taken to need, of a policy that leaves none in `deadline`.
fn time_per_attempt(policy: &Policy, deadline: std::time::Duration) -> std::time::Duration {
    policy.time_for_attempt().unwrap_or(deadline)
}
