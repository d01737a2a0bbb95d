//! Budgets that live as long as those in statics.

use std::sync::Mutex;

use retry_runtime::Budget;

pub(crate) fn leak(budget: Budget) -> &'static Budget {
    /// So that it is in use to whoever looks for leaks.
    static LIVE: Mutex<Vec<&Budget>> = Mutex::new(Vec::new());
    let budget = Box::leak(Box::new(budget));
    LIVE.lock().expect("nothing panics in here").push(budget);
    budget
}
