//! The environment of the process, read when somebody asks for it.

use std::{
    ffi::{OsStr, OsString},
    sync::Arc,
};

use super::{Applied, Fault, Faults, Remark, tell::told};
use crate::{
    control::{self, Layer, Override, Overrides, Target},
    diagnostics::nearest,
};

/// `off`: nothing is retried.
pub(super) const RETRIES: &str = "STORMLESS_RETRIES";
/// A document.
const OVERRIDES: &str = "STORMLESS_OVERRIDES";
/// The path of a file that [`start`](super::start) watches.
const CONFIG: &str = "STORMLESS_CONFIG";

const PREFIX: &str = "STORMLESS_";
const KNOWN: [&str; 3] = [RETRIES, OVERRIDES, CONFIG];

/// Puts into force what the process's environment says: `STORMLESS_RETRIES=off`, and with the feature
/// `toml-1` the document in `STORMLESS_OVERRIDES`. Empty variables say nothing.
///
/// ```
/// # use retry_runtime as stormless;
/// for remark in stormless::config::environment()?.remarks {
///     eprintln!("{remark}");
/// }
/// # Ok::<(), stormless::config::Faults>(())
/// ```
///
/// Call it once, as the process starts. Nothing else reads the environment.
///
/// # Errors
///
/// All that is wrong with either, and then nothing of either is in force.
pub fn environment() -> Result<Applied, Faults> {
    environment_from(std::env::vars_os())
}

/// The same for any variables: those of a file, or of a test.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config;
///
/// let applied = config::environment_from([("STORMLESS_RETRIES", "off")])?;
/// assert_eq!(applied.overrides, 1);
///
/// let faults = config::environment_from([("STORMLESS_RETRIES", "never")]).unwrap_err();
/// assert!(faults.to_string().starts_with("STORMLESS_RETRIES: "), "{faults}");
/// # Ok::<(), config::Faults>(())
/// ```
///
/// # Errors
///
/// As for [`environment`].
pub fn environment_from<K, V>(
    variables: impl IntoIterator<Item = (K, V)>,
) -> Result<Applied, Faults>
where
    K: AsRef<OsStr>,
    V: Into<OsString>,
{
    told(Layer::Environment, Variables::of(variables).apply())
}

/// The file that is to be watched.
#[cfg(feature = "toml-1")]
pub(super) fn config() -> Option<std::path::PathBuf> {
    std::env::var_os(CONFIG).filter(|path| !path.is_empty()).map(Into::into)
}

/// What there is in the environment.
#[derive(Default)]
pub(super) struct Variables {
    retries: Option<OsString>,
    overrides: Option<OsString>,
    unknown: Vec<String>,
}

impl Variables {
    pub(super) fn of<K, V>(variables: impl IntoIterator<Item = (K, V)>) -> Self
    where
        K: AsRef<OsStr>,
        V: Into<OsString>,
    {
        let mut found = Self::default();
        for (name, value) in variables {
            // What is not Unicode is none of ours.
            let Some(name) = name.as_ref().to_str().filter(|name| name.starts_with(PREFIX)) else {
                continue;
            };
            // `NAME=${OTHER:-}` is how a manifest leaves a variable out.
            let value = Some(value.into()).filter(|value| !value.is_empty());
            match name {
                RETRIES => found.retries = value,
                OVERRIDES => found.overrides = value,
                CONFIG => {}
                _ => found.unknown.push(name.to_owned()),
            }
        }
        found.unknown.sort();
        found
    }

    pub(super) fn apply(self) -> Result<Applied, Faults> {
        let mut faults = Vec::new();
        let retries = self.retries.and_then(|value| text(RETRIES, value, &mut faults));
        let overrides = self.overrides.and_then(|value| text(OVERRIDES, value, &mut faults));
        let applied = match overrides {
            Some(document) => document_of(&document, retries.as_deref(), faults),
            None => alone(retries.as_deref(), faults),
        };
        let unknown = self.unknown.into_iter().map(|name| {
            let nearest = nearest(&name, KNOWN.into_iter());
            let nearest = nearest.and_then(|near| KNOWN.into_iter().find(|known| *known == near));
            Remark::UnknownVariable { name, nearest }
        });
        applied.map(|mut applied| {
            applied.remarks.extend(unknown);
            applied
        })
    }
}

fn text(name: &str, value: OsString, faults: &mut Vec<Fault>) -> Option<String> {
    let fault = |value: OsString| {
        let message = format!("{value:?} is not Unicode: write it in the locale's UTF-8");
        faults.push(Fault::new(&name.into(), None, message));
    };
    value.into_string().map_err(fault).ok()
}

/// A document, and beside it the switch.
#[cfg(feature = "toml-1")]
fn document_of(
    document: &str,
    retries: Option<&str>,
    mut faults: Vec<Fault>,
) -> Result<Applied, Faults> {
    let origin: Arc<str> = OVERRIDES.into();
    let read = super::document::read(&origin, document, retries);
    let read = match read {
        Ok(read) if faults.is_empty() => read,
        Ok(_) => return Err(Faults::all(faults)),
        Err(more) => {
            faults.extend(more.iter().cloned());
            return Err(Faults::all(faults));
        }
    };
    read.apply_quietly(Layer::Environment)
}

/// A document that nothing here can read.
#[cfg(not(feature = "toml-1"))]
fn document_of(_: &str, retries: Option<&str>, mut faults: Vec<Fault>) -> Result<Applied, Faults> {
    let origin: Arc<str> = OVERRIDES.into();
    let message = "documents need the feature `toml-1`, which this program is built without";
    faults.push(Fault::new(&origin, None, message.to_owned()));
    alone(retries, faults)
}

/// The switch alone.
fn alone(retries: Option<&str>, mut faults: Vec<Fault>) -> Result<Applied, Faults> {
    let origin: Arc<str> = RETRIES.into();
    let mut overrides = Overrides::new();
    if let Some(retries) = retries {
        match Override::new(Target::All).set("retries", retries) {
            Ok(one) => overrides.push(one),
            Err(error) => faults.push(Fault::new(&origin, None, error.to_string())),
        }
    }
    Faults::check(faults)?;
    let applied = Applied { overrides: overrides.len(), remarks: Vec::new() };
    match control::apply_quietly(Layer::Environment, overrides) {
        Ok(()) => Ok(applied),
        Err(errors) => {
            let fault =
                |error: &control::OverrideError| Fault::new(&origin, None, error.to_string());
            Err(Faults::all(errors.iter().map(fault).collect()))
        }
    }
}
