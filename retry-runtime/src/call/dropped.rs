//! What is owed for the calls that a cut drops.
//!
//! An attempt that is cut drops everything in it, and whoever repeats the attempt repeats that. So the
//! suppressed calls among it are paid for like failed ones: each tells the call around it, which is
//! dropped after it and tells on, up to the one whose attempt was cut.

use std::cell::RefCell;

use crate::{few::Few, side::Debt};

/// Debts, with the half number of the call that owes them next.
type Debts = Vec<(u32, Debt)>;

thread_local! {
    /// Set while a cut attempt is being dropped on this thread.
    static DROPPING: RefCell<Option<Debts>> = const { RefCell::new(None) };
}

/// What was noted for a cut attempt around the one that is being dropped, if there is one.
#[derive(Debug)]
pub(super) struct Around(Option<Debts>);

/// From here on what is dropped on this thread goes because an attempt was cut.
pub(super) fn begin() -> Around {
    Around(DROPPING.try_with(|debts| debts.replace(Some(Vec::new()))).ok().flatten())
}

/// The end of that: what is owed by the call whose attempt was cut.
pub(super) fn end(call: u32, around: Around) -> Few<Debt> {
    let noted = DROPPING.try_with(|debts| debts.replace(around.0)).ok().flatten();
    let mine = noted.into_iter().flatten().filter(|(owes, _)| *owes == call);
    mine.map(|(_, debt)| debt).collect()
}

/// A call is dropped with a cut attempt. What calls inside it left becomes its own; it passes that and
/// `own` to `outer`, if that one may repeat it.
pub(super) fn pass_on(call: u32, own: impl IntoIterator<Item = Debt>, outer: Option<u32>) {
    // A thread that is ending has no place left to note it.
    let _ended = DROPPING.try_with(|debts| {
        let mut debts = debts.borrow_mut();
        let Some(debts) = debts.as_mut() else { return };
        let (mine, others): (Debts, Debts) =
            std::mem::take(debts).into_iter().partition(|(owes, _)| *owes == call);
        *debts = others;
        if let Some(outer) = outer {
            let mine = mine.into_iter().map(|(_, debt)| debt);
            debts.extend(own.into_iter().chain(mine).map(|debt| (outer, debt)));
        }
    });
}
