//! What happened to the calls inside a future.

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use crate::{
    Classification, StopReason,
    context::{self, Ambient, Scoped},
};

/// How a logical call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// With a value.
    Succeeded,
    /// With an error; the reason says why no retry followed.
    Failed,
    /// Its future was dropped.
    Cancelled,
    /// Its body panicked.
    Panicked,
}

/// One failed attempt of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    pub(crate) number: u32,
    pub(crate) classification: Classification,
    pub(crate) label: &'static str,
    pub(crate) delay: Option<Duration>,
}

impl FailedAttempt {
    /// The attempt's number; the first is 1.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// What the failure meant.
    pub const fn classification(&self) -> Classification {
        self.classification
    }

    /// The error's label: a variant, a status, a code.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        self.label
    }

    /// The delay that followed it, if a retry did.
    #[must_use]
    pub const fn delay(&self) -> Option<Duration> {
        self.delay
    }
}

/// What happened to one logical call. Its `Display` is a timeline of a few lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallReport {
    pub(crate) site: &'static str,
    pub(crate) attempts: u32,
    pub(crate) slept: Duration,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<StopReason>,
    pub(crate) failures: Vec<FailedAttempt>,
}

/// A report keeps this many failed attempts of a call, so that an endless one does not fill memory.
pub(crate) const KEPT_FAILURES: usize = 1_000;

impl CallReport {
    /// The annotated function.
    #[must_use]
    pub const fn site(&self) -> &'static str {
        self.site
    }

    /// How many attempts started, the first included. 0 if the call was cut before its first.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How long it slept before the attempts that started, in all.
    #[must_use]
    pub const fn slept(&self) -> Duration {
        self.slept
    }

    /// The delays that were decided on, in order. At most the first 1,000.
    pub fn delays(&self) -> impl Iterator<Item = Duration> + '_ {
        self.failures.iter().filter_map(FailedAttempt::delay)
    }

    /// The failed attempts, in order. At most the first 1,000.
    #[must_use]
    pub fn failures(&self) -> &[FailedAttempt] {
        &self.failures
    }

    /// How it ended.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Why it stopped, unless it succeeded or panicked.
    #[must_use]
    pub const fn reason(&self) -> Option<StopReason> {
        self.reason
    }
}

impl fmt::Display for CallReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.site)?;
        for failure in &self.failures {
            write!(
                f,
                "  attempt {}: {} ({:?}",
                failure.number,
                failure.label,
                failure.classification.kind()
            )?;
            write!(f, ", {:?})", failure.classification.execution())?;
            match failure.delay {
                Some(delay) => writeln!(f, " -> retry in {delay:?}")?,
                None => writeln!(f)?,
            }
        }
        match (self.outcome, self.reason) {
            (Outcome::Succeeded, _) => write!(f, "  attempt {}: ok", self.attempts)?,
            (_, Some(reason)) => write!(f, "  stopped after {} attempts: {reason}", self.attempts)?,
            (outcome, None) => write!(f, "  {outcome:?} after {} attempts", self.attempts)?,
        }
        write!(f, ", slept {:?}", self.slept)
    }
}

struct Scope {
    outer: u32,
    calls: Vec<CallReport>,
}

static SCOPES: Mutex<BTreeMap<u32, Scope>> = Mutex::new(BTreeMap::new());

fn scopes() -> MutexGuard<'static, BTreeMap<u32, Scope>> {
    SCOPES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Files a call's report with its scope and those around it. Calls that outlive their scope are
/// dropped.
pub(crate) fn file(scope: u32, report: &CallReport) {
    let mut scopes = scopes();
    let mut next = scope;
    while let Some(scope) = scopes.get_mut(&next) {
        scope.calls.push(report.clone());
        next = scope.outer;
    }
}

/// Takes the scope away when the reporting future ends or is dropped.
struct Open(u32);

impl Open {
    fn new(outer: u32) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let mut scopes = scopes();
        loop {
            // 24 bits travel in the context; 0 means "no scope".
            let id = NEXT.fetch_add(1, Ordering::Relaxed) & 0x00ff_ffff;
            if id != 0 && !scopes.contains_key(&id) {
                scopes.insert(id, Scope { outer, calls: Vec::new() });
                return Self(id);
            }
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        scopes().remove(&self.0);
    }
}

/// Runs a future and tells what happened to every annotated call in it, in the order in which they
/// ended.
///
/// It holds within one task, through `join!` and `select!`; a spawned task takes part where the
/// [`Context`](crate::Context) is carried to it and it ends before the future does.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let (value, calls) = retry_runtime::report(async { 7 }).await;
/// assert_eq!(value, 7);
/// assert!(calls.is_empty(), "nothing annotated was called");
/// # }
/// ```
pub async fn report<F: Future>(future: F) -> (F::Output, Vec<CallReport>) {
    let outer: Ambient = context::ambient();
    let open = Open::new(outer.scope());
    let output = Scoped::new(outer.with_scope(open.0), future).await;
    let calls =
        scopes().get_mut(&open.0).map(|scope| std::mem::take(&mut scope.calls)).unwrap_or_default();
    (output, calls)
}
