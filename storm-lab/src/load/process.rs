//! Children, as their parent sees them. None of them outlives it.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::{self, ChildStdin, ChildStdout},
    sync::mpsc::UnboundedSender,
    time::timeout,
};

use super::{
    LoadError,
    protocol::{LONGEST_LINE, Message, Order},
};

/// The hidden subcommand that makes a process a child.
pub const SUBCOMMAND: &str = "load-child";
/// Says whose child it is, to whoever lists processes.
pub const PARENT: &str = "--parent";

/// How long a child that has nothing more to do may take to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// A child that runs. It is killed if it is dropped, and ends by itself when its standard input is closed.
#[derive(Debug)]
pub(super) struct Child {
    process: process::Child,
    /// `None` once it was let go.
    input: Option<ChildStdin>,
    pub(super) pid: Option<u32>,
}

/// What is heard of a child.
#[derive(Debug)]
pub(super) enum Heard {
    Message(Box<Message>),
    /// A line that is none.
    Malformed(String),
    /// It says nothing more.
    Silence,
}

impl Child {
    /// Starts one. What is heard of it comes with `number`.
    pub(super) async fn spawn(
        program: &Path,
        order: &Order,
        number: usize,
        heard: UnboundedSender<(usize, Heard)>,
    ) -> Result<Self, LoadError> {
        let mut command = process::Command::new(program);
        command
            .args([SUBCOMMAND, PARENT, &std::process::id().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        // Ctrl-C is for the parent, which asks them for what they have.
        #[cfg(unix)]
        command.process_group(0);
        #[cfg(windows)]
        command.creation_flags(0x0000_0200); // CREATE_NEW_PROCESS_GROUP
        let mut process = command.spawn()?;
        let (input, output) = (process.stdin.take(), process.stdout.take());
        let mut child = Self { pid: process.id(), process, input };
        if let Some(output) = output {
            tokio::spawn(listen(output, number, heard));
        }
        child.say(&serde_json::to_string(order).map_err(LoadError::Order)?).await;
        Ok(child)
    }

    /// Writes a line. That it is gone is heard, not told here.
    pub(super) async fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            let _ = input.write_all(format!("{line}\n").as_bytes()).await;
            let _ = input.flush().await;
        }
    }

    /// Waits until it has ended, and ends it if that takes too long. `true`: by itself, and well.
    pub(super) async fn end(&mut self) -> bool {
        let by_itself = timeout(PATIENCE, self.process.wait()).await;
        // Closed only now: a child whose input is closed thinks that its parent is gone.
        self.input = None;
        if let Ok(status) = by_itself {
            return status.is_ok_and(|status| status.success());
        }
        let _ = self.process.kill().await;
        false
    }
}

async fn listen(output: ChildStdout, number: usize, heard: UnboundedSender<(usize, Heard)>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut line).await;
        let what = match read {
            Ok(0) | Err(_) => Heard::Silence,
            Ok(_) => match serde_json::from_slice(&line) {
                Ok(message) => Heard::Message(Box::new(message)),
                Err(error) => Heard::Malformed(error.to_string()),
            },
        };
        let silent = matches!(what, Heard::Silence);
        if heard.send((number, what)).is_err() || silent {
            return;
        }
    }
}
