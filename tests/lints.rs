//! No lint finds anything in what the macros write, and each finds in the user's code what it would find
//! there without them.
//!
//! Clippy runs on two crates. `tests/crates/annotated` is clean. In `tests/crates/fires` comments announce
//! what must be found: `//~ lint` in its own line, `//~^ lint` in the line above. Each release of the
//! compiler has lints of its own, so the lists are those of one release; on any other, rustc's own lints
//! must still be found, and none on what the macros wrote.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::Command,
    sync::{LazyLock, Mutex, PoisonError},
};

use annotated as _;
use serde_json::Value;

/// The release whose lints are listed.
const COMPILER: &str = "clippy 0.1.95 ";

/// What careful users ask for: pedantic and nursery, and every warning an error. The configuration is
/// for `fires` alone, which is empty without it.
const STRICT: &[&str] =
    &["-D", "warnings", "-W", "clippy::pedantic", "-W", "clippy::nursery", "--cfg", "fire"];

/// All that rustc and clippy have, but for lints about `Cargo.toml` and about how crates are linked.
#[rustfmt::skip]
const EVERYTHING: &[&str] = &[
    "clippy::all", "clippy::pedantic", "clippy::nursery", "clippy::restriction", "future_incompatible",
    "keyword_idents", "let_underscore", "refining_impl_trait", "rust_2018_idioms",
    "rust_2021_compatibility", "rust_2024_compatibility", "unused", "absolute_paths_not_starting_with_crate",
    "ambiguous_negative_literals", "closure_returning_async_block", "deprecated_in_future",
    "explicit_outlives_requirements", "impl_trait_redundant_captures", "macro_use_extern_crate",
    "meta_variable_misuse", "missing_copy_implementations", "missing_debug_implementations", "missing_docs",
    "non_ascii_idents", "redundant_imports", "redundant_lifetimes", "single_use_lifetimes", "trivial_casts",
    "trivial_numeric_casts", "unit_bindings", "unnameable_types", "unreachable_pub", "unused_import_braces", "unused_lifetimes", "unused_qualifications", "unused_results",
    "variant_size_differences",
];

/// What some find fault with in the functions themselves: matters of taste, and their plain style.
#[rustfmt::skip]
const DESERVED: &[&str] = &[
    "clippy::arbitrary_source_item_ordering", "clippy::arithmetic_side_effects",
    "clippy::blanket_clippy_restriction_lints", "clippy::exhaustive_enums", "clippy::exhaustive_structs",
    "clippy::impl_trait_in_params", "clippy::implicit_return", "clippy::integer_division_remainder_used",
    "clippy::missing_docs_in_private_items", "clippy::missing_inline_in_public_items",
    "clippy::missing_trait_methods", "clippy::pattern_type_mismatch", "clippy::print_stderr",
    "clippy::pub_use", "clippy::pub_with_shorthand", "clippy::question_mark_used", "clippy::single_call_fn",
    "clippy::single_char_lifetime_names", "clippy::std_instead_of_alloc", "clippy::std_instead_of_core",
    "clippy::use_debug", "clippy::wildcard_enum_match_arm", "missing_copy_implementations",
    "variant_size_differences",
];

/// File, line and lint.
type Place = (String, u64, String);

/// Something that a lint had to say, at files and lines, and whether it is about what our macros wrote.
struct Found {
    lint: String,
    places: BTreeSet<(String, u64)>,
    is_ours: bool,
    said: String,
}

/// What cargo says, one JSON value a line.
struct Run {
    lines: Vec<Value>,
    said: String,
}

/// Whether this is the release whose lints are listed.
static IS_LISTED: LazyLock<bool> = LazyLock::new(|| {
    let output = Command::new(env!("CARGO")).args(["clippy", "--version"]).output();
    let version = output.as_ref().map_or("".into(), |said| String::from_utf8_lossy(&said.stdout));
    assert!(
        version.starts_with("clippy "),
        "this test needs clippy: `rustup component add clippy` ({output:?})"
    );
    version.starts_with(COMPILER)
});

/// Both crates under `STRICT`.
static STRICTLY: LazyLock<Run> = LazyLock::new(|| clippy(&["annotated", "fires"], STRICT));

/// One run at a time, since they share a directory: not the one of the surrounding build, whose
/// artifacts other lint levels would make stale.
fn clippy(packages: &[&str], options: &[&str]) -> Run {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = *IS_LISTED;
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.args(["clippy", "--no-deps", "--keep-going", "--message-format=json", "--target-dir"]);
    command.arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("lints"));
    command.args(packages.iter().flat_map(|package| ["--package", package]));
    let output = command.arg("--").args(options).output().expect("cargo runs");
    let lines = String::from_utf8_lossy(&output.stdout);
    Run {
        lines: lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Run {
    /// All that was found in a package.
    fn found(&self, package: &str) -> Vec<Found> {
        let messages = self.of(package, "compiler-message");
        let found = messages.map(|line| Found::read(&line["message"]));
        // The summary at the end has no lint.
        found.filter(|found| !found.lint.is_empty()).collect()
    }

    /// Whether a package compiled without an error.
    fn finished(&self, package: &str) -> bool {
        self.of(package, "compiler-artifact").next().is_some()
    }

    fn of(&self, package: &str, reason: &str) -> impl Iterator<Item = &Value> {
        let lines = self.lines.iter();
        lines.filter(move |line| line["reason"] == reason && line["target"]["name"] == package)
    }
}

impl Found {
    fn read(message: &Value) -> Self {
        let spans = message["spans"].as_array().expect("a message has spans");
        let primary = || spans.iter().filter(|span| span["is_primary"] == true);
        let place = |span: &Value| {
            let file = span["file_name"].as_str().expect("a span has a file");
            (file.replace('\\', "/"), span["line_start"].as_u64().expect("a span has a line"))
        };
        Self {
            lint: message["code"]["code"].as_str().unwrap_or_default().to_owned(),
            places: primary().map(place).collect(),
            is_ours: primary().any(is_ours),
            said: message["rendered"].as_str().unwrap_or_default().to_owned(),
        }
    }
}

/// Whether a macro of ours is among those that the tokens come from, or they are its invocation.
fn is_ours(span: &Value) -> bool {
    let text = &span["text"][0];
    let column = |end: &str| usize::try_from(text[end].as_u64().unwrap_or(1)).unwrap_or(1) - 1;
    let line: Vec<char> = text["text"].as_str().unwrap_or_default().chars().collect();
    let marked: String = line[column("highlight_start")..column("highlight_end")].iter().collect();
    if marked.starts_with("#[") && marked.contains("retry") || marked == "Retryable" {
        return true;
    }
    let mut expansion = &span["expansion"];
    while let Some(name) = expansion["macro_decl_name"].as_str() {
        if name.contains("retry") || name.contains("Retryable") {
            return true;
        }
        expansion = &expansion["span"]["expansion"];
    }
    false
}

fn assert_none_is_ours(found: &[Found]) {
    let ours = said(found.iter().filter(|found| found.is_ours));
    assert!(ours.is_empty(), "on what the macros wrote:\n{ours}");
}

/// The compiler's own words.
fn said<'a>(found: impl IntoIterator<Item = &'a Found>) -> String {
    found.into_iter().map(|found| found.said.as_str()).collect()
}

/// The lints that the comments of a crate announce.
fn announced(directory: &str) -> BTreeMap<Place, usize> {
    let mut announced = BTreeMap::new();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
    for entry in fs::read_dir(sources).expect("the sources are there") {
        let path = entry.expect("the directory can be read").path();
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a source is text");
        for (number, line) in (1..).zip(text.lines()) {
            let Some((_, comment)) = line.split_once("//~") else { continue };
            let (number, lints) = match comment.strip_prefix('^') {
                Some(lints) => (number - 1, lints),
                None => (number, comment),
            };
            for lint in lints.split_whitespace() {
                let place = (format!("{directory}/{name}"), number, lint.to_owned());
                *announced.entry(place).or_insert(0) += 1;
            }
        }
    }
    announced
}

#[test]
fn strict_lints_find_nothing_in_annotated_functions() {
    let found = STRICTLY.found("annotated");
    assert_none_is_ours(&found);
    if *IS_LISTED {
        assert!(found.is_empty(), "{}", said(&found));
        assert!(STRICTLY.finished("annotated"), "{}", STRICTLY.said);
    }
}

#[test]
fn of_all_lints_only_those_that_the_functions_deserve_find_something() {
    let options = ["--cap-lints", "warn", "-A", "unknown_lints"].into_iter();
    let options: Vec<_> = options.chain(EVERYTHING.iter().flat_map(|lint| ["-W", lint])).collect();
    let run = clippy(&["annotated"], &options);
    let found = run.found("annotated");
    assert_none_is_ours(&found);
    assert!(run.finished("annotated"), "{}", run.said);
    if *IS_LISTED {
        let is_deserved = |found: &&Found| DESERVED.contains(&found.lint.as_str());
        let more = said(found.iter().filter(|found| !is_deserved(found)));
        assert!(more.is_empty(), "{more}");
        let lints: BTreeSet<_> = found.iter().map(|found| found.lint.as_str()).collect();
        assert_eq!(lints, DESERVED.iter().copied().collect());
    }
}

#[test]
fn lints_about_the_users_code_fire_where_it_stands() {
    let found = STRICTLY.found("fires");
    assert_none_is_ours(&found);
    let mut fired = BTreeMap::new();
    for found in &found {
        for (file, line) in &found.places {
            *fired.entry((file.clone(), *line, found.lint.clone())).or_insert(0) += 1;
        }
    }
    let announced = announced("tests/crates/fires/src");
    let kinds: BTreeSet<_> = announced.keys().map(|(_, _, lint)| lint).collect();
    assert!(kinds.len() >= 50, "{} kinds of lints", kinds.len());
    let missing = |place: &&Place| *IS_LISTED || !place.2.starts_with("clippy::");
    let missing: Vec<_> = announced
        .iter()
        .filter(|(place, count)| missing(place) && fired.get(*place) != Some(count))
        .collect();
    assert!(missing.is_empty(), "not as often as announced: {missing:#?}\n{}", STRICTLY.said);
    if *IS_LISTED {
        fired.retain(|place, count| announced.get(place) != Some(count));
        assert!(fired.is_empty(), "not announced: {fired:#?}\n{}", said(&found));
    }
}

#[test]
fn the_annotated_functions_are_many() {
    assert!(stormless::sites().len() >= 60, "{}", stormless::sites());
}
