//! How many instructions a call takes that succeeds at once.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use benches::{
    callgrind::{self, Difference},
    machine,
    options::{self, Asked, Quick, fail},
    subjects::{self, NAMED, OWN, STATIC, Subject},
};
use report::{Progress, Table, verdict};

const ABOUT: &str = "\
How many instructions a call takes that succeeds at once, by valgrind's callgrind: the difference of two
lengths of a loop, taken twice. In cargo's default release profile and with fat LTO and one codegen unit,
for which this command builds itself a second time.";

/// The profiles, as the tables call them.
const PROFILES: [(&str, &str); 2] = [("release", "release"), ("fat", "fat LTO, 1 unit")];

fn main() {
    match options::read(ABOUT, Quick::Has) {
        Asked::Loop { subject, calls } => {
            let Some(subject) = subjects::named(&subject, &subjects::all()) else {
                fail(&format!("there is no subject `{subject}`"));
            };
            std::hint::black_box((subject.run)(calls));
        }
        Asked::Table { quick } => table(quick),
    }
}

/// What was measured of one subject in one profile, twice.
#[derive(Clone, Copy)]
struct Twice(Difference, Difference);

impl Twice {
    fn repeats(self) -> bool {
        self.0 == self.1
    }
}

fn table(quick: bool) {
    let subjects = if quick { subjects::GUARDED.to_vec() } else { subjects::all() };
    // The second build takes minutes.
    callgrind::available().unwrap_or_else(|message| fail(&message));
    let binaries = PROFILES.map(|(profile, _)| binary(profile));
    let mut results: Vec<Vec<Twice>> = Vec::new();
    let mut progress = Progress::new(subjects.len() * binaries.len());
    for (at, binary) in binaries.iter().enumerate() {
        let mut column = Vec::new();
        for subject in &subjects {
            progress.step(&format!("{}: {}", PROFILES[at].0, subject.name));
            let once = || callgrind::measure(binary, subject.name);
            match once().and_then(|first| Ok(Twice(first, once()?))) {
                Ok(twice) => column.push(twice),
                Err(message) => fail(&message),
            }
        }
        results.push(column);
    }
    drop(progress);
    print(&subjects, &results);
}

/// This program, built with `profile`.
fn binary(profile: &str) -> PathBuf {
    let this = env::current_exe().unwrap_or_else(|error| fail(&format!("where am I? {error}")));
    if profile == machine::PROFILE {
        return this;
    }
    let built = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--profile", profile, "--bin", "instructions", "--manifest-path"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
        .status();
    if !built.is_ok_and(|status| status.success()) {
        fail(&format!("the profile `{profile}` does not build"));
    }
    let target = this.ancestors().nth(2).unwrap_or(&this);
    target.join(profile).join(this.file_name().unwrap_or_default())
}

fn print(subjects: &[Subject], results: &[Vec<Twice>]) {
    println!("Instructions of a call that succeeds at once");
    println!("{}", machine::head(subjects.iter().filter_map(|subject| subject.peer)));
    let mut table = Table::new(&[
        "subject",
        PROFILES[0].1,
        "− bare",
        PROFILES[1].1,
        "− bare",
        "clock reads",
        "two runs",
    ]);
    let of = |name: &str, column: &[Twice]| {
        let at = subjects.iter().position(|subject| subject.name == name);
        at.and_then(|at| column.get(at)).map(|twice| twice.0.instructions().cast_signed())
    };
    for (at, subject) in subjects.iter().enumerate() {
        let mut cells = vec![subject.name.to_owned()];
        for column in results {
            let instructions = column[at].0.instructions();
            let more = of(subject.bare, column).map(|bare| instructions.cast_signed() - bare);
            cells.push(instructions.to_string());
            cells.push(more.map_or(String::new(), |more| format!("{more:+}")));
        }
        cells.push(results[0][at].0.clock_reads().to_string());
        let repeats = results.iter().all(|column| column[at].repeats());
        cells.push(if repeats { "equal" } else { "differ" }.to_owned());
        table.row(cells);
    }
    println!("{table}");
    println!("{NOTES}\n");
    let lean = &results[1];
    for (subject, limit) in [(OWN, 70), (STATIC, 70), (NAMED, 76)] {
        let more =
            of(subject.name, lean).zip(of(subject.bare, lean)).map(|(this, bare)| this - bare);
        let Some(more) = more else { continue };
        let target = format!("{}, fat LTO: at most {limit} more than bare", subject.name);
        println!("{}", verdict(&target, &more.to_string(), more <= limit));
    }
    let ours = subjects.iter().enumerate().filter(|(_, subject)| subject.peer.is_none());
    let at: Vec<usize> = ours.map(|(at, _)| at).collect();
    let repeat = results.iter().all(|column| at.iter().all(|&at| column[at].repeats()));
    let target = "figures repeat exactly, but for peers that read clocks";
    println!("{}", verdict(target, if repeat { "yes" } else { "no" }, repeat));
}

const NOTES: &str = "\
- − bare compares with the same without retries, as in the table of the success path.
- How much the compiler inlines depends on everything in the binary: figures of other programs differ by a
  few instructions.
- Calls that read the clock count the instructions of reading it, which differ with the time; under valgrind
  a reading is a system call.";
