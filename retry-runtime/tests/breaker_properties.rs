//! Any history of calls and of hands: never more probes than there may be, and a way back to closed.
// Miri looks at memory and threads; this is arithmetic over very many histories.
#![cfg(not(miri))]

#[path = "common/breakers.rs"]
mod breakers;

use std::time::Duration;

use breakers::live;
use proptest::prelude::*;
use retry_runtime::__private::{Permit, Seen};
use retry_runtime::{Breaker, BreakerState, Moment};

const SEEN: [Seen; 4] = [Seen::Success, Seen::Failure, Seen::Timeout, Seen::Ignored];

#[derive(Clone, Copy, Debug)]
enum Step {
    Admit,
    /// One of those under way, and what became of it.
    Settle(prop::sample::Index, Seen),
    Drop(prop::sample::Index),
    /// Milliseconds.
    Advance(u64),
    Open,
    Close,
    Isolate,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let index = any::<prop::sample::Index>;
    let step = prop_oneof![
        12 => Just(Step::Admit),
        8 => (index(), prop::sample::select(&SEEN[..])).prop_map(|(at, seen)| Step::Settle(at, seen)),
        3 => index().prop_map(Step::Drop),
        5 => prop_oneof![0..50_u64, 0..3_000_u64, 0..100_000_u64].prop_map(Step::Advance),
        1 => Just(Step::Open),
        1 => Just(Step::Close),
        1 => prop::bool::weighted(0.3).prop_map(|isolate| if isolate { Step::Isolate } else { Step::Admit }),
    ];
    prop::collection::vec(step, 0..200)
}

#[derive(Clone, Copy, Debug)]
struct Told {
    probes: u32,
    open_for: Duration,
    max_open: Duration,
    lease: Duration,
    jitter: f64,
}

impl Told {
    /// After this long without a call it lets one through, whatever has happened.
    fn longest(self) -> Duration {
        self.max_open.mul_f64(1.0 + self.jitter).max(self.lease) + Duration::from_millis(1)
    }
}

fn told() -> impl Strategy<Value = Told> {
    let millis = |range: std::ops::Range<u64>| range.prop_map(Duration::from_millis);
    (
        1..5_u32,
        millis(1..2_000),
        1..10_u32,
        millis(1..3_000),
        prop::sample::select(vec![0.0, 0.3, 1.0]),
    )
        .prop_map(|(probes, open_for, times, lease, jitter)| Told {
            probes,
            open_for,
            max_open: open_for * times,
            lease,
            jitter,
        })
}

/// Two sets of rules: streaks, and rates beside them.
fn breaker(told: Told, rules: u32, growth: f64) -> &'static Breaker {
    let breaker = Breaker::new("any").consecutive(rules % 3 + 1).window(Duration::from_secs(10));
    let breaker = if rules < 3 {
        breaker
    } else {
        let slow = Duration::from_millis(500);
        breaker.consecutive_timeouts(2).failure_rate(0.5).slow_calls(0.7, slow).min_calls(3)
    };
    live(
        breaker
            .open_for(told.open_for)
            .max_open(told.max_open)
            .growth(growth)
            .jitter(told.jitter)
            .probes(told.probes)
            .probe_timeout(told.lease),
    )
}

struct Call {
    permit: Permit,
    /// Of a probe in the half-open period that goes on: when its lease runs out.
    lease: Option<Moment>,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn probes_are_never_too_many_and_time_and_one_success_close_it(
        told in told(),
        rules in 0..6_u32,
        growth in prop::sample::select(vec![1.0, 2.0, 1e9]),
        steps in steps(),
    ) {
        let breaker = breaker(told, rules, growth);
        let mut now = Moment::from_nanos(0);
        let mut under_way: Vec<Call> = Vec::new();
        let mut isolated = false;
        for step in steps {
            let opened = breaker.stats().opened;
            let mut closed = false;
            match step {
                Step::Admit => {
                    let refuses = breaker.refuses(now);
                    let state = breaker.state_at(now);
                    match breaker.admit(|| now) {
                        Ok(permit) => {
                            prop_assert_eq!(permit.is_probe(), state == BreakerState::HalfOpen);
                            prop_assert_eq!(refuses, None);
                            let lease = permit.is_probe().then(|| now.after(told.lease));
                            under_way.push(Call { permit, lease });
                        }
                        Err(open) => {
                            prop_assert_ne!(state, BreakerState::Closed);
                            prop_assert_eq!(refuses, Some(open));
                            let wait = open.retry_after();
                            prop_assert_eq!(wait.is_none(), isolated);
                            prop_assert!(wait.is_none_or(|wait| !wait.is_zero() && wait <= told.longest()));
                        }
                    }
                }
                Step::Settle(at, seen) if !under_way.is_empty() => {
                    let at = at.index(under_way.len());
                    under_way.swap_remove(at).permit.settle(seen, || now);
                }
                Step::Drop(at) if !under_way.is_empty() => {
                    let at = at.index(under_way.len());
                    drop(under_way.swap_remove(at));
                }
                Step::Settle(..) | Step::Drop(_) => {}
                Step::Advance(millis) => now = now.after(Duration::from_millis(millis)),
                Step::Open => breaker.open_at(now),
                Step::Close => (breaker.close(), (isolated, closed) = (false, true)).0,
                Step::Isolate => (breaker.isolate(), isolated = true).0,
            }
            let state = breaker.state_at(now);
            prop_assert_eq!(state == BreakerState::Isolated, isolated);
            let moved = closed || state == BreakerState::Closed || isolated;
            if moved || breaker.stats().opened != opened {
                // Its half-open period is over: whoever was a probe in it is none any more.
                for call in &mut under_way {
                    call.lease = None;
                }
            }
            let live = under_way.iter().filter(|call| call.lease.is_some_and(|lease| lease > now));
            prop_assert!(live.count() <= told.probes as usize);
        }
        if isolated {
            now = now.after(Duration::from_secs(1_000_000));
            prop_assert!(breaker.admit(|| now).is_err(), "time alone does not end an isolation");
            breaker.close();
        }
        now = now.after(told.longest());
        let permit = breaker.admit(|| now);
        prop_assert!(permit.is_ok(), "{:?} is stuck", breaker);
        permit.expect("looked at just above").settle(Seen::Success, || now);
        prop_assert_eq!(breaker.state_at(now), BreakerState::Closed);
        prop_assert!(!breaker.admit(|| now).expect("it is closed").is_probe());
    }
}
