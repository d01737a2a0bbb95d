//! What runs under Miri takes minutes, and asks for nothing that Miri does not have.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What is run under Miri, of which property tests would take hours. They also look for a file in which their
/// failures are kept, and that ends the whole run.
const RUN: [&str; 2] = ["retry-runtime", "tests/plain"];

/// All sources below.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// How many property tests there are, and how many of them are ignored under Miri.
fn properties(source: &str) -> (usize, usize) {
    let (mut tests, mut ignored) = (0, 0);
    let mut end = None;
    for line in source.lines() {
        let text = line.trim_start();
        if text == "proptest! {" {
            end = Some(line.replace(text, "}"));
        } else if end.as_deref() == Some(line) {
            end = None;
        } else if end.is_some() {
            tests += usize::from(text == "#[test]");
            ignored += usize::from(text.starts_with("#[cfg_attr(miri, ignore = "));
        }
    }
    (tests, ignored)
}

#[test]
fn each_property_test_of_what_runs_under_miri_is_ignored_there() {
    let mut files = Vec::new();
    for package in RUN {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(package), &mut files);
    }
    let (mut seen, mut forgotten) = (0, Vec::new());
    for file in files {
        let source = fs::read_to_string(&file).expect("a source is text");
        if source.contains("\n#![cfg(not(miri))]\n") {
            continue;
        }
        let (tests, ignored) = properties(&source);
        seen += tests;
        if tests != ignored {
            forgotten.push(file);
        }
    }
    assert!(
        forgotten.is_empty(),
        "a property test under Miri would take hours: write `#[cfg_attr(miri, ignore = \"..\")]` \
         above each `#[test]`, or `#![cfg(not(miri))]` at the head of the file: {forgotten:#?}"
    );
    assert!(seen >= 20, "{seen} property tests are found");
}
