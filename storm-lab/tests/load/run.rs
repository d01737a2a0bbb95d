//! Whole runs, short ones.

use std::path::{Path, PathBuf};

use storm_lab::{
    load::{self, LoadError, Report},
    output::{self, Style},
    sim::Watch,
};

use super::{arguments, settings};

const SHORT: &str = "--seconds 3 --processes 2 --rate 20";

fn sum(series: &[u32]) -> u64 {
    series.iter().copied().map(u64::from).sum()
}

fn assert_gone(report: &Report) {
    for pid in report.pids() {
        assert!(!Path::new(&format!("/proc/{pid}")).exists(), "process {pid} was left");
    }
}

#[test]
fn a_short_run_adds_up_and_leaves_no_process() {
    let mut seconds = Vec::new();
    let report =
        load::run(&settings(SHORT), &Watch::default(), &mut |second| seconds.push(second.clone()))
            .unwrap();
    assert!(report.complete, "{:?}", report.troubles);
    assert!(seconds.len() >= 3, "{seconds:?}");
    assert_eq!(report.pids().len(), 6);
    for arm in &report.arms {
        let (outcome, tier) = (&arm.outcome, &arm.outcome.tiers[0]);
        assert!(outcome.calls > 60, "{}", outcome.calls);
        assert_eq!(outcome.calls, outcome.succeeded + arm.failed());
        assert_eq!(arm.unfinished(), 0);
        assert!(tier.attempts >= outcome.calls);
        assert_eq!(tier.attempts, sum(&outcome.series.attempts));
        assert_eq!(tier.attempts - outcome.calls, sum(&outcome.series.retries));
        assert_eq!(tier.attempts, sum(&arm.attempts_of_calls));
        assert_eq!(outcome.stops.values().sum::<u64>(), arm.failed());
        assert_eq!(outcome.latency.len(), outcome.succeeded);
        assert_eq!(outcome.latency_all.len(), outcome.calls);
        assert!(tier.arrived <= tier.attempts && tier.served <= tier.arrived);
        assert!(arm.served.failed > 0, "there was an outage");
        if arm.function.budget().is_some() {
            assert_eq!(tier.granted, sum(&outcome.series.retries), "each retry was paid for");
        }
    }
    // The same moments were drawn for both.
    assert_eq!(report.arms[0].outcome.calls, report.arms[1].outcome.calls);
    assert_gone(&report);
    // The same table as that of simulations, and more.
    let table = output::table(&report.finished().unwrap(), Style::PLAIN);
    assert!(table.starts_with("load: ") && table.contains("P/N"), "{table}");
    assert!(!table.contains("PARTIAL") && table.contains("\nsuccess outage"), "{table}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_the_processes_cost_is_measured() {
    let settings = settings(&format!("{SHORT} --policy success --fault loss"));
    let report = load::run(&settings, &Watch::default(), &mut |_| ()).unwrap();
    let arm = &report.arms[0];
    let shares = arm.server.by_second(report.length);
    assert!(
        shares.iter().all(Option::is_some) && shares.iter().flatten().sum::<f64>() > 0.0,
        "{shares:?}"
    );
    assert!(arm.server.peak_kib() > Some(500) && arm.clients.peak_kib() > Some(500));
}

#[test]
fn a_run_that_is_stopped_is_partial_and_leaves_no_process() {
    let watch = Watch::default();
    let settings = settings("--seconds 60 --processes 1 --rate 20 --fault loss --policy naive");
    let report = load::run(&settings, &watch, &mut |_| watch.stop()).unwrap();
    assert!(!report.complete);
    assert!(report.length.as_secs() < 60);
    assert!(report.arms[0].outcome.calls > 0);
    let table = output::table(&report.finished().unwrap(), Style::PLAIN);
    let seen = format!("PARTIAL: {:.1} of 60 s were seen", report.length.as_secs_f64());
    assert!(table.contains(&seen), "{seen}: {table}");
    assert_gone(&report);
}

#[test]
fn a_run_that_is_stopped_at_once_has_no_result() {
    let watch = Watch::default();
    watch.stop();
    assert!(matches!(load::run(&settings(SHORT), &watch, &mut |_| ()), Err(LoadError::Stopped)));
}

#[test]
fn a_program_that_is_no_storm_lab_is_reported() {
    let missing = arguments(SHORT).check(PathBuf::from("/no/such/program")).unwrap();
    assert!(matches!(
        load::run(&missing, &Watch::default(), &mut |_| ()),
        Err(LoadError::System(_))
    ));
}

/// A shell stands between the parent and each child, and spoils one line of what clients say.
#[test]
#[cfg(unix)]
fn a_line_that_is_no_result_is_reported_and_the_rest_is_kept() {
    use std::{fs, os::unix::fs::PermissionsExt};

    let script = std::env::temp_dir().join(format!("storm-lab-garbles-{}", std::process::id()));
    let text = format!(
        "#!/bin/sh\n'{}' \"$@\" | sed -u '3s/Called/Garbled/'\n",
        super::program().display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let settings = arguments(&format!("{SHORT} --policy naive")).check(script.clone()).unwrap();
    let report = load::run(&settings, &Watch::default(), &mut |_| ());
    fs::remove_file(&script).unwrap();
    let report = report.unwrap();
    assert!(!report.complete);
    let spoilt = report.troubles.iter().filter(|trouble| trouble.contains("no result")).count();
    assert_eq!((spoilt, report.troubles.len()), (2, 2), "{:?}", report.troubles);
    assert!(report.arms[0].outcome.calls > 50);
}
