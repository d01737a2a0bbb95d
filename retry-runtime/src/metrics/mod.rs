//! Counters, gauges and histograms through the facade [`metrics`](https://docs.rs/metrics/0.24), for whichever
//! recorder the service has.
//!
//! ```
//! # use retry_runtime as stormless;
//! // After the recorder is in place.
//! stormless::metrics::install().forever();
//! ```
//!
//! Until [`install`] is called nothing is counted, and calls do exactly what they do without the feature.

mod catalogue;
mod failures;
mod gauges;
mod in_force;
mod labels;
mod meter;
mod payers;
mod site;
#[cfg(test)]
mod tests;

pub use catalogue::BUCKETS;

use std::{
    collections::BTreeMap,
    fmt, mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak},
};

use ::metrics::Recorder;

use crate::{
    control,
    event::{Attached, Sink, attach},
    isolation,
};
use meter::{AnyRecorder, Meter};

/// The process, or an isolated test, in which somebody records.
struct Home {
    meter: Arc<RwLock<Meter>>,
    _attached: Attached,
}

/// By the numbers of isolated tests; 0 is the process.
static HOMES: Mutex<BTreeMap<u32, Weak<Home>>> = Mutex::new(BTreeMap::new());

fn homes() -> MutexGuard<'static, BTreeMap<u32, Weak<Home>>> {
    HOMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records what happens to calls, until what this returns is dropped, with the recorder that is in force.
///
/// Call it once that recorder is in place: the facade cannot say whether there is one, and what it was told
/// before is lost. Descriptions and units are registered at once, and so is every site, budget and breaker
/// that is known, with its counters at 0: so that `rate()` sees the first increment.
///
/// Calling it again does no harm: the recorder that is in force then takes the place of the one before, nothing
/// is counted twice, and recording ends when the last of what was returned is dropped. Inside an
/// [isolated test](crate::testing) it records what happens in that test.
///
/// What is known beforehand is recorded there whichever thread it happens on. What is not is registered where
/// and when it happens for the first time: labels of errors, closures, and budgets from expressions. For a
/// recorder of the process that makes no difference; where a thread has a recorder of its own
/// (`metrics::with_local_recorder`), what other threads see first goes to theirs. [`install_to`] has no such
/// limits.
///
/// Series are never given back, so leave an exporter's idle timeout off: what it has dropped would be
/// counted where nobody looks. Exporters that are told the buckets of histograms take [`BUCKETS`].
///
/// # Panics
///
/// If the recorder panics as something is described or registered: it should, where the service starts. Then nothing
/// is installed, and what was before goes on. In calls its panics are contained.
///
/// ```
/// # use retry_runtime as stormless;
/// let recorded = stormless::metrics::install();
/// // … calls
/// drop(recorded); // ends it; `recorded.forever()` does not
/// ```
pub fn install() -> Installed {
    start(Box::new(in_force::InForce))
}

/// [`install`] with a recorder of your own, whatever the facade's is.
///
/// # Panics
///
/// As [`install`] does.
///
/// ```
/// # use retry_runtime as stormless;
/// let recorded = stormless::metrics::install_to(metrics::NoopRecorder);
/// # drop(recorded);
/// ```
pub fn install_to(recorder: impl Recorder + Send + Sync + 'static) -> Installed {
    start(Box::new(recorder))
}

fn start(recorder: AnyRecorder) -> Installed {
    let meter = Meter::new(recorder);
    let mut homes = homes();
    homes.retain(|_, home| home.strong_count() > 0);
    let test = isolation::test();
    if let Some(home) = homes.get(&test).and_then(Weak::upgrade) {
        let mut current = home.meter.write().unwrap_or_else(PoisonError::into_inner);
        let before = mem::replace(&mut *current, meter);
        drop((current, homes));
        // Outside the locks, because its recorder may be anybody's.
        drop(before);
        return Installed(home);
    }
    let meter = Arc::new(RwLock::new(meter));
    let told = Arc::clone(&meter);
    let attached =
        attach(Sink::Direct(Box::new(move |event| meter::record(&told, event))), Arc::default());
    let home = Arc::new(Home { meter, _attached: attached });
    homes.insert(test, Arc::downgrade(&home));
    Installed(home)
}

/// Sets all gauges to what is true now, and makes known what was not known yet.
///
/// Events set the gauges that they are about, switches and overrides included, but a level of a window moves by
/// itself, overrides expire, and the open time of a breaker passes: so call it where metrics are scraped, or
/// every few seconds. It does nothing where nobody has [installed](install) anything.
///
/// # Panics
///
/// If the recorder does.
///
/// ```
/// # use retry_runtime as stormless;
/// stormless::metrics::install().forever();
/// // Where metrics are scraped:
/// stormless::metrics::refresh();
/// ```
pub fn refresh() {
    let home = homes().get(&isolation::test()).and_then(Weak::upgrade);
    if let Some(home) = home {
        // What is over goes first, and tells of that: before any lock is taken here.
        control::expire_now();
        meter::refresh(&home.meter);
    }
}

/// Something is recorded; from [`install`]. Dropped, nothing more is, unless it was installed again.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::metrics::{self, Installed};
///
/// let recorded: Installed = metrics::install();
/// # drop(recorded);
/// ```
#[must_use = "nothing is recorded any more once this is dropped: keep it, or call `forever`"]
pub struct Installed(Arc<Home>);

impl Installed {
    /// Records for as long as the process runs.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// stormless::metrics::install().forever();
    /// ```
    pub fn forever(self) {
        mem::forget(self);
    }
}

impl fmt::Debug for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Installed").field("held", &Arc::strong_count(&self.0)).finish()
    }
}
