//! What users can name does not change unless somebody says so.
//!
//! After a change that is meant: `STORMLESS_RENEW=1 cargo test --manifest-path tests/public_api/Cargo.toml --locked`,
//! and read the difference: what is missing or different in it breaks who used it.

mod exported;

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use exported::Exported;
use listing::Builder;

/// The releases whose rustdoc writes the format that is read here.
const COMPILER: &str = "rustc 1.95.";
const RENEW: &str =
    "STORMLESS_RENEW=1 cargo test --manifest-path tests/public_api/Cargo.toml --locked";

#[test]
fn what_is_exported_is_what_the_snapshots_say() {
    let version = output(
        Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())).arg("--version"),
    );
    if !version.starts_with(COMPILER) {
        say(&format!(
            "SKIPPED: the snapshots of the public API are compared on {COMPILER}*, whose rustdoc writes the \
             format that is read here; this is {}",
            version.trim()
        ));
        return;
    }
    let files = written_down();
    let facade = lines(&files.join("stormless.json"));
    let exported = Exported::read(&files.join("stormless.json"), "retry_runtime");
    let engine: Vec<_> = lines(&files.join("retry_runtime.json"))
        .into_iter()
        .filter(|line| exported.has(line))
        .collect();
    let differences =
        [compare("stormless.txt", &facade), compare("retry-runtime.txt", &engine)].concat();
    assert!(
        differences.is_empty(),
        "the public API differs from its snapshot:\n{differences}\nwhat is gone or different breaks who used it. If \
         that is meant, `{RENEW}`, and say in CHANGELOG.md what users do about it"
    );
}

/// Where rustdoc wrote what the crates export, with every feature on.
fn written_down() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cargo = || {
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(&root);
        command
    };
    // With the package that turns on whatever the workspace turns on, so that what is compiled already is used.
    let mut doc = cargo();
    doc.args(["doc", "--quiet", "--locked", "--no-deps", "--all-features"]);
    doc.args([
        "--package",
        "stormless",
        "--package",
        "retry-runtime",
        "--package",
        "every-feature",
    ]);
    doc.env("RUSTDOC", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/rustdoc"));
    doc.env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow");
    output(&mut doc);
    let metadata = output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]));
    let metadata: serde_json::Value = serde_json::from_str(&metadata).expect("cargo writes JSON");
    Path::new(metadata["target_directory"].as_str().expect("it is a path")).join("doc")
}

/// One line for each public item, in order.
fn lines(file: &Path) -> Vec<String> {
    let listing = Builder::from_rustdoc_json(file).omit_blanket_impls(true).build();
    let listing = listing.unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
    worth_telling(listing.items().map(ToString::to_string))
}

/// Markers that say nothing about what users can do, or that nearly every type has; `Send` and `Sync` are told.
const MARKERS: &[&str] = &[
    "core::marker::Freeze",
    "core::marker::StructuralPartialEq",
    "core::marker::Unpin",
    "core::marker::UnsafeUnpin",
    "core::panic::unwind_safe::RefUnwindSafe",
    "core::panic::unwind_safe::UnwindSafe",
];

/// Without those markers, and without what follows from an implementation: its functions and types are the trait's.
fn worth_telling(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut implemented: Option<String> = None;
    lines
        .filter(|line| {
            if line.starts_with("impl") {
                // `impl<E> Trait<X> for path::Type<E> where …`
                implemented = line.split_once(" for ").map(|(_, rest)| {
                    let end = rest.find(['<', ' ']).unwrap_or(rest.len());
                    format!(" {}", &rest[..end])
                });
                return !MARKERS.iter().any(|marker| line.contains(&format!("{marker} for ")));
            }
            let own = implemented.as_ref().and_then(|path| line.split_once(path.as_str()));
            own.is_none_or(|(_, rest)| !rest.starts_with(['<', ':']))
        })
        .collect()
}

/// The lines that differ from the snapshot, which is renewed where that is asked for.
fn compare(name: &str, now: &[String]) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if env::var_os("STORMLESS_RENEW").is_some() {
        fs::write(&file, now.join("\n") + "\n").expect("the snapshot can be written");
    }
    let then = fs::read_to_string(&file).unwrap_or_default();
    let then: Vec<_> = then.lines().collect();
    let gone = then.iter().filter(|line| !now.iter().any(|other| other == *line));
    let new = now.iter().filter(|line| !then.contains(&line.as_str()));
    let gone = gone.map(|line| format!("{name}: - {line}\n"));
    gone.chain(new.map(|line| format!("{name}: + {line}\n"))).collect()
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("it can be started");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it writes text")
}

/// Past the harness, which shows nothing of a test that passes.
fn say(line: &str) {
    writeln!(std::io::stderr(), "{line}").expect("it can be written");
}
