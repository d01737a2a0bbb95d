//! From readings of the processor time used to a share.

use std::time::{Duration, Instant};

/// The ticks of a second in `/proc`: fixed at 100 by the kernel's interface, whatever its own clock does,
/// on every architecture that Rust compiles for.
const TICKS: u64 = 100;
/// Readings closer than this say little, with ticks of 10 ms.
const SHORTEST: Duration = Duration::from_millis(50);
/// How long a reading serves as the earlier one before the next takes its place: a share is the mean over
/// half a second to a second, where failures come often enough.
const STEP: Duration = Duration::from_millis(500);
/// The mean over a longer time would say nothing about now.
const LONGEST: Duration = Duration::from_secs(10);

/// The processor time that the process has used, user and system, from the text of `/proc/self/stat`.
pub(super) fn cpu_time(stat: &str) -> Option<Duration> {
    // The second field is the program's name in parentheses, which may contain both spaces and
    // parentheses. The fields after it are numbered from 3; user time is 14, system time 15.
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_ascii_whitespace().skip(14 - 3);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let used = ticks()?.checked_add(ticks()?)?;
    Some(Duration::from_secs(used / TICKS) + Duration::from_millis(used % TICKS * (1000 / TICKS)))
}

/// Remembers earlier readings.
#[derive(Debug)]
pub(super) struct Meter {
    /// What the share is counted from, and what takes its place once it is half a second old.
    earlier: Option<(Reading, Reading)>,
    /// How many processors the process may use, as it was found at this time.
    processors: Option<(f64, Instant)>,
}

#[derive(Clone, Copy, Debug)]
struct Reading {
    used: Duration,
    at: Instant,
}

impl Meter {
    pub(super) const fn new() -> Self {
        Self { earlier: None, processors: None }
    }

    /// The share of the processors in use since an earlier reading; `None` where there is none, or none
    /// that is recent.
    pub(super) fn share(
        &mut self,
        used: Duration,
        at: Instant,
        processors: impl FnOnce() -> f64,
    ) -> Option<f64> {
        let reading = Reading { used, at };
        let since = |earlier: Reading| at.saturating_duration_since(earlier.at);
        let (oldest, next) = match self.earlier {
            Some((oldest, next)) if since(oldest) <= LONGEST => (oldest, next),
            Some((_, next)) if since(next) <= LONGEST => (next, next),
            _ => {
                self.earlier = Some((reading, reading));
                return None;
            }
        };
        if since(oldest) < SHORTEST {
            return None;
        }
        if since(next) >= STEP {
            self.earlier = Some((next, reading));
        }
        let all = since(oldest).as_secs_f64() * self.processors(at, processors);
        Some((used.saturating_sub(oldest.used).as_secs_f64() / all).min(1.0))
    }

    /// Limits change seldom, and finding out takes a handful of files.
    fn processors(&mut self, at: Instant, find: impl FnOnce() -> f64) -> f64 {
        match self.processors {
            Some((known, found)) if at.saturating_duration_since(found) < LONGEST => known,
            _ => self.processors.insert((find(), at)).0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_added_whatever_the_program_is_called() {
        let fields = "S 1 2 3 4 -1 4194304 102 0 0 0 250 33 0 0 20 0 1 0 2238860 3133440 383";
        for name in ["cat", "tokio-runtime-w", "a) S 9 (b", "x y"] {
            let stat = format!("22438 ({name}) {fields}");
            assert_eq!(cpu_time(&stat), Some(Duration::from_millis(2_830)), "{name}");
        }
    }

    #[test]
    fn what_is_no_such_file_is_not_known() {
        for text in ["", "1 (cat", "1 (cat) S 1 2", "1 (cat) S 1 2 3 4 5 6 7 8 9 10 a b c"] {
            assert_eq!(cpu_time(text), None, "{text}");
        }
    }

    fn share(meter: &mut Meter, from: Instant, at: u64, used: u64) -> Option<f64> {
        meter.share(Duration::from_millis(used), from + Duration::from_millis(at), || 2.0)
    }

    #[test]
    fn a_share_is_what_was_used_of_what_could_have_been() {
        let (mut meter, from) = (Meter::new(), Instant::now());
        assert_eq!(share(&mut meter, from, 0, 1_000), None, "there is nothing to compare with");
        assert_eq!(share(&mut meter, from, 10, 1_010), None, "too close");
        assert_eq!(share(&mut meter, from, 100, 1_100), Some(0.5));
        assert_eq!(share(&mut meter, from, 200, 1_400), Some(1.0));
        assert_eq!(share(&mut meter, from, 400, 9_000), Some(1.0), "never more than all");
    }

    #[test]
    fn a_share_is_of_the_last_second_and_not_of_all_time() {
        let (mut meter, from) = (Meter::new(), Instant::now());
        // Two seconds of full use, and two of none.
        let mut shares = Vec::new();
        for step in 0..=40 {
            shares.push(share(&mut meter, from, step * 100, 2 * 100 * step.min(20)));
        }
        assert_eq!(shares[20], Some(1.0));
        assert!(shares[24].unwrap() < 0.8, "{:?}", shares[24]);
        assert_eq!(shares[31], Some(0.0));
    }

    #[test]
    fn a_reading_from_long_ago_is_no_measure() {
        let (mut meter, from) = (Meter::new(), Instant::now());
        assert_eq!(share(&mut meter, from, 0, 0), None);
        assert_eq!(share(&mut meter, from, 10_001, 20_000), None);
        assert_eq!(share(&mut meter, from, 10_101, 20_100), Some(0.5));
        // Seldom failures are compared with each other.
        for step in 1..5 {
            let (at, used) = (10_101 + step * 8_000, 20_100 + step * 4_000);
            let share = share(&mut meter, from, at, used).unwrap();
            assert!((share - 0.25).abs() < 0.01, "{step}: {share}");
        }
    }

    #[test]
    fn limits_are_looked_up_again_after_a_while() {
        let (mut meter, from) = (Meter::new(), Instant::now());
        let mut at = |at: u64, used: u64, processors: f64| {
            let at = from + Duration::from_millis(at);
            meter.share(Duration::from_millis(used), at, || processors)
        };
        assert_eq!(at(0, 0, 1.0), None);
        assert_eq!(at(100, 100, 1.0), Some(1.0));
        assert_eq!(at(9_000, 9_000, 4.0), Some(1.0), "as found before");
        assert_eq!(at(9_600, 9_600, 4.0), Some(1.0), "as found before");
        assert_eq!(at(10_100, 10_100, 4.0), Some(0.25));
    }
}
