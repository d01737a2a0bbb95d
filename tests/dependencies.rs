//! What the default build brings into a service's dependency tree, and that each feature names what it is
//! for.

use std::{collections::BTreeSet, env, process::Command};

/// Every crate of the default build, our own aside: each has its reason in a `Cargo.toml`, or stands below
/// one that has.
const DEFAULT: &[&str] = &[
    "inventory",
    "pin-project-lite",
    "proc-macro2",
    "quote",
    "rand",
    "rand_core",
    "syn",
    "thiserror",
    "thiserror-impl",
    "tokio",
    "unicode-ident",
];

/// The names of the crates that a build of `stormless` with these options takes, on this platform.
fn tree(options: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["tree", "--offline", "-p", "stormless", "-e", "normal", "--prefix", "none"])
        .args(options)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("names are text");
    let names = lines.lines().filter_map(|line| line.split(' ').next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn foreign(options: &[&str]) -> BTreeSet<String> {
    let ours = ["stormless", "retry-grammar", "retry-macros", "retry-runtime"];
    tree(options).into_iter().filter(|name| !ours.contains(&name.as_str())).collect()
}

#[test]
fn the_default_build_has_no_dependency_but_those_listed() {
    let expected: BTreeSet<String> = DEFAULT.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(foreign(&[]), expected);
}

#[test]
fn a_feature_adds_to_the_default_build() {
    let with = foreign(&["--features", "http-1"]);
    assert!(with.contains("http") && with.contains("httpdate"), "{with:?}");
    assert!(with.is_superset(&foreign(&[])));
}
