//! A server and its threads.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

use socket2::{Domain, Socket, Type};

use crate::{
    Hits, Script, h1, h2,
    script::Kind,
    state::{Connection, State},
};

/// A server on a port of its own. It ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    addr: SocketAddr,
    state: Arc<State>,
    /// Nothing to run for a server that never accepts.
    accepting: Option<JoinHandle<()>>,
    /// What keeps a port that nobody listens on, or a queue that is full.
    _kept: Vec<Socket>,
}

impl Server {
    /// Starts a server that does what the script says.
    ///
    /// # Errors
    ///
    /// There is no port on loopback.
    pub fn start(script: Script) -> io::Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())?;
        let addr = socket.local_addr()?.as_socket().ok_or(io::ErrorKind::Unsupported)?;
        let state = Arc::new(State::default());
        let kept = match script.0 {
            Kind::Refused => vec![socket],
            Kind::Deaf => full(socket, addr)?,
            _ => {
                socket.listen(128)?;
                let (listener, script, shared) =
                    (socket.into(), Arc::new(script), Arc::clone(&state));
                let accepting = Some(thread::spawn(move || accept(&listener, &script, &shared)));
                return Ok(Self { addr, state, accepting, _kept: Vec::new() });
            }
        };
        Ok(Self { addr, state, accepting: None, _kept: kept })
    }

    /// Where it listens.
    #[must_use]
    pub const fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// `http://`, the address and the path, which begins with a slash.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// What has reached it so far.
    #[must_use]
    pub fn hits(&self) -> Hits {
        self.state.hits()
    }

    /// The heads of the requests of HTTP/1 that it has read, in order: request line and fields.
    #[must_use]
    pub fn heads(&self) -> Vec<String> {
        self.state.heads()
    }

    /// Lets connections go on that [hold](h1::Step::Hold), now and later.
    pub fn release(&self) {
        self.state.release();
    }

    /// Blocks this thread, and a runtime on it, until `enough` says so, 10 s at most; whether it did.
    #[must_use]
    pub fn wait(&self, enough: impl Fn(Hits) -> bool) -> bool {
        self.state.wait(enough)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.stop();
        if let Some(accepting) = self.accepting.take() {
            // Wakes it up, to see that this is the end.
            let woken = TcpStream::connect(self.addr);
            if woken.is_ok() {
                let _ = accepting.join();
            }
        }
    }
}

fn accept(listener: &TcpListener, script: &Arc<Script>, state: &Arc<State>) {
    while let Ok((stream, _)) = listener.accept() {
        // Small frames belong on the wire at once; where that is refused they are merely late.
        let _ = stream.set_nodelay(true);
        let Some(connection) = Connection::accepted(stream, Arc::clone(state)) else { return };
        let script = Arc::clone(script);
        thread::spawn(move || {
            // The client may go at any moment, and that ends it.
            let _ = match &script.0 {
                Kind::Connections(each) => h1::connection(connection, each),
                Kind::Requests(each) => h1::requests(connection, each),
                Kind::Streams(each) => h2::connection(connection, each),
                Kind::Refused | Kind::Deaf => Ok(()),
            };
        });
    }
}

/// A socket whose queue is full: the kernel drops what knocks.
fn full(socket: Socket, addr: SocketAddr) -> io::Result<Vec<Socket>> {
    socket.listen(0)?;
    let mut kept = vec![socket];
    for _ in 0..64 {
        let waiting = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        match waiting.connect_timeout(&addr.into(), Duration::from_millis(50)) {
            Ok(()) => kept.push(waiting),
            Err(_) => return Ok(kept),
        }
    }
    Err(io::Error::other("the queue of connections has no end"))
}
