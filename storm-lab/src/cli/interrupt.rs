//! Ctrl-C: once to stop soon, twice to end at once.

use std::{
    io::{self, Write},
    process,
    sync::Arc,
};

use crate::{output, sim::Watch};

/// The exit code of a program that SIGINT has ended, to a shell.
const CODE: i32 = 130;

/// Stops `watch` at the first Ctrl-C, and ends the program at the second; files without their names are removed then.
/// Where the system does not let it, Ctrl-C
/// ends the program as it always does.
pub(super) fn stops(watch: &Arc<Watch>) {
    let watch = Arc::clone(watch);
    let _ = ctrlc::set_handler(move || {
        if watch.is_stopped() {
            output::leave(|| process::exit(CODE));
        }
        watch.stop();
        let _ = writeln!(
            io::stderr(),
            "\nstopping; what is finished is kept. Ctrl-C again ends at once"
        );
    });
}
