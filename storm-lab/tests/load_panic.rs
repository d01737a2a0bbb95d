//! A parent that panics leaves no child. Alone in its process, so that all children are this test's.
#![cfg(target_os = "linux")]

#[path = "load/processes.rs"]
mod processes;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
    time::{Duration, Instant},
};

use clap::Parser;
use storm_lab::{
    load::{self, Arguments},
    sim::Watch,
};

#[derive(Debug, Parser)]
struct Line {
    #[command(flatten)]
    arguments: Arguments,
}

#[test]
fn a_parent_that_panics_leaves_no_child() {
    let arguments =
        Line::parse_from(["load", "--seconds", "60", "--processes", "1", "--rate", "20"]).arguments;
    let settings = arguments.check(env!("CARGO_BIN_EXE_storm-lab").into()).unwrap();
    let this = std::process::id();
    let mut seen = 0;
    let result = catch_unwind(AssertUnwindSafe(|| {
        load::run(&settings, &Watch::default(), &mut |_| {
            seen = processes::children(this).len();
            panic!("on purpose");
        })
    }));
    assert!(result.is_err());
    assert_eq!(seen, 4);
    let begun = Instant::now();
    while !processes::children(this).is_empty() {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{:?} were left",
            processes::children(this)
        );
        thread::sleep(Duration::from_millis(20));
    }
}
