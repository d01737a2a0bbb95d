//! Many simulations over several threads.

mod common;

use std::{num::NonZero, sync::Mutex, time::Duration};

use common::{outcome, scenario, seconds};
use storm_lab::{
    outcome::Outcome,
    runner::{Job, Progress, Silent, Speed, run_with},
    sim::Watch,
};

fn threads(threads: usize) -> NonZero<usize> {
    NonZero::new(threads).unwrap()
}

fn simulated(job: &Job<'_>) -> Outcome {
    outcome(&job.policy.name, job.seed, 900, 1_000 + job.seed, seconds(1))
}

fn names(outcomes: &[Outcome]) -> Vec<(String, u64)> {
    outcomes.iter().map(|outcome| (outcome.policy.clone(), outcome.seed)).collect()
}

#[test]
fn results_are_in_declared_order_whatever_finishes_first() {
    let scenario = scenario(&["a", "b"], &[5, 1]);
    let jobs = Job::all(&scenario);
    let first_waits = std::sync::Barrier::new(2);
    let results = run_with(&jobs, threads(2), &Watch::default(), &Silent, &|job, _| {
        // The first job ends only when the last one has begun.
        if (job.policy.name.as_str(), job.seed) == ("a", 5)
            || (job.policy.name.as_str(), job.seed) == ("b", 1)
        {
            first_waits.wait();
        }
        Some(simulated(job))
    });
    let declared =
        [("a", 5), ("a", 1), ("b", 5), ("b", 1)].map(|(name, seed)| (name.to_owned(), seed));
    assert_eq!(names(&results[0].outcomes), declared);
    assert!(results[0].complete);
}

#[test]
fn each_scenario_has_its_results_and_the_longest_begins_first() {
    let short = scenario(&["a"], &[1]);
    let mut long = scenario(&["a"], &[1, 2]);
    long.name = "long".to_owned();
    long.duration = Duration::from_secs(200);
    let jobs: Vec<_> = Job::all(&short).into_iter().chain(Job::all(&long)).collect();
    let began = Mutex::new(Vec::new());
    let results = run_with(&jobs, threads(1), &Watch::default(), &Silent, &|job, _| {
        began.lock().unwrap().push((job.scenario.name.clone(), job.seed));
        Some(simulated(job))
    });
    let order =
        [("long", 1), ("long", 2), ("storm", 1)].map(|(name, seed)| (name.to_owned(), seed));
    assert_eq!(*began.lock().unwrap(), order);
    assert_eq!(
        results.iter().map(|one| one.scenario.name.as_str()).collect::<Vec<_>>(),
        ["storm", "long"]
    );
    assert_eq!(results[1].outcomes.len(), 2);
}

#[test]
fn a_panic_loses_no_other_result() {
    let scenario = scenario(&["a", "b"], &[1, 2]);
    let results =
        run_with(&Job::all(&scenario), threads(2), &Watch::default(), &Silent, &|job, _| {
            assert!((job.policy.name.as_str(), job.seed) != ("a", 2), "seed {} is odd", job.seed);
            Some(simulated(job))
        });
    let declared = [("a", 1), ("b", 1), ("b", 2)].map(|(name, seed)| (name.to_owned(), seed));
    assert_eq!(names(&results[0].outcomes), declared);
    assert!(!results[0].complete);
    assert_eq!(
        results[0].failures[0].to_string(),
        "the simulation of `storm` with policy `a` and seed 2 failed: it panicked: seed 2 is odd"
    );
}

#[test]
fn a_simulation_without_an_outcome_is_a_failure_unless_it_was_stopped() {
    let scenario = scenario(&["a"], &[1]);
    let results = run_with(&Job::all(&scenario), threads(1), &Watch::default(), &Silent, &|_, _| None);
    assert!(!results[0].complete);
    assert_eq!(results[0].failures[0].message, "it ended without an outcome");
}

#[test]
fn what_was_finished_before_a_stop_is_kept() {
    let scenario = scenario(&["a"], &[1, 2, 3]);
    let watch = Watch::default();
    let results = run_with(&Job::all(&scenario), threads(1), &watch, &Silent, &|job, watch| {
        if job.seed == 2 {
            watch.stop();
            return None;
        }
        Some(simulated(job))
    });
    assert_eq!(names(&results[0].outcomes), [("a".to_owned(), 1)]);
    assert!(!results[0].complete);
    assert!(results[0].failures.is_empty());
}

#[derive(Default)]
struct Heard(Mutex<Vec<(&'static str, Speed)>>);

impl Progress for Heard {
    fn began(&self, speed: &Speed) {
        self.0.lock().unwrap().push(("began", *speed));
    }

    fn moved(&self, speed: &Speed) {
        self.0.lock().unwrap().push(("moved", *speed));
    }

    fn ended(&self, speed: &Speed) {
        self.0.lock().unwrap().push(("ended", *speed));
    }
}

#[test]
fn progress_is_told_of_simulated_time_and_events() {
    let scenario = scenario(&["a"], &[1, 2]);
    let heard = Heard::default();
    let _ = run_with(&Job::all(&scenario), threads(1), &Watch::default(), &heard, &|job, watch| {
        watch.advance(Duration::from_secs(20), 100);
        Some(simulated(job))
    });
    let heard = heard.0.into_inner().unwrap();
    assert_eq!(
        (heard[0].0, heard[0].1.jobs, heard[0].1.total),
        ("began", 2, Duration::from_secs(40))
    );
    let (last, speed) = heard.last().unwrap();
    assert_eq!((*last, speed.finished, speed.events), ("ended", 2, 200));
    assert_eq!(speed.simulated, Duration::from_secs(40));
    assert!((speed.share() - 1.0).abs() < f64::EPSILON);
}

#[test]
fn what_is_followed_beyond_its_end_is_not_done_before_it_is() {
    let speed = Speed {
        jobs: 2,
        finished: 1,
        total: Duration::from_secs(40),
        simulated: Duration::from_secs(50),
        events: 0,
        elapsed: Duration::from_secs(10),
    };
    assert!(speed.share() < 1.0);
    assert!(speed.remaining().unwrap() > Duration::ZERO);
    assert_eq!(Speed::default().remaining(), None);
    assert!(
        run_with(&[], threads(4), &Watch::default(), &Silent, &|job, _| Some(simulated(job)))
            .is_empty()
    );
}
