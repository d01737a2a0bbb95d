//! What happened to the calls inside a future.

mod call;

use std::{
    collections::BTreeMap,
    future::Future,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use crate::context::{self, Ambient, Scoped};

pub(crate) use call::KEPT_FAILURES;
pub use call::{CallReport, FailedAttempt, Outcome};

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
