//! Ctrl-C, and other requests to end: once to stop soon, twice to end at once.

use std::{
    io::{self, Write},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use tokio::runtime;

use crate::{output, sim::Watch};

/// The exit code of a program that SIGINT has ended, to a shell.
const CODE: i32 = 130;

/// Whether all that is done is being written, which is not stopped by halves.
static WRITING: AtomicBool = AtomicBool::new(false);

/// From here on the first Ctrl-C says that results are being written.
pub(super) fn writing() {
    WRITING.store(true, Ordering::Relaxed);
}

/// Stops `watch` at the first Ctrl-C, and ends the program at the second; files without their names are removed then.
/// SIGTERM counts as Ctrl-C, and so does the terminal's end, unless it is ignored. Where the system does not let it,
/// they end the program as they always do.
pub(super) fn stops(watch: &Arc<Watch>) {
    let watch = Arc::clone(watch);
    let heard = move || {
        if watch.is_stopped() {
            output::leave(|| process::exit(CODE));
        }
        watch.stop();
        // Who has closed standard error does not want to know.
        let _ = if WRITING.load(Ordering::Relaxed) {
            writeln!(
                io::stderr(),
                "\nwriting what is finished. Ctrl-C again ends at once, without it"
            )
        } else {
            writeln!(
                io::stderr(),
                "\nstopping; what is finished is kept. Ctrl-C again ends at once"
            )
        };
    };
    // Without a handler everything is as it was.
    let _ = listen(heard);
}

/// Ends the program at the first Ctrl-C; files without their names are removed then.
pub(super) fn ends() {
    let watch = Arc::new(Watch::default());
    watch.stop();
    stops(&watch);
}

/// Calls `heard` at each request to end, from a thread of its own. They are listened to when this returns.
fn listen(heard: impl Fn() + Send + 'static) -> io::Result<()> {
    let runtime = runtime::Builder::new_current_thread().enable_io().build()?;
    let mut requests = {
        let _entered = runtime.enter();
        Requests::new()?
    };
    let wait = move || {
        runtime.block_on(async {
            while requests.next().await {
                heard();
            }
        });
    };
    thread::Builder::new().name("interrupt".to_owned()).spawn(wait).map(|_| ())
}

#[cfg(unix)]
struct Requests {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hang_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Requests {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: may_hang_up().then(|| signal(SignalKind::hangup())).transpose()?,
        })
    }

    /// `false` when there will be none any more.
    async fn next(&mut self) -> bool {
        let hang_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            heard = self.interrupt.recv() => heard.is_some(),
            heard = self.terminate.recv() => heard.is_some(),
            heard = hang_up => heard.is_some(),
        }
    }
}

/// Whether the end of its terminal is to be heard: `nohup` ignores it, and means the program to go on. Where the system
/// does not say, it stays as it is.
#[cfg(unix)]
fn may_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // SIGHUP is signal 1, the lowest bit.
    let ignored = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    ignored.is_some_and(|bits| bits & 1 == 0)
}

#[cfg(windows)]
struct Requests(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Requests {
    fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) -> bool {
        self.0.recv().await.is_some()
    }
}
