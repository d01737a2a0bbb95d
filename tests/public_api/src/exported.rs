//! Which items of the engine users can reach.

use std::{fs, path::Path};

use rustdoc_types::{Crate, ItemEnum, Visibility};

/// The paths of one crate that another one exports again.
pub struct Exported {
    /// How paths of that crate begin.
    of: String,
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
        let of = format!("{of}::");
        let paths: Vec<_> = used.filter(|source| source.starts_with(&of)).collect();
        assert!(paths.len() > 50, "only {} items of `{of}…` are exported: {paths:?}", paths.len());
        Self { of, paths }
    }

    /// Whether the item of this line is one of them, or in one. Of an implementation it is enough that the trait or the
    /// type is.
    pub fn has(&self, line: &str) -> bool {
        if line.starts_with("impl") {
            return self.paths.iter().any(|path| {
                line.match_indices(path).any(|(at, _)| ends(&line[at + path.len()..]))
            });
        }
        // The first path is the item's own; others are what it takes and returns.
        self.paths
            .iter()
            .filter_map(|path| Some((path, line.find(self.of.as_str())?)))
            .any(|(path, at)| line[at..].strip_prefix(path.as_str()).is_some_and(ends))
    }
}

/// Whether a path ends before this, and is not one that begins alike.
fn ends(rest: &str) -> bool {
    !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
}
