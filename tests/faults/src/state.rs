//! What has reached a server, shared by its threads.

use std::{
    io,
    net::{Shutdown, TcpStream},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use socket2::SockRef;

/// What has reached a server so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hits {
    /// Connections that were accepted.
    pub connections: usize,
    /// Connections that the server has closed or reset.
    pub closed: usize,
    /// Requests of HTTP/1 that were read, or streams of HTTP/2 that were opened.
    pub requests: usize,
}

/// How long anything is waited for. Nothing on loopback takes that long.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(crate) struct State {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    hits: Hits,
    heads: Vec<String>,
    /// By the connection's number; `None` once it is gone.
    open: Vec<Option<TcpStream>>,
    released: bool,
    stopped: bool,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn hits(&self) -> Hits {
        self.lock().hits
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.lock().heads.clone()
    }

    /// Blocks until `enough` says so; whether it did.
    pub(crate) fn wait(&self, enough: impl Fn(Hits) -> bool) -> bool {
        let guard = self.lock();
        let waited = self.changed.wait_timeout_while(guard, PATIENCE, |inner| !enough(inner.hits));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Lets connections go on that wait for it.
    pub(crate) fn release(&self) {
        self.lock().released = true;
        self.changed.notify_all();
    }

    fn closed(&self) {
        self.lock().hits.closed += 1;
        self.changed.notify_all();
    }

    /// Ends all connections, and every one that comes later.
    pub(crate) fn stop(&self) {
        let mut inner = self.lock();
        inner.stopped = true;
        self.changed.notify_all();
        for open in inner.open.drain(..).flatten() {
            // It may be closed already.
            let _ = open.shutdown(Shutdown::Both);
        }
    }
}

/// One connection of a server.
pub(crate) struct Connection {
    pub(crate) stream: TcpStream,
    /// From 0.
    pub(crate) number: usize,
    state: Arc<State>,
}

impl Connection {
    /// Counts a new connection. `None` after the server's end.
    pub(crate) fn accepted(stream: TcpStream, state: Arc<State>) -> Option<Self> {
        let mut inner = state.lock();
        if inner.stopped {
            return None;
        }
        inner.open.push(stream.try_clone().ok());
        inner.hits.connections += 1;
        state.changed.notify_all();
        let number = inner.hits.connections - 1;
        drop(inner);
        Some(Self { stream, number, state })
    }

    /// Counts a request, and gives its number, from 0.
    pub(crate) fn requested(&self, head: Option<String>) -> usize {
        let mut inner = self.state.lock();
        inner.heads.extend(head);
        inner.hits.requests += 1;
        self.state.changed.notify_all();
        inner.hits.requests - 1
    }

    /// Waits until the server is told to go on, or ends.
    pub(crate) fn hold(&self) {
        let guard = self.state.lock();
        let held = |inner: &mut Inner| !inner.released && !inner.stopped;
        drop(self.state.changed.wait_while(guard, held));
    }

    /// Says that nothing more comes, and takes what the client still sends: unread bytes would turn the
    /// end into a reset.
    pub(crate) fn close(mut self) -> io::Result<()> {
        let _ = self.stream.shutdown(Shutdown::Write);
        self.state.closed();
        self.stream.set_read_timeout(Some(PATIENCE))?;
        self.drain()
    }

    /// Ends with a reset.
    pub(crate) fn reset(self) -> io::Result<()> {
        SockRef::from(&self.stream).set_linger(Some(Duration::ZERO))?;
        // It is sent when the last handle is gone.
        if let Some(open) = self.state.lock().open.get_mut(self.number) {
            *open = None;
        }
        let Self { stream, state, .. } = self;
        drop(stream);
        state.closed();
        Ok(())
    }

    /// Reads until the client goes or the server ends.
    pub(crate) fn drain(&mut self) -> io::Result<()> {
        io::copy(&mut self.stream, &mut io::sink()).map(drop)
    }
}
