//! What the attribute writes, whole and formatted, for one function of each shape.
//!
//! Each file in `snapshots/` begins with the function, in comments, and goes on with its expansion. To
//! add a shape, write the comments; to renew what follows them, after a look at the difference:
//! `STORMLESS_RENEW=1 cargo test -p retry-macros snapshots`.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use proc_macro2::TokenStream;
use syn::parse::Parser;

use super::retry;

/// Lines around those that differ.
const CONTEXT: usize = 3;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/attribute/snapshots")
}

/// The function at the top of a file, and what follows it.
fn parts(text: &str) -> (String, &str) {
    let mut function = String::new();
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        let Some(code) = line.strip_prefix("//") else { break };
        function.push_str(code.strip_prefix(' ').unwrap_or(code));
        function.push('\n');
        rest = after;
    }
    (function, rest.trim_start_matches('\n'))
}

/// What the attribute of a function makes of it.
fn expansion(function: &str) -> String {
    let split = |input: syn::parse::ParseStream<'_>| {
        let mut attributes = input.call(syn::Attribute::parse_outer)?;
        Ok((attributes.remove(0), input.parse::<TokenStream>()?))
    };
    let (attribute, item) = split.parse_str(function).expect("a function below its attribute");
    assert!(attribute.path().is_ident("retry"), "the attribute comes first:\n{function}");
    let args = match attribute.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    let file = syn::parse2(retry(args, item)).expect("the expansion is an item");
    prettyplease::unparse(&file)
}

fn prefixed<'a>(prefix: &str, lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(|line| [prefix, line, "\n"]).collect()
}

/// The lines that differ, with what is around them.
fn difference(expected: &str, found: &str) -> String {
    let (expected, found): (Vec<_>, Vec<_>) = (expected.lines().collect(), found.lines().collect());
    let same = |(left, right): &(&&str, &&str)| left == right;
    let before = expected.iter().zip(&found).take_while(same).count();
    let (left, right) = (&expected[before..], &found[before..]);
    let after = left.iter().rev().zip(right.iter().rev()).take_while(same).count();
    let show = |sign, lines: &[&str]| prefixed(sign, lines.iter().copied());
    [
        show("  ", &expected[before.saturating_sub(CONTEXT)..before]),
        show("- ", &left[..left.len() - after]),
        show("+ ", &right[..right.len() - after]),
        show("  ", &left[left.len() - after..][..after.min(CONTEXT)]),
    ]
    .concat()
}

#[test]
fn every_expansion_is_the_one_that_was_looked_at() {
    let renew = env::var_os("STORMLESS_RENEW").is_some();
    let mut shapes = 0;
    let mut differences = Vec::new();
    for entry in fs::read_dir(directory()).expect("the snapshots are there") {
        let path = entry.expect("the directory can be read").path();
        let text = fs::read_to_string(&path).expect("a snapshot is text").replace("\r\n", "\n");
        let (function, expected) = parts(&text);
        let found = expansion(&function);
        shapes += 1;
        if found == expected {
            continue;
        }
        if renew {
            let comments = prefixed("// ", function.lines());
            fs::write(&path, format!("{comments}\n{found}")).expect("a snapshot can be written");
        }
        let difference = difference(expected, &found);
        differences.push(format!("{}:\n{difference}\n", path.display()));
    }
    assert!(shapes >= 13, "{shapes} shapes");
    assert!(
        differences.is_empty() || renew,
        "expansions changed (`-` expected, `+` found):\n{}\
         if they are right, renew: `STORMLESS_RENEW=1 cargo test -p retry-macros snapshots`",
        differences.concat()
    );
}

#[test]
fn the_plain_expansion_stays_short() {
    let text = fs::read_to_string(directory().join("plain.rs")).expect("the snapshot is there");
    let (function, _) = parts(&text);
    let written = function.lines().count();
    let expanded = expansion(&function).lines().count();
    assert!(expanded <= written + 50, "{written} lines became {expanded}");
}

#[test]
fn a_difference_is_shown_with_what_is_around_it() {
    let shown = difference("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nF\nf\ng\nh\n");
    assert_eq!(shown, "  b\n  c\n  d\n- e\n+ E\n+ F\n  f\n  g\n  h\n");
    assert_eq!(difference("a\n", "a\na\n"), "  a\n+ a\n");
}
