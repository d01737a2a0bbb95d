//! Two threads that do the same at the same time.

use std::{
    hint,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    thread,
    time::{Duration, Instant},
};

use crate::rounds::per_call;

/// Nanoseconds of each of `times` operations on each of two threads, of the slower thread: a figure for
/// each round in which both were running nearly all of the time. On a busy machine these are few.
pub fn turns(times: u64, rounds: u64, run: &(dyn Fn(u64) + Sync)) -> Vec<f64> {
    let (mine, theirs) = (AtomicU64::new(0), AtomicU64::new(0));
    let play = |here: &AtomicU64, there: &AtomicU64| -> Vec<Turn> {
        let one = |round| {
            here.store(round, SeqCst);
            while there.load(SeqCst) < round {
                hint::spin_loop();
            }
            let start = Instant::now();
            run(times);
            Turn { start, end: Instant::now() }
        };
        (1..=rounds).map(one).collect()
    };
    thread::scope(|threads| {
        let other = threads.spawn(|| play(&theirs, &mine));
        let this = play(&mine, &theirs);
        let other = other.join().unwrap_or_default();
        let together = this.iter().zip(&other).filter_map(|(this, other)| this.with(other));
        together.map(|time| per_call(time, times)).collect()
    })
}

/// When a thread took its turn.
struct Turn {
    start: Instant,
    end: Instant,
}

impl Turn {
    /// The time of the slower of two, if for nine tenths of it the other was at it too.
    fn with(&self, other: &Self) -> Option<Duration> {
        let slower = (self.end - self.start).max(other.end - other.start);
        let both = self.end.min(other.end).saturating_duration_since(self.start.max(other.start));
        (both * 10 >= slower * 9).then_some(slower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_threads_take_every_turn() {
        let count = AtomicU64::new(0);
        let turns = turns(10, 5, &|times| {
            count.fetch_add(times, SeqCst);
        });
        assert!(turns.len() <= 5);
        assert_eq!(count.into_inner(), 100);
    }

    #[test]
    fn turns_that_were_taken_one_after_the_other_do_not_count() {
        let start = Instant::now();
        let turn = |from, to| Turn {
            start: start + Duration::from_micros(from),
            end: start + Duration::from_micros(to),
        };
        assert_eq!(turn(0, 100).with(&turn(100, 200)), None);
        assert_eq!(turn(0, 100).with(&turn(50, 150)), None);
        assert_eq!(turn(0, 100).with(&turn(5, 103)), Some(Duration::from_micros(100)));
    }
}
