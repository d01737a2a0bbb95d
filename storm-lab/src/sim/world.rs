//! Network, servers and faults: what stands between the functions.

use std::{
    cell::{Cell, RefCell},
    time::Duration,
};

use super::{
    Watch, clock,
    dice::{Dice, Stream, nanos},
    functions::{Function, Functions},
    queue::{Event, Queue},
    requests::{Answer, RequestId, Requests},
    row::Row,
    server::Endpoints,
    stats::Stats,
    throttle::Throttle,
};
use crate::scenario::{Distribution, Fault, FaultKind, PolicySpec, Scenario, Topology};

/// How many requests there are between two looks at what is outside.
const LOOKS: u32 = 1 << 16;

/// At once, and with a 503.
const REFUSAL: (Distribution, u16) = (Distribution::ZERO, 503);

/// All that the calls of one simulation have in common.
pub(super) struct World<'a> {
    pub(super) topology: &'a Topology,
    pub(super) watch: &'a Watch,
    pub(super) spec: &'a PolicySpec,
    pub(super) functions: Functions,
    pub(super) queue: RefCell<Queue>,
    pub(super) requests: RefCell<Requests>,
    pub(super) stats: RefCell<Stats>,
    routes: RefCell<Dice>,
    /// What is changed, where that is the work.
    pub(super) row: Option<Row>,
    /// How many requests were sent since somebody looked whether to go on.
    sent: Cell<u32>,
    stopped: Cell<bool>,
    /// The slot of the call that is polled.
    pub(super) slot: Cell<u32>,
    /// Slots of calls that have an answer waiting.
    pub(super) ready: RefCell<Vec<u32>>,
    pub(super) servers: RefCell<Vec<Option<Endpoints>>>,
    held: RefCell<Vec<Vec<RequestId>>>,
    throttles: RefCell<Vec<Throttle>>,
    pub(super) network: RefCell<Dice>,
    pub(super) service: RefCell<Dice>,
}

impl<'a> World<'a> {
    pub(super) fn new(
        scenario: &Scenario,
        topology: &'a Topology,
        spec: &'a PolicySpec,
        seed: u64,
        watch: &'a Watch,
    ) -> Self {
        let faults = topology.faults.len();
        Self {
            topology,
            watch,
            sent: Cell::new(0),
            stopped: Cell::new(false),
            spec,
            functions: Functions::new(topology, spec),
            queue: RefCell::default(),
            requests: RefCell::default(),
            stats: RefCell::new(Stats::new(scenario, topology)),
            routes: RefCell::new(Dice::new(seed, Stream::Routes)),
            row: None,
            slot: Cell::new(0),
            ready: RefCell::default(),
            servers: RefCell::new(
                topology
                    .tiers
                    .iter()
                    .map(|tier| tier.server.as_ref().map(Endpoints::new))
                    .collect(),
            ),
            held: RefCell::new(vec![Vec::new(); faults]),
            throttles: RefCell::new(vec![Throttle::default(); faults]),
            network: RefCell::new(Dice::new(seed, Stream::Requests)),
            service: RefCell::new(Dice::new(seed, Stream::Servers)),
        }
    }

    /// The function with which a tier is called this time.
    #[inline]
    pub(super) fn function(&self, tier: u16) -> &Function {
        let tier = usize::from(tier);
        let site = self.routes.borrow_mut().below(self.topology.tiers[tier].sites);
        self.functions.get(tier, site)
    }

    /// What is wrong with a tier now.
    pub(super) fn faults(
        &self,
        tier: u16,
        now: u64,
    ) -> impl Iterator<Item = (usize, &'a Fault)> + use<'a> {
        let holds = move |fault: &Fault| {
            fault.tier == usize::from(tier)
                && now >= nanos(fault.window.from)
                && now < nanos(fault.window.to)
        };
        self.topology.faults.iter().enumerate().filter(move |(_, fault)| holds(fault))
    }

    /// Plans an event for when this much time has passed; at once where that is none.
    pub(super) fn after(
        &self,
        delay: &Distribution,
        dice: &RefCell<Dice>,
        event: Event,
    ) -> Option<Event> {
        let wait = dice.borrow_mut().draw(delay);
        if wait == 0 {
            return Some(event);
        }
        let now = clock::now();
        let mut queue = self.queue.borrow_mut();
        match delay {
            Distribution::Fixed(_) => queue.push_after(now, wait, event),
            _ => queue.push(now.saturating_add(wait), event),
        }
        None
    }

    /// Whether the simulation is to end, as far as is known.
    #[inline]
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Looks now and then whether the simulation is to end. Any number of attempts may come one after the other in
    /// one event, where they take no time.
    #[inline]
    fn look_up(&self) {
        let sent = self.sent.get() + 1;
        self.sent.set(sent);
        if sent >= LOOKS {
            self.sent.set(0);
            self.stopped.set(self.watch.is_stopped());
        }
    }

    /// Takes events out of the queue that nobody waits for any more, once they are most of it: patience that lasts
    /// for hours would otherwise be kept for hours.
    pub(super) fn forget_stale(&self) {
        let mut requests = self.requests.borrow_mut();
        self.queue.borrow_mut().prune(|event| match *event {
            Event::TimeOut(id) => requests.get(id).is_some_and(|request| request.is_wanted()),
            Event::Wake(_, sleeper) => clock::is_asleep(sleeper),
            _ => true,
        });
    }

    /// A request leaves its client. The answer may be there already.
    pub(super) fn send(&self, tier: u16, page: u32) -> RequestId {
        self.look_up();
        let (now, place) = (clock::now(), tier);
        let id = self.requests.borrow_mut().send(self.slot.get(), place, page);
        let tier = &self.topology.tiers[usize::from(tier)];
        if let Some(timeout) = tier.timeout {
            self.queue.borrow_mut().push_after(now, nanos(timeout), Event::TimeOut(id));
        }
        let lost = |(_, fault): (usize, &Fault)| match fault.kind {
            FaultKind::Loss { request, .. } => self.network.borrow_mut().happens(request),
            _ => false,
        };
        if self.faults(place, now).any(lost) {
            self.requests.borrow_mut().finish(id);
        } else if self.after(&tier.latency, &self.network, Event::Deliver(id)).is_some() {
            self.deliver(id);
        }
        id
    }

    /// A request reaches its server, or what stands before it.
    pub(super) fn deliver(&self, id: RequestId) {
        let now = clock::now();
        let (tier, page, endpoint) = {
            let mut requests = self.requests.borrow_mut();
            let Some(request) = requests.get(id) else { return };
            let server = self.topology.tiers[usize::from(request.tier)].server.as_ref();
            let drawn =
                self.service.borrow_mut().below(server.map_or(1, |server| server.endpoints));
            request.endpoint = u16::try_from(drawn).unwrap_or(u16::MAX);
            (request.tier, request.page, request.endpoint)
        };

        for (at, fault) in self.faults(tier, now) {
            let (after, status) = match &fault.kind {
                FaultKind::Stall => {
                    self.held.borrow_mut()[at].push(id);
                    return;
                }
                FaultKind::Outage { status, after, share, .. }
                    if self.network.borrow_mut().happens(*share) =>
                {
                    (*after, *status)
                }
                FaultKind::Endpoints { down } if u32::from(endpoint) < *down => REFUSAL,
                FaultKind::Page { number } if page >= *number => REFUSAL,
                FaultKind::Throttle { limit, .. }
                    if !self.throttles.borrow_mut()[at].lets_through(*limit, now) =>
                {
                    (Distribution::ZERO, 429)
                }
                _ => continue,
            };
            self.stats.borrow_mut().arrived(tier, now);
            // Decided now and told later: nobody waits in a queue for it.
            let answer = Answer::status(status);
            if let Some(request) = self.requests.borrow_mut().get(id) {
                request.decide(answer);
                request.fault = u16::try_from(at + 1).unwrap_or(u16::MAX);
            }
            if self.after(&after, &self.network, Event::Served(id)).is_some() {
                self.answer(id, tier, answer);
            }
            return;
        }
        self.stats.borrow_mut().arrived(tier, now);
        self.serve(id, tier, endpoint);
    }

    /// How many workers of a tier are idle, and how many requests wait for one.
    #[cfg(test)]
    pub(super) fn server(&self, tier: usize) -> (u32, usize) {
        self.servers.borrow()[tier].as_ref().map_or((0, 0), Endpoints::state)
    }

    /// How many requests faults hold.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.held.borrow().iter().map(Vec::len).sum()
    }

    /// When whoever decided a request's answer asks to come back.
    pub(super) fn retry_after(&self, fault: u16) -> Option<Duration> {
        match self.topology.faults.get(usize::from(fault.checked_sub(1)?))?.kind {
            FaultKind::Outage { retry_after, .. } | FaultKind::Throttle { retry_after, .. } => {
                retry_after
            }
            _ => None,
        }
    }

    /// What a fault held arrives.
    pub(super) fn release(&self, fault: u32) {
        let held = std::mem::take(&mut self.held.borrow_mut()[fault as usize]);
        for id in held {
            // Something else may be wrong by now.
            self.deliver(id);
        }
    }
}
