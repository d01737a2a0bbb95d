//! What CONTRIBUTING.md tells whoever changes something is there.

use std::{fs, path::Path};

/// What stands for a name of the reader's own.
const TO_BE_MADE: &[&str] = &[
    "retry-runtime/src/adapters/thing.rs",
    "retry-runtime/tests/thing.rs",
    "tests/ui/attribute/NAME.rs",
    "tests/ui/attribute/NAME.stderr",
];

/// The texts in back-ticks, and the targets of links.
fn named(page: &str) -> Vec<&str> {
    let mut named: Vec<_> = page.split('`').skip(1).step_by(2).collect();
    let links = page.split("](").skip(1);
    named.extend(links.filter_map(|rest| rest.split(')').next()));
    named
}

/// Whether it is a path in the repository, and not a piece of code or a command.
fn is_path(text: &str) -> bool {
    let plain =
        text.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter));
    let file = Path::new(text);
    let known = ["rs", "md", "toml", "txt", "stderr", "lock"];
    let extension = file.extension().and_then(|extension| extension.to_str());
    plain && (extension.is_some_and(|extension| known.contains(&extension)) || text.contains('/'))
}

/// The page without its blocks, whose back-ticks are fences.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect()
}

#[test]
fn each_file_that_is_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the page is there");
    let prose = prose(&page);
    let paths: Vec<_> = named(&prose).into_iter().filter(|text| is_path(text)).collect();
    assert!(paths.len() > 50, "only {} paths are found: {paths:?}", paths.len());
    let missing: Vec<_> = paths
        .iter()
        .filter(|path| !TO_BE_MADE.contains(path) && !root.join(path).exists())
        .collect();
    assert!(missing.is_empty(), "CONTRIBUTING.md names what is not there: {missing:?}");
    let stale: Vec<_> = TO_BE_MADE
        .iter()
        .filter(|path| !paths.contains(path) || root.join(path).exists())
        .collect();
    assert!(stale.is_empty(), "it no longer tells to make these, or they exist: {stale:?}");
}

#[test]
fn each_recipe_fits_on_a_screen() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the page is there");
    let recipes: Vec<_> =
        page.split("\n## ").filter(|section| section.starts_with("Add a")).collect();
    assert_eq!(recipes.len(), 4, "a backoff, an adapter, a budget algorithm and a diagnostic");
    for recipe in recipes {
        let lines = recipe.trim_end().lines().count();
        let title = recipe.lines().next().unwrap_or_default();
        assert!(lines <= 40, "\"{title}\" has {lines} lines, more than the 40 that fit a screen");
    }
}
