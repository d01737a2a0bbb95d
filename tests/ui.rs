//! What must not compile does not, and says why.
//!
//! The expected output belongs to one release of the compiler, since each words its own messages a
//! little differently. To renew it after a change: `TRYBUILD=overwrite cargo test --test ui`, and read
//! the difference; `STORMLESS_CASE=NAME` before it is for the cases whose paths contain that name, in seconds. On any other release each file must still fail to compile, whatever that is called.
//! The cases are compiled with the same features in each build, since lists of the types that implement a trait
//! have the types of the adapters in them.

use std::{
    env,
    env::consts::EXE_SUFFIX,
    ffi::OsString,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

/// The release whose output is in `tests/ui`.
const COMPILER: &str = "rustc 1.95.";
/// Tells a child of this process where the cases are.
const CASES: &str = "STORMLESS_TEST_UI_CASES";
/// What the cases need, and what their expected output has been written with.
const FEATURES: &[&str] = &[
    "adaptive",
    "default",
    "http-1",
    "reqwest-0-13",
    "testing",
    "tokio-rt",
    "tonic-0-14",
    "tower-0-5",
];
/// Of the cases whose names contain this, and no others: what somebody writes who adds one.
const CASE: &str = "STORMLESS_CASE";
/// Set by whoever has run this test already: no feature of a build makes any difference to it.
const SKIP: &str = "STORMLESS_RAN_ALREADY";
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn misuse_is_explained_where_it_happened() {
    if let Some(cases) = env::var_os(CASES) {
        trybuild::TestCases::new().compile_fail(Path::new(&cases).join("*/*.rs"));
        return;
    }
    if env::var_os(SKIP).is_some() {
        say(&format!("SKIPPED: what the compiler says of misuse, since `{SKIP}` is set"));
        return;
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        Command::new(&rustc).arg("--version").output().expect("the compiler names its version");
    let version = String::from_utf8_lossy(&output.stdout);
    if version.starts_with(COMPILER) {
        compile(Path::new("tests/ui"), env::var_os("TRYBUILD"));
    } else {
        say(&format!(
            "NOT COMPARED: the expected output is that of {COMPILER}*, this is {}; checked is only that \
             nothing in `tests/ui` compiles",
            version.trim()
        ));
        // trybuild compares whatever it has an expected output for, and takes none for a failure, unless
        // it is told to write what it saw: then it fails only where something compiles.
        compile(&copy_cases(), Some("overwrite".into()));
    }
}

/// Past the test harness, which would keep it to itself.
fn say(what: &str) {
    let _ = writeln!(std::io::stderr(), "{what}");
}

/// Lets trybuild have these cases, in a process of its own, because a variable of this one cannot be set safely.
fn compile(cases: &Path, update: Option<OsString>) {
    let mut child = Command::new(copy_this_test());
    child.args(["--exact", "misuse_is_explained_where_it_happened", "--nocapture"]);
    child.env(CASES, cases);
    if let Some(case) = env::var_os(CASE) {
        let mut only = OsString::from("trybuild=");
        only.push(case);
        child.arg(only);
    }
    if let Some(update) = update {
        child.env("TRYBUILD", update);
    }
    let child = child.output().expect("this test runs again");
    let said = [child.stdout, child.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
}

/// Copies this test to where trybuild finds other features than those of this build. It looks for them where cargo
/// puts them, beside the directory of the test, under the hash in its name.
fn copy_this_test() -> PathBuf {
    const NAME: &str = "ui-0123456789abcdef";
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui-features");
    let fingerprint = build.join(".fingerprint").join(NAME);
    fs::create_dir_all(&fingerprint).expect("the target directory can be written to");
    fs::create_dir_all(build.join("deps")).expect("the target directory can be written to");
    let features = serde_json::json!({ "features": serde_json::json!(FEATURES).to_string() });
    fs::write(fingerprint.join("test.json"), features.to_string()).expect("there is room for them");
    let copy = build.join("deps").join(format!("{NAME}{EXE_SUFFIX}"));
    fs::copy(env::current_exe().expect("this test is a file"), &copy)
        .expect("a test can be copied");
    copy
}

/// Copies the cases without their expected output.
fn copy_cases() -> PathBuf {
    let copies = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    if copies.exists() {
        fs::remove_dir_all(&copies).expect("the copies of an earlier run can be removed");
    }
    let mut cases = 0;
    for topic in entries(&Path::new(ROOT).join("tests/ui")) {
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
