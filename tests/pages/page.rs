//! Pages, and the fenced blocks in them.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// What pages have in rustdoc alone: where their links lead there, and their pictures.
const DEFINITIONS: [&str; 2] = ["docs/links.md", "docs/lab/pictures.md"];

pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
    /// Of its fence, from 1.
    pub(crate) line: usize,
}

pub(crate) struct Page {
    /// Its path from the root of the repository.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

impl Page {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("pages can be read");
        let name = path.strip_prefix(root()).expect("it is in the repository");
        let mut page = Self {
            name: name.to_str().expect("names are text").to_owned(),
            text: text.clone(),
            blocks: Vec::new(),
        };
        let mut open: Option<Block> = None;
        for (number, line) in text.lines().enumerate() {
            let fence = line.trim_start().strip_prefix("```");
            match (&mut open, fence) {
                (None, Some(language)) => {
                    let language = language.trim().to_owned();
                    open = Some(Block { language, text: String::new(), line: number + 1 });
                }
                (Some(_), Some(_)) => page.blocks.extend(open.take()),
                (Some(block), None) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{} has a fence that is not closed", page.name);
        page
    }

    /// The lines outside of blocks.
    pub(crate) fn prose(&self) -> impl Iterator<Item = &str> {
        let mut is_block = false;
        self.text.lines().filter(move |line| {
            let is_fence = line.trim_start().starts_with("```");
            is_block ^= is_fence;
            !is_block && !is_fence
        })
    }

    /// What the headings are called in links, as the web forge writes them.
    pub(crate) fn anchors(&self) -> Vec<String> {
        let headings = self.prose().filter(|line| line.starts_with('#'));
        headings.map(|line| slug(line.trim_start_matches('#').trim())).collect()
    }
}

fn slug(heading: &str) -> String {
    let kept = |char: &char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_');
    heading.chars().filter(kept).collect::<String>().to_lowercase().replace(' ', "-")
}

/// All pages that a reader may come to.
pub(crate) fn pages() -> Vec<Page> {
    let mut paths: Vec<PathBuf> =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md", "fuzz/README.md"]
            .map(|name| root().join(name))
            .into_iter()
            .filter(|path| path.exists())
            .collect();
    paths.push(root().join("storm-lab/scenarios/README.md"));
    let mut open = vec![root().join("docs")];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("there are pages").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "md")
                && !DEFINITIONS.iter().any(|file| path.ends_with(file))
            {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| Page::read(path)).collect()
}
