//! What a run is asked for, and what it refuses.

use std::{path::PathBuf, time::Duration};

use clap::Args;

use super::{faults::Faults, functions::Function};

/// What `--help` says of it.
pub const ABOUT: &str = "\
Real clients against a real server, on loopback, each in a process of its own.

Each policy has a server and clients of its own. All of them run at the same time, on the same machine, with the same \
capacity and faults, so that they have the same conditions, whatever else goes on; one after the other, each would have \
conditions of its own. The servers sleep for most of the time that a request takes, so that the policies hardly take \
CPU time from each other; the part that they compute, about half a millisecond, makes their CPU share follow their load.

Policies are attributes, which are compiled with the functions on which they stand, so there is a fixed set of them; \
`run` simulates any.

At most 600 s, 32 processes and 400 calls/s for each policy, and 1,000,000 requests; nothing leaves 127.0.0.1, on ports \
that the system chooses. On a machine without a core to spare the figures say little, and the table says so.";

/// What a user asks for.
#[derive(Clone, Debug, Args)]
pub struct Arguments {
    /// How long calls are made; phases are shares of it
    #[arg(long, default_value_t = 60)]
    pub seconds: u32,
    /// Client processes for each policy, each with budgets of its own
    #[arg(long, default_value_t = 4)]
    pub processes: u32,
    /// Calls a second of each process, at random moments, whatever becomes of earlier ones
    #[arg(long, default_value_t = 40.0)]
    pub rate: f64,
    /// Requests a second that each server can serve: workers of 20 ms
    #[arg(long, default_value_t = 400)]
    pub capacity: u32,
    /// Requests that may wait at each server; more get a 503 [default: two seconds' worth]
    #[arg(long)]
    pub queue: Option<u32>,
    /// What goes wrong
    #[arg(long, value_enum, default_value_t = Faults::All)]
    pub fault: Faults,
    /// The functions that are compared; the others are divided by the first
    #[arg(long, value_enum, value_delimiter = ',', default_value = "naive,success")]
    pub policy: Vec<Function>,
    /// What arrivals and losses are drawn from; real time adds chance of its own
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// What a run does, checked.
#[derive(Clone, Debug)]
pub struct Settings {
    pub(super) arguments: Arguments,
    pub(super) program: PathBuf,
}

/// Why a run is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// A number is too small, too large, or none.
    #[error("`{option}` must be from {least} to {most}, and is {}: {why}", brief(*given))]
    Range {
        /// The option.
        option: &'static str,
        /// The lowest that is taken.
        least: f64,
        /// The highest that is taken.
        most: f64,
        /// What was given.
        given: f64,
        /// What the limit is for.
        why: &'static str,
    },
    /// A function was named twice.
    #[error("`--policy` must name each function once, and names `{0}` twice: remove one of them")]
    Twice(Function),
    /// No function was named.
    #[error("`--policy` must name a function: write `--policy naive,success`")]
    NoPolicy,
    /// It would send too many requests.
    #[error(
        "a run must not send more than {MOST_REQUESTS} requests, and this one may send {0}: lower `--seconds`, \
         `--rate`, `--processes`, or the number of policies"
    )]
    TooManyRequests(u64),
}

/// The most requests of all policies together, retries included.
pub const MOST_REQUESTS: u64 = 1_000_000;

/// A number without hundreds of zeros.
fn brief(number: f64) -> String {
    let readable = number == 0.0 || !number.is_finite() || (1e-6..1e15).contains(&number.abs());
    if readable { number.to_string() } else { format!("{number:e}") }
}

/// How long a worker has each request.
const SERVICE: Duration = Duration::from_millis(20);

impl Arguments {
    /// Checks them. `program` is what is started as children: a `storm-lab`.
    ///
    /// # Errors
    ///
    /// If they ask for what makes no sense, or for more than a laptop bears.
    pub fn check(self, program: PathBuf) -> Result<Settings, Refusal> {
        let range = |option, given: f64, (least, low): (f64, _), (most, high): (f64, _)| {
            let why = if given > most { high } else { low };
            let refusal = Refusal::Range { option, least, most, given, why };
            if given >= least && given <= most { Ok(()) } else { Err(refusal) }
        };
        let calls = "with fewer calls there is nothing to compare";
        let files = "each call in progress is an open connection, and many systems allow 1,024";
        range(
            "--seconds",
            self.seconds.into(),
            (3.0, "phases are shares of it, and a shorter one shows nothing"),
            (600.0, "nobody waits for a longer one"),
        )?;
        range(
            "--processes",
            self.processes.into(),
            (1.0, "somebody has to call"),
            (32.0, "each is a process of the system's"),
        )?;
        range("--rate", self.rate, (0.1, calls), (400.0, files))?;
        let together = self.rate * f64::from(self.processes);
        range("--rate times --processes", together, (0.1, calls), (400.0, files))?;
        range(
            "--capacity",
            self.capacity.into(),
            (50.0, "one worker serves 50 requests a second"),
            (5_000.0, "a laptop serves no more than that for each policy"),
        )?;
        range(
            "--queue",
            self.queue().into(),
            (0.0, "what waits is kept in memory"),
            (100_000.0, "what waits is kept in memory"),
        )?;
        if self.policy.is_empty() {
            return Err(Refusal::NoPolicy);
        }
        for (at, function) in self.policy.iter().enumerate() {
            if self.policy[..at].contains(function) {
                return Err(Refusal::Twice(*function));
            }
        }
        let requests = self.most_calls() * u64::from(self.processes) * Function::MOST_ATTEMPTS;
        let requests = requests * u64::try_from(self.policy.len()).unwrap_or(u64::MAX);
        if requests > MOST_REQUESTS {
            return Err(Refusal::TooManyRequests(requests));
        }
        Ok(Settings { arguments: self, program })
    }

    fn queue(&self) -> u32 {
        self.queue.unwrap_or(self.capacity.saturating_mul(2))
    }

    /// Of one process: what chance may well ask for, and no more.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked, and far from the limits"
    )]
    fn most_calls(&self) -> u64 {
        (self.rate * f64::from(self.seconds) * 1.2).ceil() as u64 + 50
    }
}

impl Settings {
    /// What was asked for.
    pub const fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// How long calls are made.
    pub fn length(&self) -> Duration {
        Duration::from_secs(self.arguments.seconds.into())
    }

    /// The most that one process calls.
    pub fn most_calls(&self) -> u64 {
        self.arguments.most_calls()
    }

    /// The most requests that one server takes.
    pub fn most_requests(&self) -> u64 {
        self.most_calls() * u64::from(self.arguments.processes) * Function::MOST_ATTEMPTS
    }

    /// The requests that may wait.
    pub fn queue(&self) -> u32 {
        self.arguments.queue()
    }

    /// The workers of each server, and how long each has a request.
    pub fn workers(&self) -> (u32, Duration) {
        let capacity = self.arguments.capacity.max(1);
        let workers = (capacity / 50).max(1);
        (workers, (SERVICE * 50 / capacity) * workers)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    /// The defaults.
    pub(in crate::load) fn arguments() -> Arguments {
        Line::parse_from(["load"]).arguments
    }

    #[test]
    fn workers_and_their_time_make_the_capacity() {
        for capacity in [50, 99, 400, 5_000] {
            let settings = Arguments { capacity, ..arguments() }.check("storm-lab".into()).unwrap();
            let (workers, service) = settings.workers();
            let served = f64::from(workers) / service.as_secs_f64();
            assert!((served - f64::from(capacity)).abs() < 0.01, "{served} of {capacity}");
        }
    }

    #[test]
    fn the_hard_cap_of_calls_is_above_what_chance_asks_for() {
        let settings = arguments().check("storm-lab".into()).unwrap();
        // 2,400 expected, with a standard deviation of 49.
        assert!(settings.most_calls() > 2_400 + 6 * 49);
        assert!(settings.most_requests() * 2 <= MOST_REQUESTS);
    }
}
