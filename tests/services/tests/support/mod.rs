//! What all the tests share: a call is run with budgets of its own, and its attempts are counted.

// Each test binary uses its part of this.
#![allow(dead_code)]

use stormless::{CallReport, FailedAttempt, StopReason, report, testing::isolated};

/// What the library reports of a call, and of the calls inside of it.
pub(crate) struct Ran {
    calls: Vec<CallReport>,
}

/// Runs a call. Like every service, it wants to spawn what it calls: the future has to be `Send`.
pub(crate) async fn run<F: Future + Send>(call: F) -> (F::Output, Ran) {
    let (result, calls) = isolated(report(call)).await;
    (result, Ran { calls })
}

impl Ran {
    /// The attempts of each call of a function, in the order in which the calls ended.
    pub(crate) fn attempts(&self, function: &str) -> Vec<u32> {
        self.of(function).map(CallReport::attempts).collect()
    }

    /// What stopped the last call of a function.
    pub(crate) fn reason(&self, function: &str) -> Option<StopReason> {
        self.of(function).last()?.reason()
    }

    /// How its failures were labelled, in their order.
    pub(crate) fn labels(&self, function: &str) -> Vec<&'static str> {
        self.of(function).flat_map(CallReport::failures).map(FailedAttempt::label).collect()
    }

    fn of<'a>(&'a self, function: &'a str) -> impl Iterator<Item = &'a CallReport> {
        let named = move |call: &&CallReport| call.site().rsplit("::").next() == Some(function);
        self.calls.iter().filter(named)
    }
}
