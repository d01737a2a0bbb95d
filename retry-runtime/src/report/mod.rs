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

use crate::{
    context::{self, Ambient, LAST_SCOPE, Scoped},
    side,
};

pub(crate) use call::KEPT_FAILURES;
pub use call::{CallReport, FailedAttempt, Outcome};

struct Scope {
    outer: u32,
    /// `None` once the scope has ended, while one around it still listens.
    calls: Option<Vec<CallReport>>,
    /// Its context was carried elsewhere, so that calls may outlive it.
    carried: bool,
}

/// The scopes that listen, and those that have ended inside of one that does.
struct Table {
    scopes: BTreeMap<u32, Scope>,
    ended: usize,
}

static TABLE: Mutex<Table> = Mutex::new(Table { scopes: BTreeMap::new(), ended: 0 });

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    /// Ends a scope. Calls that outlive it still reach those around it.
    fn end(&mut self, id: u32) {
        let (outer, carried) =
            self.scopes.get(&id).map_or((0, false), |scope| (scope.outer, scope.carried));
        if carried && self.scopes.contains_key(&outer) {
            if let Some(scope) = self.scopes.get_mut(&id) {
                scope.calls = None;
                self.ended += 1;
            }
            return;
        }
        self.scopes.remove(&id);
        // Those that have ended inside of it lead nowhere now, and then those inside of them.
        let mut gone = vec![id];
        while self.ended > 0 && !gone.is_empty() {
            let known = self.scopes.len();
            let mut next = Vec::new();
            self.scopes.retain(|id, scope| {
                let stays = scope.calls.is_some() || !gone.contains(&scope.outer);
                if !stays {
                    next.push(*id);
                }
                stays
            });
            self.ended -= known - self.scopes.len();
            gone = next;
        }
    }
}

/// The context of a scope is carried elsewhere.
pub(crate) fn carry(scope: u32) {
    if scope != 0 {
        if let Some(scope) = table().scopes.get_mut(&scope) {
            scope.carried = true;
        }
    }
}

/// Files a call's report with its scope and those around it. Calls that outlive their scope are
/// dropped.
pub(crate) fn file(scope: u32, report: &CallReport) {
    let mut table = table();
    let mut next = scope;
    while let Some(scope) = table.scopes.get_mut(&next) {
        if let Some(calls) = &mut scope.calls {
            calls.push(report.clone());
        }
        next = scope.outer;
    }
}

/// Takes the scope away when the reporting future ends or is dropped.
struct Open(u32);

impl Open {
    fn new(outer: u32) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let mut table = table();
        let fresh = (0..=LAST_SCOPE).find_map(|_| {
            let id = NEXT.fetch_add(1, Ordering::Relaxed) & LAST_SCOPE;
            (id != 0 && !table.scopes.contains_key(&id)).then_some(id)
        });
        // With a million scopes at once the last ones hear nothing.
        let Some(id) = fresh else { return Self(0) };
        side::listen();
        table.scopes.insert(id, Scope { outer, calls: Some(Vec::new()), carried: false });
        Self(id)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        table().end(self.0);
        if self.0 != 0 {
            side::stop_listening();
        }
    }
}

/// Runs a future and tells what happened to every annotated call in it, in the order in which they
/// ended.
///
/// It holds within one task, through `join!` and `select!`; a spawned task takes part where the
/// [`Context`](crate::Context) is carried to it and it ends before the future does.
///
/// ```
/// # use retry_runtime as stormless;
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let (value, calls) = stormless::report(async { 7 }).await;
/// assert_eq!(value, 7);
/// assert!(calls.is_empty(), "nothing annotated was called");
/// # }
/// ```
pub async fn report<F: Future>(future: F) -> (F::Output, Vec<CallReport>) {
    let outer: Ambient = context::ambient();
    let open = Open::new(outer.scope());
    let output = Scoped::new(outer.with_scope(open.0), future).await;
    let calls = table().scopes.get_mut(&open.0).and_then(|scope| scope.calls.take());
    (output, calls.unwrap_or_default())
}
