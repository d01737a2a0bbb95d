use std::sync::{Mutex, PoisonError, RwLock};

#[cfg(feature = "adaptive")]
use crate::adaptive::{self, LoadSource};
use crate::{
    Budget, Generator, Latency, control::Store, event::Observers, names::Book, random::Stream,
    side, site::SiteState, warning::Kept,
};

pub(crate) use side::{counting, set_counting};

static OVERRIDES: Store = Store::new();
static OBSERVERS: RwLock<Observers> = RwLock::new(Observers::new());
static BOOK: Book = Book::new();
static WARNINGS: Mutex<Kept> = Mutex::new(Kept::new());

/// A budget or breaker that is in force here.
#[inline]
pub(crate) const fn own<T>(shared: &'static T) -> &'static T {
    shared
}

#[inline]
pub(crate) const fn budget_and_id(budget: &'static Budget, id: u32) -> (&'static Budget, u32) {
    (budget, id)
}

#[inline]
pub(crate) const fn view<T>(shared: &T) -> &T {
    shared
}

#[inline]
pub(crate) const fn state(state: &'static SiteState) -> &'static SiteState {
    state
}

#[inline]
pub(crate) const fn latency(latency: &'static Latency) -> &'static Latency {
    latency
}

/// How busy the process is said to be.
#[cfg(feature = "adaptive")]
pub(crate) fn load_source<T>(look: impl FnOnce(&LoadSource) -> T) -> T {
    look(&adaptive::PROCESS)
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

/// The overrides that are in force here.
#[inline]
pub(crate) fn overrides<T>(look: impl FnOnce(&Store) -> T) -> T {
    look(&OVERRIDES)
}

/// What overrides say about names here.
pub(crate) fn book<T>(look: impl FnOnce(&Book) -> T) -> T {
    look(&BOOK)
}

/// What they say outside of all tests.
pub(crate) const fn process_book() -> &'static Book {
    &BOOK
}

pub(crate) fn is_off() -> bool {
    OVERRIDES.is_off()
}

pub(crate) fn warnings<T>(use_them: impl FnOnce(&mut Kept) -> T) -> T {
    use_them(&mut WARNINGS.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Who listens here.
pub(crate) fn observers() -> Observers {
    OBSERVERS.read().unwrap_or_else(PoisonError::into_inner).clone()
}

pub(crate) fn change_observers(change: impl FnOnce(&mut Observers)) {
    change(&mut OBSERVERS.write().unwrap_or_else(PoisonError::into_inner));
}

/// The number of the isolated test around this; 0 in the process.
#[cfg(feature = "metrics-0-24")]
pub(crate) const fn test() -> u32 {
    0
}

/// Looks through all there are, until `look` has found what it looks for.
pub(crate) fn find_observers(look: impl Fn(&mut Observers) -> bool) {
    change_observers(|observers| {
        look(observers);
    });
}
