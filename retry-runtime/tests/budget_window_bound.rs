//! The sliding window with any settings, against its rule and against the numbers that its bound
//! states.
// Miri looks at memory and threads; this is arithmetic over very many values.
#![cfg(not(miri))]

use std::time::Duration;

use proptest::prelude::*;
use retry_runtime::{Budget, Moment};

/// The window moves on by a sixtieth of its length.
const SLOTS: u64 = 60;

/// What was asked of a budget, and when: by the number of the slot.
#[derive(Default)]
struct Model {
    attempts: Vec<u64>,
    retries: Vec<(u64, u32)>,
}

impl Model {
    fn forget(&mut self, slot: u64) {
        self.attempts.retain(|then| then + SLOTS > slot);
        self.retries.retain(|(then, _)| then + SLOTS > slot);
    }

    fn attempts(&self) -> u64 {
        self.attempts.len() as u64
    }

    fn spent(&self) -> u64 {
        self.retries.iter().map(|(_, cost)| u64::from(*cost)).sum()
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Attempts(u32),
    Retry(u32),
    GiveBack,
    /// Slots, and a part of one in 1/1000.
    Wait(u64, u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1..30_u32).prop_map(Step::Attempts),
        8 => (1..4_u32).prop_map(Step::Retry),
        1 => Just(Step::GiveBack),
        3 => (0..25_u64, 0..1_000_u64).prop_map(|(slots, part)| Step::Wait(slots, part)),
    ];
    prop::collection::vec(step, 0..300)
}

/// From windows of a few nanoseconds to windows of months, not only those that sixty divides.
fn lengths() -> impl Strategy<Value = u64> {
    prop_oneof![
        1..1_000_u64,
        1_000_000..100_000_000_000_u64,
        Just(60_000_000_000),
        1 << 40..1_u64 << 53
    ]
}

/// In a thousandth of the attempts.
fn shares() -> impl Strategy<Value = u64> {
    prop_oneof![0..1_000_u64, Just(0), Just(100), Just(999)]
}

proptest! {
    #[test]
    fn any_window_grants_what_its_rule_says_and_keeps_what_its_bound_states(
        share in shares(), length in lengths(), min_samples in prop_oneof![0..3_u32, 0..80_u32],
        start in 0..1_u64 << 60, history in steps(),
    ) {
        #[expect(clippy::cast_precision_loss, reason = "below a thousand")]
        let ratio = share as f64 / 1_000.0;
        let budget = Budget::sliding_window("any")
            .ratio(ratio)
            .window(Duration::from_nanos(length))
            .min_samples(min_samples);
        prop_assert_eq!(budget.check(), Ok(()));
        let bound = budget.bound();
        prop_assert_eq!(bound.exempt(), u64::from(min_samples.saturating_sub(1)));
        prop_assert_eq!(bound.window(), Some(Duration::from_nanos(length)));
        prop_assert!((bound.steady_share() - ratio / (1.0 - ratio)).abs() < 1e-6);

        let slot_length = length.div_ceil(SLOTS);
        let (mut model, mut outstanding, mut now) = (Model::default(), Vec::new(), start);
        for step in history {
            let (moment, slot) = (Moment::from_nanos(now), now / slot_length);
            model.forget(slot);
            match step {
                Step::Attempts(count) => {
                    for _ in 0..count {
                        budget.record_attempt(moment);
                        model.attempts.push(slot);
                    }
                }
                Step::Retry(cost) => {
                    let paid = budget.withdraw(cost, moment);
                    let earned = model.attempts() * share / 1_000;
                    let exempt = model.attempts() < u64::from(min_samples);
                    let most = if exempt { earned.max(bound.exempt()) } else { earned };
                    prop_assert_eq!(paid.is_some(), model.spent() + u64::from(cost) <= most);
                    if let Some(paid) = paid {
                        model.retries.push((slot, cost));
                        outstanding.push((paid, slot));
                        assert_within(&model, bound.exempt(), bound.steady_share())?;
                    }
                }
                Step::GiveBack => {
                    if let Some((paid, then)) = outstanding.pop() {
                        budget.give_back(paid);
                        let taken = model.retries.iter().position(|r| *r == (then, paid.cost()));
                        if let Some(index) = taken {
                            model.retries.remove(index);
                        }
                    }
                }
                Step::Wait(slots, part) => {
                    now += slots * slot_length + slot_length * part / 1_000;
                    // A clock moves on when somebody uses the budget with it.
                    budget.record_attempt(Moment::from_nanos(now));
                    model.attempts.push(now / slot_length);
                }
            }
        }
    }
}

/// In the window that ends with a granted retry there are at most the exempt ones, or at most the
/// steady share for each attempt that is no retry.
#[expect(clippy::cast_precision_loss, reason = "a few thousand")]
fn assert_within(model: &Model, exempt: u64, steady_share: f64) -> Result<(), TestCaseError> {
    let (attempts, retries) = (model.attempts() as f64, model.spent() as f64);
    let steady = steady_share * (attempts - retries).max(0.0) + 1e-6;
    prop_assert!(
        model.spent() <= exempt || retries <= steady,
        "{retries} retries among {attempts} attempts"
    );
    Ok(())
}
