//! One event after the other.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    time::Duration,
};

use super::{
    arrivals::Arrivals,
    client::{self, Place},
    clock,
    dice::nanos,
    failure::Failure,
    queue::Event,
    world::World,
};
use crate::scenario::Scenario;

/// A place for a client's own call. Its memory is used again by the next one.
struct Slot<F> {
    call: Pin<Box<Option<F>>>,
    began: u64,
    process: u32,
    /// A caller that calls again when the call is over.
    again: bool,
}

/// Calls in progress, and who begins others when.
pub(super) struct Engine<'w, 'a, F, M> {
    world: &'w World<'a>,
    make: M,
    slots: Vec<Slot<F>>,
    free: Vec<u32>,
    arrivals: Arrivals,
    woken: Arc<Woken>,
    waker: Waker,
    /// Slots whose call may go on.
    due: Vec<u32>,
    events: u64,
    most: u64,
}

/// Whether the call that is polled asked to be polled again, as one does that retries without a delay.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Simulates all of it; `None` if it was stopped.
pub(super) fn run(scenario: &Scenario, world: &World<'_>, seed: u64) -> Option<(u64, u64)> {
    let make = |place| client::call(world, place);
    let woken = Arc::new(Woken(AtomicBool::new(false)));
    let clients = &world.topology.clients;
    let mut engine = Engine {
        world,
        make,
        slots: Vec::new(),
        free: Vec::new(),
        arrivals: Arrivals::new(clients, seed, nanos(scenario.duration)),
        waker: Waker::from(Arc::clone(&woken)),
        woken,
        due: Vec::new(),
        events: 0,
        most: 0,
    };
    engine.plan(scenario);
    engine.simulate(scenario)
}

/// A caller whose call took less than this, in nanoseconds, was refused at once,
const INSTANT: u64 = 1_000;
/// and calls again this long after: it would repeat its calls in a single moment for ever.
const BREATH: u64 = 1_000_000;

/// How many events there are between two looks at what is outside.
const ROUND: u64 = 1 << 16;

impl<F, M> Engine<'_, '_, F, M>
where
    F: Future<Output = Result<(), Failure>>,
    M: Fn(Place) -> F,
{
    /// What is known beforehand.
    fn plan(&mut self, scenario: &Scenario) {
        let mut queue = self.world.queue.borrow_mut();
        for (fault, at) in (0..).zip(&self.world.topology.faults) {
            queue.push(nanos(at.window.to), Event::Release(fault));
        }
        // Before the calls of the same moment, which are counted.
        for at in 0..=scenario.duration.as_secs() {
            queue.push(at * 1_000_000_000, Event::Look);
        }
        for at in [scenario.window.from, scenario.window.to] {
            queue.push(nanos(at), Event::Look);
        }
        let clients = &self.world.topology.clients;
        for process in 0..clients.processes {
            for _ in 0..clients.callers {
                queue.push(0, Event::Call(process));
            }
        }
    }

    fn simulate(&mut self, scenario: &Scenario) -> Option<(u64, u64)> {
        let patience = nanos(scenario.duration * 2 + Duration::from_secs(60));
        let watch = self.world.watch;
        let (mut told, mut told_events) = (0, 0);
        loop {
            let next = self.world.queue.borrow().next();
            let arrival = self.arrivals.peek();
            let at = next.map_or(u64::MAX, |next| next.at).min(arrival);
            // Whoever waits for an answer that never comes would wait for ever.
            if at == u64::MAX || at > patience {
                break;
            }
            clock::set_now(at);
            self.events += 1;
            match next {
                Some(next) if next.at <= arrival => {
                    let event = self.world.queue.borrow_mut().take(next);
                    self.happen(event, at);
                }
                _ => {
                    let process = self.arrivals.take(at);
                    self.begin(process, false, at);
                }
            }
            self.go_on(at);
            if self.world.is_stopped() {
                return None;
            }
            if self.events.is_multiple_of(ROUND) {
                if watch.is_stopped() {
                    return None;
                }
                // In whole milliseconds, as it is told.
                let time = at.min(nanos(scenario.duration)) / 1_000_000 * 1_000_000;
                let passed = Duration::from_nanos(time - told);
                watch.advance(passed, self.events - told_events);
                self.world.forget_stale();
                (told, told_events) = (time, self.events);
            }
        }
        let left = nanos(scenario.duration).saturating_sub(told);
        watch.advance(Duration::from_nanos(left), self.events - told_events);
        // Those that are still waiting have failed.
        for slot in &mut self.slots {
            if slot.call.as_mut().as_pin_mut().is_some() {
                slot.call.set(None);
                self.world.stats.borrow_mut().ended(slot.began, clock::now(), false);
            }
        }
        Some((self.events, self.most))
    }

    fn happen(&mut self, event: Option<Event>, now: u64) {
        match event {
            Some(Event::Deliver(request)) => self.world.deliver(request),
            Some(Event::Served(request)) => self.world.served(request),
            Some(Event::Answer(request)) => self.world.arrive(request),
            Some(Event::TimeOut(request)) => self.world.time_out(request),
            Some(Event::Wake(slot, sleeper)) => {
                let slept = clock::end(sleeper);
                self.due.extend(slept.then_some(slot));
            }
            Some(Event::Call(process)) => self.begin(process, true, now),
            Some(Event::Release(fault)) => self.world.release(fault),
            Some(Event::Look) => self.world.stats.borrow_mut().look(self.world, now),
            None => {}
        }
    }

    /// A client's own call begins.
    fn begin(&mut self, process: u32, again: bool, now: u64) {
        let counted = self.world.stats.borrow().counts(now);
        let call = (self.make)(Place { process, page: 1, tier: 0, counted });
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { call: Box::pin(None), began: 0, process: 0, again: false });
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        let place = &mut self.slots[slot as usize];
        place.call.set(Some(call));
        (place.began, place.process, place.again) = (now, process, again);
        self.world.stats.borrow_mut().began(now);
        self.most = self.most.max((self.slots.len() - self.free.len()) as u64);
        self.due.push(slot);
    }

    /// Polls what may go on, until nothing may.
    fn go_on(&mut self, now: u64) {
        loop {
            self.due.append(&mut self.world.ready.borrow_mut());
            let Some(slot) = self.due.pop() else { return };
            self.poll(slot, now);
        }
    }

    fn poll(&mut self, slot: u32, now: u64) {
        self.world.slot.set(slot);
        let place = &mut self.slots[slot as usize];
        let mut task = Context::from_waker(&self.waker);
        let polled = loop {
            let Some(call) = place.call.as_mut().as_pin_mut() else { return };
            let polled = call.poll(&mut task);
            // Without an atomic exchange where nobody has asked.
            if polled.is_ready() || !self.woken.0.load(Ordering::Relaxed) {
                break polled;
            }
            self.woken.0.store(false, Ordering::Relaxed);
        };
        let mut queue = self.world.queue.borrow_mut();
        clock::begun(|at, sleeper| queue.push(at, Event::Wake(slot, sleeper)));
        let Poll::Ready(result) = polled else { return };
        place.call.set(None);
        self.free.push(slot);
        self.world.stats.borrow_mut().ended(place.began, now, result.is_ok());
        if place.again {
            let wait = self.arrivals.dice.draw(&self.world.topology.clients.think);
            let mut at = now.saturating_add(wait);
            if at.saturating_sub(place.began) < INSTANT {
                at = place.began.saturating_add(BREATH);
            }
            if at < self.arrivals.until {
                queue.push(at, Event::Call(place.process));
            }
        }
    }
}
