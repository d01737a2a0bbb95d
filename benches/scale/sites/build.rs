//! Writes the functions: each has a budget of a name of its own.

use std::{env, fmt::Write, fs, path::Path};

/// With the ten of the benchmark itself that makes ten thousand.
const SITES: std::ops::Range<u32> = 10..10_000;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut source = String::new();
    for number in SITES {
        let written = writeln!(
            source,
            "#[retry(budget = \"budget-{number}\")] \
             pub async fn site_{number}(value: u64) -> Result<u64, Down> {{ work(value) }}"
        );
        written.expect("text can always be written");
    }
    let directory = env::var_os("OUT_DIR").expect("cargo says where");
    let file = Path::new(&directory).join("sites.rs");
    fs::write(file, source).expect("the directory is cargo's");
}
