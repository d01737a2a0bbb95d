//! `docs/signatures.md` says what the suite shows, and nothing else.

use std::{
    env,
    fmt::Write,
    fs, iter,
    path::{Path, PathBuf},
};

use crate::extract::{self, Shape};

/// The modules of shapes, in the page's order.
const GROUPS: [&str; 37] = [
    "receivers",
    "pointers",
    "arguments",
    "arguments_by_trait",
    "patterns",
    "clones",
    "hedged",
    "returns",
    "aliases",
    "lifetimes",
    "generics",
    "traits",
    "associated",
    "items",
    "attributes",
    "names",
    "macros",
    "macros_settings",
    "bodies",
    "bodies_concurrent",
    "endings",
    "scopes",
    "futures",
    "future_bodies",
    "methods",
    "method_defaults",
    "method_arguments",
    "method_settings",
    "method_stacks",
    "stacking",
    "recording",
    "recursion",
    "blocking",
    "blocking_arguments",
    "blocking_bodies",
    "blocking_settings",
    "guarded",
];
/// What is no module of shapes.
const OTHERS: [&str; 6] = ["extract", "main", "spans", "support", "table", "waits"];
/// How many shapes there are at least.
const FEWEST: usize = 337;
/// All above is written by hand, all below by this test.
const MARKER: &str =
    "<!-- From here on written by `STORMLESS_RENEW=1 cargo test --test shapes`. -->\n";

/// The cases in `tests/ui/attribute` that are about signatures.
const REFUSED: [&str; 33] = [
    "sync-function",
    "const-function",
    "blocking-async",
    "blocking-future",
    "blocking-attempt-timeout",
    "blocking-moves-argument",
    "blocking-track-caller",
    "future-made-elsewhere",
    "future-returned-early",
    "lazy-results",
    "async-trait-mut-argument",
    "method-without-body",
    "returns-nothing",
    "returns-unit",
    "returns-option",
    "returns-borrow-of-mut",
    "argument-moved",
    "mut-argument-without-clone",
    "mut-in-pattern-without-clone",
    "ref-mut-argument",
    "mut-self",
    "hedge-mut-borrow",
    "hedge-mut-self",
    "hedge-moves-argument",
    "hedge-blocking",
    "clone-of-self",
    "clone-of-no-argument",
    "error-not-retryable",
    "second-retry",
    "tokio-main-above",
    "on-struct",
    "on-impl",
    "deadline-cannot-be-expressed",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn source(module: &str) -> String {
    read(&root().join("tests/shapes").join(module).with_extension("rs"))
}

/// A module's documentation: the title, and what is said below it.
fn introduction(module: &str, source: &str) -> (String, String) {
    let lines: Vec<&str> = source.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let [title, rest @ ..] = &lines[..] else { panic!("`{module}` has no title") };
    let text: Vec<&str> = rest.iter().map(|line| line.trim()).collect();
    (title.trim().trim_end_matches('.').to_owned(), text.join("\n").trim().to_owned())
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// What follows the marker.
fn generated() -> String {
    let mut page = String::new();
    for module in GROUPS {
        let source = source(module);
        let (title, text) = introduction(module, &source);
        write!(page, "\n## {title}\n\n{text}\n\n").unwrap();
        page.push_str("| shape | as written | what happens |\n|---|---|---|\n");
        for Shape { title, written, happens } in extract::shapes(&source) {
            let [title, written, happens] = [title, written, happens].map(|text| cell(&text));
            writeln!(page, "| {title} | {written} | {happens} |").unwrap();
        }
    }
    page.push_str(
        "\n## What is refused\n\nEach of these is a compile error at the place that it speaks of.\n\n\
         | shape | as written | what the compiler says |\n|---|---|---|\n",
    );
    for case in REFUSED {
        let [written, said] = refusal(case).map(|text| cell(&text));
        writeln!(page, "| {} | {written} | {said} |", case.replace('-', " ")).unwrap();
    }
    page
}

/// What a case of misuse writes, and the first line that it gets to read.
fn refusal(case: &str) -> [String; 2] {
    let file = root().join("tests/ui/attribute").join(case);
    let source = read(&file.with_extension("rs"));
    let lines: Vec<&str> = source.lines().collect();
    let written = extract::written(&lines).unwrap_or_else(|| panic!("`{case}` annotates nothing"));
    let output = read(&file.with_extension("stderr"));
    let first = output.lines().find(|line| line.starts_with("error"));
    let (_, said) = first.and_then(|line| line.split_once(": ")).expect("it is an error");
    [written, said.to_owned()]
}

#[test]
fn the_page_says_what_the_shapes_show() {
    let path = root().join("docs/signatures.md");
    let page = read(&path);
    let (head, _) = page.split_once(MARKER).expect("the page has its marker");
    let renewed = format!("{head}{MARKER}{}", generated());
    if env::var_os("STORMLESS_RENEW").is_some() {
        fs::write(&path, renewed).expect("the page can be written");
        return;
    }
    let differs =
        renewed.lines().zip(page.lines().chain(iter::repeat(""))).find(|(new, old)| new != old);
    assert!(
        renewed == page,
        "docs/signatures.md is not what the shapes say, from {differs:?} on: renew it with \
         `STORMLESS_RENEW=1 cargo test --test shapes` and read the difference"
    );
}

#[test]
fn every_test_of_a_shape_is_a_row() {
    let mut files: Vec<String> = fs::read_dir(root().join("tests/shapes"))
        .expect("the directory is there")
        .map(|entry| entry.expect("it can be read").path())
        .map(|path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    let mut known: Vec<&str> = GROUPS.into_iter().chain(OTHERS).collect();
    known.sort_unstable();
    assert_eq!(files, known, "list each module of shapes in `GROUPS`");

    let main = source("main");
    let mut titles = Vec::new();
    for module in GROUPS {
        assert!(main.contains(&format!("\nmod {module};\n")), "`{module}` is not compiled");
        let source = source(module);
        let shapes = extract::shapes(&source);
        assert_eq!(shapes.len(), extract::tests(&source), "a test in `{module}` is no shape");
        titles.extend(shapes.into_iter().map(|shape| shape.title));
    }
    assert!(titles.len() >= FEWEST, "{} shapes", titles.len());
    titles.sort_unstable();
    let twice = titles.windows(2).find(|pair| pair[0] == pair[1]);
    assert_eq!(twice, None, "two shapes have one title");
}
