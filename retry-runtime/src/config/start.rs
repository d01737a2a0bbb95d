//! The one line for a program's start.

use super::{ConfigFileError, Faults, Remark, Watch, environment, tell};
use crate::control::Layer;

/// What a program's start has read: the environment, and the file that it names.
///
/// Dropped, it takes the layer `file` away, as a [`Watch`] does.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::config::{self, Started};
///
/// let started: Started = config::start_lenient();
/// assert!(started.faults().is_empty());
/// for remark in started.remarks() {
///     println!("{remark}"); // such as of a variable that nobody knows
/// }
/// assert!(started.watch().is_none(), "no variable names a file");
/// ```
#[derive(Debug)]
#[must_use = "dropped, it takes away what the file says"]
pub struct Started {
    watch: Option<Watch>,
    remarks: Vec<Remark>,
    faults: Vec<ConfigFileError>,
}

/// Puts into force what the [environment](super::environment) says, and watches the file that
/// `STORMLESS_CONFIG` or `STORMLESS_CONFIG_OPTIONAL` names in it, if it names one. What is wrong with either stops
/// nothing: a service that is to start needs no overrides, and may be about to be restarted in an outage.
///
/// ```
/// # use retry_runtime as stormless;
/// let _config = stormless::config::start_lenient();
/// ```
///
/// What is wrong is told as [`Change::DocumentRefused`](crate::control::Change::DocumentRefused), which the feature
/// `tracing-0-1` records as a warning, stands on the page, and is kept in [`Started::faults`]. The rest is in force:
/// `STORMLESS_RETRIES` beside a bad `STORMLESS_OVERRIDES`, the environment beside a bad file. A file that is at
/// fault, or missing, is watched, and in force as soon as it is good.
pub fn start_lenient() -> Started {
    let (applied, faults) = environment::leniently();
    let mut faults: Vec<ConfigFileError> = faults.into_iter().map(Into::into).collect();
    let (watcher, both) = environment::config();
    if let Some(both) = both {
        let both = Faults::all(vec![both]);
        tell::refused(Layer::Environment, &both);
        faults.push(both.into());
    }
    let watch = watcher.map(|watcher| watcher.lenient().start()).transpose();
    let watch = watch.unwrap_or_else(|error| {
        tell::refused(Layer::File, &error);
        faults.push(error);
        None
    });
    Started { watch, remarks: applied.remarks, faults }
}

/// The same, but whatever is wrong is an error, for programs that rather do not start:
/// [`start_lenient`] is the one for services.
///
/// ```
/// # use retry_runtime as stormless;
/// let _config = stormless::config::start()?;
/// # Ok::<(), stormless::config::ConfigFileError>(())
/// ```
///
/// # Errors
///
/// As for [`environment`](super::environment) and [`watch`](super::watch), and if both variables name a file. What
/// the environment says is in force even where the file is at fault.
pub fn start() -> Result<Started, ConfigFileError> {
    let remarks = super::environment()?.remarks;
    let (watcher, both) = environment::config();
    if let Some(both) = both {
        return Err(Faults::all(vec![both]).into());
    }
    let watch = watcher.map(super::Watcher::start).transpose()?;
    Ok(Started { watch, remarks, faults: Vec::new() })
}

impl Started {
    /// The file, if the environment names one that can be watched.
    #[must_use]
    pub const fn watch(&self) -> Option<&Watch> {
        self.watch.as_ref()
    }

    /// What is worth knowing: about the environment, and about what the file says now.
    #[must_use]
    pub fn remarks(&self) -> Vec<Remark> {
        let of_the_file = self.watch.iter().flat_map(Watch::remarks);
        self.remarks.iter().cloned().chain(of_the_file).collect()
    }

    /// What was wrong with the environment, and what was wrong with the file at the last look.
    #[must_use]
    pub fn faults(&self) -> Vec<ConfigFileError> {
        let of_the_file = self.watch.iter().filter_map(Watch::fault);
        self.faults.iter().cloned().chain(of_the_file).collect()
    }

    /// Watches for as long as the process lives.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::config;
    ///
    /// config::start_lenient().detach();
    /// ```
    pub fn detach(self) {
        self.watch.into_iter().for_each(Watch::detach);
    }
}
