//! rustdoc with its unstable options, for one purpose: it writes down what a crate exports.
//!
//! Only this process is told that it may. Were cargo told, build scripts would run again with it and all that they
//! belong to would be built twice.

use std::{
    env,
    process::{Command, ExitCode},
};

fn main() -> ExitCode {
    let rustdoc = env::var_os("STORMLESS_RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    let status =
        Command::new(rustdoc).args(env::args_os().skip(1)).env("RUSTC_BOOTSTRAP", "1").status();
    match status.map(|status| status.code()) {
        Ok(Some(0)) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
