use super::*;
use crate::{Policy, machine::Nesting};

struct Payer(u32);

impl Purse for Payer {
    fn withdraw(&mut self, cost: u32) -> bool {
        let left = self.0.checked_sub(cost);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

fn second() -> u64 {
    1_000_000_000
}

fn situation(policy: &Policy) -> Situation<'_> {
    Situation {
        policy,
        attempt: 1,
        allowed: u32::MAX,
        now: Moment::from_nanos(second()),
        deadline: Moment::NEVER,
        off: false,
        nesting: Nesting::Free,
        expected: Duration::ZERO,
        breaker_open: false,
    }
}

#[test]
fn a_hedge_is_refused_in_the_order_of_every_decision_and_then_costs_nothing() {
    let policy = Policy::new().attempts(2).idempotent();
    let unsafe_to_repeat = Policy::new().attempts(2);
    let mut late = situation(&policy);
    late.deadline = late.now;
    let mut close = situation(&policy);
    let needing = policy.min_remaining(Duration::from_secs(1));
    close.policy = &needing;
    close.deadline = Moment::from_nanos(2 * second());
    let suppressed = Nesting::Suppressed { outer_idempotent: false };
    for (situation, refused) in [
        (situation(&unsafe_to_repeat), StopReason::MaybeExecuted),
        (Situation { attempt: 2, ..situation(&policy) }, StopReason::AttemptsExhausted),
        (Situation { allowed: 1, ..situation(&policy) }, StopReason::AttemptsExhausted),
        (Situation { off: true, ..situation(&policy) }, StopReason::Disabled),
        (Situation { nesting: suppressed, ..situation(&policy) }, StopReason::Nested),
        (Situation { breaker_open: true, ..situation(&policy) }, StopReason::BreakerOpen),
        (late, StopReason::DeadlineExceeded),
        (close, StopReason::DeadlineTooClose),
    ] {
        let mut payer = Payer(1);
        assert_eq!(decide(&situation, &mut payer), Err(refused));
        assert_eq!(payer.0, 1, "{refused:?}");
    }
    let mut payer = Payer(1);
    assert_eq!(decide(&situation(&policy), &mut payer), Ok(()));
    assert_eq!(decide(&situation(&policy), &mut payer), Err(StopReason::BudgetExhausted));
    assert_eq!(payer.0, 0);
}

#[cfg_attr(miri, ignore = "arithmetic over very many values")]
#[test]
fn every_round_ends_exactly_once_whatever_its_attempts_come_to() {
    // Each two bits are a step: a turn, an end that is final, one that is not, nothing.
    for steps in 0..1_u32 << 16 {
        let mut race = Race::new(2);
        let (mut started, mut ended, mut commits) = (1, 0, 0);
        race.schedule(Moment::from_nanos(0));
        for step in (0..8).map(|at| steps >> (2 * at) & 3) {
            let next = match step {
                0 => {
                    if race.take_turn(Moment::from_nanos(0)) {
                        assert_eq!(commits, 0, "a hedge after the end: {steps:x}");
                        race.start();
                        race.schedule(Moment::from_nanos(0));
                        started += 1;
                    }
                    continue;
                }
                1 if race.in_flight() > 0 => race.end(End::Final),
                2 if race.in_flight() > 0 => race.end(End::Retryable),
                _ => continue,
            };
            ended += 1;
            match next {
                Next::Commit => commits += 1,
                Next::Wait => assert_eq!(race.in_flight(), started - ended),
            }
            assert_eq!(next == Next::Commit, race.in_flight() == 0);
        }
        assert!(started <= 3 && commits <= 1);
        assert_eq!(commits == 0, race.in_flight() > 0);
        assert!(commits == 0 || race.due() == Moment::NEVER);
    }
}

#[test]
fn a_turn_comes_when_it_is_due_and_not_before() {
    let mut race = Race::new(1);
    race.schedule(Moment::from_nanos(5));
    assert_eq!(race.due(), Moment::from_nanos(5));
    assert!(!race.take_turn(Moment::from_nanos(4)));
    assert!(race.take_turn(Moment::from_nanos(5)));
    race.schedule(Moment::from_nanos(6));
    assert_eq!(race.due(), Moment::NEVER, "there was one turn");
    assert!(!race.take_turn(Moment::from_nanos(9)));
}

#[test]
fn what_is_told_to_start_no_more_waits_for_what_is_in_flight() {
    let mut race = Race::new(2);
    race.schedule(Moment::from_nanos(1));
    assert!(race.take_turn(Moment::from_nanos(1)));
    race.start();
    race.start_no_more();
    race.schedule(Moment::from_nanos(2));
    assert_eq!(race.due(), Moment::NEVER);
    assert_eq!(race.end(End::Retryable), Next::Wait);
    assert_eq!(race.end(End::Retryable), Next::Commit);
}
