//! Runs the code blocks of `docs/adapters/others.md` and `docs/hidden-retries.md`.
//!
//! The clients that these are about are dependencies of `docs/classifiers`, a workspace of its own: as members of
//! this one they would give its other tests features, TLS among them, that those do not expect. With
//! `--all-features` the documentation tests of this workspace are all that there are.

#![cfg_attr(
    feature = "clients",
    doc = r#"
```
use std::process::Command;

let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/classifiers/Cargo.toml");
let mut cargo = Command::new(env!("CARGO"));
cargo.args(["test", "--doc", "--locked", "--manifest-path", manifest]);
// What the caller gave cargo for this workspace is not meant for that one.
for (name, _) in std::env::vars() {
    if name.starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" {
        cargo.env_remove(name);
    }
}
let ran = cargo.output().expect("cargo can be started");
let text = String::from_utf8_lossy(&ran.stdout);
assert!(ran.status.success(), "{text}\n{}", String::from_utf8_lossy(&ran.stderr));
assert!(text.contains("; 0 failed; 0 ignored; ") && !text.contains(" 0 passed"), "{text}");
```
"#
)]
