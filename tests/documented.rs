//! Whatever a user can call has an example that is compiled.
//!
//! Walks what `stormless` exports with all features, by rustdoc's JSON, and lists what has none. Not asked of:
//!
//! - variants, fields and implementations of traits, which prose is enough for;
//! - methods that only look: `&self` or `self` and nothing else, where an example of the same type names them;
//! - types that are only ever handed out, where an example of what hands them out names them, or one of
//!   their own methods has one;
//! - what stands in [`EXEMPT`], each with its reason.
//!
//! The format of the JSON differs from one release of the compiler to the next: any other than that of
//! [`RELEASE`] is SKIPPED.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// The release whose JSON is read here.
const RELEASE: &str = "rustdoc 1.95.";

/// What has no example of its own, and why. An entry that is not needed any more is an error.
const EXEMPT: &[(&str, &str)] = &[];

/// What rustdoc knows of one crate.
struct Crate {
    json: Value,
    /// Path and kind to the item: what another crate's JSON calls it.
    by_path: BTreeMap<(String, String), String>,
}

impl Crate {
    fn read(file: &Path) -> Self {
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

/// The code of the examples in these docs that are compiled and run.
fn examples(docs: &str) -> String {
    let mut code = String::new();
    let mut inside: Option<bool> = None;
    for line in docs.lines() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            inside = match inside {
                Some(_) => None,
                None => Some(info.split([',', ' ']).all(|word| {
                    matches!(word, "" | "rust" | "no_run" | "should_panic" | "standalone_crate")
                        || word.starts_with("edition")
                })),
            };
        } else if inside == Some(true) {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// Whether `name` stands in `code` as a word of its own.
fn names(code: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(name).any(|(start, _)| {
        !code[..start].ends_with(is_part) && !code[start + name.len()..].starts_with(is_part)
    })
}

/// Something that a user can name, and the examples in its docs.
struct Public {
    path: String,
    kind: &'static str,
    code: String,
    /// The type or trait that it belongs to.
    owner: Option<String>,
    /// It takes `self` in some form and nothing else.
    only_looks: bool,
    /// The crates' own types in what it returns, or in its fields.
    hands_out: BTreeSet<String>,
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
                        self.methods(in_facade, &implementation["items"], &path);
                    }
                }
            }
            "trait" => {
                self.push(path.clone(), "trait", code, None, &Value::Null);
                self.methods(in_facade, &value["items"], &path);
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

    fn methods(&mut self, in_facade: bool, items: &Value, owner: &str) {
        let krate = if in_facade { self.facade } else { self.runtime };
        for item in ids(items).filter_map(|id| krate.item(&id)) {
            let (kind, value) = inner(item);
            let is_public = item["visibility"] == "public" || item["visibility"] == "default";
            if kind == "function" && is_public {
                let path = format!("{owner}::{}", item["name"].as_str().unwrap_or_default());
                let code = examples(Self::docs(item));
                self.push(path, "method", code, Some(owner.to_owned()), value);
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
        self.found.push(Public { path, kind, code, owner, only_looks, hands_out });
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

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// What is public and has no example by any of the rules.
fn without_example(found: &[Public]) -> Vec<&Public> {
    let code_of = |owner: &str| -> String {
        let of_type =
            found.iter().filter(|item| item.path == owner || item.owner.as_deref() == Some(owner));
        of_type.map(|item| item.code.as_str()).collect()
    };
    let has_one = |item: &Public| match item.kind {
        _ if !item.code.is_empty() => true,
        "method" if item.only_looks => {
            let owner = item.owner.as_deref().unwrap_or_default();
            names(&code_of(owner), last(&item.path))
        }
        "type" => {
            !code_of(&item.path).is_empty()
                || found.iter().any(|source| {
                    source.hands_out.contains(last(&item.path))
                        && names(&source.code, last(&item.path))
                })
        }
        _ => false,
    };
    found.iter().filter(|item| !has_one(item)).collect()
}

/// Whether the toolchain's rustdoc is the one whose JSON is read here.
fn is_listed() -> bool {
    let output = Command::new("rustdoc").arg("--version").output();
    output.is_ok_and(|said| said.stdout.starts_with(RELEASE.as_bytes()))
}

/// Has rustdoc write what it knows of both crates.
fn read_both() -> (Crate, Crate) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO"))
        .args([
            "doc",
            "--quiet",
            "--no-deps",
            "--all-features",
            "-p",
            "stormless",
            "-p",
            "retry-runtime",
        ])
        .env("RUSTDOC", root.join(".ci/rustdoc"))
        .env("RUSTDOCFLAGS", "-Z unstable-options --output-format json --cap-lints allow")
        .current_dir(root)
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let read = |name: &str| Crate::read(&target.join("doc").join(name));
    (read("stormless.json"), read("retry_runtime.json"))
}

#[test]
fn whatever_a_user_can_call_has_an_example() {
    if !is_listed() {
        eprintln!("SKIPPED: the JSON that is read here is that of {RELEASE}");
        return;
    }
    let (facade, runtime) = read_both();
    let mut walk =
        Walk { facade: &facade, runtime: &runtime, found: Vec::new(), seen: BTreeSet::new() };
    let root = id(&facade.json["root"]);
    let items =
        inner(facade.item(&root).expect("the crate is in its own index")).1["items"].clone();
    walk.children(true, &items, "stormless");
    let found = walk.found;
    // Far fewer would mean that the walk lost its way, and then it would find nothing amiss.
    assert!(found.len() > 500, "only {} public items were found", found.len());

    let without: Vec<&Public> = without_example(&found);
    let exempt: BTreeSet<&str> = EXEMPT.iter().map(|&(path, _)| path).collect();
    let missing: Vec<&str> = without
        .iter()
        .map(|item| item.path.as_str())
        .filter(|path| !exempt.contains(path))
        .collect();
    let needless: Vec<&&str> =
        exempt.iter().filter(|path| !without.iter().any(|item| item.path == **path)).collect();
    assert!(
        missing.is_empty() && needless.is_empty(),
        "{} of {} public items have no example that runs:\n  {}\nand these exemptions are not needed: {needless:?}",
        missing.len(),
        found.len(),
        missing.join("\n  "),
    );
}

#[test]
fn only_code_that_runs_is_an_example() {
    let docs = "```\nfirst();\n```\n```text\nsecond\n```\n```ignore\nthird();\n```\n```rust\nfourth();\n```";
    assert_eq!(examples(docs), "first();\nfourth();\n");
}

#[test]
fn a_name_is_a_word_of_its_own() {
    assert!(names("budget.bound()", "bound") && !names("budget.rebound_all()", "bound"));
}
