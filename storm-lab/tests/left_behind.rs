//! What a run that is ended leaves behind: nothing.
#![cfg(unix)]

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A run that writes to a pipe that nobody reads, and so waits for ever; all other files have their names.
struct Waiting {
    lab: tempfile::TempDir,
    process: Child,
}

impl Waiting {
    fn start() -> Self {
        let lab = tempfile::tempdir().unwrap();
        let (pipe, temporary) = (lab.path().join("pipe"), lab.path().join("temporary"));
        fs::create_dir(&temporary).unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let process = Command::new(env!("CARGO_BIN_EXE_storm-lab"))
            .args(["run", "L3", "--quick", "--json", "pipe", "--csv", "all.csv"])
            .current_dir(lab.path())
            .env("TMPDIR", &temporary)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut waiting = Self { lab, process };
        let begun = Instant::now();
        // The other file has its name, so the pipe is next.
        while !waiting.lab.path().join("all.csv").exists() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", waiting.process.try_wait());
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(waiting.temporary_files(), 1);
        waiting
    }

    fn temporary_files(&self) -> usize {
        fs::read_dir(self.lab.path().join("temporary")).unwrap().count()
    }

    fn signal(&self, name: &str) {
        let pid = self.process.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // It is gone already unless the test has failed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_second_request_to_end_ends_a_run_that_waits_and_removes_its_temporary_files() {
    for name in ["-INT", "-TERM", "-HUP"] {
        // Who runs tests under `nohup` has it ignored.
        let ignored = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = ignored.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
        if name == "-HUP" && ignored.is_none_or(|bits| bits & 1 == 1) {
            continue;
        }
        let mut waiting = Waiting::start();
        waiting.signal(name);
        let said = BufReader::new(waiting.process.stderr.take().unwrap()).lines();
        let first = said.map(Result::unwrap).find(|line| line.starts_with("writing"));
        assert!(first.is_some(), "{name}");
        assert!(waiting.process.try_wait().unwrap().is_none(), "the first one does not end it");
        waiting.signal(name);
        assert_eq!(waiting.process.wait().unwrap().code(), Some(130), "{name}");
        assert_eq!(waiting.temporary_files(), 0);
        assert!(waiting.lab.path().join("all.csv").exists());
    }
}
