//! The public surface, by rustdoc's JSON.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use serde_json::Value;

use crate::examples;

/// What rustdoc knows of one crate.
pub(crate) struct Crate {
    json: Value,
    /// Path and kind to the item: what another crate's JSON calls it.
    by_path: BTreeMap<(String, String), String>,
}

impl Crate {
    pub(crate) fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).expect("rustdoc has written it");
        let json: Value = serde_json::from_str(&text).expect("rustdoc writes JSON");
        let paths = json["paths"].as_object().expect("every crate has paths");
        let by_path = paths.iter().map(|(id, summary)| (key(summary), id.clone())).collect();
        Self { json, by_path }
    }

    fn item(&self, id: &str) -> Option<&Value> {
        self.json["index"].get(id)
    }
}

fn key(summary: &Value) -> (String, String) {
    let path: Vec<&str> =
        summary["path"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    (path.join("::"), summary["kind"].as_str().unwrap_or_default().to_owned())
}

fn id(value: &Value) -> String {
    value.to_string()
}

fn ids(list: &Value) -> impl Iterator<Item = String> + '_ {
    list.as_array().into_iter().flatten().map(id)
}

/// The kind of an item, and what is particular to it.
fn inner(item: &Value) -> (&str, &Value) {
    let of_kind = item["inner"].as_object().and_then(|inner| inner.iter().next());
    of_kind.map_or(("", &Value::Null), |(kind, value)| (kind.as_str(), value))
}

/// Something that a user can name, and the examples in its docs.
pub(crate) struct Public {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    pub(crate) code: String,
    /// The type or trait that it belongs to.
    pub(crate) owner: Option<String>,
    /// It takes `self` in some form and nothing else.
    pub(crate) only_looks: bool,
    pub(crate) of_trait: bool,
    /// The types in what it returns.
    pub(crate) hands_out: BTreeSet<String>,
}

/// Whatever users can name.
pub(crate) fn public(facade: &Crate, runtime: &Crate) -> Vec<Public> {
    let mut walk = Walk { facade, runtime, found: Vec::new(), seen: BTreeSet::new() };
    let root = id(&facade.json["root"]);
    if let Some(root) = facade.item(&root) {
        walk.children(true, &inner(root).1["items"], "stormless");
    }
    walk.found
}

struct Walk<'a> {
    facade: &'a Crate,
    runtime: &'a Crate,
    found: Vec<Public>,
    seen: BTreeSet<(bool, String, String)>,
}

impl Walk<'_> {
    fn docs(item: &Value) -> &str {
        item["docs"].as_str().unwrap_or_default()
    }

    /// An item of the facade, or of the runtime, as `path` (with the docs of the `use` that brought it).
    fn visit(
        &mut self,
        in_facade: bool,
        item_id: &str,
        parent: &str,
        alias: Option<&str>,
        more: &str,
    ) {
        let krate = if in_facade { self.facade } else { self.runtime };
        let Some(item) = krate.item(item_id) else { return };
        let name = alias.or(item["name"].as_str()).unwrap_or_default();
        if !self.seen.insert((in_facade, item_id.to_owned(), parent.to_owned())) {
            return;
        }
        let path = format!("{parent}::{name}");
        let code = examples(&format!("{more}\n{}", Self::docs(item)));
        let (kind, value) = inner(item);
        match kind {
            "module" => self.children(in_facade, &value["items"], &path),
            "use" => self.follow(in_facade, item, value, parent),
            "function" => self.push(path, "function", code, None, value),
            "macro" | "proc_macro" => self.push(path, "macro", code, None, &Value::Null),
            "struct" | "enum" | "union" => {
                self.push(path.clone(), "type", code, None, value);
                for implementation in ids(&value["impls"]) {
                    let Some(implementation) = krate.item(&implementation) else { continue };
                    let (_, implementation) = inner(implementation);
                    if implementation["trait"].is_null() {
                        self.methods(in_facade, &implementation["items"], &path, false);
                    }
                }
            }
            "trait" => {
                self.push(path.clone(), "trait", code, None, &Value::Null);
                self.methods(in_facade, &value["items"], &path, true);
            }
            // Constants and statics are values: the prose says which.
            _ => {}
        }
    }

    fn children(&mut self, in_facade: bool, items: &Value, path: &str) {
        for item in ids(items) {
            self.visit(in_facade, &item, path, None, "");
        }
    }

    fn methods(&mut self, in_facade: bool, items: &Value, owner: &str, of_trait: bool) {
        let krate = if in_facade { self.facade } else { self.runtime };
        for item in ids(items).filter_map(|id| krate.item(&id)) {
            let (kind, value) = inner(item);
            let is_public = item["visibility"] == "public" || item["visibility"] == "default";
            if kind == "function" && is_public {
                let path = format!("{owner}::{}", item["name"].as_str().unwrap_or_default());
                let code = examples(Self::docs(item));
                self.push(path, "method", code, Some(owner.to_owned()), value);
                self.found.last_mut().expect("it was pushed").of_trait = of_trait;
            }
        }
    }

    fn follow(&mut self, in_facade: bool, item: &Value, target: &Value, parent: &str) {
        let krate = if in_facade { self.facade } else { self.runtime };
        let target_id = id(&target["id"]);
        let is_glob = target["is_glob"] == true;
        let docs = Self::docs(item).to_owned();
        let alias = target["name"].as_str();
        let (in_facade, target_id) = if krate.item(&target_id).is_some() {
            (in_facade, target_id)
        } else {
            let Some(summary) = krate.json["paths"].get(&target_id) else { return };
            let Some(theirs) = self.runtime.by_path.get(&key(summary)) else {
                // A procedural macro: its docs are those of the `use`.
                let path = format!("{parent}::{}", alias.unwrap_or_default());
                let kind = if key(summary).1 == "proc_derive" { "macro" } else { "attribute" };
                return self.push(
                    format!("{path} ({kind})"),
                    "macro",
                    examples(&docs),
                    None,
                    &Value::Null,
                );
            };
            (false, theirs.clone())
        };
        if is_glob {
            let krate = if in_facade { self.facade } else { self.runtime };
            if let Some(module) = krate.item(&target_id) {
                let items = inner(module).1["items"].clone();
                self.children(in_facade, &items, parent);
            }
        } else {
            self.visit(in_facade, &target_id, parent, alias, &docs);
        }
    }

    fn push(
        &mut self,
        path: String,
        kind: &'static str,
        code: String,
        owner: Option<String>,
        value: &Value,
    ) {
        let inputs = value["sig"]["inputs"].as_array();
        let only_looks = inputs.is_some_and(|inputs| inputs.len() == 1 && inputs[0][0] == "self");
        let mut hands_out = BTreeSet::new();
        collect(&value["sig"]["output"], &mut hands_out);
        let of_trait = false;
        self.found.push(Public { path, kind, code, owner, only_looks, of_trait, hands_out });
    }
}

/// The last names of all types in a signature's part.
fn collect(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(path) = fields.get("resolved_path").and_then(|path| path["path"].as_str()) {
                into.insert(last(path).to_owned());
            }
            fields.values().for_each(|field| collect(field, into));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        _ => {}
    }
}

pub(crate) fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}
