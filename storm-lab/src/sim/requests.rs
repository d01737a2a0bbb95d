//! Requests on their way.

/// One request, among those on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestId {
    place: u32,
    /// Which of those that had the place.
    turn: u32,
}

/// What a client hears: 0 for nothing yet, an HTTP status, or one of the two below.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer(u16);

impl Answer {
    /// What it asked for.
    pub(super) const OK: Self = Self(200);
    /// Nothing, for as long as it was willing to wait.
    pub(super) const TIMED_OUT: Self = Self(1);
    const NONE: Self = Self(0);

    /// A failure that the server, or what stands before it, tells.
    pub(super) const fn status(status: u16) -> Self {
        // What is no status of HTTP is no answer that anybody could read.
        Self(if status < 100 { 500 } else { status })
    }

    /// The status; `None` where there was no answer.
    pub(super) const fn as_status(self) -> Option<u16> {
        if self.0 < 100 { None } else { Some(self.0) }
    }
}

/// There are tens of thousands of them in a storm, so that their size is what makes it slow.
#[derive(Debug)]
pub(super) struct Request {
    turn: u32,
    /// The slot of the call that it belongs to.
    pub(super) slot: u32,
    /// Which of the calls of its attempt, from 1.
    pub(super) page: u32,
    pub(super) tier: u16,
    pub(super) endpoint: u16,
    /// The fault that has decided its answer, which may ask for a wait; from 1.
    pub(super) fault: u16,
    decided: Answer,
    heard: Answer,
    /// Whether the call has to be woken for what it hears.
    pub(super) pending: bool,
    /// Whether the client has it in its hands.
    held: bool,
    /// Whether network or server have it.
    under_way: bool,
}

const _: () = assert!(size_of::<Request>() <= 28, "more of them than fit into a cache");

impl Request {
    /// Whether the client still waits.
    #[inline]
    pub(super) const fn is_wanted(&self) -> bool {
        self.held && self.heard.0 == Answer::NONE.0
    }

    /// What it will be answered, where that was decided already.
    #[inline]
    pub(super) fn decided(&self) -> Option<Answer> {
        (self.decided != Answer::NONE).then_some(self.decided)
    }

    /// What the client has heard.
    #[inline]
    pub(super) fn heard(&self) -> Option<Answer> {
        (self.heard != Answer::NONE).then_some(self.heard)
    }

    pub(super) const fn decide(&mut self, answer: Answer) {
        self.decided = answer;
    }

    pub(super) const fn hear(&mut self, answer: Answer) {
        self.heard = answer;
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
    pub(super) fn send(&mut self, slot: u32, tier: u16, page: u32) -> RequestId {
        let fresh = Request {
            slot,
            tier,
            endpoint: 0,
            page,
            fault: 0,
            decided: Answer::NONE,
            heard: Answer::NONE,
            pending: false,
            held: true,
            under_way: true,
            turn: 0,
        };
        if let Some(place) = self.free.pop() {
            let request = &mut self.places[place as usize];
            let turn = request.turn.wrapping_add(1);
            *request = Request { turn, ..fresh };
            RequestId { place, turn }
        } else {
            self.places.push(fresh);
            RequestId { place: u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX), turn: 0 }
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
