//! How long one call can take.

use std::{fmt, time::Duration};

use crate::{
    Kind, Policy,
    site::{DeadlineRule, Site},
};

use super::rules::Rules;

/// The longest that one call can take, by what its attribute says and what overrides change of it. A deadline that the call inherits may
/// end it sooner. From [`SiteRow::longest_call`](crate::SiteRow::longest_call).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{LongestCall, Policy, sites};
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let fetch = async || Ok::<_, std::io::Error>(());
/// Policy::new().run(fetch).named("fetch").await.unwrap();
/// // No attempt has a timeout, and the call has no deadline.
/// let longest = sites().get("fetch").unwrap().longest_call();
/// assert!(matches!(longest, LongestCall::Unbounded { .. }));
/// println!("{longest}");
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LongestCall {
    /// All attempts and the waits between them are limited, or the whole call is.
    #[non_exhaustive]
    Bounded {
        /// With the longest delays of its backoff.
        time: Duration,
        /// If servers ask for the longest waits that the policy lets them ask for, each time.
        with_hints: Duration,
    },
    /// There is no limit.
    #[non_exhaustive]
    Unbounded {
        /// What is missing.
        why: &'static str,
    },
}

/// Of so many retries each has its own delay here; the others are taken to wait as long as the last one.
const EACH: u32 = 1_000;

impl LongestCall {
    pub(super) fn of(site: &Site, rules: &Rules) -> Self {
        let deadline = match rules.deadline {
            DeadlineRule::After(time) => Some(time),
            DeadlineRule::Inherit | DeadlineRule::None => None,
        };
        match (attempts_and_waits(site, rules), deadline) {
            _ if site.is_blocking() => {
                Self::Unbounded { why: "it waits on its thread, which nothing can cut" }
            }
            (Ok((time, with_hints)), deadline) => {
                let deadline = deadline.unwrap_or(Duration::MAX);
                Self::Bounded { time: time.min(deadline), with_hints: with_hints.min(deadline) }
            }
            (Err(_), Some(time)) => Self::Bounded { time, with_hints: time },
            (Err(why), None) => Self::Unbounded { why },
        }
    }
}

/// The time of all attempts and of the waits between them, without and with the longest hints; or why it
/// is not limited.
fn attempts_and_waits(site: &Site, rules: &Rules) -> Result<(Duration, Duration), &'static str> {
    let policy = &rules.policy;
    if site.varies() {
        return Err("its policy is another for each type or call");
    }
    let Some(attempts) = policy.max_attempts() else {
        return Err("its attempts are unlimited, and it has no `deadline`");
    };
    let timeout = match rules.timeout {
        _ if site.is_last_untimed() => return Err("its last attempt has no timeout"),
        Some(Duration::MAX) => return Err("each call brings its own timeout"),
        Some(timeout) => timeout,
        None => return Err("it has neither `attempt_timeout` nor `deadline`"),
    };
    let running = timeout.saturating_mul(attempts);
    let retries = attempts.saturating_sub(1);
    let (mut delays, mut hinted) = (Duration::ZERO, Duration::ZERO);
    for retry in 0..retries.min(EACH) {
        // From the first delay that stands for several on, for all of them.
        let times = if retry + 1 == EACH { retries - retry } else { 1 };
        let delay = longest_delay(policy, if times > 1 { retries - 1 } else { retry });
        let hint = policy.longest_hint();
        delays = delays.saturating_add(delay.saturating_mul(times));
        // A wait that is asked for is spread over the delay, or a quarter of itself.
        let spread = hint.saturating_add(delay.max(hint / 4));
        hinted = hinted.saturating_add(spread.saturating_mul(times));
    }
    Ok((running.saturating_add(delays), running.saturating_add(hinted)))
}

/// The longest delay before this retry, from 0, by the policy's own bases.
fn longest_delay(policy: &Policy, retry: u32) -> Duration {
    let cap = |kind| policy.strategy().cap(&policy.steps_after(kind), retry);
    cap(Kind::Transient).max(cap(Kind::Throttled))
}

impl fmt::Display for LongestCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounded { time, with_hints } if time == with_hints => write!(f, "{time:?}"),
            Self::Bounded { time, with_hints } => {
                write!(f, "{time:?} ({with_hints:?} if servers ask for waits)")
            }
            Self::Unbounded { why } => write!(f, "unbounded: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backoff, site::SiteState};

    static STATE: SiteState = SiteState::new();

    fn declared(site: &Site) -> LongestCall {
        LongestCall::of(site, &Rules::declared(site))
    }

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn site(policy: Policy) -> Site {
        Site::new("orders", "orders.rs", 7, 1, policy, &STATE)
    }

    /// Three attempts, 50 and 100 ms at most between them, and 400 ms if a server asks for more.
    fn quick() -> Policy {
        Policy::new().base(ms(50)).max(ms(1_000)).max_retry_after(ms(400))
    }

    #[test]
    fn a_call_takes_its_attempts_and_the_longest_waits_between_them() {
        let longest = declared(&site(quick()).attempt_timeout(ms(200)));
        // With hints: twice 400 ms, spread over 100 ms each.
        let wanted = LongestCall::Bounded { time: ms(750), with_hints: ms(1_600) };
        assert_eq!(longest, wanted);
        assert_eq!(longest.to_string(), "750ms (1.6s if servers ask for waits)");
    }

    #[test]
    fn a_deadline_ends_it_sooner_or_alone() {
        let deadline = DeadlineRule::After(ms(700));
        let timed = site(quick()).attempt_timeout(ms(200)).deadline(deadline);
        let wanted = LongestCall::Bounded { time: ms(700), with_hints: ms(700) };
        assert_eq!(declared(&timed), wanted);
        assert_eq!(declared(&site(quick()).deadline(deadline)), wanted);
        assert_eq!(declared(&site(quick().unlimited()).deadline(deadline)), wanted);
    }

    #[test]
    fn what_has_no_limit_says_why() {
        for (site, wanted) in [
            (site(quick()), "neither `attempt_timeout` nor `deadline`"),
            (site(quick().unlimited()).attempt_timeout(ms(1)), "unlimited"),
            (site(quick()).attempt_timeout(ms(1)).varying(), "for each type or call"),
            (site(quick()).attempt_timeout(ms(1)).last_untimed(), "last attempt"),
            (site(quick()).attempt_timeout(Duration::MAX), "brings its own"),
            (site(quick()).deadline(DeadlineRule::After(ms(1))).blocking(), "thread"),
        ] {
            let longest = declared(&site);
            let LongestCall::Unbounded { why } = longest else { panic!("{longest}") };
            assert!(why.contains(wanted), "{why}");
        }
    }

    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn no_number_of_attempts_is_too_many_or_takes_long() {
        let often = quick().attempts(u32::MAX - 1).backoff(Backoff::Fixed);
        let longest = declared(&site(often).attempt_timeout(ms(1)));
        let retries = u64::from(u32::MAX) - 2;
        let LongestCall::Bounded { time, .. } = longest else { panic!("{longest}") };
        assert_eq!(time, ms(retries + 1) + ms(50 * retries));

        let most = Policy::new().base(Duration::MAX).attempts(u32::MAX - 1);
        let longest = declared(&site(most).attempt_timeout(Duration::MAX.saturating_sub(ms(1))));
        assert!(matches!(longest, LongestCall::Bounded { time: Duration::MAX, .. }), "{longest}");
    }

    #[test]
    fn a_throttled_failure_may_wait_longer() {
        let policy = Policy::aws_standard().max_retry_after(Duration::from_nanos(4));
        let longest = declared(&site(policy).attempt_timeout(ms(1)));
        let LongestCall::Bounded { time, .. } = longest else { panic!("{longest}") };
        assert_eq!(time, ms(3 + 1_000 + 2_000));
    }
}
