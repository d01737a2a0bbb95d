//! Workers behind queues.

use std::collections::VecDeque;

use super::requests::RequestId;
use crate::scenario::Server;

/// The endpoints of one tier.
#[derive(Debug)]
pub(super) struct Endpoints {
    each: Vec<Endpoint>,
    most_waiting: usize,
}

#[derive(Debug)]
struct Endpoint {
    idle: u32,
    waiting: VecDeque<RequestId>,
}

/// What becomes of a request that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// A worker serves it from now on.
    Starts,
    /// It waits.
    Waits,
    /// There is no room for it.
    Refused,
}

impl Endpoints {
    pub(super) fn new(server: &Server) -> Self {
        let endpoints = server.endpoints.max(1);
        // What does not divide evenly goes to the first ones.
        let workers =
            |at: u32| server.workers / endpoints + u32::from(at < server.workers % endpoints);
        let endpoint = |at| Endpoint { idle: workers(at), waiting: VecDeque::new() };
        let most_waiting = server.queue.map_or(usize::MAX, |most| (most / endpoints) as usize);
        Self { each: (0..endpoints).map(endpoint).collect(), most_waiting }
    }

    /// A request arrives at an endpoint.
    pub(super) fn admit(&mut self, endpoint: u16, request: RequestId) -> Admission {
        let endpoint = &mut self.each[usize::from(endpoint)];
        if endpoint.idle > 0 {
            endpoint.idle -= 1;
            Admission::Starts
        } else if endpoint.waiting.len() < self.most_waiting {
            endpoint.waiting.push_back(request);
            Admission::Waits
        } else {
            Admission::Refused
        }
    }

    /// A worker looks for its next request, and starts it unless there is none.
    pub(super) fn next(&mut self, endpoint: u16) -> Option<RequestId> {
        self.each[usize::from(endpoint)].waiting.pop_front()
    }

    /// How many workers are idle, and how many requests wait.
    #[cfg(test)]
    pub(super) fn state(&self) -> (u32, usize) {
        let idle = self.each.iter().map(|endpoint| endpoint.idle).sum();
        (idle, self.each.iter().map(|endpoint| endpoint.waiting.len()).sum())
    }

    /// A worker has found none.
    pub(super) fn rest(&mut self, endpoint: u16) {
        self.each[usize::from(endpoint)].idle += 1;
    }
}
