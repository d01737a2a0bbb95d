//! The first lines of each report: where and with what its figures were taken.

use std::{fs, thread};

/// Names the machine, the compiler, and the version of each of `packages` in `lock`, the text of a
/// `Cargo.lock`.
#[must_use]
pub fn head(lock: &str, packages: &[&str]) -> String {
    let cpu = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "an unknown processor".into());
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let known = self::packages(lock);
    let versions: Vec<String> = packages
        .iter()
        .flat_map(|wanted| known.iter().filter(move |(name, _)| name == wanted))
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default();
    format!(
        "{cpu}, {cores} cores, Linux {}, load {load} at the start\n{}\n{}\n",
        kernel.trim(),
        env!("REPORT_RUSTC"),
        versions.join(", "),
    )
}

/// The names and versions of all packages in the text of a `Cargo.lock`.
#[must_use]
pub fn packages(lock: &str) -> Vec<(String, String)> {
    let value = |line: &str, key: &str| {
        let rest = line.strip_prefix(key)?.strip_prefix(" = \"")?;
        rest.strip_suffix('"').map(str::to_owned)
    };
    let mut packages = Vec::new();
    let mut name = String::new();
    for line in lock.lines() {
        if let Some(found) = value(line, "name") {
            name = found;
        } else if let (Some(version), false) = (value(line, "version"), name.is_empty()) {
            packages.push((std::mem::take(&mut name), version));
        }
    }
    packages
}

fn field(file: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}
