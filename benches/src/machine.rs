//! What a table was measured on, and which versions of what.

use std::{fs, thread};

/// Resolved versions, as cargo wrote them down for this very build.
const LOCK: &str = include_str!("../Cargo.lock");

/// The version of a package in this build.
pub fn version(package: &str) -> &'static str {
    let entry = format!("name = \"{package}\"\nversion = \"");
    let version = LOCK.split_once(&entry).and_then(|(_, rest)| rest.split_once('"'));
    version.map_or("?", |(version, _)| version)
}

/// `name version` of each package.
pub fn versions(packages: &[&str]) -> String {
    let named: Vec<_> = packages.iter().map(|name| format!("{name} {}", version(name))).collect();
    named.join(", ")
}

/// The profile that built this binary.
pub const PROFILE: &str = env!("BENCHES_PROFILE");

/// `rustc --version` of the compiler that built this binary.
pub const RUSTC: &str = env!("BENCHES_RUSTC");

/// Processor, cores, kernel, compiler, and what else the machine is busy with.
pub fn description() -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cpu = cpu.map_or("unknown processor", |(_, name)| name);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("?");
    let cores = thread::available_parallelism().map_or(0, usize::from);
    format!(
        "{cpu}, {cores} cores, {os} {kernel}, load {load}; {RUSTC}",
        os = std::env::consts::OS,
        kernel = kernel.trim(),
    )
}
