//! Requests on their way.

use std::time::Duration;

/// One request, among those on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestId {
    place: u32,
    /// Which of those that had the place.
    turn: u32,
}

/// What a client hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// What it asked for.
    Ok,
    /// A failure that the server, or what stands before it, tells.
    Status { status: u16, retry_after: Option<Duration> },
    /// Nothing, for as long as it was willing to wait.
    TimedOut,
}

#[derive(Debug)]
pub(super) struct Request {
    /// The slot of the call that it belongs to.
    pub(super) slot: u32,
    pub(super) tier: u32,
    pub(super) endpoint: u32,
    /// Which of the calls of its attempt, from 1.
    pub(super) page: u32,
    /// What it will be answered, where that was decided without a worker.
    pub(super) decided: Option<Answer>,
    /// What the client has heard.
    pub(super) heard: Option<Answer>,
    /// Whether the call has to be woken for that.
    pub(super) pending: bool,
    /// Whether the client has it in its hands.
    held: bool,
    /// Whether network or server have it.
    under_way: bool,
    turn: u32,
}

impl Request {
    /// Whether the client still waits.
    pub(super) const fn is_wanted(&self) -> bool {
        self.held && self.heard.is_none()
    }
}

/// The requests that somebody still has to do with. A place is used again when nobody has.
#[derive(Debug, Default)]
pub(super) struct Requests {
    places: Vec<Request>,
    free: Vec<u32>,
}

impl Requests {
    /// A request that leaves its client.
    pub(super) fn send(&mut self, slot: u32, tier: u32, page: u32) -> RequestId {
        let fresh = Request {
            slot,
            tier,
            endpoint: 0,
            page,
            decided: None,
            heard: None,
            pending: false,
            held: true,
            under_way: true,
            turn: 0,
        };
        match self.free.pop() {
            Some(place) => {
                let request = &mut self.places[place as usize];
                let turn = request.turn.wrapping_add(1);
                *request = Request { turn, ..fresh };
                RequestId { place, turn }
            }
            None => {
                self.places.push(fresh);
                RequestId {
                    place: u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX),
                    turn: 0,
                }
            }
        }
    }

    /// `None` where nobody has to do with it any more.
    #[inline]
    pub(super) fn get(&mut self, id: RequestId) -> Option<&mut Request> {
        self.places.get_mut(id.place as usize).filter(|request| request.turn == id.turn)
    }

    /// The client lets go of it.
    pub(super) fn let_go(&mut self, id: RequestId) {
        if let Some(request) = self.get(id) {
            request.held = false;
            let done = !request.under_way;
            self.forget_if(id, done);
        }
    }

    /// Neither network nor server have it any more.
    pub(super) fn finish(&mut self, id: RequestId) {
        if let Some(request) = self.get(id) {
            request.under_way = false;
            let done = !request.held;
            self.forget_if(id, done);
        }
    }

    /// How many places there are, and how many of them are taken.
    #[cfg(test)]
    pub(super) fn places(&self) -> (usize, usize) {
        (self.places.len(), self.places.len() - self.free.len())
    }

    fn forget_if(&mut self, id: RequestId, done: bool) {
        if done {
            let request = &mut self.places[id.place as usize];
            // What still refers to it finds another turn.
            request.turn = request.turn.wrapping_add(1);
            self.free.push(id.place);
        }
    }
}
