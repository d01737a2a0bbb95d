//! Workers, the queue before them, and what goes wrong.

use std::{
    hint::black_box,
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use retry_runtime::{Generator, Uniform};
use tokio::{
    sync::{Semaphore, oneshot},
    time::{sleep, sleep_until},
};

use super::Fate;
use crate::load::{
    faults::Schedule,
    ledger::micros,
    protocol::{Served, ServerOrder, count},
};

#[derive(Debug)]
pub(super) struct Desk {
    start: Instant,
    schedule: Schedule,
    /// First come, first served.
    workers: Semaphore,
    service: Duration,
    rounds: u32,
    queue: u64,
    most_requests: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    random: Generator,
    requests: u64,
    /// In the queue; not those that are held.
    queued: u64,
    held: u64,
    served: Served,
}

impl Desk {
    pub(super) fn new(order: ServerOrder, start: Instant) -> Self {
        let state = State {
            random: Generator::seeded(order.seed, 0),
            requests: 0,
            queued: 0,
            held: 0,
            served: Served::default(),
        };
        Self {
            start,
            schedule: order.schedule,
            workers: Semaphore::new(
                usize::try_from(order.workers).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS),
            ),
            service: Duration::from_micros(order.service_us),
            rounds: order.rounds,
            queue: u64::from(order.queue),
            most_requests: order.most_requests,
            state: Mutex::new(state),
        }
    }

    /// Follows a request to its end, whether or not its client still waits, and says what becomes of it.
    pub(super) async fn handle(&self, client: &oneshot::Sender<Fate>) -> Fate {
        let Some(fate) = self.arrive() else { return Fate::Close };
        let conditions = self.schedule.at(self.start.elapsed());
        if let Some(after) = conditions.outage {
            sleep(after).await;
            self.state().served.failed += 1;
            return Fate::Refuse;
        }
        if let Some(wait) = conditions.held {
            self.state().held += 1;
            sleep(wait).await;
            self.state().held -= 1;
        }
        if !self.enter_queue() {
            return Fate::Refuse;
        }
        let worker = self.workers.acquire().await;
        self.state().queued -= 1;
        let began = Instant::now();
        self.burn();
        sleep_until((began + self.service).into()).await;
        drop(worker);
        self.note_served(began.elapsed(), fate, client.is_closed());
        fate
    }

    /// Counts a request, and says what becomes of it once it is served; `None` if it is lost before.
    fn arrive(&self) -> Option<Fate> {
        let loss = self.schedule.at(self.start.elapsed()).loss;
        let mut state = self.state();
        state.served.arrived += 1;
        state.requests += 1;
        if state.requests > self.most_requests {
            return None;
        }
        let Some((request, response)) = loss else { return Some(Fate::Answer) };
        #[expect(clippy::cast_precision_loss, reason = "32 bits are exact")]
        let draw = state.random.up_to(u64::from(u32::MAX)) as f64 / (f64::from(u32::MAX) + 1.0);
        if draw < request {
            state.served.lost += 1;
            return None;
        }
        if draw < request + response {
            return Some(Fate::Close);
        }
        Some(Fate::Answer)
    }

    fn enter_queue(&self) -> bool {
        let mut state = self.state();
        // Nobody waits while a worker is free.
        if state.queued >= self.queue && self.workers.available_permits() == 0 {
            state.served.refused += 1;
            return false;
        }
        state.queued += 1;
        true
    }

    /// Costs CPU time: the same work for each request, on any machine.
    fn burn(&self) {
        let mut word = black_box(0x9e37_79b9_7f4a_7c15_u64);
        for _ in 0..self.rounds {
            word = word.wrapping_mul(0x2545_f491_4f6c_dd1d).rotate_left(17);
        }
        black_box(word);
    }

    fn note_served(&self, busy: Duration, fate: Fate, wasted: bool) {
        let now = self.start.elapsed();
        let mut state = self.state();
        state.served.served += 1;
        state.served.busy_us += micros(busy);
        state.served.unanswered += u64::from(fate == Fate::Close);
        if wasted {
            state.served.wasted += 1;
        } else {
            count(&mut state.served.in_time, now);
        }
    }

    /// What is new since this was last called.
    pub(super) fn take(&self) -> Served {
        let mut state = self.state();
        let mut served = mem::take(&mut state.served);
        served.at_us = micros(self.start.elapsed());
        served.waiting = state.queued + state.held;
        served
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
