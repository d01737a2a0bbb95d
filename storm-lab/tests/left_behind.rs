//! What a run that is ended leaves behind: nothing.
#![cfg(unix)]

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A pipe that nobody reads: whoever writes to it waits for ever.
#[test]
fn a_second_ctrl_c_ends_a_run_that_waits_and_removes_its_temporary_files() {
    let lab = tempfile::tempdir().unwrap();
    let (pipe, temporary) = (lab.path().join("pipe"), lab.path().join("temporary"));
    fs::create_dir(&temporary).unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut child = Command::new(env!("CARGO_BIN_EXE_storm-lab"))
        .args(["run", "L3", "--quick", "--json", "pipe", "--csv", "all.csv"])
        .current_dir(lab.path())
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    // The other file has its name, so the pipe is next.
    while !lab.path().join("all.csv").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", child.try_wait());
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 1);
    let pid = child.id().to_string();
    let interrupt = || {
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    };
    interrupt();
    let said = BufReader::new(child.stderr.take().unwrap()).lines();
    let stopping = said.map(Result::unwrap).find(|line| line.starts_with("stopping"));
    assert!(stopping.is_some());
    assert!(child.try_wait().unwrap().is_none(), "the first one does not end it");
    interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    assert!(lab.path().join("all.csv").exists());
}
