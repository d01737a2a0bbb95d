//! Every interleaving of a hedge that starts with an answer that comes, as attempts are ended by other
//! threads while the round is polled:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_hedge --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
}
#[allow(dead_code, reason = "what the model does not need")]
#[path = "../src/budget/token_bucket.rs"]
mod token_bucket;

#[allow(dead_code, reason = "what the model does not need")]
#[path = "../src/hedge/race.rs"]
mod race;

use loom::{
    sync::{Arc, Notify},
    thread,
};
use race::{End, Next, Race};
use retry_runtime::Moment;
use sync::{AtomicU64, Ordering};
use token_bucket::TokenBucket;

const RETRY: u64 = 10;
const PENDING: u64 = 0;
const ANSWER: u64 = 1;
const FAILURE: u64 = 2;

/// What the threads share: how each of two attempts has ended, who is to be woken for it, and what pays.
struct Shared {
    ends: [AtomicU64; 2],
    woken: Notify,
    bucket: TokenBucket,
}

impl Shared {
    /// With this many retries left.
    fn new(retries: u64) -> Arc<Self> {
        let deficit = AtomicU64::new((2 - retries) * RETRY);
        Arc::new(Self {
            ends: [AtomicU64::new(PENDING), AtomicU64::new(PENDING)],
            woken: Notify::new(),
            bucket: TokenBucket::new(deficit, AtomicU64::new(2 * RETRY), RETRY, AtomicU64::new(1)),
        })
    }
}

/// An attempt ends on a thread of its own, and wakes whoever polls the round.
fn end(shared: &Arc<Shared>, attempt: usize, how: u64) -> thread::JoinHandle<()> {
    let shared = shared.clone();
    thread::spawn(move || {
        shared.ends[attempt].store(how, Ordering::Release);
        shared.woken.notify();
    })
}

/// A round whose timer for a hedge has fired by the time of its first poll.
struct Round {
    race: Race,
    shared: Arc<Shared>,
    in_flight: Vec<usize>,
    started: u64,
}

impl Round {
    fn new(shared: &Arc<Shared>) -> Self {
        let mut race = Race::new(1);
        race.schedule(Moment::from_nanos(1));
        Self { race, shared: shared.clone(), in_flight: vec![0], started: 0 }
    }

    /// As a future's poll: who is in flight, and then the timer. Whose end is the round's, and how.
    fn poll(&mut self) -> Option<(usize, u64)> {
        for attempt in self.in_flight.clone() {
            let ended = self.poll_one(attempt);
            if ended.is_some() {
                return ended;
            }
        }
        if !self.race.take_turn(Moment::from_nanos(1)) || !self.shared.bucket.take(RETRY) {
            return None;
        }
        self.race.start();
        self.started += 1;
        self.in_flight.push(1);
        self.poll_one(1)
    }

    fn poll_one(&mut self, attempt: usize) -> Option<(usize, u64)> {
        let how = self.shared.ends[attempt].load(Ordering::Acquire);
        let end = match how {
            PENDING => return None,
            ANSWER => End::Final,
            _ => End::Retryable,
        };
        self.in_flight.retain(|other| *other != attempt);
        (self.race.end(end) == Next::Commit).then_some((attempt, how))
    }

    fn run(&mut self) -> (usize, u64) {
        let ended = loop {
            if let Some(ended) = self.poll() {
                break ended;
            }
            self.shared.woken.wait();
        };
        // Whatever comes after the end starts nothing.
        assert!(!self.race.has_turns() && !self.race.take_turn(Moment::NEVER));
        assert_eq!(self.race.due(), Moment::NEVER);
        ended
    }
}

#[test]
fn one_of_two_answers_is_the_rounds() {
    loom::model(|| {
        let shared = Shared::new(1);
        let answers = [end(&shared, 0, ANSWER), end(&shared, 1, ANSWER)];
        let mut round = Round::new(&shared);
        let (attempt, how) = round.run();
        assert_eq!(how, ANSWER);
        assert!(attempt == 0 || round.started == 1, "only what was started can win");
        assert_eq!(shared.bucket.available(), RETRY * (1 - round.started));
        for answer in answers {
            answer.join().unwrap();
        }
    });
}

#[test]
fn a_failure_at_the_tick_of_the_hedge_ends_the_round_or_waits_for_the_hedge() {
    loom::model(|| {
        let shared = Shared::new(1);
        let ends = [end(&shared, 0, FAILURE), end(&shared, 1, ANSWER)];
        let mut round = Round::new(&shared);
        let ended = round.run();
        // With nothing in flight the failure decides at once; a hedge in flight makes up for it.
        assert_eq!(ended, if round.started == 0 { (0, FAILURE) } else { (1, ANSWER) });
        for end in ends {
            end.join().unwrap();
        }
    });
}

#[test]
fn of_two_failures_the_last_decides() {
    loom::model(|| {
        let shared = Shared::new(1);
        let ends = [end(&shared, 0, FAILURE), end(&shared, 1, FAILURE)];
        let mut round = Round::new(&shared);
        let (_, how) = round.run();
        assert_eq!(how, FAILURE);
        assert!(round.in_flight.is_empty(), "nothing in flight is forgotten");
        for end in ends {
            end.join().unwrap();
        }
    });
}

#[test]
fn a_hedge_that_another_call_leaves_no_budget_for_does_not_start() {
    loom::model(|| {
        let shared = Shared::new(1);
        let answer = end(&shared, 0, ANSWER);
        let other = {
            let shared = shared.clone();
            thread::spawn(move || shared.bucket.take(RETRY))
        };
        let mut round = Round::new(&shared);
        assert_eq!(round.run().1, ANSWER);
        answer.join().unwrap();
        let taken = u64::from(other.join().unwrap());
        assert!(taken + round.started <= 1);
        assert_eq!(shared.bucket.available(), RETRY * (1 - taken - round.started));
    });
}
