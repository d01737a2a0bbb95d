//! Who repeats what runs here.

use super::{Ambient, CARRIED, IDEMPOTENT, INDEPENDENT, REPEATING, SUPPRESS, enclosing};
use crate::Moment;

/// What a callee in another process has to know about the attempt that runs here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeater {
    /// How many times this has been asked, this time included.
    pub(crate) attempt: u32,
    /// How many times it is asked at most; `None` if that is no limit, or too many to be told.
    pub(crate) most: Option<u32>,
    /// Whether calls in here run once.
    pub(crate) suppresses: bool,
    /// Whether who suppresses them repeats what may have been executed too.
    pub(crate) idempotent: bool,
    /// When the answer is of no use any more.
    pub(crate) deadline: Moment,
}

/// The call that repeats what runs here: the running one, or the outermost of those that suppress it. It
/// may be in another process. `None` where neither an attempt nor a deadline is in force.
pub(crate) fn repeater() -> Option<Repeater> {
    let frames = enclosing();
    let innermost = *frames.first()?;
    if innermost.attempt() == 0 && !innermost.deadline.may_come() {
        return None;
    }
    let (last, attempt) = outermost(&frames)?;
    // What is around a carried context is not known here, but what it knew was carried along.
    let attempt = if innermost.has(REPEATING) { attempt.max(2) } else { attempt.max(1) };
    // Outside of calls nobody repeats anything.
    let most = if last.attempt() == 0 { Some(1) } else { last.most() };
    Some(Repeater {
        attempt,
        most: most.map(|most| most.max(attempt)),
        suppresses: innermost.has(SUPPRESS),
        idempotent: innermost.has(IDEMPOTENT),
        deadline: innermost.deadline,
    })
}

/// The outermost call that suppresses those inside it, or the innermost call; and the highest number that an
/// attempt from there inwards has. A call inside another's second attempt is repeated by its first.
fn outermost(frames: &[Ambient]) -> Option<(Ambient, u32)> {
    let mut calls = frames.chunk_by(|inner, outer| inner.call() == outer.call());
    let known = |call: &[Ambient]| Some((*call.first()?, call.iter().all(|f| f.has(CARRIED))));
    let (mut last, mut carried) = known(calls.next()?)?;
    let mut attempt = last.attempt();
    for call in calls {
        // Calls of other processes have no number here, and what is around a copy is not what was around
        // the call.
        if last.call() == 0 || carried || last.has(INDEPENDENT) {
            break;
        }
        let (outer, copied) = known(call)?;
        if !outer.has(SUPPRESS) {
            break;
        }
        (last, carried) = (outer, copied);
        attempt = attempt.max(outer.attempt());
    }
    Some((last, attempt))
}
