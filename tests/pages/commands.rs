//! Commands of this repository that pages tell their readers to type.

use std::{
    collections::BTreeSet,
    process::{Command, Stdio},
};

use serde_json::Value;

use super::page::{Page, root};

/// All `cargo` commands that build something, in blocks and in text.
pub(crate) fn of(page: &Page) -> Vec<String> {
    let in_blocks = page.blocks.iter().filter(|block| matches!(&*block.language, "sh" | "text"));
    let in_blocks = in_blocks.flat_map(|block| block.text.lines()).map(str::to_owned);
    // Text is wrapped anywhere, within code too.
    let prose = page.prose().collect::<Vec<_>>().join(" ");
    let in_text = prose.split('`').skip(1).step_by(2).map(str::to_owned);
    let builds = ["run", "test", "build", "bench", "check"];
    let commands = in_blocks.chain(in_text).filter_map(|line| {
        let line = line.split(" #").next().unwrap_or_default();
        let at = line.find("cargo ")?;
        Some(line[at..].split(['&', ';', '|']).next().unwrap_or_default().trim().to_owned())
    });
    commands
        .filter(|command| {
            let mut words =
                command.split_whitespace().skip(1).filter(|word| !word.starts_with('+'));
            words.next().is_some_and(|word| builds.contains(&word))
        })
        .collect()
}

/// What the packages of the repository have.
pub(crate) struct Targets {
    packages: BTreeSet<String>,
    /// Kind and name.
    kinds: BTreeSet<(String, String)>,
    features: BTreeSet<String>,
}

impl Targets {
    pub(crate) fn of_the_repository() -> Self {
        let mut found =
            Self { packages: BTreeSet::new(), kinds: BTreeSet::new(), features: BTreeSet::new() };
        let workspaces = [
            "",
            "benches/",
            "benches/scale/",
            "benches/scale/sites/",
            "benches/compile/",
            "docs/classifiers/",
            "fuzz/",
        ];
        for workspace in workspaces {
            let manifest = root().join(workspace).join("Cargo.toml");
            if manifest.exists() {
                found.add(manifest.to_str().expect("paths are text"));
            }
        }
        found
    }

    fn add(&mut self, manifest: &str) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path", manifest]);
        let output = cargo.stderr(Stdio::inherit()).output().expect("cargo can be started");
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
        let text = |value: &Value| value.as_str().expect("it is text").to_owned();
        for package in metadata["packages"].as_array().expect("there are packages") {
            self.packages.insert(text(&package["name"]));
            let features = package["features"].as_object().expect("there is a table");
            self.features.extend(features.keys().cloned());
            for target in package["targets"].as_array().expect("there are targets") {
                for kind in target["kind"].as_array().expect("each has kinds") {
                    self.kinds.insert((text(kind), text(&target["name"])));
                }
            }
        }
    }

    /// How many names of the command there are, if there are all of them.
    pub(crate) fn check(&self, command: &str) -> Result<usize, String> {
        let mut checked = 0;
        let own = command.split(" -- ").next().unwrap_or_default();
        let mut words = own.split_whitespace();
        while let Some(word) = words.next() {
            if !matches!(word, "-p" | "--package" | "--example" | "--test" | "--bin" | "--features")
            {
                continue;
            }
            let names = words.next().ok_or("a name is missing")?.trim_matches(['\'', '"']);
            for name in names.split(',') {
                let stands_for_others =
                    name.starts_with("thing") || name.chars().all(char::is_uppercase);
                if name.contains(['*', '<', '…', '$']) || stands_for_others {
                    continue;
                }
                let is_there = match word {
                    "-p" | "--package" => self.packages.contains(name),
                    "--features" => self.features.contains(name.rsplit('/').next().unwrap_or(name)),
                    kind => {
                        let kind = kind.trim_start_matches('-').to_owned();
                        self.kinds.contains(&(kind, name.to_owned()))
                    }
                };
                if !is_there {
                    return Err(format!("there is no `{word} {name}`"));
                }
                checked += 1;
            }
        }
        Ok(checked)
    }
}

#[test]
fn a_name_that_is_not_there_is_found() {
    let targets = Targets::of_the_repository();
    assert_eq!(targets.check("cargo run --example quickstart"), Ok(1));
    assert_eq!(
        targets.check("cargo test -p stormless --test 'loom_*' --features testing -- --bin x"),
        Ok(2)
    );
    for wrong in [
        "cargo run --example nothing",
        "cargo test --test nothing",
        "cargo test -p nothing",
        "cargo run --bin",
    ] {
        assert!(targets.check(wrong).is_err(), "{wrong}");
    }
}
