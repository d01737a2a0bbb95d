//! Documents: overrides in TOML.

use std::{collections::HashMap, sync::Arc};

use toml::de::{DeTable, DeValue, Error};

use super::{
    Applied, Fault, Faults, Remark,
    fault::Places,
    tell::told,
    walk::{Entry, Walk},
};
use crate::{
    control::{self, Later, Layer, OverrideError, OverrideErrors, Overrides, Target},
    timer::platform,
};

/// A document that was understood, and is not applied yet.
///
/// [`parse`] makes one: for documents that come from somewhere else than a file or a variable, such as a
/// store of configuration.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{config::{self, Document}, control::Layer};
///
/// let document: Document = config::parse("kv/retries", "[all]\nattempts = 1")?;
/// assert_eq!((document.overrides().len(), document.remarks().len()), (1, 0));
/// let applied = document.apply(Layer::File)?;
/// assert_eq!(applied.overrides, 1);
/// # Ok::<(), config::Faults>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a document does nothing until it is applied"]
pub struct Document {
    origin: Arc<str>,
    text: Arc<str>,
    entries: Vec<Entry>,
    remarks: Vec<Remark>,
}

/// Reads a document. `origin` is what errors say it stands in: a path, a variable, an address.
///
/// Apply it at once: the time until `expires` is counted here, and begins when the document is applied.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{config, control::Layer};
///
/// let document = config::parse("consul: kv/retries", "[all]\nattempts = 1\nnote = 'INC-4711'")?;
/// assert_eq!(document.overrides().len(), 1);
/// document.apply(Layer::File)?;
///
/// let faults = config::parse("consul: kv/retries", "[all]\nattempts = 'one'").unwrap_err();
/// assert!(faults.to_string().starts_with("consul: kv/retries:2:12: all sites: `attempts = \"one\"`: "));
/// # Ok::<(), config::Faults>(())
/// ```
///
/// # Errors
///
/// All that is wrong with the document by itself; more than 1,000 tables are. Whether its names fit the process is checked when it is
/// applied.
pub fn parse(origin: &str, text: &str) -> Result<Document, Faults> {
    read(&origin.into(), text, None)
}

/// The same, with what a variable says about all sites.
pub(super) fn read(
    origin: &Arc<str>,
    text: &str,
    retries: Option<&str>,
) -> Result<Document, Faults> {
    let mut walk = Walk::new(text, platform::date());
    let table = table(text, &mut walk);
    // What follows a fault of the language may belong anywhere.
    if walk.faults.is_empty() && walk.has_room_for(&table) {
        walk.root(&table, retries);
    }
    let Walk { faults, outside, entries, mut expired, .. } = walk;
    if outside.is_some() || !faults.is_empty() {
        let faults = faults.into_iter().map(|(at, message)| (Some(at), message)).collect();
        let placed = placed(origin, text, faults);
        return Err(Faults::all(outside.into_iter().chain(placed).collect()));
    }
    expired.sort();
    let mut places = Places::of(text);
    let remark = |(at, target)| {
        let line = places.next(at).line;
        Remark::Expired { origin: Arc::clone(origin), line, target }
    };
    let remarks = expired.into_iter().map(remark).collect();
    Ok(Document { origin: Arc::clone(origin), text: text.into(), entries, remarks })
}

/// The document's table. One that begins with a brace is an inline table: for places that have room for
/// one line only.
fn table<'a>(text: &'a str, walk: &mut Walk<'_>) -> DeTable<'a> {
    let inline = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    let (table, mut errors) = if inline.starts_with('{') {
        walk.shift = text.len() - inline.len();
        let (value, errors) = DeValue::parse_recoverable(inline.trim_end());
        match value.into_inner() {
            DeValue::Table(table) => (table, errors),
            _ => (DeTable::new(), errors),
        }
    } else {
        let (table, errors) = DeTable::parse_recoverable(text);
        (table.into_inner(), errors)
    };
    let at = |error: &Error| error.span().map_or(text.len(), |span| span.start);
    errors.sort_by_key(at);
    let mut line = 0..0;
    for error in errors {
        let at = at(&error);
        // The parser goes on after a fault, and stumbles over what it left of the line.
        if !line.contains(&at) {
            let end = text[walk.shift..].get(at..).and_then(|rest| rest.find('\n'));
            line = at..end.map_or(usize::MAX, |end| at + end);
            walk.fault(at, format!("this is not TOML: {}", error.message()));
        }
    }
    table
}

impl Document {
    /// What it says.
    pub fn overrides(&self) -> Overrides {
        self.entries.iter().map(|entry| entry.one.clone()).collect()
    }

    /// What is worth knowing about it: tables that are left out because they have expired.
    #[must_use]
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// Puts it into force, in place of all that the layer said before.
    ///
    /// # Errors
    ///
    /// All that does not fit the process: names that several functions share, values that a function cannot
    /// honour. Nothing is changed then.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{config, control::{self, Layer}};
    ///
    /// config::parse("kv/retries", "[all]\nattempts = 1")?.apply(Layer::File)?;
    /// assert_eq!(control::overrides().len(), 1);
    /// config::parse("kv/retries", "")?.apply(Layer::File)?;
    /// assert!(control::overrides().is_empty());
    /// # Ok::<(), config::Faults>(())
    /// ```
    pub fn apply(self, layer: Layer) -> Result<Applied, Faults> {
        told(layer, self.apply_quietly(layer))
    }

    /// Sets each of its tables as [`control::set`] does, in place of what was set for the same target, and
    /// leaves the others alone.
    ///
    /// # Errors
    ///
    /// As for [`apply`](Self::apply); a name that nobody has is at fault too.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config;
    ///
    /// let applied = config::parse("request", "[all]\nattempts = 1\nnote = 'INC-4711'")?.set()?;
    /// assert_eq!(applied.overrides, 1);
    /// # Ok::<(), config::Faults>(())
    /// ```
    pub fn set(self) -> Result<Applied, Faults> {
        let set = control::set_quietly(self.overrides());
        told(Layer::Code, self.outcome(set))
    }

    pub(super) fn apply_quietly(self, layer: Layer) -> Result<Applied, Faults> {
        let applied = control::apply_quietly(layer, self.overrides());
        self.outcome(applied)
    }

    /// The same for the watcher, which has a lock meanwhile.
    pub(super) fn apply_and_tell_later(&self, layer: Layer) -> (Result<Applied, Faults>, Later) {
        let (applied, told_later) = control::apply_and_tell_later(layer, self.overrides());
        (self.outcome(applied), told_later)
    }

    fn outcome(&self, done: Result<(), OverrideErrors>) -> Result<Applied, Faults> {
        match done {
            Ok(()) => Ok(Applied { overrides: self.entries.len(), remarks: self.remarks.clone() }),
            Err(errors) => Err(self.blame(&errors)),
        }
    }

    /// What is wrong, at the places where it stands.
    fn blame(&self, errors: &OverrideErrors) -> Faults {
        let entries: HashMap<&Target, &Entry> =
            self.entries.iter().map(|entry| (entry.one.target(), entry)).collect();
        let found = |error: &OverrideError| {
            let at = entries.get(error.target()).and_then(|entry| entry.place_of(error.key()));
            (at, error.to_string())
        };
        Faults::all(placed(&self.origin, &self.text, errors.iter().map(found).collect()))
    }
}

/// Faults with their places, which are looked for in one pass through the text.
fn placed(origin: &Arc<str>, text: &str, mut faults: Vec<(Option<usize>, String)>) -> Vec<Fault> {
    faults.sort();
    let mut places = Places::of(text);
    let fault = |(at, message): (Option<usize>, String)| {
        Fault::new(origin, at.map(|at| places.next(at)), message)
    };
    faults.into_iter().map(fault).collect()
}
