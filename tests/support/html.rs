//! A reader of HTML that takes nothing for granted: every element is to be closed where it was opened.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::collections::BTreeMap;

/// An element, or a text where it has no name.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) children: Vec<Node>,
    text: String,
}

const VOID: [&str; 4] = ["meta", "link", "input", "br"];

/// The document's root.
#[track_caller]
pub(crate) fn parse(page: &str) -> Node {
    let mut rest = page.strip_prefix("<!doctype html>").expect("it says what it is").trim_start();
    let mut open = vec![Node::default()];
    while !rest.is_empty() {
        if let Some(tag) = rest.strip_prefix('<') {
            rest = element(tag, &mut open);
            continue;
        }
        let (text, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        let node = Node { text: unescape(text), ..Node::default() };
        open.last_mut().expect("something is open").children.push(node);
        rest = after;
    }
    assert_eq!(open.len(), 1, "<{}> is not closed", open.last().expect("the root").name);
    open.remove(0)
}

/// What comes after the tag.
fn element<'a>(tag: &'a str, open: &mut Vec<Node>) -> &'a str {
    let (inside, after) = tag.split_once('>').expect("a tag ends");
    if let Some(name) = inside.strip_prefix('/') {
        let closed = open.pop().expect("something is open");
        assert_eq!(closed.name, name, "closed where another is open");
        open.last_mut().expect("the root stays open").children.push(closed);
        return after;
    }
    let (name, attributes) = inside.split_once(' ').unwrap_or((inside, ""));
    assert!(name.chars().all(|letter| letter.is_ascii_alphanumeric()), "<{inside}>");
    let mut node = Node { name: name.to_owned(), ..Node::default() };
    let mut rest = attributes;
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").expect("attributes have values in quotes");
        let (value, next) = value.split_once('"').expect("quotes end");
        let known = node.attributes.insert(key.to_owned(), unescape(value));
        assert!(known.is_none(), "`{key}` twice in <{inside}>");
        rest = next.trim_start();
    }
    if VOID.contains(&name) {
        open.last_mut().expect("something is open").children.push(node);
        return after;
    }
    if name == "script" || name == "style" {
        let end = format!("</{name}>");
        let (text, next) = after.split_once(&end).expect("it is closed");
        text.clone_into(&mut node.text);
        open.last_mut().expect("something is open").children.push(node);
        return next;
    }
    open.push(node);
    after
}

#[track_caller]
fn unescape(text: &str) -> String {
    assert!(!text.contains(['<', '>', '"', '\'']), "not escaped: {text}");
    let plain = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
    assert!(
        text.match_indices('&')
            .all(|(at, _)| plain.iter().any(|known| text[at..].starts_with(known))),
        "not escaped: {text}"
    );
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}

impl Node {
    /// All elements in it, itself included, in the order of the page.
    pub(crate) fn all(&self) -> Vec<&Self> {
        let below = self.children.iter().flat_map(Self::all);
        std::iter::once(self).chain(below).collect()
    }

    pub(crate) fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.get(key).map(String::as_str)
    }

    /// The elements in it that have this attribute with this value.
    pub(crate) fn with(&self, key: &str, value: &str) -> Vec<&Self> {
        self.all().into_iter().filter(|node| node.attribute(key) == Some(value)).collect()
    }

    /// The one element with this id.
    #[track_caller]
    pub(crate) fn id(&self, id: &str) -> &Self {
        let found = self.with("id", id);
        assert_eq!(found.len(), 1, "`#{id}`");
        found[0]
    }

    /// The elements of this name in it.
    pub(crate) fn named(&self, name: &str) -> Vec<&Self> {
        self.all().into_iter().filter(|node| node.name == name).collect()
    }

    /// The text of the cell in this column.
    #[track_caller]
    pub(crate) fn cell(&self, column: &str) -> String {
        let cells = self.with("data-col", column);
        assert_eq!(cells.len(), 1, "`{column}`");
        cells[0].text()
    }

    /// Everything that is to be read in it.
    pub(crate) fn text(&self) -> String {
        self.all().iter().map(|node| node.text.as_str()).collect()
    }
}
