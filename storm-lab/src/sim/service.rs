//! What servers do with requests, and how clients hear of it.

use std::time::Duration;

use super::{
    clock,
    dice::nanos,
    queue::Event,
    requests::{Answer, Request, RequestId},
    server::Admission,
    world::World,
};
use crate::scenario::{Distribution, FaultKind};

impl World<'_> {
    /// Nothing stands between a request and its server.
    pub(super) fn serve(&self, id: RequestId, tier: u16, endpoint: u16) {
        let admission = self.servers.borrow_mut()[usize::from(tier)]
            .as_mut()
            .map(|server| server.admit(endpoint, id));
        match admission {
            None => {
                let wanted =
                    self.requests.borrow_mut().get(id).is_some_and(|request| request.is_wanted());
                self.done(id, tier, wanted);
            }
            Some(Admission::Starts) => self.start(id, tier),
            Some(Admission::Waits) => {}
            Some(Admission::Refused) => self.answer(id, tier, Answer::status(503)),
        }
    }

    /// A worker begins to serve a request.
    fn start(&self, id: RequestId, tier: u16) {
        let Some(server) = &self.topology.tiers[usize::from(tier)].server else { return };
        let now = clock::now();
        let mut slower = None;
        for (_, fault) in self.faults(tier, now) {
            if let FaultKind::Slow { factor } = fault.kind {
                slower = Some(slower.unwrap_or(1.0) * factor);
            }
        }
        let wait = self.service.borrow_mut().draw(&server.service);
        let mut queue = self.queue.borrow_mut();
        let wait = match (slower, &server.service) {
            (None, Distribution::Fixed(_)) => {
                queue.push_after(now, wait, Event::Served(id));
                wait
            }
            (factor, _) => {
                let wait = Duration::from_nanos(wait);
                let wait = nanos(wait.mul_f64(factor.unwrap_or(1.0_f64).min(1e6)));
                queue.push(now.saturating_add(wait), Event::Served(id));
                wait
            }
        };
        self.stats.borrow_mut().busy(tier, now, wait);
    }

    /// A request was served, or an answer that was decided before is due.
    pub(super) fn served(&self, id: RequestId) {
        let mut requests = self.requests.borrow_mut();
        let Some(request) = requests.get(id) else { return };
        let (tier, endpoint, wanted) = (request.tier, request.endpoint, request.is_wanted());
        if let Some(answer) = request.decided() {
            drop(requests);
            return self.answer(id, tier, answer);
        }
        drop(requests);
        self.next(tier, endpoint);
        self.done(id, tier, wanted);
    }

    /// The work that a request asks for is done; `wanted` if somebody still waits for it.
    fn done(&self, id: RequestId, tier: u16, wanted: bool) {
        let lost = self.is_lost(tier);
        self.stats.borrow_mut().served(tier, clock::now(), wanted && !lost);
        self.reply(id, Answer::OK, lost);
    }

    /// A worker of this endpoint is free.
    fn next(&self, tier: u16, endpoint: u16) {
        let sheds = self.topology.tiers[usize::from(tier)]
            .server
            .as_ref()
            .is_some_and(|server| server.shed);
        loop {
            let next = {
                let mut servers = self.servers.borrow_mut();
                let Some(server) = &mut servers[usize::from(tier)] else { return };
                let next = server.next(endpoint);
                if next.is_none() {
                    server.rest(endpoint);
                }
                next
            };
            let Some(next) = next else { return };
            let wanted =
                self.requests.borrow_mut().get(next).is_some_and(|request| request.is_wanted());
            if wanted || !sheds {
                return self.start(next, tier);
            }
            self.requests.borrow_mut().finish(next);
        }
    }

    /// Whether what a server says now gets lost.
    fn is_lost(&self, tier: u16) -> bool {
        self.faults(tier, clock::now()).any(|(_, fault)| match fault.kind {
            FaultKind::Loss { response, .. } => self.network.borrow_mut().happens(response),
            _ => false,
        })
    }

    /// A server, or what stands before it, has refused a request.
    pub(super) fn answer(&self, id: RequestId, tier: u16, answer: Answer) {
        self.reply(id, answer, self.is_lost(tier));
    }

    /// An answer leaves for the client.
    fn reply(&self, id: RequestId, answer: Answer, lost: bool) {
        let mut requests = self.requests.borrow_mut();
        if lost {
            return requests.finish(id);
        }
        let Some(request) = requests.get(id) else { return };
        request.decide(answer);
        let tier = request.tier;
        drop(requests);
        let latency = &self.topology.tiers[usize::from(tier)].latency;
        if self.after(latency, &self.network, Event::Answer(id)).is_some() {
            self.arrive(id);
        }
    }

    /// An answer reaches its client.
    pub(super) fn arrive(&self, id: RequestId) {
        let mut requests = self.requests.borrow_mut();
        if let Some(request) = requests.get(id).filter(|request| request.is_wanted()) {
            let answer = request.decided().unwrap_or(Answer::OK);
            self.hear(request, answer);
        }
        requests.finish(id);
    }

    /// The client has waited long enough.
    pub(super) fn time_out(&self, id: RequestId) {
        if let Some(request) =
            self.requests.borrow_mut().get(id).filter(|request| request.is_wanted())
        {
            self.hear(request, Answer::TIMED_OUT);
        }
    }

    fn hear(&self, request: &mut Request, answer: Answer) {
        request.hear(answer);
        if std::mem::take(&mut request.pending) {
            self.ready.borrow_mut().push(request.slot);
        }
    }
}
