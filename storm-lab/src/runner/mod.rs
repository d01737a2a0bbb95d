//! Many simulations over several cores, with results in declared order whatever finishes first.

mod cost;
mod progress;

pub use progress::{Progress, Silent, Speed};

use std::{
    any::Any,
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use thiserror::Error;

use crate::{
    outcome::Outcome,
    scenario::{PolicySpec, Scenario},
    sim::{self, Watch},
};

/// How often progress is reported.
const TICK: Duration = Duration::from_millis(100);

/// One simulation: a scenario, a policy, a seed.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// What is simulated.
    pub scenario: &'a Scenario,
    /// With which policy.
    pub policy: &'a PolicySpec,
    /// From which randomness.
    pub seed: u64,
}

/// What came of the jobs of one scenario.
#[derive(Clone, Debug)]
pub struct Results {
    /// What was simulated.
    pub scenario: Scenario,
    /// By policy as declared, then by seed as declared.
    pub outcomes: Vec<Outcome>,
    /// Simulations that failed.
    pub failures: Vec<Failure>,
    /// Whether every job has an outcome.
    pub complete: bool,
}

/// A simulation that ended in a panic, or without an outcome; the others are not touched by it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "the simulation of `{scenario}` with policy `{policy}` and seed {seed} panicked: {message}"
)]
pub struct Failure {
    /// The scenario's name.
    pub scenario: String,
    /// The policy's name.
    pub policy: String,
    /// The seed.
    pub seed: u64,
    /// Why.
    pub message: String,
}

impl<'a> Job<'a> {
    /// One for each policy and seed.
    pub fn all(scenario: &'a Scenario) -> Vec<Self> {
        let seeds =
            |policy| scenario.seeds.iter().map(move |seed| Job { scenario, policy, seed: *seed });
        scenario.policies.iter().flat_map(seeds).collect()
    }
}

/// Simulates all jobs on so many threads, the longest first. One result for each scenario, in the order in which
/// they come first; what was not finished when `watch` was stopped is not among the outcomes.
///
/// Only outcomes are kept, and of simulations in progress as many as there are threads.
pub fn run(
    jobs: &[Job<'_>],
    threads: NonZero<usize>,
    watch: &Watch,
    progress: &dyn Progress,
) -> Vec<Results> {
    run_with(jobs, threads, watch, progress, &|job, watch| {
        sim::simulate(job.scenario, job.policy, job.seed, watch)
    })
}

/// The same for anything that makes an outcome of a job, or `None` when it was stopped.
pub fn run_with(
    jobs: &[Job<'_>],
    threads: NonZero<usize>,
    watch: &Watch,
    progress: &dyn Progress,
    simulate: &(dyn Fn(&Job<'_>, &Watch) -> Option<Outcome> + Sync),
) -> Vec<Results> {
    let order = cost::longest_first(jobs);
    let next = AtomicUsize::new(0);
    let began = Instant::now();
    let mut speed = Speed::start(jobs);
    let mut slots: Vec<Option<Result<Outcome, Failure>>> = jobs.iter().map(|_| None).collect();
    progress.began(&speed);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let work = |sender: mpsc::Sender<_>| {
            while !watch.is_stopped() {
                let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let result = one(&jobs[*at], watch, simulate);
                if sender.send((*at, result)).is_err() {
                    break;
                }
            }
        };
        let spawned = (0..threads.get().min(jobs.len()))
            .map_while(|_| {
                let sender = sender.clone();
                thread::Builder::new().spawn_scoped(scope, move || work(sender)).ok()
            })
            .count();
        // Where the system has no thread to give, this one does it all.
        if spawned == 0 {
            work(sender.clone());
        }
        // The workers hold the only senders from here on: when the last one ends, so does the loop.
        drop(sender);
        loop {
            match receiver.recv_timeout(TICK) {
                Ok((at, result)) => {
                    slots[at] = result;
                    speed.finished += 1;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            speed.update(began.elapsed(), watch);
            progress.moved(&speed);
        }
    });
    speed.update(began.elapsed(), watch);
    progress.ended(&speed);
    by_scenario(jobs, slots)
}

fn one(
    job: &Job<'_>,
    watch: &Watch,
    simulate: &(dyn Fn(&Job<'_>, &Watch) -> Option<Outcome> + Sync),
) -> Option<Result<Outcome, Failure>> {
    let failed = |message| {
        Some(Err(Failure {
            scenario: job.scenario.name.clone(),
            policy: job.policy.name.clone(),
            seed: job.seed,
            message,
        }))
    };
    match catch_unwind(AssertUnwindSafe(|| simulate(job, watch))) {
        Ok(Some(outcome)) => Some(Ok(outcome)),
        Ok(None) if watch.is_stopped() => None,
        Ok(None) => failed("it ended without an outcome".to_owned()),
        Err(panic) => failed(format!("it panicked: {}", message(panic.as_ref()))),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}

fn by_scenario(jobs: &[Job<'_>], slots: Vec<Option<Result<Outcome, Failure>>>) -> Vec<Results> {
    let mut scenarios: Vec<&Scenario> = Vec::new();
    let mut results: Vec<Results> = Vec::new();
    for (job, slot) in jobs.iter().zip(slots) {
        let at = scenarios
            .iter()
            .position(|known| std::ptr::eq(*known, job.scenario))
            .unwrap_or_else(|| {
                scenarios.push(job.scenario);
                results.push(Results {
                    scenario: job.scenario.clone(),
                    outcomes: Vec::new(),
                    failures: Vec::new(),
                    complete: true,
                });
                results.len() - 1
            });
        let result = &mut results[at];
        match slot {
            Some(Ok(outcome)) => result.outcomes.push(outcome),
            Some(Err(failure)) => {
                result.failures.push(failure);
                result.complete = false;
            }
            None => result.complete = false,
        }
    }
    results
}
