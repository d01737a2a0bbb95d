//! Scratch crates, and cargo run on them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};

use super::variants::VARIANTS;

/// A crate below the target directory.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    pub(super) directory: PathBuf,
    target: PathBuf,
    accounts: String,
}

/// How long a command took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Took {
    pub(super) wall: Duration,
    /// On all processors, cargo included.
    pub(super) cpu: Duration,
}

impl Scratch {
    /// Writes a crate with these dependencies, in which `ROOT` stands for the library's directory. It
    /// shares what is built with the others of the same `group`.
    pub(super) fn new(group: &str, name: &str, dependencies: &str, source: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let library = root.join("../..").canonicalize().expect("the library is two levels up");
        let base = root.join("target/scratch");
        let directory = base.join(group).join(name);
        fs::create_dir_all(directory.join("src")).expect("the target directory is ours");
        let dependencies = dependencies.replace("ROOT", &library.display().to_string());
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
             publish = false\n\n[workspace]\n\n[dependencies]\n{dependencies}\n"
        );
        fs::write(directory.join("Cargo.toml"), manifest).expect("the directory is ours");
        fs::write(directory.join("src/lib.rs"), source).expect("the directory is ours");
        // With the versions that are in the report.
        fs::copy(root.join("Cargo.lock"), directory.join("Cargo.lock")).expect("a lock file");
        let accounts = VARIANTS.map(|variant| variant.name.replace('-', "_")).join(",");
        Self { directory, target: base.join(format!("{group}-target")), accounts }
    }

    /// Throws away what was built.
    pub(super) fn clean(&self) {
        let _ = fs::remove_dir_all(&self.target);
    }

    /// Makes the crate itself, and nothing else, be compiled again.
    pub(super) fn touch(&self) {
        let file = self.directory.join("src/lib.rs");
        let source = fs::read(&file).expect("it was written before");
        fs::write(&file, source).expect("it was written before");
    }

    /// Runs cargo in the crate.
    ///
    /// # Panics
    ///
    /// If it fails: then there is nothing to report.
    pub(super) fn cargo(&self, arguments: &[&str]) -> (Took, Output) {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(arguments).env("CARGO_NET_OFFLINE", "true").current_dir(&self.directory);
        cargo.env("CARGO_TARGET_DIR", &self.target).env("CARGO_INCREMENTAL", "0");
        // Lets rustc give an account of its passes for these crates, and for no other. The same for all
        // commands: build scripts run again when it changes.
        for setting in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"] {
            cargo.env_remove(setting);
        }
        // A cache of compiled crates would be what is timed.
        for wrapper in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"] {
            cargo.env_remove(wrapper);
        }
        cargo.env("RUSTC_BOOTSTRAP", &self.accounts);
        let (start, before) = (Instant::now(), children());
        let output = cargo.output().expect("cargo can be started");
        let took = Took { wall: start.elapsed(), cpu: children().saturating_sub(before) };
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{} in {}: {said}",
            arguments.join(" "),
            self.directory.display()
        );
        (took, output)
    }

    /// The bytes of the crate's library, after a build.
    pub(super) fn library_bytes(&self, name: &str) -> u64 {
        let file = format!("debug/lib{}.rlib", name.replace('-', "_"));
        fs::metadata(self.target.join(file)).map_or(0, |data| data.len())
    }
}

/// The processor time of all commands that have ended, with their own commands'.
fn children() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program stands in brackets, and there may be anything in it.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: u64 = fields.split_whitespace().skip(13).take(2).flat_map(str::parse::<u64>).sum();
    // A hundred a second on every Linux of today.
    Duration::from_millis(ticks * 10)
}
