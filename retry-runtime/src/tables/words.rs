//! A function's policy, in words.

use std::time::Duration;

use crate::{
    Backoff, Policy,
    hedge::HedgeDelay,
    site::{DeadlineRule, Site},
};

/// What the attribute says, as far as it is not what every function does.
pub(super) fn policy(site: &Site) -> String {
    let policy = site.policy();
    let mut words = Vec::new();
    if site.varies() {
        words.push("varies by type or call".to_owned());
    } else {
        words.push(match policy.max_attempts() {
            Some(1) => "1 attempt".to_owned(),
            Some(attempts) => format!("{attempts} attempts"),
            None => "unlimited attempts".to_owned(),
        });
        if policy.max_attempts() != Some(1) {
            words.push(waits(policy));
        }
        words.extend(settings(policy));
    }
    match site.timeout() {
        Some(Duration::MAX) => words.push("timeout by call".to_owned()),
        Some(timeout) => words.push(format!("attempt_timeout {timeout:?}")),
        None => {}
    }
    match site.deadline_rule() {
        DeadlineRule::After(time) => words.push(format!("deadline {time:?}")),
        DeadlineRule::None => words.push("no deadline".to_owned()),
        DeadlineRule::Inherit => {}
    }
    words.extend(site.hedges().map(|hedge| match hedge.delay() {
        HedgeDelay::After(Duration::MAX) => "hedged".to_owned(),
        HedgeDelay::After(after) => format!("hedged after {after:?}"),
        HedgeDelay::Quantile(quantile, _) => format!("hedged after {quantile:?}").to_lowercase(),
    }));
    if site.is_blocking() {
        words.push("blocking".to_owned());
    }
    words.join(", ")
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

fn settings(policy: &Policy) -> impl Iterator<Item = String> {
    let least = policy.least_remaining();
    let suppresses = policy.suppresses_inner() || policy.max_attempts() == Some(1);
    [
        policy.is_idempotent().then(|| "idempotent".to_owned()),
        policy.is_independent().then(|| "nested independent".to_owned()),
        (!suppresses).then(|| "inner calls retry".to_owned()),
        (!least.is_zero()).then(|| format!("min_remaining {least:?}")),
    ]
    .into_iter()
    .flatten()
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
            assert_eq!(policy(&site), wanted);
        }
    }
}
