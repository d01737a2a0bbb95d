//! Whatever a user can call has an example that is compiled.
//!
//! Walks what `stormless` exports with all features, by rustdoc's JSON, and lists what has none. Not asked of:
//!
//! - variants, fields and implementations of traits, which prose is enough for;
//! - methods that only look, which take `self` in some form and nothing else, and methods of traits, where an
//!   example of the same type or trait names them;
//! - types that have a method with an example, or that an example of what hands them out names;
//! - what stands in [`EXEMPT`], each with its reason.
//!
//! The format of the JSON differs from one release of the compiler to the next: any other than that of
//! [`RELEASE`] is SKIPPED.

mod exempt;
mod surface;

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use exempt::EXEMPT;
use surface::{Crate, Public, last, public};

/// The release whose JSON is read here.
const RELEASE: &str = "rustdoc 1.95.";
/// Set by whoever has run this test already: all features are listed in each build.
const RAN_ALREADY: &str = "STORMLESS_RAN_ALREADY";

/// The code of the examples in these docs that are compiled and run.
fn examples(docs: &str) -> String {
    let mut code = String::new();
    let mut inside: Option<bool> = None;
    for line in docs.lines() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            inside = match inside {
                Some(_) => None,
                None => Some(info.split([',', ' ']).all(|word| {
                    matches!(word, "" | "rust" | "no_run" | "should_panic" | "standalone_crate")
                        || word.starts_with("edition")
                })),
            };
        } else if inside == Some(true) {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// Whether `name` stands in `code` as a word of its own.
fn names(code: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(start, _)| {
        !code[..start].ends_with(is_part) && !code[start + name.len()..].starts_with(is_part)
    })
}

/// What is public and has no example by any of the rules.
fn without_example(found: &[Public]) -> Vec<&Public> {
    let code_of = |owner: &str| -> String {
        let of_type =
            found.iter().filter(|item| item.path == owner || item.owner.as_deref() == Some(owner));
        of_type.map(|item| item.code.as_str()).collect()
    };
    let has_one = |item: &Public| match item.kind {
        _ if !item.code.is_empty() => true,
        "method" if item.only_looks || item.of_trait => {
            let owner = item.owner.as_deref().unwrap_or_default();
            names(&code_of(owner), last(&item.path))
        }
        "type" => {
            !code_of(&item.path).is_empty()
                || found.iter().any(|source| {
                    source.hands_out.contains(last(&item.path))
                        && names(&source.code, last(&item.path))
                })
        }
        _ => false,
    };
    found.iter().filter(|item| !has_one(item)).collect()
}

/// Whether the toolchain's rustdoc is the one whose JSON is read here.
fn is_listed() -> bool {
    let output = Command::new("rustdoc").arg("--version").output();
    output.is_ok_and(|said| said.stdout.starts_with(RELEASE.as_bytes()))
}

/// Has rustdoc write what it knows of both crates.
fn read_both() -> (Crate, Crate) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .args([
            "doc",
            "--quiet",
            "--no-deps",
            "--all-features",
            "-p",
            "stormless",
            "-p",
            "retry-runtime",
        ])
        .env("RUSTDOC", root.join(".ci/rustdoc"))
        .env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow")
        .current_dir(root)
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let read = |name: &str| Crate::read(&target.join("doc").join(name));
    (read("stormless.json"), read("retry_runtime.json"))
}

#[test]
fn whatever_a_user_can_call_has_an_example() {
    if env::var_os(RAN_ALREADY).is_some() {
        eprintln!("SKIPPED: what has an example, since `{RAN_ALREADY}` is set");
        return;
    }
    if !is_listed() {
        eprintln!("SKIPPED: the JSON that is read here is that of {RELEASE}");
        return;
    }
    let (facade, runtime) = read_both();
    let found = public(&facade, &runtime);
    // Far fewer would mean that the walk lost its way, and then it would find nothing amiss.
    assert!(found.len() > 500, "only {} public items were found", found.len());

    let without = without_example(&found);
    let exempt: Vec<&str> = EXEMPT.iter().flat_map(|&(_, paths)| paths).copied().collect();
    let is_exempt =
        |item: &Public| exempt.contains(&item.owner.as_deref().unwrap_or(item.path.as_str()));
    let missing: Vec<&str> =
        without.iter().filter(|item| !is_exempt(item)).map(|item| item.path.as_str()).collect();
    let needless: Vec<&&str> =
        exempt.iter().filter(|path| !without.iter().any(|item| item.path == **path)).collect();
    assert!(
        missing.is_empty(),
        "{} of {} public items have no example that runs:\n  {}",
        missing.len(),
        found.len(),
        missing.join("\n  "),
    );
    assert!(needless.is_empty(), "these have an example, or are gone: {needless:?}");
}

#[test]
fn only_code_that_runs_is_an_example() {
    let docs = "```\nfirst();\n```\n```text\nsecond\n```\n```ignore\nthird();\n```\n```rust\nfourth();\n```";
    assert_eq!(examples(docs), "first();\nfourth();\n");
}

#[test]
fn a_name_is_a_word_of_its_own() {
    assert!(names("budget.bound()", "bound") && !names("budget.rebound_all()", "bound"));
}
