use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use crate::{Budget, Generator, Warning, latency::Latency, random::Stream, side, site::SiteState};

pub(crate) use side::{counting, set_counting};

static OFF: AtomicBool = AtomicBool::new(false);
static WARNINGS: Mutex<Vec<Warning>> = Mutex::new(Vec::new());

pub(crate) const fn budget(budget: &'static Budget) -> &'static Budget {
    budget
}

#[inline]
pub(crate) const fn budget_and_id(budget: &'static Budget, id: u32) -> (&'static Budget, u32) {
    (budget, id)
}

#[inline]
pub(crate) const fn view(budget: &Budget) -> &Budget {
    budget
}

#[inline]
pub(crate) const fn state(state: &'static SiteState) -> &'static SiteState {
    state
}

#[inline]
pub(crate) const fn latency(latency: &'static Latency) -> &'static Latency {
    latency
}

pub(crate) fn generator() -> Generator {
    Generator::fresh()
}

/// The stream of a call that fails for the first time.
pub(crate) fn stream() -> Stream {
    Stream::fresh()
}

/// The generator of one step of it.
pub(crate) fn generator_at(stream: Stream, step: u32) -> Generator {
    Generator::at(stream, step)
}

pub(crate) fn key_generator() -> Generator {
    Generator::fresh()
}

pub(crate) fn is_off() -> bool {
    OFF.load(Ordering::Relaxed)
}

pub(crate) fn set_off(off: bool) {
    OFF.store(off, Ordering::Relaxed);
}

pub(crate) fn warnings<T>(use_them: impl FnOnce(&mut Vec<Warning>) -> T) -> T {
    use_them(&mut WARNINGS.lock().unwrap_or_else(PoisonError::into_inner))
}
