//! What the attribute and its library cost at compile time, against others.

mod cargo;
mod variants;

use std::{collections::BTreeSet, fs};

// Here for the lock file.
use async_trait as _;
use backon as _;
use backon_macros as _;
use report::{Progress, Samples, Table, count, figure, head, held, misused, packages, verdict};
use stormless as _;
use syn as _;
use thiserror as _;
use tokio as _;
use tracing as _;

use cargo::Scratch;
use variants::{VARIANTS, Variant};

const HELP: &str = "\
What the attribute and its library cost at compile time, against others.

    cargo run --release [-- OPTIONS]

    --functions N  annotated functions in a crate (500), ten or a multiple
    --rounds N     how often each is compiled, in turn (5)
    --skip-clean   leave out the check of the library itself

Writes crates below target/scratch and compiles them with cargo, without incremental compilation. The
figures are processor seconds of cargo and rustc, the smallest and the median of all rounds, because
others use this machine too; wall seconds beside them. The time in macros is rustc's own figure
(-Z time-passes), with macros built without optimisation, as cargo does unless told otherwise.";

struct Options {
    functions: u32,
    rounds: usize,
    clean: bool,
}

fn main() {
    let mut options = Options { functions: 500, rounds: 5, clean: true };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = |least| {
            let number = count(&argument, arguments.next().as_deref(), least);
            u32::try_from(number).unwrap_or_else(|_| misused(&format!("`{argument}`: too many")))
        };
        match argument.as_str() {
            "--functions" => options.functions = number(10),
            "--rounds" => options.rounds = number(1) as usize,
            "--skip-clean" => options.clean = false,
            "--help" | "-h" => return println!("{HELP}"),
            other => misused(&format!("there is no option `{other}`")),
        }
    }
    if !options.functions.is_multiple_of(10) {
        misused("`--functions` needs a multiple of 10: traits have ten functions each");
    }
    let wanted = ["stormless", "syn", "tokio", "thiserror", "tracing-attributes", "async-trait"];
    let wanted: Vec<&str> = wanted.into_iter().chain(["backon", "backon-macros"]).collect();
    println!("{}", head(include_str!("../Cargo.lock"), &wanted));
    if options.clean {
        clean(&options);
    }
    functions(&options);
}

/// The library from nothing, against what every such library needs.
fn clean(options: &Options) {
    let yardstick = "tokio = { version = \"1\", default-features = false, features = [\"time\"] }\n\
                     syn = { version = \"3\", features = [\"full\"] }\nthiserror = \"2\"";
    let crates = [
        (
            "tokio (time), syn 3 (full), thiserror",
            Scratch::new("clean-a", "yardstick", yardstick, ""),
        ),
        ("stormless", Scratch::new("clean-b", "only", "stormless = { path = \"ROOT\" }", "")),
    ];
    let mut samples = vec![(Samples::new(), Samples::new()); crates.len()];
    let mut progress = Progress::new(crates.len() * options.rounds);
    for round in 1..=options.rounds {
        for ((title, scratch), (cpu, wall)) in crates.iter().zip(&mut samples) {
            progress.step(&format!("round {round}: clean check of {title}"));
            scratch.clean();
            let (took, _) = scratch.cargo(&["check"]);
            cpu.push(took.cpu.as_secs_f64());
            wall.push(took.wall.as_secs_f64());
        }
    }
    drop(progress);
    let (smallest, middle) = (samples[0].0.min(), samples[0].0.median());
    let titles = [
        "a crate that depends on",
        "crates",
        "syn",
        "CPU s, min",
        "median",
        "÷ first, min",
        "median",
        "wall s",
    ];
    let mut table = Table::new(&titles);
    let mut syns = 0;
    for ((title, scratch), (cpu, wall)) in crates.iter().zip(&samples) {
        let lock = fs::read_to_string(scratch.directory.join("Cargo.lock")).unwrap_or_default();
        let all = packages(&lock);
        let versions: BTreeSet<&String> =
            all.iter().filter(|(name, _)| name == "syn").map(|(_, version)| version).collect();
        syns = versions.len();
        table.row(vec![
            (*title).to_owned(),
            (all.len() - 1).to_string(),
            syns.to_string(),
            format!("{:.2}", cpu.min()),
            format!("{:.2}", cpu.median()),
            format!("{:.2}", cpu.min() / smallest),
            format!("{:.2}", cpu.median() / middle),
            format!("{:.2}", wall.min()),
        ]);
    }
    println!("cargo check from nothing\n\n{table}");
    let ratio = samples[1].0.min() / smallest;
    println!("{}", held("clean check ≤ 1.15 × the first", ratio, |ratio| ratio <= 1.15));
    println!("{}\n", verdict("one version of syn", &syns.to_string(), syns == 1));
}

/// What was measured of one variant.
struct Measured {
    variant: Variant,
    scratch: Scratch,
    check: Samples,
    expand: Samples,
    build: Samples,
    bytes: u64,
}

/// Each attribute on many functions.
fn functions(options: &Options) {
    let mut all: Vec<Measured> = VARIANTS
        .iter()
        .map(|variant| Measured {
            variant: *variant,
            scratch: Scratch::new(
                "functions",
                variant.name,
                variant.dependencies,
                &variant.source(options.functions),
            ),
            check: Samples::new(),
            expand: Samples::new(),
            build: Samples::new(),
            bytes: 0,
        })
        .collect();
    let mut progress = Progress::new(all.len() * (options.rounds + 1));
    for measured in &mut all {
        progress.step(&format!("{}: its dependencies, and a build", measured.variant.title));
        measured.scratch.cargo(&["check"]);
        measured.scratch.cargo(&["build"]);
        measured.bytes = measured.scratch.library_bytes(measured.variant.name);
    }
    for round in 1..=options.rounds {
        for measured in &mut all {
            progress.step(&format!("round {round}: {}", measured.variant.title));
            // Building is slow, and compared with nothing that hangs on a few per cent.
            measured.round(round <= 2);
        }
    }
    drop(progress);
    println!("{} functions, what each takes beside the bare ones\n", options.functions);
    println!("{}", table(&all, options.functions));
    targets(&all, options.functions);
}

/// What one function with the attribute takes, whose settings are those by default.
fn targets(all: &[Measured], functions: u32) {
    let find = |name: &str| all.iter().find(|measured| measured.variant.name == name);
    let (Some(retry), Some(bare)) = (find("retry"), find(variants::BARE)) else { return };
    let each = |samples: fn(&Measured) -> &Samples| {
        (samples(retry).min() - samples(bare).min()) * 1_000.0 / f64::from(functions)
    };
    let (check, expand) = (each(|measured| &measured.check), each(|measured| &measured.expand));
    println!("{}", held("`cargo check`: ≤ 2.0 ms extra", check, |extra| extra <= 2.0));
    println!("{}", held("in macros: ≤ 0.25 ms", expand, |extra| extra <= 0.25));
}

impl Measured {
    fn round(&mut self, build: bool) {
        self.scratch.touch();
        let passes = ["rustc", "--profile", "check", "--lib", "--", "-Ztime-passes"];
        let (took, output) = self.scratch.cargo(&passes);
        self.check.push(took.cpu.as_secs_f64());
        self.expand.push(expansion(&String::from_utf8_lossy(&output.stderr)));
        if build {
            self.scratch.touch();
            let (took, _) = self.scratch.cargo(&["build"]);
            self.build.push(took.cpu.as_secs_f64());
        }
    }
}

/// The seconds that rustc says it spent in macros: `time: 0.004; rss: …  macro_expand_crate`.
fn expansion(passes: &str) -> f64 {
    let line = passes.lines().find(|line| line.trim_end().ends_with("macro_expand_crate"));
    let seconds = line.and_then(|line| line.trim().strip_prefix("time:")?.split(';').next());
    seconds.and_then(|seconds| seconds.trim().parse().ok()).unwrap_or(f64::NAN)
}

fn table(all: &[Measured], functions: u32) -> Table {
    let titles = [
        "variant",
        "check, CPU s",
        "extra ms",
        "(median)",
        "in macros, ms",
        "(median)",
        "build, extra ms",
        "rlib, MB",
        "÷ bare",
    ];
    let mut table = Table::new(&titles);
    for measured in all {
        let bare = all.iter().find(|other| other.variant.name == measured.variant.bare);
        let bare = bare.unwrap_or(measured);
        let each = |samples: fn(&Measured) -> &Samples, pick: fn(&Samples) -> f64| {
            let extra = pick(samples(measured)) - pick(samples(bare));
            if measured.variant.name == measured.variant.bare {
                "-".to_owned()
            } else {
                figure(extra * 1_000.0 / f64::from(functions))
            }
        };
        #[expect(clippy::cast_precision_loss, reason = "figures for people")]
        let (bytes, bare_bytes) = (measured.bytes as f64, bare.bytes as f64);
        table.row(vec![
            measured.variant.title.to_owned(),
            format!("{:.2}", measured.check.min()),
            each(|measured| &measured.check, Samples::min),
            each(|measured| &measured.check, Samples::median),
            each(|measured| &measured.expand, Samples::min),
            each(|measured| &measured.expand, Samples::median),
            each(|measured| &measured.build, Samples::min),
            format!("{:.1}", bytes / 1e6),
            figure(bytes / bare_bytes),
        ]);
    }
    table
}
