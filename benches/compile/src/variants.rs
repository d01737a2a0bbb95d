//! The crates that are compiled: the same functions, each time with another attribute.

use std::fmt::Write;

/// A crate with many functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    /// What is written in the table.
    pub(super) title: &'static str,
    pub(super) dependencies: &'static str,
    attribute: Attribute,
    /// The variant without the attribute.
    pub(super) bare: &'static str,
}

#[derive(Clone, Copy, Debug)]
enum Attribute {
    /// On each function.
    OnFunctions(&'static str),
    /// On traits of ten functions, and on their implementations.
    OnTraits(&'static str),
}

pub(super) const BARE: &str = "bare";
const BARE_TRAITS: &str = "bare-traits";

const STORMLESS: &str = "stormless = { path = \"ROOT\" }";

pub(super) const VARIANTS: [Variant; 9] = [
    function(BARE, "async fn", "", ""),
    function("retry", "#[retry]", STORMLESS, "#[stormless::retry]"),
    function(
        "retry-set",
        "#[retry], six settings",
        STORMLESS,
        "#[stormless::retry(attempts = 4, base = \"50ms\", max = \"1s\", budget = \"orders\", \
         idempotent, deadline = \"2s\", uncut)]",
    ),
    function(
        "backon",
        "#[backon]",
        "backon = { version = \"1\", default-features = false, features = [\"std\", \"tokio-sleep\"] }\n\
         backon-macros = \"1\"\n\
         tokio = { version = \"1\", default-features = false, features = [\"time\"] }",
        "#[backon_macros::backon(backoff = backon::ExponentialBuilder::default, \
         sleep = tokio::time::sleep)]",
    ),
    function(
        "instrument",
        "#[instrument(skip_all)]",
        "tracing = { version = \"0.1\", default-features = false, features = [\"attributes\"] }",
        "#[tracing::instrument(skip_all)]",
    ),
    function(
        "instrument-all",
        "#[instrument]",
        "tracing = { version = \"0.1\", default-features = false, features = [\"attributes\"] }",
        "#[tracing::instrument]",
    ),
    traits(BARE_TRAITS, "async fn in traits", "", ""),
    traits("retry-traits", "#[retry] in implementations", STORMLESS, "#[stormless::retry]"),
    traits("async-trait", "#[async_trait]", "async-trait = \"0.1\"", "#[async_trait::async_trait]"),
];

const fn function(
    name: &'static str,
    title: &'static str,
    dependencies: &'static str,
    attribute: &'static str,
) -> Variant {
    Variant { name, title, dependencies, attribute: Attribute::OnFunctions(attribute), bare: BARE }
}

const fn traits(
    name: &'static str,
    title: &'static str,
    dependencies: &'static str,
    attribute: &'static str,
) -> Variant {
    let attribute = Attribute::OnTraits(attribute);
    Variant { name, title, dependencies, attribute, bare: BARE_TRAITS }
}

/// What all of them begin with. Two things are awaited in each body.
const PRELUDE: &str = "\
#![allow(async_fn_in_trait)]

#[derive(Debug)]
pub enum Error {
    Down,
    Missing,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(\"down\")
    }
}

impl std::error::Error for Error {}

pub async fn step(id: u64) -> Result<u64, Error> {
    if id == 0 { Err(Error::Down) } else { Ok(id) }
}
";

const RETRYABLE: &str = "
impl stormless::Retryable for Error {
    fn classify(&self) -> stormless::Classification {
        match self {
            Error::Down => stormless::Classification::transient(),
            Error::Missing => stormless::Classification::permanent(),
        }
    }
}
";

impl Variant {
    /// The text of its `lib.rs`, with this many functions.
    pub(super) fn source(&self, functions: u32) -> String {
        let mut source = PRELUDE.to_owned();
        if self.dependencies == STORMLESS {
            source.push_str(RETRYABLE);
        }
        match self.attribute {
            Attribute::OnFunctions(attribute) => {
                for number in 0..functions {
                    let (head, body) = parts("", number);
                    let _ = write!(source, "\n{attribute}\npub {head} {body}");
                }
            }
            Attribute::OnTraits(attribute) => self.traits(&mut source, functions, attribute),
        }
        source
    }

    fn traits(&self, source: &mut String, functions: u32, attribute: &str) {
        // `#[retry]` belongs on the functions, the others on the block.
        let on_block = if self.dependencies == STORMLESS { "" } else { attribute };
        let on_function = if self.dependencies == STORMLESS { attribute } else { "" };
        for block in 0..functions / 10 {
            let (mut declared, mut implemented) = (String::new(), String::new());
            for number in block * 10..(block + 1) * 10 {
                let (head, body) = parts("&self, ", number);
                let _ = writeln!(declared, "    {head};");
                let _ = writeln!(implemented, "    {on_function}\n    {head} {body}");
            }
            let _ = write!(
                source,
                "\n{on_block}\npub trait Trait{block} {{\n{declared}}}\n\
                 \npub struct Type{block};\n\
                 \n{on_block}\nimpl Trait{block} for Type{block} {{\n{implemented}}}\n"
            );
        }
    }
}

fn parts(receiver: &str, number: u32) -> (String, String) {
    let head = format!(
        "async fn function_{number}({receiver}id: u64, name: &str) -> Result<String, Error>"
    );
    let body = format!(
        "{{
    let first = step(id).await?;
    if first == {number} {{
        return Err(Error::Missing);
    }}
    let second = step(first + name.len() as u64).await?;
    Ok(format!(\"{{name}} {{second}}\"))
}}
"
    );
    (head, body)
}
