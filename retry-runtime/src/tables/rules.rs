//! What a function goes by: what was declared, and what is in force with overrides.

use std::time::Duration;

use crate::{
    Policy, clock,
    control::{self, Effect, Value},
    site::{DeadlineRule, Site},
};

/// A policy and what stands beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) policy: Policy,
    pub(super) timeout: Option<Duration>,
    pub(super) deadline: DeadlineRule,
}

impl Rules {
    /// What the attribute says.
    pub(super) const fn declared(site: &Site) -> Self {
        let (timeout, deadline) = (site.timeout(), site.deadline_rule());
        Self { policy: *site.policy(), timeout, deadline }
    }

    /// The same with what is overridden.
    pub(super) fn in_force(site: &'static Site) -> Self {
        control::expire_now();
        let declared = Self::declared(site);
        if !control::is_patched() {
            return declared;
        }
        let Some(patch) = control::patch(site, None, clock::now()) else { return declared };
        Self {
            policy: patch.policy(&declared.policy),
            timeout: patch.attempt_timeout().or(declared.timeout),
            deadline: patch.deadline().map_or(declared.deadline, DeadlineRule::After),
        }
    }
}

/// What an override sets that has no place of its own in a policy in words.
pub(super) fn others(effects: &[Effect], varies: bool) -> Vec<String> {
    const ELSEWHERE: [&str; 4] = ["retries", "attempt_timeout", "deadline", "stop"];
    let values = || effects.iter().flat_map(Effect::values);
    let shown = |key: &str| match key {
        "max_retry_after" | "time_per_attempt" => true,
        // What it replaces is another for each call.
        key => varies && !ELSEWHERE.contains(&key),
    };
    let set = values().filter(|(key, _)| shown(key)).map(|(key, value)| format!("{key} = {value}"));
    let stop = values().filter(|(key, _)| *key == "stop");
    set.chain(stop.map(|(_, value)| format!("never after {}", listed(value)))).collect()
}

fn listed(value: &Value) -> String {
    match value {
        Value::List(words) => words.join(" or "),
        other => other.to_string(),
    }
}
