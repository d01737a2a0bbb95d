//! A setting that needs a feature which is off is one error, at its value, that says which feature.

use std::{env, path::Path, process::Command};

use serde_json::Value;

/// The errors of a package that asks for the adaptive backoff and has no features of ours.
fn errors() -> Vec<Value> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    // Not the directory of the surrounding build, which has all the features.
    command.args(["check", "--message-format=json", "--package", "plain", "--target-dir"]);
    command.arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("features"));
    let output = command.args(["--features", "asks-for-adaptive"]).output().expect("cargo runs");
    let lines = String::from_utf8_lossy(&output.stdout);
    let messages = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors = messages.map(|line| line["message"].clone()).filter(|message| {
        // The summary at the end is at no place.
        message["level"] == "error"
            && message["spans"].as_array().is_some_and(|all| !all.is_empty())
    });
    let errors: Vec<_> = errors.collect();
    assert!(!errors.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    errors
}

#[test]
fn an_adaptive_backoff_without_its_feature_says_which_one_to_switch_on() {
    let errors = errors();
    let [error] = errors.as_slice() else { panic!("more than one error: {errors:#?}") };
    let wanted = "`backoff = \"adaptive\"` needs the feature `adaptive` of `stormless`";
    assert_eq!(error["message"], wanted);
    let rendered = error["rendered"].as_str().expect("it is text");
    assert!(rendered.contains("features = [\"adaptive\"]"), "{rendered}");

    let spans = error["spans"].as_array().expect("it has a place");
    let place = spans.iter().find(|span| span["is_primary"] == true).expect("it has one place");
    assert!(place["file_name"].as_str().is_some_and(|file| file.ends_with("lib.rs")), "{place}");
    let text = place["text"][0]["text"].as_str().expect("the line is shown");
    let column = |name: &str| usize::try_from(place[name].as_u64().expect("a number")).unwrap() - 1;
    let marked = &text[column("column_start")..column("column_end")];
    assert_eq!(marked, "\"adaptive\"", "{rendered}");
}
