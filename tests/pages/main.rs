//! What holds for every page: its code is compiled, its links lead somewhere, its commands name what there is.

mod commands;
mod links;
mod page;

use std::{collections::BTreeSet, fs};

use page::{Page, pages, root};

/// What fences may say that is not Rust.
const LANGUAGES: [&str; 9] =
    ["json", "markdown", "promql", "python", "sh", "text", "toml", "yaml", "diff"];

#[test]
fn every_block_is_run_or_is_no_rust() {
    let mut rust = 0;
    for page in pages() {
        for block in &page.blocks {
            if LANGUAGES.contains(&block.language.as_str()) {
                continue;
            }
            let place = format!("{}:{}", page.name, block.line);
            let known = ["", "rust", "standalone_crate", "compile_fail", "should_panic", "no_run"];
            let mut words = block.language.split(',');
            assert!(words.all(|word| known.contains(&word)), "{place} says `{}`", block.language);
            rust += 1;
        }
    }
    assert!(rust > 120, "{rust} blocks of Rust were found");
}

/// All sources in which a doctest may include a page.
fn sources() -> Vec<String> {
    let mut sources = Vec::new();
    let mut open = vec![root().to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("the repository can be read").flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if path.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    open.push(path);
                }
            } else if name == "lib.rs" || name == "guide.rs" {
                sources.push(fs::read_to_string(&path).expect("sources can be read"));
            }
        }
    }
    sources
}

#[test]
fn every_page_with_rust_is_included_by_a_documentation_test() {
    let sources = sources();
    for page in pages() {
        let has_rust =
            page.blocks.iter().any(|block| !LANGUAGES.contains(&block.language.as_str()));
        if !has_rust {
            continue;
        }
        // The end of the path is the same from wherever it is included.
        let path = page.name.strip_prefix("docs/").unwrap_or(&page.name);
        let include = format!("{path}\")");
        let is_run = sources.iter().flat_map(|source| source.lines()).any(|line| {
            let line = line.trim();
            line.contains("include_str!(\"")
                && line.contains(&include)
                && line.contains("doc")
                && !line.contains("not(doctest)")
        });
        assert!(is_run, "no documentation test includes {}", page.name);
    }
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for page in pages() {
        for link in links::relative(&page) {
            if let Err(fault) = links::follow(&page, &link) {
                panic!("{}: `{link}` {fault}", page.name);
            }
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} links were found");
}

#[test]
fn links_between_pages_hold_in_both_forms() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("it can be read");
    let (table, pictures) = (read("docs/links.md"), read("docs/lab/pictures.md"));
    let known: BTreeSet<&str> =
        table.lines().chain(pictures.lines()).filter_map(links::label).collect();
    assert!(known.len() > 20, "the table has {known:?}");
    for page in pages().iter().filter(|page| page.name.starts_with("docs/")) {
        let defined: BTreeSet<&str> = page.prose().filter_map(links::label).collect();
        for label in &defined {
            let is_guide = page.name.matches('/').count() == 1;
            if is_guide && (links::is_page(label) || links::is_picture(label)) {
                assert!(known.contains(label), "{}: rustdoc lacks `{label}`", page.name);
            }
        }
        for used in links::references(page) {
            assert!(defined.contains(used.as_str()), "{} does not define `{used}`", page.name);
        }
    }
}

/// Rustdoc takes the first definition of a label, so the one that leads within it has to come before the page.
#[test]
fn rustdoc_reads_where_links_lead_before_the_page() {
    let sources = ["src/lib.rs", "src/guide.rs"]
        .map(|path| fs::read_to_string(root().join(path)).expect("it can be read"))
        .concat();
    let (mut definitions, mut pages_with_links) = (String::new(), 0);
    for line in sources.lines() {
        let Some((_, rest)) = line.split_once("include_str!(\"../docs/") else {
            // An item ends what belongs together; attributes and comments do not.
            if !line.trim_start().starts_with(['#', '/']) && line.contains(['{', ';']) {
                definitions.clear();
            }
            continue;
        };
        let included = rest.split_once('"').map_or(rest, |(path, _)| path);
        if matches!(included, "links.md" | "lab/pictures.md") {
            definitions.push_str(included);
            continue;
        }
        let name = format!("docs/{included}");
        let page = pages().into_iter().find(|page| page.name == name);
        for label in links::references(&page.expect("it is a page")) {
            let before = if links::is_page(&label) { "links.md" } else { "lab/pictures.md" };
            assert!(definitions.contains(before), "docs/{before} has to precede {name}");
            pages_with_links += 1;
        }
    }
    assert!(pages_with_links > 50, "{pages_with_links} links were found");
}

/// Modules whose documentation is a page.
const MODULES: [(&str, &str); 7] = [
    ("config", "configuration.md"),
    ("control", "control.md"),
    ("metrics", "metrics.md"),
    ("sql", "adapters/sql.md"),
    ("tables", "tables.md"),
    ("tower", "tower.md"),
    ("wire", "wire.md"),
];

#[test]
fn no_page_points_to_another_one_by_its_item() {
    for page in pages().iter().filter(|page| page.name.starts_with("docs/")) {
        for line in page.prose() {
            let items = MODULES.iter().filter(|(_, own)| page.name != format!("docs/{own}"));
            for (module, other) in items {
                let is_dead =
                    [')', '#'].iter().any(|end| line.contains(&format!("](crate::{module}{end}")));
                assert!(!is_dead, "{}: `{line}`: write `[{module}][{other}]`", page.name);
            }
            assert!(!line.contains("](crate::guide"), "{}: `{line}`", page.name);
        }
    }
}

#[test]
fn every_command_names_what_there_is() {
    let targets = commands::Targets::of_the_repository();
    let mut checked = 0;
    for page in pages() {
        for command in commands::of(&page) {
            match targets.check(&command) {
                Ok(names) => checked += names,
                Err(fault) => panic!("{}: `{command}`: {fault}", page.name),
            }
        }
    }
    assert!(checked > 60, "{checked} names were found");
}

#[test]
fn every_page_can_be_found() {
    let index = |path: &str| fs::read_to_string(root().join(path)).expect("it can be read");
    let (readme, guide) = (index("README.md"), index("docs/README.md"));
    for Page { name, .. } in pages() {
        if let Some(page) = name.strip_prefix("docs/") {
            let listed =
                readme.contains(&format!("({name}")) || guide.contains(&format!("({page}"));
            assert!(
                listed || page == "README.md",
                "neither README.md nor docs/README.md lists {name}"
            );
        }
    }
}
