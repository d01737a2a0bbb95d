//! Links of a page to other files and to headings.

use std::path::{Component, Path, PathBuf};

use super::page::{Page, pages, root};

/// The targets of all links that are neither items of Rust nor addresses.
pub(crate) fn relative(page: &Page) -> Vec<String> {
    let inline = page.prose().flat_map(|line| line.split("](").skip(1));
    let inline =
        inline.filter_map(|rest| rest.split_once(')').map(|(target, _)| target.to_owned()));
    let defined = page.prose().filter(|line| label(line).is_some());
    let defined = defined.filter_map(|line| line.split_once("]: ").map(|(_, to)| to.to_owned()));
    let is_path = |target: &String| {
        let is_item = target.contains("::") || target.contains('@') || target.starts_with("crate");
        !is_item && !target.contains("//") && !target.contains(' ')
    };
    inline.chain(defined).filter(is_path).collect()
}

/// The label that a line defines: `[budgets.md]: budgets.md`.
pub(crate) fn label(line: &str) -> Option<&str> {
    let (label, _) = line.strip_prefix('[')?.split_once("]: ")?;
    (!label.contains(']')).then_some(label)
}

/// Whether a label is that of a page, or of a heading in it.
pub(crate) fn is_page(label: &str) -> bool {
    is_file(label, "md")
}

/// Whether a label is that of a picture.
pub(crate) fn is_picture(label: &str) -> bool {
    is_file(label, "svg")
}

fn is_file(label: &str, kind: &str) -> bool {
    let (path, _) = label.split_once('#').unwrap_or((label, ""));
    Path::new(path).extension().is_some_and(|end| end == kind)
}

/// The labels of pages and pictures that are used: `[budgets][budgets.md]`.
pub(crate) fn references(page: &Page) -> Vec<String> {
    let used = page.prose().flat_map(|line| line.split("][").skip(1));
    let used = used.filter_map(|rest| rest.split_once(']').map(|(label, _)| label.to_owned()));
    used.filter(|label| is_page(label) || is_picture(label)).collect()
}

/// Whether a link leads somewhere.
pub(crate) fn follow(page: &Page, link: &str) -> Result<(), String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = if path.is_empty() { page.name.clone() } else { beside(&page.name, path)? };
    if !root().join(&target).exists() {
        return Err(format!("leads to {target}, which is not there"));
    }
    if anchor.is_empty() {
        return Ok(());
    }
    let pages = pages();
    let found = pages.iter().find(|other| other.name == target);
    let found = found.ok_or_else(|| format!("names a heading of {target}, which is no page"))?;
    let anchors = found.anchors();
    if anchors.iter().any(|known| known == anchor) {
        Ok(())
    } else {
        Err(format!("names no heading of {target}: {anchors:?}"))
    }
}

fn beside(page: &str, path: &str) -> Result<String, String> {
    let mut target = PathBuf::from(page);
    target.pop();
    for component in PathBuf::from(path).components() {
        match component {
            Component::Normal(name) => target.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !target.pop() {
                    return Err("leads out of the repository".to_owned());
                }
            }
            _ => return Err("is not relative".to_owned()),
        }
    }
    target.to_str().map(str::to_owned).ok_or_else(|| "is not text".to_owned())
}

#[test]
fn a_dead_link_and_a_missing_heading_are_found() {
    let pages = pages();
    let readme = pages.iter().find(|page| page.name == "README.md").expect("there is one");
    assert_eq!(follow(readme, "docs/overload.md#budgets"), Ok(()));
    assert_eq!(follow(readme, "#features"), Ok(()));
    for dead in ["docs/none.md", "docs/overload.md#none", "#none", "../x.md", "/etc/passwd"] {
        assert!(follow(readme, dead).is_err(), "{dead}");
    }
}
