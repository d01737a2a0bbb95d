//! Real servers, started for one test binary and stopped when it ends.

use std::{
    env,
    io::{self, BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

/// Makes a missing server a failure instead of a skipped test; CI sets it.
const REQUIRE: &str = "STORMLESS_REQUIRE_SERVERS";

/// A server of this process's own. It listens on a socket in `directory`, and stops when the pipe to the
/// script that started it is closed: in `drop`, or by the kernel when this process ends.
pub(crate) struct Server {
    pub(crate) directory: PathBuf,
    script: Child,
}

impl Server {
    /// Starts a server by a script, or says loudly that it is not installed.
    ///
    /// # Panics
    ///
    /// The server is required and missing, or there and will not start.
    pub(crate) fn start(name: &str, package: &str, script: &str) -> Option<Self> {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .env("SCRIPT", script)
            .env_remove("SERVER_USER")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut said = String::new();
        let output = child.stdout.take().expect("it is a pipe");
        BufReader::new(output).read_line(&mut said).expect("the script speaks UTF-8");
        let said = said.trim();
        assert!(
            !said.is_empty(),
            "{name} is installed, but does not start: see what it says above"
        );
        if said == "missing" {
            child.wait().expect("it has said its last word");
            absent(name, package);
            return None;
        }
        Some(Self { directory: said.into(), script: child })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        // Whatever it says now, there is nobody left who would care.
        let _ = self.script.wait();
    }
}

fn absent(name: &str, package: &str) {
    let remedy = format!("{name} is not installed (`apt-get install {package}`)");
    let required = env::var_os(REQUIRE).is_some_and(|value| value == "1");
    assert!(!required, "{remedy}, and {REQUIRE}=1 makes that a failure");
    // Not by `eprintln!`, which the harness would keep for itself.
    let skipped = format!("\n*** SKIPPED: {remedy}: nothing here was tested against it ***\n\n");
    let _ = io::stderr().write_all(skipped.as_bytes());
}
