//! A function's policy, in words.

use std::{fmt, time::Duration};

use crate::{
    Backoff, Policy,
    control::Effect,
    hedge::HedgeDelay,
    site::{DeadlineRule, Site},
};

use super::rules::{Rules, others};

/// One thing that a policy says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// What the code says instead, where that is overridden.
    pub(super) declared: Option<String>,
}

/// `2 attempts (declared: 3 attempts)`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        self.declared.iter().try_for_each(|declared| write!(f, " (declared: {declared})"))
    }
}

/// What is in force, as far as it is not what every function does, and what was declared where that differs.
pub(super) fn words(site: &Site, rules: &Rules, effects: &[Effect]) -> Vec<Word> {
    let declared = Rules::declared(site);
    let varies = site.varies();
    let mut words: Vec<Word> = Vec::new();
    let plain = |text: String| Word { text, declared: None };
    if varies {
        words.push(plain("varies by type or call".to_owned()));
    } else {
        let (now, before) = (&rules.policy, &declared.policy);
        words.extend(compared(attempts(now), attempts(before)));
        if now.max_attempts() != Some(1) {
            words.extend(compared(waits(now), waits(before)));
        }
        let both = settings(now).into_iter().zip(settings(before));
        words.extend(both.filter_map(|(now, before)| compared(now, before)));
    }
    words.extend(compared(timeout(rules.timeout), timeout(declared.timeout)));
    words.extend(compared(deadline(rules.deadline), deadline(declared.deadline)));
    let code = if varies { "varies" } else { "nothing" };
    words.extend(
        others(effects, varies)
            .into_iter()
            .map(|text| Word { text, declared: Some(code.to_owned()) }),
    );
    words.extend(site.hedges().map(|hedge| match hedge.delay() {
        HedgeDelay::After(Duration::MAX) => plain("hedged".to_owned()),
        HedgeDelay::After(after) => plain(format!("hedged after {after:?}")),
        HedgeDelay::Quantile(quantile, _) => {
            plain(format!("hedged after {quantile:?}").to_lowercase())
        }
    }));
    if site.is_blocking() {
        words.push(plain("blocking".to_owned()));
    }
    words
}

/// All of them, one after another.
pub(super) fn join(words: &[Word]) -> String {
    words.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What is in force beside what was declared; empty is what needs no word.
fn compared(now: String, declared: String) -> Option<Word> {
    match (now.is_empty(), declared.is_empty()) {
        (true, true) => None,
        _ if now == declared => Some(Word { text: now, declared: None }),
        (true, false) => Some(Word { text: format!("not {declared}"), declared: Some(declared) }),
        (false, true) => Some(Word { text: now, declared: Some("nothing".to_owned()) }),
        (false, false) => Some(Word { text: now, declared: Some(declared) }),
    }
}

fn attempts(policy: &Policy) -> String {
    match policy.max_attempts() {
        Some(1) => "1 attempt".to_owned(),
        Some(attempts) => format!("{attempts} attempts"),
        None => "unlimited attempts".to_owned(),
    }
}

fn timeout(timeout: Option<Duration>) -> String {
    match timeout {
        Some(Duration::MAX) => "timeout by call".to_owned(),
        Some(timeout) => format!("attempt_timeout {timeout:?}"),
        None => String::new(),
    }
}

fn deadline(rule: DeadlineRule) -> String {
    match rule {
        DeadlineRule::After(time) => format!("deadline {time:?}"),
        DeadlineRule::None => "no deadline".to_owned(),
        DeadlineRule::Inherit => String::new(),
    }
}

/// How the waits grow.
fn waits(policy: &Policy) -> String {
    let (steps, strategy) = (policy.steps(), policy.strategy());
    let (name, base, max) = (strategy.name(), steps.base(), steps.max());
    match strategy {
        Backoff::None => "no waits".to_owned(),
        Backoff::Fixed => format!("{name} {base:?}"),
        _ if steps.factor().total_cmp(&2.0).is_ne() => {
            format!("{name} {base:?} to {max:?} by {}", steps.factor())
        }
        _ => format!("{name} {base:?} to {max:?}"),
    }
}

/// Each in its own place, or nothing.
fn settings(policy: &Policy) -> [String; 4] {
    let least = policy.least_remaining();
    let suppresses = policy.suppresses_inner() || policy.max_attempts() == Some(1);
    [
        policy.is_idempotent().then(|| "idempotent".to_owned()),
        policy.is_independent().then(|| "nested independent".to_owned()),
        (!suppresses).then(|| "inner calls retry".to_owned()),
        (!least.is_zero()).then(|| format!("min_remaining {least:?}")),
    ]
    .map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inner, Nested, site::SiteState};

    static STATE: SiteState = SiteState::new();

    #[test]
    fn a_policy_reads_like_its_attribute() {
        let site = |policy| Site::new("orders", "orders.rs", 7, 1, policy, &STATE);
        let (ms, new) = (Duration::from_millis, Policy::new);
        for (site, wanted) in [
            (site(new()), "3 attempts, full_jitter 50ms to 20s"),
            (
                site(new().unlimited().backoff(Backoff::Fixed).base(ms(1_500)).idempotent()),
                "unlimited attempts, fixed 1.5s, idempotent",
            ),
            (site(new().attempts(1)).deadline(DeadlineRule::None), "1 attempt, no deadline"),
            (
                site(new().factor(3.0).nested(Nested::Independent).inner(Inner::Allow))
                    .attempt_timeout(ms(200))
                    .deadline(DeadlineRule::After(ms(2_000))),
                "3 attempts, full_jitter 50ms to 20s by 3, nested independent, inner calls retry, \
                 attempt_timeout 200ms, deadline 2s",
            ),
            (
                site(new().backoff(Backoff::None).min_remaining(ms(5))).blocking(),
                "3 attempts, no waits, min_remaining 5ms, blocking",
            ),
            (site(new()).varying(), "varies by type or call"),
            (
                site(new()).attempt_timeout(Duration::MAX).varying(),
                "varies by type or call, timeout by call",
            ),
        ] {
            assert_eq!(join(&words(&site, &Rules::declared(&site), &[])), wanted);
        }
    }

    #[test]
    fn what_is_overridden_stands_beside_what_was_declared() {
        let ms = Duration::from_millis;
        let declared = Policy::new().idempotent();
        let site = Site::new("orders", "orders.rs", 7, 1, declared, &STATE);
        for (policy, deadline, wanted) in [
            (
                Policy::new().attempts(2).base(ms(500)),
                DeadlineRule::After(ms(2_000)),
                "2 attempts (declared: 3 attempts), full_jitter 500ms to 20s (declared: \
                 full_jitter 50ms to 20s), not idempotent (declared: idempotent), deadline 2s \
                 (declared: nothing)",
            ),
            (
                declared.attempts(1),
                DeadlineRule::Inherit,
                "1 attempt (declared: 3 attempts), idempotent",
            ),
        ] {
            let rules = Rules { policy, timeout: None, deadline };
            assert_eq!(join(&words(&site, &rules, &[])), wanted);
        }
    }
}
