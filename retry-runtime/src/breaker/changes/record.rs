//! What was told, for tests.

use std::sync::{Mutex, PoisonError};

use crate::{BreakerState, Moment};

/// The name, from which state to which, and when.
type Told = (String, BreakerState, BreakerState, Moment);

static RECORD: Mutex<Vec<Told>> = Mutex::new(Vec::new());

pub(super) fn note(name: &str, from: BreakerState, to: BreakerState, now: Moment) {
    let mut record = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
    record.push((name.to_owned(), from, to, now));
}

/// What was told of a breaker, in order.
pub(in crate::breaker) fn of(name: &str) -> Vec<(BreakerState, BreakerState, Moment)> {
    let record = RECORD.lock().unwrap_or_else(PoisonError::into_inner);
    let mine = record.iter().filter(|(told, ..)| told == name);
    mine.map(|(_, from, to, now)| (*from, *to, *now)).collect()
}

mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::of;
    use crate::breaker::Seen;
    use crate::{Breaker, BreakerState, Moment};
    use BreakerState::{Closed, HalfOpen, Isolated, Open};

    fn at(seconds: u64) -> Moment {
        Moment::from_nanos(seconds * 1_000_000_000)
    }

    fn settle(breaker: &'static Breaker, seen: Seen, now: Moment) {
        breaker.admit(|| now).expect("it lets calls through").settle(seen, || now);
    }

    #[test]
    fn each_change_is_told_once_and_what_stays_is_not() {
        let breaker = Breaker::dynamic("changes").consecutive(1).open_for(Duration::from_secs(30));
        let breaker = breaker.declare().expect("it is new");
        settle(breaker, Seen::Failure, at(1));
        assert!(breaker.admit(|| at(2)).is_err());
        settle(breaker, Seen::Failure, at(31));
        breaker.open_at(at(40));
        settle(breaker, Seen::Success, at(70));
        settle(breaker, Seen::Success, at(71));
        let told = [
            (Closed, Open, at(1)),
            (Open, HalfOpen, at(31)),
            (HalfOpen, Open, at(31)),
            (Open, HalfOpen, at(70)),
            (HalfOpen, Closed, at(70)),
        ];
        assert_eq!(of("changes"), told);
        breaker.close();
        breaker.isolate();
        breaker.isolate();
        breaker.open_at(at(80));
        breaker.close();
        breaker.open_at(at(90));
        let by_hand = [(Closed, Isolated), (Isolated, Closed), (Closed, Open)];
        let told: Vec<_> = of("changes")[5..].iter().map(|(from, to, _)| (*from, *to)).collect();
        assert_eq!(told, by_hand);
    }

    #[test]
    fn threads_at_once_tell_each_change_once() {
        const CALLS: u64 = if cfg!(miri) { 50 } else { 2_000 };
        const BY_HAND: usize = if cfg!(miri) { 5 } else { 200 };
        let name = "changes-threads";
        let breaker = Breaker::dynamic(name).consecutive(1).open_for(Duration::from_nanos(1));
        let breaker = breaker.probes(2).declare().expect("it is new");
        let clock = AtomicU64::new(0);
        let tick = || Moment::from_nanos(clock.fetch_add(2, Ordering::Relaxed));
        std::thread::scope(|scope| {
            for thread in 0..3_u64 {
                scope.spawn(move || {
                    for call in 0..CALLS {
                        let Ok(permit) = breaker.admit(tick) else { continue };
                        match (call + thread) % 4 {
                            0 => permit.settle(Seen::Failure, tick),
                            1 => drop(permit),
                            _ => permit.settle(Seen::Success, tick),
                        }
                    }
                });
            }
            scope.spawn(|| {
                for _ in 0..BY_HAND {
                    breaker.isolate();
                    breaker.close();
                }
            });
        });
        let told = of(name);
        // Here every change is one from one state to another: as many as there were generations.
        assert_eq!(told.len() as u64, breaker.circuit.word().generation());
        let end = BreakerState::from(breaker.circuit.word().kind());
        for state in [Closed, Open, HalfOpen, Isolated] {
            let left = told.iter().filter(|(from, ..)| *from == state).count();
            let entered = told.iter().filter(|(_, to, _)| *to == state).count();
            let (first, last) = (usize::from(state == Closed), usize::from(state == end));
            assert_eq!(left + last, entered + first, "{state}");
        }
        assert!(told.iter().filter(|(_, to, _)| *to == Isolated).count() == BY_HAND);
        assert!(told.iter().any(|(_, to, _)| *to == HalfOpen));
    }
}
