//! A server that says what its script says, and counts what it is asked.

use std::{
    collections::{HashMap, VecDeque},
    future::pending,
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
};

use redis::Client;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// What becomes of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reply {
    /// This, in the words of the protocol.
    Says(&'static str),
    /// The connection is lost, whatever has been done by then.
    Lost,
    /// There is no answer.
    Silence,
}

#[derive(Default)]
struct Script {
    next: HashMap<&'static str, VecDeque<Reply>>,
    always: HashMap<&'static str, Reply>,
    seen: HashMap<String, u32>,
}

/// The server, which is a cluster of one node too; it lives as long as the test's runtime.
pub(crate) struct Fake {
    pub(crate) address: SocketAddr,
    script: Arc<Mutex<Script>>,
}

impl Fake {
    pub(crate) async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let script = Arc::<Mutex<Script>>::default();
        let shared = Arc::clone(&script);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                shared.lock().expect("not poisoned").count("connect");
                tokio::spawn(serve(client, address, Arc::clone(&shared)));
            }
        });
        Ok(Self { address, script })
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    pub(crate) fn client(&self) -> redis::RedisResult<Client> {
        Client::open(self.url())
    }

    /// What becomes of the next commands of that name.
    pub(crate) fn on<const N: usize>(&self, command: &'static str, replies: [Reply; N]) {
        let mut script = self.script.lock().expect("not poisoned");
        script.next.entry(command).or_default().extend(replies);
    }

    /// What becomes of all others of that name.
    pub(crate) fn always(&self, command: &'static str, reply: Reply) {
        self.script.lock().expect("not poisoned").always.insert(command, reply);
    }

    /// How many commands of that name came, or connections under the name `connect`.
    pub(crate) fn seen(&self, command: &str) -> u32 {
        self.script.lock().expect("not poisoned").seen.get(command).copied().unwrap_or_default()
    }
}

impl Script {
    fn count(&mut self, what: &str) {
        *self.seen.entry(what.to_owned()).or_default() += 1;
    }

    fn reply(&mut self, command: &str) -> Option<Reply> {
        self.count(command);
        let next = self.next.get_mut(command).and_then(VecDeque::pop_front);
        next.or_else(|| self.always.get(command).copied())
    }
}

async fn serve(client: TcpStream, node: SocketAddr, script: Arc<Mutex<Script>>) -> io::Result<()> {
    let mut client = BufReader::new(client);
    loop {
        let command = command(&mut client).await?;
        let scripted = script.lock().expect("not poisoned").reply(&command);
        let text = match scripted {
            Some(Reply::Says(text)) => format!("{text}\r\n"),
            Some(Reply::Lost) => return Ok(()),
            Some(Reply::Silence) => pending().await,
            None if command == "CLUSTER" => slots(node),
            None => "+OK\r\n".to_owned(),
        };
        client.write_all(text.as_bytes()).await?;
    }
}

/// All slots are here.
fn slots(node: SocketAddr) -> String {
    let ip = node.ip().to_string();
    format!("*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n${}\r\n{ip}\r\n:{}\r\n", ip.len(), node.port())
}

/// Reads a command, which is an array of strings, and gives its name.
async fn command(from: &mut BufReader<TcpStream>) -> io::Result<String> {
    let strings = length(from).await?;
    let mut name = None;
    for _ in 0..strings {
        let mut string = Vec::new();
        let length = length(from).await?;
        from.take(length + 2).read_to_end(&mut string).await?;
        name.get_or_insert(string);
    }
    Ok(String::from_utf8_lossy(&name.unwrap_or_default()).trim().to_ascii_uppercase())
}

async fn length(from: &mut BufReader<TcpStream>) -> io::Result<u64> {
    let mut line = String::new();
    from.read_line(&mut line).await?;
    let digits = line.get(1..).unwrap_or_default().trim();
    digits.parse().map_err(|_| io::ErrorKind::UnexpectedEof.into())
}
