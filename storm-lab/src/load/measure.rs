//! What processes cost, by what Linux says in `/proc`; elsewhere nothing is known.

use std::{fs, time::Duration};

use crate::scenario::Window;

/// The unit of CPU time in `/proc/<pid>/stat`: the kernel's `USER_HZ`, which is 100 on every architecture but
/// Alpha and Itanium.
const TICKS: f64 = 100.0;

/// What a group of processes has cost.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    processes: Vec<Measured>,
}

#[derive(Clone, Debug)]
struct Measured {
    pid: u32,
    /// CPU seconds by then.
    samples: Vec<(Duration, f64)>,
    peak_kib: Option<u64>,
}

impl Usage {
    /// Of these processes.
    pub fn of(pids: impl IntoIterator<Item = u32>) -> Self {
        let fresh = |pid| Measured { pid, samples: Vec::new(), peak_kib: None };
        Self { processes: pids.into_iter().map(fresh).collect() }
    }

    /// The processes' numbers.
    pub fn pids(&self) -> impl Iterator<Item = u32> + '_ {
        self.processes.iter().map(|process| process.pid)
    }

    /// Looks now. Those that are gone keep what was known.
    pub fn sample(&mut self, elapsed: Duration) {
        for process in &mut self.processes {
            let file = |name| fs::read_to_string(format!("/proc/{}/{name}", process.pid));
            if let Some(seconds) = file("stat").ok().and_then(|text| cpu_seconds(&text)) {
                process.samples.push((elapsed, seconds));
            }
            if let Some(peak) = file("status").ok().and_then(|text| peak_kib(&text)) {
                process.peak_kib = Some(peak);
            }
        }
    }

    /// The CPU time spent in a window for each second of it: 1 is one core. `None` where nothing is known.
    pub fn share(&self, window: Window) -> Option<f64> {
        let seconds = window.length().as_secs_f64();
        let spent = |process: &Measured| Some(process.by(window.to)? - process.by(window.from)?);
        let all: Option<Vec<f64>> = self.processes.iter().map(spent).collect();
        let all = all.filter(|all| !all.is_empty() && seconds > 0.0)?;
        Some(all.into_iter().sum::<f64>() / seconds)
    }

    /// [`share`](Self::share) for each whole second.
    pub fn by_second(&self, length: Duration) -> Vec<Option<f64>> {
        let at = Duration::from_secs;
        (0..length.as_secs())
            .map(|second| self.share(Window { from: at(second), to: at(second + 1) }))
            .collect()
    }

    /// The most memory that any of them had resident, in KiB.
    pub fn peak_kib(&self) -> Option<u64> {
        self.processes.iter().filter_map(|process| process.peak_kib).max()
    }
}

impl Measured {
    /// CPU seconds by a moment, between two samples by proportion.
    fn by(&self, at: Duration) -> Option<f64> {
        let after = self.samples.partition_point(|(time, _)| *time < at);
        let (Some(before), Some(next)) = (after.checked_sub(1), self.samples.get(after)) else {
            return self.samples.get(after).or(self.samples.last()).map(|(_, seconds)| *seconds);
        };
        let (from, spent) = self.samples[before];
        let part =
            at.saturating_sub(from).as_secs_f64() / next.0.saturating_sub(from).as_secs_f64();
        Some(spent + (next.1 - spent) * part)
    }
}

/// User and system time. The name before them may hold anything, brackets too.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut times = fields.split_whitespace().skip(11).map_while(|field| field.parse::<f64>().ok());
    Some((times.next()? + times.next()?) / TICKS)
}

fn peak_kib(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(samples: &[(u64, f64)]) -> Usage {
        let samples = samples.iter().map(|(ms, cpu)| (Duration::from_millis(*ms), *cpu)).collect();
        Usage { processes: vec![Measured { pid: 1, samples, peak_kib: None }] }
    }

    #[test]
    fn cpu_time_is_read_behind_a_name_with_brackets() {
        let stat = "12 (a) b) S 1 12 12 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 3 0 100 1 1";
        assert_eq!(cpu_seconds(stat), Some(2.0));
        assert_eq!(cpu_seconds("12 (a"), None);
        assert_eq!(cpu_seconds("12 (a) S 1 2"), None);
    }

    #[test]
    fn the_peak_is_read_in_kib() {
        assert_eq!(peak_kib("Name:\ta\nVmHWM:\t    5120 kB\nVmRSS:\t 1 kB\n"), Some(5_120));
        assert_eq!(peak_kib("VmHWM:\t5120\n"), None);
    }

    #[test]
    fn a_share_between_samples_is_by_proportion() {
        let usage = usage(&[(0, 0.0), (1_000, 0.5), (3_000, 2.5)]);
        let at = Duration::from_millis;
        assert_eq!(usage.share(Window { from: at(0), to: at(1_000) }), Some(0.5));
        assert_eq!(usage.share(Window { from: at(1_500), to: at(2_500) }), Some(1.0));
        assert_eq!(usage.by_second(at(3_000)), [Some(0.5), Some(1.0), Some(1.0)]);
    }

    #[test]
    fn without_samples_nothing_is_known() {
        let window = Window { from: Duration::ZERO, to: Duration::from_secs(1) };
        assert_eq!(usage(&[]).share(window), None);
        assert_eq!(Usage::default().share(window), None);
    }
}
