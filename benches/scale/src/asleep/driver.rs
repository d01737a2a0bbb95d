//! Puts calls to sleep, looks at the process, and waits until they have woken.

use std::{future::Future, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use scale::{
    heap, process,
    work::{self, Down},
};
use tokio::task::yield_now;

/// Who polls the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Polled {
    /// Each is a task of its own.
    Spawned,
    /// One task polls them all, out of a `FuturesUnordered`.
    Together,
}

/// How many calls, and who polls them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Driver {
    pub(super) calls: u64,
    pub(super) polled: Polled,
    /// Whether to wait until all have woken.
    pub(super) wakes: bool,
}

/// What was seen. All but the first two are sums over all calls.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// The bytes of one future.
    pub(super) future: u64,
    /// The calls that were asleep when memory was read.
    pub(super) asleep: u64,
    pub(super) heap: u64,
    pub(super) resident: u64,
    pub(super) allocations: u64,
    /// On the processor, from the first call's creation until the last one was asleep.
    pub(super) create: u64,
    /// On the processor, from then until all had succeeded.
    pub(super) drain: u64,
}

impl Driver {
    pub(super) fn run<F>(self, mut make: impl FnMut(u64) -> F) -> Outcome
    where
        F: Future<Output = Result<u64, Down>> + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
        work::expect(self.calls);
        let before = Reading::now();
        let outcome = runtime.block_on(async {
            match self.polled {
                Polled::Spawned => self.spawned(before, &mut make).await,
                Polled::Together => self.together(before, &mut make).await,
            }
        });
        // Not the subject: a million tasks that are still asleep.
        std::mem::forget(runtime);
        Outcome { future: size_of::<F>() as u64, ..outcome }
    }

    async fn spawned<F>(self, before: Reading, make: &mut impl FnMut(u64) -> F) -> Outcome
    where
        F: Future<Output = Result<u64, Down>> + Send + 'static,
    {
        for call in 0..self.calls {
            drop(tokio::spawn(make(call)));
            // In small groups, or the runtime's queue would grow with the number of calls.
            if call % 32 == 31 {
                yield_now().await;
            }
        }
        while work::seen().0 < self.calls {
            yield_now().await;
        }
        let mut outcome = before.outcome();
        if self.wakes {
            let asleep = process::on_cpu();
            while work::seen().1 < self.calls {
                // Nothing here to do, so that the runtime waits for its timers.
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            outcome.drain = process::on_cpu().saturating_sub(asleep);
        }
        outcome
    }

    async fn together<F>(self, before: Reading, make: &mut impl FnMut(u64) -> F) -> Outcome
    where
        F: Future<Output = Result<u64, Down>> + Send + 'static,
    {
        let mut all = FuturesUnordered::new();
        for call in 0..self.calls {
            all.push(make(call));
            if call % 32 == 31 {
                poll_new(&mut all).await;
            }
        }
        while work::seen().0 < self.calls {
            poll_new(&mut all).await;
        }
        let mut outcome = before.outcome();
        if self.wakes {
            let asleep = process::on_cpu();
            while all.next().await.is_some() {}
            outcome.drain = process::on_cpu().saturating_sub(asleep);
        } else {
            std::mem::forget(all);
        }
        outcome
    }
}

/// Polls what was added, and lets the timers have their turn.
async fn poll_new<F: Future>(all: &mut FuturesUnordered<F>) {
    let mut turns = 0;
    std::future::poll_fn(|task| {
        turns += 1;
        while let std::task::Poll::Ready(Some(_)) = all.poll_next_unpin(task) {}
        if turns > 1 {
            return std::task::Poll::Ready(());
        }
        task.waker().wake_by_ref();
        std::task::Poll::Pending
    })
    .await;
}

/// The process's figures at one moment.
#[derive(Clone, Copy)]
struct Reading {
    heap: u64,
    resident: u64,
    allocations: u64,
    on_cpu: u64,
}

impl Reading {
    fn now() -> Self {
        Self {
            heap: heap::bytes(),
            resident: process::resident(),
            allocations: heap::allocations(),
            on_cpu: process::on_cpu(),
        }
    }

    /// What has come on top since.
    fn outcome(self) -> Outcome {
        let now = Self::now();
        let (failures, successes) = work::seen();
        Outcome {
            asleep: failures.saturating_sub(successes),
            heap: now.heap.saturating_sub(self.heap),
            resident: now.resident.saturating_sub(self.resident),
            allocations: now.allocations.saturating_sub(self.allocations),
            create: now.on_cpu.saturating_sub(self.on_cpu),
            ..Outcome::default()
        }
    }
}
