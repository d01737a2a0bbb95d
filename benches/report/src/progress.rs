//! What happens at the moment, for whoever waits for a table.

use std::{
    io::{IsTerminal, Write, stderr},
    time::{Duration, Instant},
};

/// Says on stderr what is being measured: in one line that is overwritten, or in a file in one line for
/// every two seconds.
#[derive(Debug)]
pub struct Progress {
    steps: usize,
    done: usize,
    said: Option<Instant>,
}

impl Progress {
    /// For this many steps.
    pub const fn new(steps: usize) -> Self {
        Self { steps, done: 0, said: None }
    }

    /// The next step begins.
    pub fn step(&mut self, what: &str) {
        self.done += 1;
        let (done, steps) = (self.done, self.steps);
        if stderr().is_terminal() {
            eprint!("\r\x1b[K[{done}/{steps}] {what} ");
            let _ = stderr().flush();
        } else if self.said.is_none_or(|said| said.elapsed() > Duration::from_secs(2)) {
            eprintln!("[{done}/{steps}] {what}");
            self.said = Some(Instant::now());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}
