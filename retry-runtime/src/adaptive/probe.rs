//! The built-in probe: this process's share of the processor, and tokio's live tasks.

use std::{
    fs,
    sync::{Mutex, TryLockError},
    time::Instant,
};

use super::{
    Load, LoadProbe, cgroup,
    cpu::{Meter, cpu_time},
};

/// Reads `/proc/self/stat` against what the process's control group lets it use, and asks the runtime of
/// the task that failed for its live tasks. On systems without these files the share is not known.
pub(crate) struct ProcessProbe {
    meter: Mutex<Meter>,
}

impl ProcessProbe {
    pub(crate) const fn new() -> Self {
        Self { meter: Mutex::new(Meter::new()) }
    }

    fn cpu_share(&self) -> Option<f64> {
        // Nobody waits for another one's reading.
        let mut meter = match self.meter.try_lock() {
            Ok(meter) => meter,
            Err(TryLockError::Poisoned(meter)) => meter.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let used = cpu_time(&fs::read_to_string("/proc/self/stat").ok()?)?;
        meter.share(used, Instant::now(), || {
            cgroup::processors(&|path| fs::read_to_string(path).ok())
        })
    }
}

impl LoadProbe for ProcessProbe {
    fn load(&self) -> Load {
        let load = match self.cpu_share() {
            Some(share) => Load::new().cpu(share),
            None => Load::new(),
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => load.live_tasks(runtime.metrics().num_alive_tasks() as u64),
            Err(_) => load,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn tokio_says_how_many_tasks_are_alive() {
        let probe = ProcessProbe::new();
        let before = probe.load().task_count().unwrap();
        let tasks: Vec<_> = (0..7).map(|_| tokio::spawn(std::future::pending::<()>())).collect();
        assert_eq!(probe.load().task_count(), Some(before + 7));
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
    }

    #[test]
    fn outside_of_a_runtime_there_are_no_tasks_to_count() {
        assert_eq!(ProcessProbe::new().load().task_count(), None);
    }
}
