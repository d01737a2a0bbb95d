//! Which items of the engine users can reach.

use std::{fs, path::Path};

use rustdoc_types::{Crate, ItemEnum, Visibility};

/// The paths of one crate that another one exports again.
pub struct Exported {
    /// Items and modules; of a module all that is in it.
    paths: Vec<String>,
}

impl Exported {
    /// What the crate in `file` exports of `of`, where its documentation shows it.
    pub fn read(file: &Path, of: &str) -> Self {
        let text = fs::read_to_string(file).expect("rustdoc has written it");
        let krate: Crate =
            serde_json::from_str(&text).expect("it has the format that Cargo.toml names");
        let shown = krate.index.values().filter(|item| item.visibility == Visibility::Public);
        let used = shown.filter_map(|item| match &item.inner {
            ItemEnum::Use(used) => Some(used.source.clone()),
            _ => None,
        });
        let mut paths: Vec<_> =
            used.filter(|source| source.starts_with(&format!("{of}::"))).collect();
        paths.sort();
        assert!(paths.len() > 50, "only {} items of `{of}` are exported: {paths:?}", paths.len());
        Self { paths }
    }

    /// Whether the item of this line is one of them, or in one.
    pub fn has(&self, line: &str) -> bool {
        self.paths.iter().any(|path| mentions(line, path))
    }
}

/// Whether the line has this path in it, and not merely one that begins as this one does.
fn mentions(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let next = line[at + path.len()..].chars().next();
        !next.is_some_and(|next| next.is_alphanumeric() || next == '_')
    })
}

/// What follows from a line beside it: the methods of derived traits, and marker traits that every type has.
pub fn says_little(_line: &str) -> bool {
    false
}
