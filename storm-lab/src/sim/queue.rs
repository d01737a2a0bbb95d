//! What happens next.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, VecDeque},
};

use super::{clock::Sleeper, requests::RequestId};

/// Something that happens at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A request reaches its server.
    Deliver(RequestId),
    /// A worker has served a request.
    Served(RequestId),
    /// An answer reaches its client.
    Answer(RequestId),
    /// The client's patience with a request ends.
    TimeOut(RequestId),
    /// The call of this slot has slept enough.
    Wake(u32, Sleeper),
    /// A caller of this process begins its next call.
    Call(u32),
    /// A fault of this number ends, and what it held arrives.
    Release(u32),
    /// The budgets are looked at.
    Look,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    at: u64,
    /// So that what was planned first happens first, whatever the structure.
    order: u64,
    event: Event,
}

impl Entry {
    const fn key(&self) -> (u64, u64) {
        (self.at, self.order)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The soonest is the greatest, for a heap that gives the greatest first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

/// Events that always come equally long after they were planned, such as timeouts, stand in line by themselves;
/// only the others need a heap.
#[derive(Debug, Default)]
pub(super) struct Queue {
    heap: BinaryHeap<Entry>,
    lanes: Vec<Lane>,
    order: u64,
    /// How many events were left when they were last looked through.
    pruned: usize,
}

#[derive(Debug)]
struct Lane {
    delay: u64,
    line: VecDeque<Entry>,
}

/// More lanes than this would be slower to look through than the heap.
const MOST_LANES: usize = 6;

impl Queue {
    /// Plans an event for a moment.
    pub(super) fn push(&mut self, at: u64, event: Event) {
        let order = self.next_order();
        self.heap.push(Entry { at, order, event });
    }

    /// Plans an event for so long after now, where others of the same kind come after equally long.
    pub(super) fn push_after(&mut self, now: u64, delay: u64, event: Event) {
        let at = now.saturating_add(delay);
        let order = self.next_order();
        let entry = Entry { at, order, event };
        if let Some(lane) = self.lanes.iter_mut().find(|lane| lane.delay == delay) {
            lane.line.push_back(entry);
        } else if self.lanes.len() < MOST_LANES {
            self.lanes.push(Lane { delay, line: VecDeque::from([entry]) });
        } else {
            self.heap.push(entry);
        }
    }

    /// Takes out what is not `live` any more, if there are many more events than the last time.
    pub(super) fn prune(&mut self, mut live: impl FnMut(&Event) -> bool) {
        let planned = |queue: &Self| {
            queue.heap.len() + queue.lanes.iter().map(|lane| lane.line.len()).sum::<usize>()
        };
        if planned(self) < 2 * self.pruned + FEW {
            return;
        }
        self.heap.retain(|entry| live(&entry.event));
        for lane in &mut self.lanes {
            lane.line.retain(|entry| live(&entry.event));
        }
        self.pruned = planned(self);
    }

    const fn next_order(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    /// When something happens next, and where to find it.
    #[inline]
    pub(super) fn next(&self) -> Option<Next> {
        let mut best = self.heap.peek().map(|entry| (entry.key(), HEAP));
        for (place, lane) in self.lanes.iter().enumerate() {
            if let Some(entry) = lane.line.front()
                && best.is_none_or(|(key, _)| entry.key() < key)
            {
                best = Some((entry.key(), place));
            }
        }
        best.map(|((at, _), place)| Next { at, place })
    }

    /// Takes what [`next`](Self::next) has found.
    #[inline]
    pub(super) fn take(&mut self, next: Next) -> Option<Event> {
        let entry = match self.lanes.get_mut(next.place) {
            Some(lane) => lane.line.pop_front(),
            None => self.heap.pop(),
        };
        entry.map(|entry| entry.event)
    }
}

const HEAP: usize = usize::MAX;

/// So many events are no burden.
const FEW: usize = 100_000;

/// What happens next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// When.
    pub(super) at: u64,
    place: usize,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_nobody_waits_for_is_forgotten_once_it_is_most_of_it() {
        let mut queue = Queue::default();
        for number in 0..300_000 {
            queue.push_after(u64::from(number), 3_600_000_000_000, Event::Release(number));
            queue.push(u64::from(number), Event::Release(number));
        }
        queue.prune(|event| matches!(event, Event::Release(number) if number % 100 == 0));
        assert_eq!(queue.heap.len() + queue.lanes[0].line.len(), 6_000);
        assert_eq!(queue.next().map(|next| next.at), Some(0));
    }

    proptest! {
        #[test]
        fn events_come_in_the_order_of_their_moments_and_then_of_their_planning(
            plans in prop::collection::vec((0..50_u64, prop::option::of(0..9_u64)), 0..200),
        ) {
            let mut queue = Queue::default();
            let mut expected = Vec::new();
            let (mut now, mut numbers) = (0, Vec::new());
            for (number, (wait, delay)) in (0..).zip(plans) {
                now += wait % 3;
                let event = Event::Release(number);
                let at = now + delay.unwrap_or(wait);
                if delay.is_some() {
                    queue.push_after(now, at - now, event);
                } else {
                    queue.push(at, event);
                }
                expected.push((at, number));
            }
            expected.sort_unstable();
            while let Some(next) = queue.next() {
                let Some(Event::Release(number)) = queue.take(next) else { panic!("only these") };
                numbers.push((next.at, number));
            }
            prop_assert_eq!(numbers, expected);
        }
    }
}
