//! Backoff that goes by how busy the process is and by how the dependency answers.
//!
//! After a failed attempt of a function with `backoff = "adaptive"`, and never before one:
//!
//! 1. **Probe**: this process's share of the processor and tokio's live tasks, at most every 100 ms for
//!    the whole process ([`LoadProbe`]); the function's latency: its 95th percentile, and the variance of
//!    its last 32 round trips.
//! 2. **Evaluate**: above 80 % of the processor or 5,000 live tasks delays grow linearly instead of
//!    exponentially, until both have fallen a tenth below that.
//! 3. **Adjust**: where the previous retry took more than 200 % longer than the percentile, the base is
//!    multiplied by 0.7 for the next delay.
//! 4. **Spread**: the delay is drawn from `step · (1 − spread)` to `step`, where
//!    `spread = 0.5 + 0.5 · J` and J is the [dynamic jitter coefficient](jitter_coefficient).
//!
//! The number of attempts comes from the time left: an adaptive policy without a `time_per_attempt` has
//! one of 100 ms, wherever there is a deadline. The last stage is to stop calling a dependency that does
//! not answer: the attribute asks for a `breaker`, such as one that opens for 30 seconds after
//! [three timeouts](crate::Breaker::three_timeouts), or for `breaker = none`.
//!
//! [`Adaptive`] has the numbers. [`RetryEvent::adaptive`](crate::RetryEvent::adaptive) tells `on_retry`
//! what was decided and why, and [`Adaptive::evaluate`] is the decision alone.
//!
//! The built-in probe reads `/proc/self/stat` against the limits of the process's control group (both
//! versions) and its set of processors. A share needs two readings, so that the first failure after ten
//! quiet seconds knows none, and is the mean over up to a second of failures. On other systems than Linux
//! only tokio's tasks are known, and those are of the runtime that the failed task runs in.

mod cgroup;
mod config;
mod cpu;
mod evaluate;
mod jitter;
mod load;
mod probe;
mod source;

pub use config::Adaptive;
pub use evaluate::{AdaptiveDecision, AdaptiveReading};
pub use jitter::jitter_coefficient;
pub use load::{Load, LoadProbe};
pub use source::AlreadyInstalled;

pub use crate::backoff::{Growth, Shape};

use probe::ProcessProbe;
pub(crate) use source::{LoadSource, PROCESS};

use crate::{
    Moment, Quantile, Warning, isolation,
    site::{Count, Site},
    warning::warn,
};

/// Puts another probe in the place of the built-in one: once per process, or once in each isolated test
/// (`testing::isolated`), where nothing is known about the load before.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::adaptive::{self, Load};
///
/// adaptive::install(|| Load::new().cpu(0.5))?;
/// assert!(adaptive::install(|| Load::new()).is_err());
/// # Ok::<(), adaptive::AlreadyInstalled>(())
/// ```
///
/// # Errors
///
/// If one was installed before; that one stays.
pub fn install(probe: impl LoadProbe) -> Result<(), AlreadyInstalled> {
    isolation::load_source(|source| source.install(Box::new(probe)))
}

/// Gathers what is known after attempt number `attempt` of a call has failed, and decides how the next
/// delay is drawn. Remembers the growth for the function's next failure.
pub(crate) fn decide(
    config: &Adaptive,
    site: &'static Site,
    attempt: u32,
    now: Moment,
) -> AdaptiveDecision {
    let state = site.state();
    let load = isolation::load_source(|source| source.load(now)).unwrap_or_else(|_| {
        state.add(Count::HookPanics);
        warn(Warning::HookPanicked { site: site.name(), hook: "adaptive::install" });
        Load::new()
    });
    let mut reading = AdaptiveReading::new(load).growth(state.growth());
    if let Some(latency) = site.latency() {
        if let Some(variance) = latency.variance() {
            reading = reading.variance(variance);
        }
        if let Some(p95) = latency.quantile(Quantile::P95, now) {
            reading = reading.p95(p95);
        }
        if let Some(took) = latency.last().filter(|_| attempt > 1) {
            reading = reading.last_retry(took);
        }
    }
    let decision = config.evaluate(&reading);
    state.set_growth(decision.growth());
    decision
}
