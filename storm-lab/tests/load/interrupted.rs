//! Runs that somebody ends, or a part of which dies. With signals, and what Linux says of processes.
#![cfg(target_os = "linux")]

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use super::{processes::children, program};

struct Running {
    process: Child,
    pid: u32,
    /// What it says on standard error after its first line.
    said: Receiver<String>,
}

impl Running {
    /// Waits until it says a line that begins like this.
    fn says(&self, start: &str) {
        let patience = Duration::from_secs(20);
        while !self.said.recv_timeout(patience).expect(start).starts_with(start) {}
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It is gone already unless the test has failed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A run that has been making calls for a second.
fn start() -> Running {
    let mut process = Command::new(program())
        .args(["load", "--seconds", "8", "--processes", "1", "--rate", "20", "--fault", "loss"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = process.id();
    let mut errors = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.contains("calls/s"), "{line}");
    let (say, said) = channel();
    // Read on, so that it never waits for its reader, whether or not anybody wants to know.
    thread::spawn(move || {
        errors.lines().map_while(Result::ok).for_each(|line| drop(say.send(line)));
    });
    let running = Running { process, pid, said };
    assert_eq!(children(running.pid).len(), 4);
    running
}

fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

fn assert_no_children(parent: u32) {
    let begun = Instant::now();
    while !children(parent).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?} were left", children(parent));
        thread::sleep(Duration::from_millis(20));
    }
}

fn assert_gone(pid: u32) {
    let begun = Instant::now();
    while std::path::Path::new(&format!("/proc/{pid}")).exists() {
        assert!(begun.elapsed() < Duration::from_secs(20), "process {pid} was left");
        thread::sleep(Duration::from_millis(20));
    }
}

fn output(running: &mut Running) -> String {
    let mut text = String::new();
    running.process.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn ctrl_c_leaves_a_partial_table_and_no_child() {
    let mut running = start();
    signal("-INT", running.pid);
    let text = output(&mut running);
    assert_eq!(running.process.wait().unwrap().code(), Some(130));
    assert!(children(running.pid).is_empty());
    assert!(text.contains("PARTIAL") && text.contains("\nsuccess steady"), "{text}");
}

/// A server that no longer moves keeps the first Ctrl-C waiting for what it has to tell.
#[test]
fn a_second_ctrl_c_ends_it_at_once() {
    let mut running = start();
    // Servers are started first.
    let server = children(running.pid).into_iter().min().unwrap();
    signal("-STOP", server);
    signal("-INT", running.pid);
    // Two signals of one kind that come together are one.
    running.says("stopping");
    signal("-INT", running.pid);
    let text = output(&mut running);
    let status = running.process.wait().unwrap();
    signal("-CONT", server);
    assert_eq!((status.code(), text.as_str()), (Some(130), ""));
    assert_gone(server);
}

#[test]
fn a_parent_that_is_killed_leaves_no_child() {
    let mut running = start();
    signal("-KILL", running.pid);
    running.process.wait().unwrap();
    assert_no_children(running.pid);
}

#[test]
fn what_a_client_told_before_it_died_is_kept_and_its_death_is_reported() {
    let mut running = start();
    // Servers are started first.
    let client = children(running.pid).into_iter().max().unwrap();
    signal("-KILL", client);
    let text = output(&mut running);
    assert!(!running.process.wait().unwrap().success());
    assert!(text.contains("PARTIAL"), "{text}");
    let death = format!("(process {client}) died before it had told everything");
    assert!(text.contains("trouble: a client of `success`") && text.contains(&death), "{text}");
    assert!(children(running.pid).is_empty());
}

#[test]
fn a_client_that_no_longer_moves_is_ended_and_reported() {
    let mut running = start();
    // Servers are started first.
    let client = children(running.pid).into_iter().max().unwrap();
    signal("-STOP", client);
    signal("-TERM", running.pid);
    let text = output(&mut running);
    assert_eq!(running.process.wait().unwrap().code(), Some(130));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let hung = format!("(process {client}) did not answer when it was to stop");
    assert!(text.contains("PARTIAL") && text.contains(&hung), "{text}");
    assert_gone(client);
}
