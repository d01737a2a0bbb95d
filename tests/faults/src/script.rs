//! What a server does, in order.

use crate::{h1, h2};

/// What a server does. Of each list the last entry repeats for ever; an empty list acts like one with an
/// entry that does nothing.
#[derive(Clone, Debug)]
pub struct Script(pub(crate) Kind);

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Refused,
    Deaf,
    Connections(Vec<Vec<h1::Step>>),
    Requests(Vec<Vec<h1::Step>>),
    Streams(Vec<Vec<h2::Step>>),
}

impl Script {
    /// Nobody listens: connecting is refused at once.
    #[must_use]
    pub const fn refused() -> Self {
        Self(Kind::Refused)
    }

    /// The queue of connections is full: connecting takes until the client loses patience.
    #[must_use]
    pub const fn deaf() -> Self {
        Self(Kind::Deaf)
    }

    /// What happens on each connection, from its first byte on. After the last step it is closed.
    #[must_use]
    pub fn connections(each: impl IntoIterator<Item = Vec<h1::Step>>) -> Self {
        Self(Kind::Connections(each.into_iter().collect()))
    }

    /// What happens after each request of HTTP/1 has been read, on whichever connection it came. After
    /// the last step the connection waits for the next request.
    #[must_use]
    pub fn requests(each: impl IntoIterator<Item = Vec<h1::Step>>) -> Self {
        Self(Kind::Requests(each.into_iter().collect()))
    }

    /// What happens after each request of HTTP/2 (prior knowledge) has been read, on whichever connection
    /// it came. After the last step the connection goes on.
    #[must_use]
    pub fn streams(each: impl IntoIterator<Item = Vec<h2::Step>>) -> Self {
        Self(Kind::Streams(each.into_iter().collect()))
    }
}

/// The entry for the `number`th, from 0.
pub(crate) fn entry<T>(entries: &[Vec<T>], number: usize) -> &[T] {
    entries.get(number).or(entries.last()).map_or(&[], Vec::as_slice)
}
