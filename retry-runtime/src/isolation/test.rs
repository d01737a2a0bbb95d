mod random;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

#[cfg(feature = "adaptive")]
use crate::adaptive::{self, LoadSource};
use crate::{
    Breaker, Budget, Latency, Moment,
    context::{self, Ambient, LAST_TEST},
    control::Store,
    event::Observers,
    names::{Book, Shared, registry},
    side,
    site::SiteState,
    testing::Jitter,
    time::nanos,
    warning::Kept,
};

pub(crate) use random::{generator, generator_at, key_generator, set_jitter, stream};

/// The state of one isolated test, or of the process.
///
/// The copies of budgets, breakers and counters live as long as the process, because what refers to them does:
/// a few hundred bytes for each of them that a test touches.
pub(crate) struct State {
    overrides: Store,
    counting: AtomicBool,
    skipping: AtomicBool,
    warnings: Mutex<Kept>,
    observers: Mutex<Observers>,
    jitter: Mutex<Draws>,
    book: Book,
    budgets: Copies<Budget>,
    breakers: Copies<Breaker>,
    sites: Mutex<BTreeMap<usize, &'static SiteState>>,
    latencies: Copies<Latency>,
    #[cfg(feature = "adaptive")]
    load: LoadSource,
}

/// By the address of the original.
type Copies<T> = Mutex<BTreeMap<usize, &'static T>>;

/// What each test has a copy of.
pub(crate) trait Copied: Shared {
    fn copies(state: &State) -> &Copies<Self>;

    /// Whether it lies within another one, of which a test has its copy.
    fn is_of_another(&self) -> bool {
        false
    }
}

impl Copied for Budget {
    fn copies(state: &State) -> &Copies<Self> {
        &state.budgets
    }

    fn is_of_another(&self) -> bool {
        self.is_keyed()
    }
}

impl Copied for Breaker {
    fn copies(state: &State) -> &Copies<Self> {
        &state.breakers
    }
}

struct Draws {
    jitter: Jitter,
    stream: u64,
}

impl State {
    const fn new() -> Self {
        Self {
            overrides: Store::new(),
            counting: AtomicBool::new(false),
            skipping: AtomicBool::new(false),
            warnings: Mutex::new(Kept::new()),
            observers: Mutex::new(Observers::new()),
            jitter: Mutex::new(Draws { jitter: Jitter::Random, stream: 0 }),
            book: Book::new(),
            budgets: Mutex::new(BTreeMap::new()),
            breakers: Mutex::new(BTreeMap::new()),
            sites: Mutex::new(BTreeMap::new()),
            latencies: Mutex::new(BTreeMap::new()),
            #[cfg(feature = "adaptive")]
            load: LoadSource::silent(),
        }
    }
}

static PROCESS: State = State::new();
static TESTS: Mutex<Option<HashMap<u32, Arc<State>>>> = Mutex::new(None);
/// For tasks that outlive their test, which must not touch the process.
static LATE: LazyLock<Arc<State>> = LazyLock::new(|| Arc::new(State::new()));

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `look` on the state of the isolated test that the context names, or on the process's.
fn with<T>(look: impl FnOnce(&State) -> T) -> T {
    let Some(test) = here() else { return look(&PROCESS) };
    look(&test)
}

fn here() -> Option<Arc<State>> {
    let id = context::ambient().test();
    if id == 0 {
        return None;
    }
    let running = lock(&TESTS).as_ref().and_then(|tests| tests.get(&id).cloned());
    Some(running.unwrap_or_else(|| LATE.clone()))
}

/// Takes the test's state away when it ends.
pub(crate) struct Isolated(u32);

impl Isolated {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let mut tests = lock(&TESTS);
        let tests = tests.get_or_insert_default();
        let fresh = (0..=LAST_TEST).find_map(|_| {
            let id = NEXT.fetch_add(1, Ordering::Relaxed) & LAST_TEST;
            (id != 0 && !tests.contains_key(&id)).then_some(id)
        });
        // With thousands of tests at once the last ones share.
        let id = fresh.unwrap_or(LAST_TEST);
        tests.insert(id, Arc::new(State::new()));
        Self(id)
    }

    /// A context outside of all calls, inside this test. Reports go on through it.
    pub(crate) fn ambient(&self) -> Ambient {
        let scope = context::ambient().scope();
        Ambient::ROOT.with_scope(scope).with_test(self.0)
    }
}

impl Drop for Isolated {
    fn drop(&mut self) {
        let ended = lock(&TESTS).as_mut().and_then(|tests| tests.remove(&self.0));
        // Without the lock: it takes others.
        if let Some(state) = ended {
            state.overrides.close();
        }
    }
}

/// A budget or breaker that is in force here.
#[inline]
pub(crate) fn own<T: Copied>(shared: &'static T) -> &'static T {
    if context::ambient().test() == 0 { shared } else { copied(shared) }
}

#[inline]
pub(crate) fn budget_and_id(budget: &'static Budget, id: u32) -> (&'static Budget, u32) {
    if context::ambient().test() == 0 {
        return (budget, id);
    }
    let copy = copied(budget);
    (copy, copy.id())
}

#[cold]
fn copied<T: Copied>(shared: &'static T) -> &'static T {
    if shared.is_of_another() {
        return shared;
    }
    let Some(test) = here() else { return shared };
    let key = std::ptr::from_ref(shared).addr();
    let mut copies = lock(T::copies(&test));
    if copies.values().any(|copy| std::ptr::eq(*copy, shared)) {
        return shared;
    }
    copies.entry(key).or_insert_with(|| {
        let copy = Box::leak(Box::new(shared.fresh_copy()));
        test.book.welcome(copy);
        copy
    })
}

/// A budget or breaker as it looks from here: of one that answers or answered to a name, the test's own
/// copy.
pub(crate) fn view<T: Copied>(shared: &T) -> &T {
    if context::ambient().test() == 0 {
        return shared;
    }
    match registry::known(shared) {
        Some(known) => copied(known),
        None => shared,
    }
}

pub(crate) fn state(state: &'static SiteState) -> &'static SiteState {
    let Some(test) = here() else { return state };
    let key = std::ptr::from_ref(state).addr();
    lock(&test.sites).entry(key).or_insert_with(|| Box::leak(Box::default()))
}

/// How long a function's attempts took: in a test, those in that test.
pub(crate) fn latency(latency: &'static Latency) -> &'static Latency {
    let Some(test) = here() else { return latency };
    let key = std::ptr::from_ref(latency).addr();
    lock(&test.latencies).entry(key).or_insert_with(|| Box::leak(Box::default()))
}

/// How busy the process is said to be. A test knows nothing of the machine's real load.
#[cfg(feature = "adaptive")]
pub(crate) fn load_source<T>(look: impl FnOnce(&LoadSource) -> T) -> T {
    match here() {
        None => look(&adaptive::PROCESS),
        Some(test) => look(&test.load),
    }
}

/// The overrides that are in force here.
pub(crate) fn overrides<T>(look: impl FnOnce(&Store) -> T) -> T {
    with(|state| look(&state.overrides))
}

/// What overrides say about names here.
pub(crate) fn book<T>(look: impl FnOnce(&Book) -> T) -> T {
    with(|state| look(&state.book))
}

/// What they say outside of all tests.
pub(crate) const fn process_book() -> &'static Book {
    &PROCESS.book
}

pub(crate) fn is_off() -> bool {
    overrides(Store::is_off)
}

pub(crate) fn warnings<T>(use_them: impl FnOnce(&mut Kept) -> T) -> T {
    with(|state| use_them(&mut lock(&state.warnings)))
}

/// Once any test counts, the ends of all calls ask; whether they count is each test's own affair.
pub(crate) fn set_counting(on: bool) {
    with(|state| state.counting.store(on, Ordering::Relaxed));
    if on {
        side::set_counting(true);
    }
}

pub(crate) fn counting() -> bool {
    with(|state| state.counting.load(Ordering::Relaxed))
}

/// Delays are decided here, and not slept.
pub(crate) fn set_skipping(on: bool) {
    with(|state| state.skipping.store(on, Ordering::Relaxed));
}

pub(crate) fn skips_delays() -> bool {
    with(|state| state.skipping.load(Ordering::Relaxed))
}

/// The deadline of a call, brought forward by the delays that it has not slept.
pub(crate) fn brought_forward(deadline: Moment, delays: impl FnOnce() -> Duration) -> Moment {
    if !deadline.may_come() || !skips_delays() {
        return deadline;
    }
    Moment::from_nanos(deadline.as_nanos().saturating_sub(nanos(delays())))
}

/// Who listens here.
pub(crate) fn observers() -> Observers {
    with(|state| lock(&state.observers).clone())
}

pub(crate) fn change_observers(change: impl FnOnce(&mut Observers)) {
    with(|state| change(&mut lock(&state.observers)));
}

/// The number of the isolated test around this; 0 in the process.
#[cfg(feature = "metrics-0-24")]
pub(crate) fn test() -> u32 {
    context::ambient().test()
}

/// Looks through all there are, until `look` has found what it looks for: whoever stops listening may stand
/// elsewhere than where it began to.
pub(crate) fn find_observers(look: impl Fn(&mut Observers) -> bool) {
    let found = with(|state| look(&mut lock(&state.observers)));
    if found || look(&mut lock(&PROCESS.observers)) {
        return;
    }
    let tests: Vec<_> = lock(&TESTS).iter().flat_map(|tests| tests.values().cloned()).collect();
    let _found = tests.iter().any(|test| look(&mut lock(&test.observers)));
}
