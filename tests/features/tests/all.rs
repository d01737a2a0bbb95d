//! A build of the whole workspace has every feature of the library in it.

use std::{collections::BTreeSet, env, process::Command};

use serde_json::Value;

fn names<'a>(values: impl Iterator<Item = &'a Value>) -> BTreeSet<&'a str> {
    values.map(|name| name.as_str().expect("a feature has a name")).collect()
}

#[test]
fn each_feature_of_the_library_is_turned_on_here() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    let package = |name| packages.iter().find(|package| package["name"] == name).expect("a member");

    let features = package("stormless")["features"].as_object().expect("it has features");
    let there: BTreeSet<_> = features.keys().map(String::as_str).collect();

    let dependencies = package("every-feature")["dependencies"].as_array().expect("it has some");
    let ours = dependencies.iter().find(|dependency| dependency["name"] == "stormless");
    let mut here =
        names(ours.expect("it depends on it")["features"].as_array().into_iter().flatten());
    here.insert("default");
    assert_eq!(here, there, "`tests/features/Cargo.toml` lists each feature of the library");
}
