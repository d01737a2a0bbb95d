//! Calls that give up are many where something is down; one record says as much as all of them.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use crate::{Moment, StopReason};

/// How long after a record of calls that gave up for one reason the next one may follow.
const SILENCE: Duration = Duration::from_secs(10);

const REASONS: usize = StopReason::ALL.len();

/// When calls of a site gave up last, by reason, and how many have done so in silence since.
#[derive(Debug)]
pub(crate) struct Silence([Word; REASONS]);

#[derive(Debug)]
struct Word {
    /// When the last record was written, in nanoseconds; `NEVER` if there was none.
    recorded: AtomicU64,
    suppressed: AtomicU64,
}

impl Word {
    const fn new() -> Self {
        let never = Moment::NEVER.as_nanos();
        Self { recorded: AtomicU64::new(never), suppressed: AtomicU64::new(0) }
    }
}

impl Silence {
    pub(crate) const fn new() -> Self {
        Self([const { Word::new() }; REASONS])
    }

    /// A call has given up: how many have in silence before it, if it is to be recorded. Each call is either
    /// recorded or counted in the number of one later record, however many threads give up at once.
    pub(super) fn broken(&self, reason: StopReason, now: Moment) -> Option<u64> {
        let Word { recorded, suppressed } = &self.0[reason as usize];
        let last = recorded.load(Ordering::Relaxed);
        let due =
            last == Moment::NEVER.as_nanos() || Moment::from_nanos(last).until(now) >= SILENCE;
        // Of several that find it due, one changes it.
        let mine = due
            && recorded
                .compare_exchange(last, now.as_nanos(), Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if mine {
            return Some(suppressed.swap(0, Ordering::Relaxed));
        }
        suppressed.fetch_add(1, Ordering::Relaxed);
        None
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const START: Moment = Moment::from_nanos(0);

    #[test]
    fn one_record_for_each_reason_in_ten_seconds() {
        let silence = Silence::new();
        let (spent, shut) = (StopReason::AttemptsExhausted, StopReason::BreakerOpen);
        let at = |millis| START.after(Duration::from_millis(millis));
        assert_eq!(silence.broken(spent, at(5)), Some(0));
        assert_eq!(silence.broken(shut, at(6)), Some(0), "another reason");
        assert_eq!(silence.broken(spent, at(10_004)), None);
        assert_eq!(silence.broken(spent, at(10_005)), Some(1));
        assert_eq!(silence.broken(spent, at(10_006)), None);
        assert_eq!(silence.broken(spent, at(4)), None, "a clock that was read earlier");
        assert_eq!(silence.broken(spent, at(60_000)), Some(2));
    }

    #[test]
    fn no_call_is_lost_and_none_counted_twice_by_threads_that_give_up_at_once() {
        const EACH: u32 = 2_000;
        let silence = Silence::new();
        let reason = StopReason::BudgetExhausted;
        // Each thread's clock runs through many silences.
        let give_up = || {
            let broken = |call| silence.broken(reason, START.after(SILENCE * call / 100));
            (0..EACH)
                .filter_map(broken)
                .fold((0, 0), |(records, silent), suppressed| (records + 1, silent + suppressed))
        };
        let (records, silent) = thread::scope(|threads| {
            let threads: Vec<_> = (0..4).map(|_| threads.spawn(give_up)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .fold((0, 0), |(records, silent), (more, quiet)| (records + more, silent + quiet))
        });
        let last = silence.broken(reason, START.after(SILENCE * 1_000)).unwrap();
        assert_eq!(records + silent + last, 4 * u64::from(EACH));
        assert!((1..=u64::from(EACH / 100)).contains(&records), "{records} records");
    }
}
