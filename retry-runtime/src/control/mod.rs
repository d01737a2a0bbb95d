//! Overrides: what retries do here and now, whatever the code says. And the switch that ends them.
//!
//! A switch is asked at every decision: a call that is asleep when it is thrown makes the one attempt
//! that it has paid for, at its own time, and no other. Bodies always run once, and successes earn as
//! usual.

pub(crate) mod change;
mod check;
mod contradiction;
pub(crate) mod duration;
pub(crate) mod effect;
mod error;
mod in_force;
mod keys;
mod model;
mod names;
mod numbers;
mod patch;
mod reach;
mod rows;
mod say;
mod settings;
mod store;
mod switch;
mod table;
mod target;
mod value;
mod written;

use std::{future::Future, sync::Arc};

use crate::{
    Budget, Moment,
    context::{self, OFF, Scoped},
    isolation,
    site::Site,
};

pub use change::Change;
pub use effect::Effect;
pub use error::{Fault, OverrideError, OverrideErrors};
pub use model::{Override, Overrides};
pub use names::UnknownName;
pub(crate) use patch::Patch;
pub use rows::OverrideRow;
#[cfg(feature = "toml-1")]
pub(crate) use store::Later;
pub(crate) use store::Store;
pub use switch::{Switch, all, budget, site};
pub use table::{OverrideTable, overrides};
pub use target::{Layer, Target};
pub use value::Value;

/// Replaces all that a layer said before: everything, or nothing if anything is wrong.
///
/// In the layers `environment` and `file` a name that nobody has is kept until somebody has it, as closures
/// have their sites from their first call on; [`overrides`] and [`verify`](crate::verify) show it. An
/// override that the layer said before in the same words goes on, with the time that is left to it.
///
/// # Errors
///
/// All that is wrong: names that nobody has (in the layer `code`) or that several sites have, values that
/// make no sense beside those of the sites that they meet, what none of those sites can honour, and more
/// than [`Overrides::MOST`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{self, Layer, Override, Overrides, Target};
///
/// let mut overrides = Overrides::new();
/// overrides.push(Override::new(Target::All).set("attempts", 2)?);
/// control::apply(Layer::File, overrides)?;
/// assert_eq!(control::overrides().len(), 1);
///
/// // What the layer said before is gone.
/// control::apply(Layer::File, Overrides::new())?;
/// assert!(control::overrides().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn apply(layer: Layer, overrides: Overrides) -> Result<(), OverrideErrors> {
    isolation::overrides(|store| store.apply(layer, overrides, true))
}

/// The same for those who report themselves what was refused, with the place where it stands.
pub(crate) fn apply_quietly(layer: Layer, overrides: Overrides) -> Result<(), OverrideErrors> {
    isolation::overrides(|store| store.apply(layer, overrides, false))
}

/// The same for those who have a lock that whoever is told may want.
#[cfg(feature = "toml-1")]
pub(crate) fn apply_and_tell_later(
    layer: Layer,
    overrides: Overrides,
) -> (Result<(), OverrideErrors>, Later) {
    isolation::overrides(|store| store.apply_and_tell_later(layer, overrides, false))
}

/// Whether a layer says this and nothing else.
#[cfg(feature = "toml-1")]
pub(crate) fn says(layer: Layer, overrides: &Overrides) -> bool {
    isolation::overrides(|store| store.says(layer, overrides))
}

/// Takes away what a layer says if that is this, and tells of it later.
#[cfg(feature = "toml-1")]
pub(crate) fn clear_layer_of(layer: Layer, overrides: &Overrides) -> Later {
    isolation::overrides(|store| store.clear_layer_of(layer, overrides))
}

/// Takes away all that a layer says, whatever becomes of the others by that.
#[cfg(feature = "http-body-1")]
pub(crate) fn clear_layer(layer: Layer) {
    isolation::overrides(|store| store.clear_layer(layer));
}

/// Sets several overrides as [`set`] does one: all of them, or none. Reports as little.
#[cfg(feature = "toml-1")]
pub(crate) fn set_quietly(overrides: Overrides) -> Result<(), OverrideErrors> {
    isolation::overrides(|store| store.set(overrides, false))
}

/// Sets an override of the layer `code`, in place of the one for its target. A switch that was thrown stays
/// thrown, unless the override says something about `retries` itself. The `state` of a breaker is entered
/// each time that it is set.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::control::{self, Override, Target};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let gentle = Override::new(Target::All)
///     .set("attempts", 2)?
///     .set("base", "500ms")?
///     .note("INC-4711")
///     .expires_in(Duration::from_secs(3_600));
/// control::set(gentle)?;
/// println!("{}", control::overrides());
/// control::clear(&Target::All);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`apply`] says.
pub fn set(one: Override) -> Result<(), OverrideErrors> {
    isolation::overrides(|store| store.set([one], true))
}

/// Takes away what the layer `code` says about a target, its switch included; `false` if it said nothing.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{self, Override, Target};
///
/// control::set(Override::new(Target::All).set("attempts", 2)?)?;
/// assert!(control::clear(&Target::All));
/// assert!(!control::clear(&Target::All), "nothing is left");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clear(target: &Target) -> bool {
    isolation::overrides(|store| store.clear(target, false))
}

/// No retries from here on in the whole process, for good: for the moment at which it stops to take work.
/// Calls that are asleep make the one attempt that they have paid for; calls that begin run once.
///
/// No override undoes it.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control;
///
/// control::shutdown();
/// assert!(control::is_shutting_down() && control::all().is_off());
/// ```
pub fn shutdown() {
    isolation::overrides(Store::shut_down);
}

/// Whether [`shutdown`] was called.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control;
///
/// assert!(!control::is_shutting_down());
/// control::shutdown();
/// assert!(control::is_shutting_down());
/// ```
#[must_use]
pub fn is_shutting_down() -> bool {
    isolation::overrides(Store::is_shutting_down)
}

/// Runs a future in which nothing is retried.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, StopReason, control};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// let call = async { Policy::new().run(refused).explain().await };
/// let error = control::without_retries(call).await.unwrap_err();
/// assert_eq!((error.attempts(), error.reason()), (1, StopReason::Disabled));
/// # }
/// ```
pub async fn without_retries<F: Future>(future: F) -> F::Output {
    let outer = context::ambient();
    Scoped::new(outer.with_flags(outer.flags() | OFF), future).await
}

/// Whether calls that succeed at once are counted too. Off by default, because it is the one count
/// that a healthy service would pay for.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, control, sites};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// control::count_successes(true);
/// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
/// assert_eq!(sites().get("fetch").unwrap().outcomes().success, 1);
/// # }
/// ```
pub fn count_successes(on: bool) {
    isolation::set_counting(on);
}

/// Keeps for the tables that a document was refused, and why; or that none is any more. What somebody has
/// just sent is not kept: it was answered.
pub(crate) fn keep_refused(layer: Layer, why: Option<&Arc<str>>) {
    if layer != Layer::Code {
        isolation::overrides(|store| store.refuse(layer, why));
    }
}

/// Whether any override of sites is in force.
pub(crate) fn is_patched() -> bool {
    isolation::overrides(Store::is_patched)
}

/// What the overrides in force say for a call of a site whose retries `budget` pays for.
pub(crate) fn patch(
    site: &'static Site,
    budget: Option<&'static Budget>,
    now: Moment,
) -> Option<Patch> {
    isolation::overrides(Store::in_force)?.patch(site, budget, now)
}

/// Whether an override in force says something that matters before the first failure.
pub(crate) fn changes_begins() -> bool {
    isolation::overrides(Store::changes_begins)
}

/// How many overrides are in force, by their layers in the order of [`Layer::ALL`]. Takes none away, and so tells
/// of none.
#[cfg(feature = "metrics-0-24")]
pub(crate) fn in_force_by_layer() -> [u32; Layer::ALL.len()] {
    let in_force = isolation::overrides(Store::in_force);
    in_force.map_or([0; Layer::ALL.len()], |in_force| in_force.by_layer(crate::clock::now()))
}

/// Takes away what has expired. One load and one comparison where nothing has.
pub(crate) fn expire(now: Moment) {
    isolation::overrides(|store| store.expire(now));
}

/// The same for those who have not read the clock, which is read only where something will expire.
pub(crate) fn expire_now() {
    isolation::overrides(Store::expire_now);
}

/// A site, a budget or a breaker of a new name is there. Takes no lock but that of a test's state.
pub(crate) fn appeared() {
    isolation::overrides(Store::appeared);
}
