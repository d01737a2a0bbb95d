//! The numbers of a budget that can change while it runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Budget;
use super::flight::Flight;
use super::floor::Floor;
use super::window::Window;
use crate::Moment;
use crate::time::{duration, nanos};

/// What a budget goes by, in its own units. What its kind does not have is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Numbers {
    pub(super) capacity: u64,
    pub(super) earned: u64,
    /// Of the attempts in a window, or of the calls under way.
    pub(super) share: u64,
    pub(super) length: Duration,
    pub(super) min_samples: u32,
    pub(super) reserve: u32,
    pub(super) min_concurrency: u32,
    pub(super) per_call: f64,
    pub(super) floor: u32,
    pub(super) floor_silence: Duration,
    pub(super) shed: u32,
}

/// What was declared, of the budgets that go by something else now. Here and not in each of them: few are
/// ever overridden, and every site has a budget.
///
/// By address: only what lives as long as the process is overridden. Whoever changes numbers holds the
/// lock, so that they change together.
static DECLARED: Mutex<BTreeMap<usize, Numbers>> = Mutex::new(BTreeMap::new());

fn lock() -> MutexGuard<'static, BTreeMap<usize, Numbers>> {
    DECLARED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Budget {
    /// What it goes by now.
    pub(super) fn numbers(&self) -> Numbers {
        let _turn = lock();
        self.read_numbers()
    }

    /// What it went by before anything was overridden.
    pub(super) fn declared_numbers(&self) -> Numbers {
        let declared = lock();
        declared.get(&self.address()).copied().unwrap_or_else(|| self.read_numbers())
    }

    /// From here on it goes by what `change` makes of what was declared.
    pub(super) fn change_numbers(
        &'static self,
        change: impl FnOnce(Numbers) -> Numbers,
        now: Moment,
    ) {
        let mut declared = lock();
        let told = declared.get(&self.address()).copied().unwrap_or_else(|| self.read_numbers());
        let next = change(told);
        if next == told {
            declared.remove(&self.address());
        } else {
            declared.insert(self.address(), told);
        }
        self.put(&next, now);
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    fn read_numbers(&self) -> Numbers {
        let (window, flight) = (self.window.as_ref(), self.options.flight.as_ref());
        let floor = self.options.floor.as_ref();
        let of_flight = flight.map_or(0, Flight::share);
        Numbers {
            capacity: self.bucket.capacity(),
            earned: self.bucket.earned(),
            share: window.map_or(of_flight, Window::share),
            length: window.map_or(Duration::ZERO, Window::length),
            min_samples: window.map_or(0, Window::min_samples),
            reserve: window.map_or(0, Window::per_second),
            min_concurrency: flight.map_or(0, Flight::least),
            per_call: self.options.share(),
            floor: floor.map_or(0, Floor::per_second),
            floor_silence: floor.map_or(Duration::ZERO, |floor| duration(floor.silence())),
            shed: self.options.shedding.multiplier(),
        }
    }

    /// Callers take turns.
    pub(super) fn put(&self, numbers: &Numbers, now: Moment) {
        self.bucket.change_capacity(numbers.capacity);
        self.bucket.change_earned(numbers.earned);
        if let Some(window) = &self.window {
            window.change_share(numbers.share);
            window.change_min_samples(numbers.min_samples);
            window.change_reserve(numbers.reserve);
            window.change_length(numbers.length, now);
        }
        if let Some(flight) = &self.options.flight {
            flight.change(numbers.share, numbers.min_concurrency);
        }
        if let Some(floor) = &self.options.floor {
            floor.change(numbers.floor, nanos(numbers.floor_silence));
        }
        self.options.change_share(numbers.per_call);
        // What was declared without shedding is told nothing to shed by.
        if let Some(shedding) = self.options.shedding.get() {
            shedding.change(numbers.shed);
        }
    }
}
