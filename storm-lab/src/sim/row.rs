//! One row that everybody changes.

use std::cell::{Cell, RefCell};

use super::{
    clock,
    dice::{Dice, Stream},
    failure::Failure,
};
use crate::scenario::{Clients, Contention, Distribution, Tier, Topology, Wave};

/// A row with a version, behind a network.
#[derive(Debug)]
pub(super) struct Row {
    latency: Distribution,
    version: Cell<u64>,
    network: RefCell<Dice>,
}

impl Row {
    pub(super) fn new(contention: &Contention, seed: u64) -> Self {
        Self {
            latency: contention.latency,
            version: Cell::new(0),
            network: RefCell::new(Dice::new(seed, Stream::Row)),
        }
    }

    /// Reads the row and writes it back, which fails where another write came between: optimistic concurrency, as in
    /// the simulator behind "Exponential Backoff And Jitter" (Brooker, AWS Architecture Blog, 2015). Each of the four
    /// ways over the network takes its time.
    pub(super) async fn change(&self) -> Result<(), Failure> {
        self.travel().await;
        let seen = self.version.get();
        self.travel().await;
        self.travel().await;
        let ours = self.version.get() == seen;
        if ours {
            self.version.set(seen + 1);
        }
        self.travel().await;
        if ours { Ok(()) } else { Err(Failure::Conflict) }
    }

    async fn travel(&self) {
        let time = self.network.borrow_mut().draw(&self.latency);
        clock::sleep_until(clock::now().saturating_add(time)).await;
    }
}

/// The clients of a row, as those of a service are described: all begin at once, with one change each.
pub(super) fn topology(contention: &Contention) -> Topology {
    let all = Wave {
        at: std::time::Duration::ZERO,
        calls: contention.clients,
        within: std::time::Duration::ZERO,
    };
    Topology {
        clients: Clients {
            processes: contention.clients,
            rate: 0.0,
            callers: 0,
            think: Distribution::ZERO,
            waves: vec![all],
        },
        tiers: vec![Tier {
            name: "row".to_owned(),
            sites: 1,
            timeout: None,
            latency: Distribution::ZERO,
            server: None,
            calls: Vec::new(),
        }],
        faults: Vec::new(),
        watch: 0,
    }
}
