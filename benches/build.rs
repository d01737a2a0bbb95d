//! Tells the tables which compiler and which profile made the binary that prints them.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=BENCHES_RUSTC={}", version.unwrap_or_default());
    // `PROFILE` says `release` for every profile that inherits it; the directory has the name:
    // …/<profile>/build/<package>/out.
    let out = env::var("OUT_DIR").unwrap_or_default();
    let profile = Path::new(&out).ancestors().nth(3).and_then(Path::file_name);
    let profile = profile.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    println!("cargo::rustc-env=BENCHES_PROFILE={profile}");
}
