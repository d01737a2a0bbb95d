//! Calls of functions that are not async: the same machine, without a future.

use crate::{
    Warning,
    context::{self, POLLED},
    warning::warn,
};

use super::{Call, Cuts, Phase, cold::Armed};

impl Call {
    /// One attempt of a blocking function. It cannot be ended once it has started; before that, `cuts`
    /// expresses a deadline that has passed.
    #[inline]
    pub fn attempt_blocking<R, C: Cuts<R>>(
        &mut self,
        mut cuts: C,
        body: impl FnOnce() -> R,
    ) -> C::Output {
        if self.ambient.attempt() == 1 && (self.is(POLLED) || self.looks_first()) {
            self.look_at_thread();
        }
        if self.phase.needs_start() {
            if let Some(cut) = self.start() {
                if let Some(output) = cuts.cut(cut) {
                    self.cut_before_start(cut);
                    return output;
                }
            }
        }
        self.phase = Phase::Polling;
        let _entered = context::enter(&self.ambient);
        let _inside = self.inside(self.ambient.attempt());
        C::ran(body())
    }

    /// Sleeps on this thread until the next attempt. Nothing of the last one lives through it.
    pub fn pause_blocking(&mut self) {
        let cold = self.heat();
        if cold.armed == Armed::Thread {
            crate::clock::block_until(cold.ends);
        } else {
            std::thread::yield_now();
        }
        self.heat().set_armed(Armed::No);
        self.phase = Phase::Due;
    }

    /// Whether this is the first call of the function, where it costs something to find out where it
    /// runs.
    #[inline]
    fn looks_first(&self) -> bool {
        cfg!(feature = "tokio-rt") && self.site.state().looks()
    }

    /// Marks the function if other tasks wait for this thread.
    #[cold]
    pub(super) fn look_at_thread(&self) {
        let state = self.site.state();
        if !state.blocks() && holds_up_tasks(self.is(POLLED)) && state.mark_blocks() {
            warn(Warning::BlocksRuntime { site: self.site.name() });
        }
    }
}

/// Whether a runtime has other use for this thread. Without tokio's `rt` all that is known is whether an
/// attempt of an async function is being polled here.
#[cfg(not(feature = "tokio-rt"))]
const fn holds_up_tasks(polled: bool) -> bool {
    polled
}

/// Whether a runtime has other use for this thread. In tokio, `spawn_blocking` and `block_in_place` are
/// where to block, although they belong to the runtime.
#[cfg(feature = "tokio-rt")]
fn holds_up_tasks(polled: bool) -> bool {
    if tokio::runtime::Handle::try_current().is_err() {
        return polled;
    }
    super::runtime::is_polling()
}
