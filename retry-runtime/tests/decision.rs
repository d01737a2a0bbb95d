//! The order of the decision after a failure, and that nothing is taken before its turn.

use std::{collections::HashMap, time::Duration};

use proptest::prelude::*;
use retry_runtime::{
    Backoff, BackoffContext, Classification, Decision, Facts, Inner, Machine, Moment, Nesting,
    Policy, Purse, Situation, StopReason, Uniform,
};

struct Bottom;

impl Uniform for Bottom {
    fn up_to(&mut self, _: u64) -> u64 {
        0
    }
}

struct Top;

impl Uniform for Top {
    fn up_to(&mut self, top: u64) -> u64 {
        top
    }
}

/// Counts what is asked of it and grants it while it lasts.
struct Coins(u32);

impl Purse for Coins {
    fn withdraw(&mut self, cost: u32) -> bool {
        match self.0.checked_sub(cost) {
            Some(left) => {
                self.0 = left;
                true
            }
            None => false,
        }
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

const NOW: Moment = Moment::from_nanos(1_000_000_000);

fn situation(policy: &Policy) -> Situation<'_> {
    Situation {
        policy,
        attempt: 1,
        allowed: u32::MAX,
        now: NOW,
        deadline: Moment::NEVER,
        off: false,
        nesting: Nesting::Free,
        expected: Duration::ZERO,
        breaker_open: false,
    }
}

fn decide(
    classification: Classification,
    situation: &Situation<'_>,
    coins: &mut Coins,
) -> Decision {
    let facts = Facts { classification, label: "T" };
    Machine::new().decide(&facts, situation, &mut Bottom, coins)
}

#[test]
fn each_rule_comes_before_the_next_and_only_a_retry_is_paid_for() {
    let policy =
        Policy::new().attempts(2).backoff(Backoff::Fixed).base(ms(100)).max_retry_after(ms(500));
    let suppressed = Nesting::Suppressed { outer_idempotent: false };
    // Everything is wrong at once; each step mends what stopped the one before it.
    let mut now = Situation {
        attempt: 2,
        off: true,
        nesting: suppressed,
        deadline: NOW,
        expected: ms(10),
        breaker_open: true,
        ..situation(&policy)
    };
    let mut coins = Coins(0);
    let mut stops = |classification, now: &Situation<'_>, reason| {
        assert_eq!(decide(classification, now, &mut coins), Decision::Stop(reason));
    };
    let busy = Classification::throttled().retry_after(ms(900));
    stops(Classification::permanent().do_not_retry(), &now, StopReason::Permanent);
    stops(Classification::cancelled().do_not_retry(), &now, StopReason::Cancelled);
    stops(busy.maybe_executed().do_not_retry(), &now, StopReason::ServerRefusedRetry);
    stops(busy.maybe_executed(), &now, StopReason::MaybeExecuted);
    stops(busy.executed(), &now, StopReason::MaybeExecuted);
    stops(busy, &now, StopReason::AttemptsExhausted);
    now.attempt = 1;
    stops(busy.attempts(1), &now, StopReason::AttemptsExhausted);
    stops(busy, &now, StopReason::Disabled);
    now.off = false;
    stops(busy, &now, StopReason::Nested);
    now.nesting = Nesting::Free;
    stops(busy, &now, StopReason::RetryAfterTooLong);
    let busy = Classification::throttled().retry_after(ms(400));
    stops(busy, &now, StopReason::DeadlineExceeded);
    now.deadline = NOW.after(ms(400));
    stops(busy, &now, StopReason::DeadlineTooClose);
    now.deadline = NOW.after(ms(410));
    stops(busy, &now, StopReason::DeadlineTooClose);
    now.deadline = NOW.after(ms(411));
    stops(busy, &now, StopReason::BreakerOpen);
    now.breaker_open = false;
    stops(busy, &now, StopReason::BudgetExhausted);
    let mut coins = Coins(1);
    assert_eq!(decide(busy, &now, &mut coins), Decision::Retry(ms(400)));
    assert_eq!(coins.0, 0);
}

#[test]
fn an_attempt_is_expected_to_end_before_the_deadline_and_jitter_makes_room_for_it() {
    let policy = Policy::new().backoff(Backoff::Fixed).base(ms(100)).min_remaining(ms(30));
    for (expected, left, fits) in [
        (Duration::ZERO, 130, false),
        (Duration::ZERO, 131, true),
        (ms(20), 131, true),
        (ms(50), 150, false),
        (ms(50), 151, true),
        (Duration::MAX, 1_000_000, false),
    ] {
        let deadline = NOW.after(ms(left));
        let situation = Situation { expected, deadline, ..situation(&policy) };
        let decision = decide(Classification::transient(), &situation, &mut Coins(1));
        let too_close = Decision::Stop(StopReason::DeadlineTooClose);
        assert_eq!(decision != too_close, fits, "{expected:?} of {left} ms");
    }
    // A hint of a second may be spread over a quarter of it, and only 99 ms are left for that.
    let deadline = NOW.after(ms(1_150));
    let situation = Situation { expected: ms(50), deadline, ..situation(&policy) };
    let hint = Classification::throttled().retry_after(ms(1_000));
    let facts = Facts { classification: hint, label: "T" };
    let decision = Machine::new().decide(&facts, &situation, &mut Top, &mut Coins(1));
    assert_eq!(decision, Decision::Retry(ms(1_099)));
    // Without a deadline there is time for everything.
    let situation = Situation { expected: Duration::MAX, ..self::situation(&policy) };
    assert!(matches!(decide(hint, &situation, &mut Coins(1)), Decision::Retry(_)));
}

#[test]
fn a_retry_takes_what_its_class_costs() {
    let policy = Policy::new();
    let mut coins = Coins(7);
    let dear = Classification::transient().cost(5);
    assert!(matches!(decide(dear, &situation(&policy), &mut coins), Decision::Retry(_)));
    assert_eq!(coins.0, 2);
    assert_eq!(
        decide(dear, &situation(&policy), &mut coins),
        Decision::Stop(StopReason::BudgetExhausted)
    );
    assert_eq!(coins.0, 2, "a refusal takes nothing");
}

#[test]
fn a_cap_of_a_class_counts_its_own_failures_alone() {
    let policy = Policy::new().attempts(10);
    let mut machine = Machine::new();
    let mut fails = |label, cap: Option<u32>| {
        let plain = Classification::transient();
        let classification = cap.map_or(plain, |cap| plain.attempts(cap));
        let facts = Facts { classification, label };
        machine.decide(&facts, &situation(&policy), &mut Bottom, &mut Coins(1))
    };
    assert!(matches!(fails("A", Some(2)), Decision::Retry(_)));
    assert!(matches!(fails("B", None), Decision::Retry(_)));
    assert!(matches!(fails("C", Some(2)), Decision::Retry(_)));
    assert_eq!(fails("A", Some(2)), Decision::Stop(StopReason::AttemptsExhausted));
    assert!(matches!(fails("B", None), Decision::Retry(_)));
}

#[test]
fn a_cap_of_a_variant_replaces_the_one_it_wraps_and_one_by_hand_replaces_both() {
    let policy = Policy::new().attempts(10);
    let mut machine = Machine::new();
    let mut retried = |classification, label| {
        let facts = Facts { classification, label };
        let decision = machine.decide(&facts, &situation(&policy), &mut Bottom, &mut Coins(1));
        matches!(decision, Decision::Retry(_))
    };
    let inner = Classification::transient().attempts_of("Inner", 2);
    assert_eq!(inner, Classification::transient().attempts(2), "the owner is no fact");
    assert!(retried(inner, "A"));
    assert!(retried(inner.attempts_of("Outer", 2), "A"));
    assert!(retried(inner.attempts_of("Outer", 2).attempts(2), "A"));
    assert!(!retried(inner, "B"), "the label does not matter");
    assert!(!retried(Classification::conflict().attempts_of("Outer", 0), "B"), "nor the kind");
}

#[test]
fn the_previous_delay_is_the_one_that_was_decided_last_hinted_or_not() {
    fn remembered(context: &BackoffContext<'_>) -> Duration {
        context.previous().unwrap_or(ms(7)) + ms(1)
    }
    let policy =
        Policy::new().unlimited().backoff(Backoff::Custom(remembered)).max_retry_after(ms(60_000));
    let (mut machine, plain) = (Machine::new(), Classification::transient());
    let hinted = Classification::throttled().retry_after(ms(2_000));
    let expected = [(plain, 8), (plain, 9), (hinted, 2_000), (plain, 2_001), (plain, 2_002)];
    for (attempt, (classification, delay)) in (1..).zip(expected) {
        let facts = Facts { classification, label: "failed" };
        let situation = Situation { attempt, ..situation(&policy) };
        let decision = machine.decide(&facts, &situation, &mut Bottom, &mut Coins(1));
        assert_eq!(decision, Decision::Retry(ms(delay)), "after attempt {attempt}");
    }
}

#[test]
fn suppression_yields_only_where_nobody_outside_can_repeat() {
    let lost = Classification::timeout();
    let sure = Classification::transient();
    for (idempotent, outer_idempotent, classification, retried) in [
        (true, false, lost, true),
        (true, true, lost, false),
        (true, false, sure, false),
        (true, true, sure, false),
        (false, false, sure, false),
    ] {
        let policy = Policy::new().idempotent_if(idempotent);
        let nesting = Nesting::Suppressed { outer_idempotent };
        let decision =
            decide(classification, &Situation { nesting, ..situation(&policy) }, &mut Coins(1));
        assert_eq!(
            matches!(decision, Decision::Retry(_)),
            retried,
            "{idempotent} {outer_idempotent} {classification:?}"
        );
        if !retried {
            assert_eq!(decision, Decision::Stop(StopReason::Nested));
        }
    }
}

#[test]
fn only_a_function_that_repeats_itself_suppresses() {
    assert!(Policy::new().suppresses_inner());
    assert!(Policy::new().unlimited().suppresses_inner());
    assert!(!Policy::new().attempts(1).suppresses_inner());
    assert!(!Policy::new().inner(Inner::Allow).suppresses_inner());
}

#[test]
fn a_faulty_policy_never_retries() {
    for policy in [
        Policy::new().attempts(0),
        Policy::new().base(ms(5_000)).max(ms(1_000)),
        Policy::new().factor(f64::NAN),
        Policy::new().factor(0.5),
        Policy::new().max_retry_after(Duration::ZERO),
        Policy::new().time_per_attempt(Duration::ZERO),
    ] {
        assert!(policy.check().is_err());
        let decision = decide(Classification::transient(), &situation(&policy), &mut Coins(1));
        assert_eq!(decision, Decision::Stop(StopReason::Disabled));
    }
}

fn durations() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        Just(Duration::from_nanos(1)),
        Just(Duration::MAX),
        (0..20_000_u64).prop_map(ms),
        (0..u64::MAX).prop_map(Duration::from_nanos),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A retry is never earlier than asked, never starts at or after the deadline, and the waits of
    /// those who were told the same keep apart as far as there is room.
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn a_planned_retry_keeps_hint_and_deadline(
        base in durations(),
        max in durations(),
        hint in durations(),
        left in durations(),
        least in durations(),
        longest in durations(),
        attempt in 1..=u32::MAX - 1,
        at_top in any::<bool>(),
    ) {
        let policy = Policy::new()
            .unlimited()
            .base(base.min(max))
            .max(max)
            .min_remaining(least)
            .max_retry_after(longest.max(ms(1)));
        let deadline = NOW.after(left);
        let situation = Situation { attempt, deadline, ..situation(&policy) };
        let facts = Facts { classification: Classification::throttled().retry_after(hint), label: "T" };
        let random: &mut dyn Uniform = if at_top { &mut Top } else { &mut Bottom };
        let decision = Machine::new().decide(&facts, &situation, random, &mut Coins(1));
        if let Decision::Retry(delay) = decision {
            prop_assert_eq!(delay.subsec_nanos() % 1_000_000, 0, "a whole number of milliseconds");
            // Past the clock's range the wait saturates: it means "never", and nobody returns from it.
            prop_assert!(delay >= hint.min(Duration::from_nanos(u64::MAX - 1_000_000)));
            if !hint.is_zero() {
                prop_assert!(hint <= policy.longest_hint());
            }
            if deadline != Moment::NEVER {
                prop_assert!(NOW.after(delay).after(least) < deadline);
            }
        }
    }

    /// A call stops at the first failure that fills its own cap, whatever came between.
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn each_cap_counts_its_own_failures(
        failures in prop::collection::vec((0..3_usize, 0..2_usize, 0..2_usize, 1..4_u32), 1..30),
    ) {
        let labels = ["A", "B"];
        let kinds = [Classification::transient(), Classification::conflict()];
        // The last of the three is a class written by hand; a variant's cap is always the same.
        let read = |(variant, kind, label, by_hand): (usize, usize, usize, u32)| match variant {
            2 => (kinds[kind].attempts(by_hand), labels[label], (2, kind, label, by_hand)),
            _ => (kinds[kind].attempts_of(["V", "W"][variant], 3), labels[label], (variant, 0, 0, 3)),
        };
        let policy = Policy::new().unlimited();
        let mut machine = Machine::new();
        let mut seen = HashMap::new();
        for failure in failures {
            let (classification, label, class) = read(failure);
            let facts = Facts { classification, label };
            let decision = machine.decide(&facts, &situation(&policy), &mut Bottom, &mut Coins(1));
            let count: &mut u32 = seen.entry(class).or_default();
            *count += 1;
            let full = *count >= class.3;
            prop_assert_eq!(decision == Decision::Stop(StopReason::AttemptsExhausted), full);
            prop_assert_eq!(matches!(decision, Decision::Retry(_)), !full);
        }
    }

    /// Without a hint no delay exceeds `max`, but for the timer's rounding.
    #[cfg_attr(miri, ignore = "arithmetic over very many values")]
    #[test]
    fn a_planned_retry_stays_within_max(base in durations(), max in durations(), attempt in 1..=u32::MAX - 1) {
        let policy = Policy::new().unlimited().base(base.min(max)).max(max);
        let situation = Situation { attempt, ..situation(&policy) };
        let facts = Facts { classification: Classification::transient(), label: "T" };
        let decision = Machine::new().decide(&facts, &situation, &mut Top, &mut Coins(1));
        let Decision::Retry(delay) = decision else { return Err(TestCaseError::fail("it may be retried")) };
        prop_assert!(delay <= max.saturating_add(ms(1)));
    }
}
