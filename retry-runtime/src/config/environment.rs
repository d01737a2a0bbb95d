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
/// The same for one that need not be there.
const CONFIG_OPTIONAL: &str = "STORMLESS_CONFIG_OPTIONAL";

const PREFIX: &str = "STORMLESS_";
const KNOWN: [&str; 4] = [RETRIES, OVERRIDES, CONFIG, CONFIG_OPTIONAL];

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

/// As much of the process's environment as is good, and what is wrong with the rest.
#[cfg(feature = "toml-1")]
pub(super) fn leniently() -> (Applied, Option<Faults>) {
    let (applied, faults) = Variables::of(std::env::vars_os()).apply_leniently();
    super::tell::remarks(&applied);
    if let Some(faults) = &faults {
        super::tell::refused(Layer::Environment, faults);
    }
    (applied, faults)
}

/// The file that is to be watched; and that two are named, of which the one that must be there counts.
#[cfg(feature = "toml-1")]
pub(super) fn config() -> (Option<super::Watcher>, Option<Fault>) {
    let path = |name| std::env::var_os(name).filter(|path| !path.is_empty());
    let (config, optional) = (path(CONFIG), path(CONFIG_OPTIONAL));
    let both = (config.is_some() && optional.is_some()).then(|| {
        let message = format!("`{CONFIG}` names a file too, and there can be one: set one of them");
        Fault::new(&CONFIG_OPTIONAL.into(), None, message)
    });
    let config = config.map(super::Watcher::new);
    (config.or_else(|| optional.map(|path| super::Watcher::new(path).optional())), both)
}

/// What there is in the environment.
#[derive(Clone, Default)]
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
                CONFIG | CONFIG_OPTIONAL => {}
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
        let unknown = remarks(self.unknown);
        applied.map(|mut applied| {
            applied.remarks.extend(unknown);
            applied
        })
    }

    #[cfg(feature = "toml-1")]
    fn apply_leniently(self) -> (Applied, Option<Faults>) {
        let faults = match self.clone().apply() {
            Ok(applied) => return (applied, None),
            Err(faults) => faults,
        };
        let unknown = self.unknown.clone();
        let switch = Self { overrides: None, ..self.clone() };
        let document = Self { retries: None, ..self };
        let one = [switch, document].into_iter().filter(Self::says_something);
        let applied = one.map(Self::apply).find_map(Result::ok);
        let nothing = || Applied { overrides: 0, remarks: remarks(unknown).collect() };
        (applied.unwrap_or_else(nothing), Some(faults))
    }

    #[cfg(feature = "toml-1")]
    const fn says_something(&self) -> bool {
        self.retries.is_some() || self.overrides.is_some()
    }
}

fn remarks(unknown: Vec<String>) -> impl Iterator<Item = Remark> {
    unknown.into_iter().map(|name| {
        let meant = nearest(&name, KNOWN.into_iter()).filter(|_| !is_of_a_service(&name));
        let nearest = meant.and_then(|near| KNOWN.into_iter().find(|known| *known == near));
        Remark::UnknownVariable { name, nearest }
    })
}

/// Kubernetes gives these to each process beside a service `stormless`: nobody has misspelt them.
fn is_of_a_service(name: &str) -> bool {
    let rest = name.strip_prefix(PREFIX).unwrap_or_default();
    rest == "PORT"
        || ["PORT_", "SERVICE_HOST", "SERVICE_PORT"].iter().any(|of| rest.starts_with(of))
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
