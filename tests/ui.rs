//! What must not compile does not, and says why.
//!
//! The expected output belongs to one release of the compiler, since each words its own messages a
//! little differently. To renew it after a change: `TRYBUILD=overwrite cargo test --test ui`, and read
//! the difference.

use std::process::Command;

/// The release whose output is in `tests/ui`.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn misuse_is_explained_where_it_happened() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        Command::new(&rustc).arg("--version").output().expect("the compiler names its version");
    let version = String::from_utf8_lossy(&output.stdout);
    if !version.starts_with(COMPILER) {
        println!("skipped: the expected output is that of {COMPILER}*, this is {}", version.trim());
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}
