//! What is seen while it runs.

use std::{fmt, time::Duration};

use super::{
    functions::Function,
    tally::{Tally, sum},
};

/// One second of a run, as far as it is known at its end.
#[derive(Clone, Debug)]
pub struct Second {
    /// Since the start.
    pub elapsed: Duration,
    /// What is wrong.
    pub phase: &'static str,
    /// By policy.
    pub arms: Vec<ArmSecond>,
}

/// One policy in that second.
#[derive(Clone, Copy, Debug)]
pub struct ArmSecond {
    /// Which.
    pub function: Function,
    /// Calls that began.
    pub calls: u64,
    /// Retries that began.
    pub retries: u64,
    /// Calls that ended well.
    pub succeeded: u64,
    /// Calls that ended otherwise.
    pub failed: u64,
    /// Requests that wait at the server.
    pub waiting: u64,
    /// The server's cores.
    pub server_cpu: Option<f64>,
    /// All its clients' cores.
    pub clients_cpu: Option<f64>,
}

impl fmt::Display for Second {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>4} s {:<8}", self.elapsed.as_secs(), self.phase)?;
        self.arms.iter().try_for_each(|arm| write!(f, " | {arm}"))
    }
}

impl fmt::Display for ArmSecond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "calls of a second")]
        let ok = match self.succeeded + self.failed {
            0 => "    -".to_owned(),
            all => format!("{:>4.0}%", self.succeeded as f64 / all as f64 * 100.0),
        };
        let cpu = |share| Cpu(share).to_string();
        write!(
            f,
            "{} {:>4} calls/s {:>4} retries/s {ok} ok, queue {:>4}, CPU {:>4} + {:>4}",
            self.function,
            self.calls,
            self.retries,
            self.waiting,
            cpu(self.server_cpu),
            cpu(self.clients_cpu),
        )
    }
}

/// Cores in per cent of one, or `n/a`.
struct Cpu(Option<f64>);

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(share) => write!(f, "{:.0}%", share * 100.0),
            None => f.write_str("n/a"),
        }
    }
}

/// What was known a second ago.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    calls: u64,
    retries: u64,
    succeeded: u64,
    failed: u64,
}

impl Known {
    pub(super) fn of(tally: &Tally) -> Self {
        Self {
            calls: sum(&tally.series.calls),
            retries: sum(&tally.series.retries),
            succeeded: sum(&tally.series.succeeded),
            failed: sum(&tally.failed),
        }
    }

    /// What is new since then.
    pub(super) fn since(self, before: Self, function: Function, waiting: u64) -> ArmSecond {
        ArmSecond {
            function,
            calls: self.calls - before.calls,
            retries: self.retries - before.retries,
            succeeded: self.succeeded - before.succeeded,
            failed: self.failed - before.failed,
            waiting,
            server_cpu: None,
            clients_cpu: None,
        }
    }
}
