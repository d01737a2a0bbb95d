//! What must not compile does not, and says why.
//!
//! The expected output belongs to one release of the compiler, since each words its own messages a
//! little differently. To renew it after a change: `TRYBUILD=overwrite cargo test --test ui`, and read
//! the difference. On any other release each file must still fail to compile, whatever that is called; and so with
//! all features, since lists of the types that implement a trait have the types of the adapters in them.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// The release whose output is in `tests/ui`.
const COMPILER: &str = "rustc 1.95.";
/// Tells a child of this process where the copies are.
const COPIES: &str = "STORMLESS_TEST_UI_COPIES";

#[test]
fn misuse_is_explained_where_it_happened() {
    if let Some(copies) = std::env::var_os(COPIES) {
        trybuild::TestCases::new().compile_fail(Path::new(&copies).join("*/*.rs"));
        return;
    }
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        Command::new(&rustc).arg("--version").output().expect("the compiler names its version");
    let version = String::from_utf8_lossy(&output.stdout);
    let adapters = cfg!(feature = "aws-smithy-1");
    if version.starts_with(COMPILER) && !adapters {
        trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
    } else {
        // Past the test harness, which would keep it to itself.
        let _ = writeln!(
            std::io::stderr(),
            "NOT COMPARED: the expected output is that of {COMPILER}* without the adapters' features, this is \
             {}{}; checked is only that nothing in `tests/ui` compiles",
            version.trim(),
            if adapters { " with them" } else { "" }
        );
        nothing_compiles();
    }
}

/// trybuild compares whatever it has an expected output for, and takes none for a failure, unless it
/// is told to write what it saw: then it fails only where something compiles. So it writes beside
/// copies, and in a process of its own, because a variable of this one cannot be set safely.
fn nothing_compiles() {
    let copies = copy_cases();
    let child = Command::new(std::env::current_exe().expect("this test is a file"))
        .args(["--exact", "misuse_is_explained_where_it_happened", "--nocapture"])
        .env(COPIES, &copies)
        .env("TRYBUILD", "overwrite")
        .output()
        .expect("this test runs again");
    let said = [child.stdout, child.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
}

/// Copies the cases without their expected output.
fn copy_cases() -> PathBuf {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    if copies.exists() {
        fs::remove_dir_all(&copies).expect("the copies of an earlier run can be removed");
    }
    let mut cases = 0;
    for topic in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")) {
        let beside = copies.join(topic.file_name().expect("a directory has a name"));
        fs::create_dir_all(&beside).expect("the target directory can be written to");
        for case in entries(&topic) {
            if case.extension().is_some_and(|extension| extension == "rs") {
                let copy = beside.join(case.file_name().expect("a file has a name"));
                fs::copy(&case, copy).expect("a case can be copied");
                cases += 1;
            }
        }
    }
    assert!(cases > 100, "{cases} cases");
    copies
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    entries.map(|entry| entry.expect("the directory can be read").path()).collect()
}
