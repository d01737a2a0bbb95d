//! The code on the pages is the code of this package.

use std::collections::BTreeSet;

const CLASSIFIERS: &str = include_str!("../../adapters/others.md");
const HIDDEN_RETRIES: &str = include_str!("../../hidden-retries.md");

/// What may be shown of each module: all but its first line, which names the crate, and its tests.
const MODULES: [(&str, &str); 7] = [
    ("kube", include_str!("kube.rs")),
    ("lapin", include_str!("lapin.rs")),
    ("left_on", include_str!("left_on.rs")),
    ("mongodb", include_str!("mongodb.rs")),
    ("nats", include_str!("nats.rs")),
    ("object_store", include_str!("object_store.rs")),
    ("tungstenite", include_str!("tungstenite.rs")),
];

fn shown(source: &str) -> &str {
    let (_, rest) = source.split_once("\n\n").unwrap();
    rest.split_once("\n\n#[cfg(test)]").map_or(rest, |(shown, _)| shown).trim_end()
}

/// What readers see of the fenced blocks of Rust on a page.
fn blocks(page: &str) -> Vec<String> {
    let parts = page.split("\n```rust\n").skip(1);
    let blocks = parts.map(|part| part.split_once("\n```").unwrap().0);
    let is_shown = |line: &&str| !line.starts_with("# ");
    blocks.map(|block| block.lines().filter(is_shown).collect::<Vec<_>>().join("\n")).collect()
}

#[test]
fn the_page_shows_each_classifier_as_it_is_compiled() {
    let blocks = blocks(CLASSIFIERS);
    let blocks: BTreeSet<_> = blocks.iter().map(String::as_str).collect();
    for (name, source) in MODULES {
        if name != "left_on" {
            assert!(
                blocks.contains(shown(source)),
                "docs/adapters/others.md differs from src/{name}.rs"
            );
        }
    }
    assert_eq!(
        blocks.len(),
        MODULES.len() - 1,
        "a block of docs/adapters/others.md is none of the modules"
    );
}

#[test]
fn the_page_on_hidden_retries_shows_code_that_is_compiled() {
    let blocks = blocks(HIDDEN_RETRIES);
    assert!(!blocks.is_empty());
    for block in blocks {
        // One line each, of clients that have a feature.
        if block.lines().count() == 1 && block.contains("stormless::") {
            continue;
        }
        let compiled = MODULES.iter().any(|(_, source)| shown(source).contains(&block));
        assert!(compiled, "docs/hidden-retries.md has a block that no module has:\n{block}");
    }
}
