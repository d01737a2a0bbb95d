//! The reference has each setting and each key: in its tables, and in an example that is compiled.

use retry_grammar::{
    Key,
    model::Strategy,
    retryable::{ENUM_KEYS, VARIANT_KEYS},
};

/// What rustdoc shows below the pages; the tables are in it.
const MACROS: &str = include_str!("../retry-macros/src/lib.rs");
const FACADE: &str = include_str!("../src/lib.rs");

/// A page, and the attribute that it is about.
#[derive(Clone, Copy)]
struct Page<'t> {
    text: &'t str,
    attribute: &'static str,
}

const RETRY: Page<'_> = Page { text: include_str!("../docs/retry.md"), attribute: "retry" };
const RETRYABLE: Page<'_> =
    Page { text: include_str!("../docs/retryable.md"), attribute: "retryable" };

/// A code block: its first line, and what is in it.
struct Block<'t> {
    opening: &'t str,
    code: &'t str,
}

impl Block<'_> {
    /// Whether it is an example that must compile.
    fn compiles(&self) -> bool {
        let words = self.opening.trim_start_matches('`').split(',').map(str::trim);
        words
            .filter(|word| !word.is_empty())
            .all(|word| word == "rust" || word == "standalone_crate")
    }
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find("\n```") {
        let (opening, after) =
            rest[start + 1..].split_once('\n').expect("a block has a first line");
        let end = after.find("\n```").expect("a block has an end");
        blocks.push(Block { opening, code: &after[..=end] });
        rest = after[end + 1..].split_once('\n').map_or("", |(_, rest)| rest);
        // The next block may begin on the next line.
        rest = &page[page.len() - rest.len() - 1..];
    }
    blocks
}

/// What stands in the parentheses of each use of the attribute, split at the commas between settings.
fn settings<'t>(code: &'t str, attribute: &str) -> Vec<&'t str> {
    let mut settings = Vec::new();
    for (at, opening) in code.match_indices(&format!("{attribute}(")) {
        if !(code[..at].ends_with("#[") || code[..at].ends_with("#[stormless::")) {
            continue;
        }
        let inside = &code[at + opening.len()..];
        let (mut depth, mut quoted, mut start) = (0_usize, false, 0);
        for (at, sign) in inside.char_indices() {
            match sign {
                '"' => quoted = !quoted,
                _ if quoted => {}
                '(' | '[' | '{' => depth += 1,
                ')' if depth == 0 => {
                    settings.push(inside[start..at].trim());
                    break;
                }
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    settings.push(inside[start..at].trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
    }
    settings
}

/// The word before `=`, or before parentheses.
fn key(setting: &str) -> &str {
    let end = setting.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    &setting[..end.unwrap_or(setting.len())]
}

/// The first cells of all rows of the tables above an item.
fn first_cells(item: &str) -> Vec<&'static str> {
    let end = MACROS.find(item).expect("the macro is there");
    let start = MACROS[..end].rfind("\n}\n").unwrap_or(0);
    let rows = MACROS[start..end].lines().filter_map(|line| line.strip_prefix("/// | "));
    rows.filter_map(|row| row.split(" | ").next()).collect()
}

/// Whether one of the cells names the key in code, as in `` `clone(a, b)` `` or `` `forward`, `forward = field` ``.
fn is_in(cells: &[&str], name: &str) -> bool {
    let codes = cells.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
    codes.into_iter().any(|code| key(code) == name)
}

/// The keys without an example that compiles.
fn without_example(page: Page<'_>, keys: &[&'static str]) -> Vec<&'static str> {
    let blocks = blocks(page.text);
    let compiled = blocks.iter().filter(|block| block.compiles());
    let used: Vec<_> =
        compiled.flat_map(|block| settings(block.code, page.attribute)).map(key).collect();
    keys.iter().copied().filter(|key| !used.contains(key)).collect()
}

/// The names of backoffs without an example that compiles.
fn backoffs_without_example(page: Page<'_>) -> Vec<&'static str> {
    let blocks = blocks(page.text);
    let compiled = blocks.iter().filter(|block| block.compiles());
    let used: Vec<_> = compiled.flat_map(|block| settings(block.code, page.attribute)).collect();
    let names = Strategy::ALL.iter().map(|(name, _)| *name);
    names.filter(|name| !used.contains(&format!("backoff = \"{name}\"").as_str())).collect()
}

fn settings_of_the_attribute() -> Vec<&'static str> {
    Key::ALL.iter().map(|key| key.name()).collect()
}

fn keys_of_the_derive() -> Vec<&'static str> {
    VARIANT_KEYS.into_iter().chain(ENUM_KEYS).collect()
}

/// The page without the examples in which the attribute says something.
fn without(page: Page<'_>, says: impl Fn(&str) -> bool) -> String {
    let mut text = page.text.to_owned();
    for block in blocks(page.text) {
        if settings(block.code, page.attribute).into_iter().any(&says) {
            text = text.replace(block.code, "\n");
        }
    }
    text
}

#[test]
fn every_setting_has_a_row_and_an_example_that_compiles() {
    let keys = settings_of_the_attribute();
    let cells = first_cells("pub fn retry(");
    let missing: Vec<_> = keys.iter().filter(|key| !is_in(&cells, key)).collect();
    assert!(missing.is_empty(), "not in the tables of `#[retry]`: {missing:?}");
    let missing = without_example(RETRY, &keys);
    assert!(missing.is_empty(), "without an example in docs/retry.md: {missing:?}");
}

#[test]
fn every_key_of_the_derive_has_a_row_and_an_example_that_compiles() {
    let keys = keys_of_the_derive();
    let cells = first_cells("pub fn derive_retryable(");
    let missing: Vec<_> = keys.iter().filter(|key| !is_in(&cells, key)).collect();
    assert!(missing.is_empty(), "not in the tables of `Retryable`: {missing:?}");
    let missing = without_example(RETRYABLE, &keys);
    assert!(missing.is_empty(), "without an example in docs/retryable.md: {missing:?}");
}

#[test]
fn every_backoff_is_in_its_row_and_in_an_example_that_compiles() {
    let row = MACROS.lines().find(|line| line.starts_with("/// | `backoff` |"));
    let row = row.expect("the setting has a row");
    let missing: Vec<_> =
        Strategy::ALL.iter().filter(|(name, _)| !row.contains(&format!("`\"{name}\"`"))).collect();
    assert!(missing.is_empty(), "not in the row of `backoff`: {missing:?}");
    let missing = backoffs_without_example(RETRY);
    assert!(missing.is_empty(), "without an example in docs/retry.md: {missing:?}");
}

#[test]
fn the_pages_are_compiled_in_every_build() {
    for page in ["retry", "retryable"] {
        let included = format!("\n#[doc = include_str!(\"../docs/{page}.md\")]\n");
        assert!(
            FACADE.contains(&included),
            "{page}.md is part of the documentation, unconditionally"
        );
    }
}

#[test]
fn a_removed_example_is_missed() {
    for (page, keys) in [(RETRY, settings_of_the_attribute()), (RETRYABLE, keys_of_the_derive())] {
        for name in &keys {
            let text = without(page, |setting| key(setting) == *name);
            let page = Page { text: &text, ..page };
            assert!(without_example(page, &keys).contains(name), "{name}");
        }
    }
    for (name, _) in Strategy::ALL {
        let text = without(RETRY, |setting| setting == format!("backoff = \"{name}\""));
        assert!(backoffs_without_example(Page { text: &text, ..RETRY }).contains(&name), "{name}");
    }
    assert!(!is_in(&["`deadline_of`", "`max` and no `base_of`"], "deadline"));
}

#[test]
fn an_example_that_is_not_compiled_is_none() {
    for opening in ["```", "```rust", "```standalone_crate", "```rust,standalone_crate"] {
        assert!(Block { opening, code: "" }.compiles(), "{opening}");
    }
    for opening in ["```text", "```ignore", "```rust,ignore", "```compile_fail", "```toml"] {
        assert!(!Block { opening, code: "" }.compiles(), "{opening}");
    }
    let text = "\n```text\n#[retry(attempts = 3)]\n```\n```\n#[retry(base = \"1s, max\", clone(max))]\n```\n";
    let page = Page { text, attribute: "retry" };
    let missing = without_example(page, &["attempts", "base", "max", "clone"]);
    assert_eq!(missing, ["attempts", "max"]);
}
