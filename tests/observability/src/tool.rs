//! Programs that are not Rust's, and may be missing.

use std::{
    env,
    io::{self, Write},
    path::Path,
    process::Command,
};

/// Makes a missing program a failure instead of a skipped test; CI sets it.
const REQUIRE: &str = "STORMLESS_REQUIRE_SERVERS";

/// Whether a program can be started; if not, it says loudly so.
///
/// # Panics
///
/// The program is required and missing.
#[must_use]
pub fn is_there(program: &str, package: &str) -> bool {
    if Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return true;
    }
    let remedy = format!("{program} is not installed (Debian's package `{package}` has it)");
    let required = env::var_os(REQUIRE).is_some_and(|value| value == "1");
    assert!(!required, "{remedy}, and {REQUIRE}=1 makes that a failure");
    // Not by `eprintln!`, which the harness would keep for itself.
    let skipped = format!("\n*** SKIPPED: {remedy}: nothing here was tested against it ***\n\n");
    let _ = io::stderr().write_all(skipped.as_bytes());
    false
}

/// Runs `promtool` on a file, in the directory of that file. Does nothing where it is not installed.
///
/// # Panics
///
/// It finds a fault, or is required and missing.
pub fn promtool(arguments: &[&str], file: &Path) {
    if !is_there("promtool", "prometheus") {
        return;
    }
    let directory = file.parent().expect("the file is in a directory");
    let name = file.file_name().expect("and has a name");
    let mut command = Command::new("promtool");
    let output = command.args(arguments).arg(name).current_dir(directory).output();
    let output = output.expect("it could be started a moment ago");
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(
        output.status.success(),
        "promtool {arguments:?} {}:\n{}",
        file.display(),
        said.concat()
    );
}
