//! Counts instructions with valgrind's callgrind, as the difference of two loop lengths: what is
//! around the loop cancels out, and the figure is the same on each run.

use std::{
    collections::HashMap,
    env, fs,
    path::Path,
    process::{self, Command},
};

/// The shorter and the longer loop.
const LENGTHS: (u64, u64) = (1_000, 11_000);

/// What a loop of calls did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Instructions.
    pub instructions: u64,
    /// Calls of the system's clock.
    pub clock_reads: u64,
}

/// What many calls did in sum; two runs of the same can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    calls: u64,
    sum: Counts,
}

impl Difference {
    /// How many calls.
    pub const fn calls(&self) -> u64 {
        self.calls
    }

    /// What they did in sum, not rounded.
    pub const fn sum(&self) -> Counts {
        self.sum
    }

    /// Instructions of each call, rounded.
    pub fn instructions(&self) -> u64 {
        rounded(self.sum.instructions, self.calls)
    }

    /// Readings of the clock in each call, rounded.
    pub fn clock_reads(&self) -> u64 {
        rounded(self.sum.clock_reads, self.calls)
    }
}

fn rounded(sum: u64, calls: u64) -> u64 {
    sum.saturating_add(calls / 2) / calls.max(1)
}

/// What each call of a subject costs in a binary that understands `--loop`.
///
/// # Errors
///
/// If valgrind cannot be run, if the binary fails under it, or if more calls take fewer instructions.
pub fn measure(binary: &Path, subject: &str) -> Result<Difference, String> {
    let (short, long) = LENGTHS;
    let (few, many) = (count(binary, subject, short)?, count(binary, subject, long)?);
    let sum = many.instructions.checked_sub(few.instructions).and_then(|instructions| {
        let clock_reads = many.clock_reads.checked_sub(few.clock_reads)?;
        Some(Counts { instructions, clock_reads })
    });
    let sum = sum.ok_or_else(|| format!("`{subject}`: {long} calls do less than {short}"))?;
    Ok(Difference { calls: long - short, sum })
}

/// Whether valgrind is there at all; asked before anything is built for it.
///
/// # Errors
///
/// If not: what to install.
pub fn available() -> Result<(), String> {
    let version = Command::new("valgrind").arg("--version").output().map_err(|error| {
        format!("`valgrind` does not start ({error}): install it, on Debian with `apt-get install valgrind`")
    })?;
    let message = || String::from_utf8_lossy(&version.stderr).into_owned();
    if version.status.success() { Ok(()) } else { Err(message()) }
}

fn count(binary: &Path, subject: &str, calls: u64) -> Result<Counts, String> {
    let out = env::temp_dir().join(format!("stormless-callgrind-{}", process::id()));
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(binary)
        .args(["--loop", subject, &calls.to_string()])
        .output()
        .map_err(|error| {
            format!("`valgrind` does not start ({error}): install it, on Debian with `apt-get install valgrind`")
        })?;
    let profile = fs::read_to_string(&out);
    let _ = fs::remove_file(&out);
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{subject}` fails under valgrind:\n{message}"));
    }
    let profile = profile.map_err(|error| format!("callgrind left no profile: {error}"))?;
    parse(&profile).ok_or_else(|| "callgrind's profile has no total".to_owned())
}

/// Reads a profile: its total, and how often the clock was called.
///
/// Names are written once, as `fn=(7) name` or `cfn=(7) name`, and later as `(7)` alone; `calls=` says
/// how often the last `cfn=` was called from the last `fn=`.
fn parse(profile: &str) -> Option<Counts> {
    let mut names = HashMap::new();
    let (mut from, mut to) = (String::new(), String::new());
    let (mut instructions, mut clock_reads) = (None, 0);
    for line in profile.lines() {
        if let Some(name) = line.strip_prefix("fn=") {
            from = resolve(name, &mut names);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            to = resolve(name, &mut names);
        } else if let Some(calls) = line.strip_prefix("calls=") {
            // The library's own wrapper calls the next one of the same name.
            if is_clock(&to) && !is_clock(&from) {
                clock_reads += calls.split(' ').next()?.parse::<u64>().ok()?;
            }
        } else if let Some(total) = line.strip_prefix("totals: ") {
            instructions = total.trim().parse().ok();
        } else if let Some(total) = line.strip_prefix("summary: ") {
            instructions = instructions.or_else(|| total.trim().parse().ok());
        }
    }
    Some(Counts { instructions: instructions?, clock_reads })
}

fn is_clock(function: &str) -> bool {
    function.starts_with("clock_gettime")
}

fn resolve(reference: &str, names: &mut HashMap<String, String>) -> String {
    match reference.split_once(' ') {
        Some((number, name)) => {
            // A cycle's members are called `name'2`, recursion likewise.
            let name = name.split('\'').next().unwrap_or(name).to_owned();
            names.insert(number.to_owned(), name.clone());
            name
        }
        None => names.get(reference).cloned().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_tells_instructions_and_clock_reads() {
        let profile = "fn=(1) main\n10 5\ncfn=(2) now\ncalls=7 1\n10 70\n\nfn=(2)\n3 7\n\
            cfn=(3) clock_gettime@@GLIBC_2.17\ncalls=7 2\n3 63\n\nfn=(3)\n1 9\ncfn=(4) clock_gettime\n\
            calls=7 1\n1 2\n\ntotals: 1234\n";
        let expected = Counts { instructions: 1234, clock_reads: 7 };
        assert_eq!(parse(profile), Some(expected));
        assert_eq!(parse("fn=(1) main\n"), None);
    }

    #[test]
    fn figures_of_a_call_are_rounded() {
        let sum = Counts { instructions: 70_499, clock_reads: 10_000 };
        let difference = Difference { calls: 1_000, sum };
        assert_eq!((difference.instructions(), difference.clock_reads()), (70, 10));
    }
}
