//! Stands between the cache and its server, and breaks what passes by script.

use std::{
    collections::{HashMap, VecDeque},
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream, UnixStream},
};

/// What happens to one command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// It passes, and so does its answer.
    None,
    /// The server never sees it; this is the answer.
    Answer(&'static str),
    /// The server discards the transaction that this command was to carry out, and says so.
    Aborted,
    /// The connection is lost on the way to the server.
    LostBefore,
    /// The connection is lost on the way back.
    LostAfter,
    /// It passes, and its answer comes when the next command does: nobody has waited that long.
    Late,
}

#[derive(Default)]
struct Script {
    faults: HashMap<&'static str, VecDeque<Fault>>,
    seen: HashMap<String, u32>,
}

/// The proxy; it lives as long as the test's runtime.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    script: Arc<Mutex<Script>>,
}

impl Proxy {
    /// In front of the server that listens on this socket.
    pub(crate) async fn start(server: PathBuf) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let script = Arc::<Mutex<Script>>::default();
        let shared = Arc::clone(&script);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, script) = (server.clone(), Arc::clone(&shared));
                tokio::spawn(async move { serve(client, server, script).await });
            }
        });
        Ok(Self { address, script })
    }

    /// What happens to the next commands of that name.
    pub(crate) fn on<const N: usize>(&self, command: &'static str, faults: [Fault; N]) {
        self.script.lock().expect("not poisoned").faults.entry(command).or_default().extend(faults);
    }

    /// How many commands of that name came by.
    pub(crate) fn seen(&self, command: &str) -> u32 {
        self.script.lock().expect("not poisoned").seen.get(command).copied().unwrap_or_default()
    }
}

impl Script {
    fn next(&mut self, command: &str) -> Fault {
        *self.seen.entry(command.to_owned()).or_default() += 1;
        self.faults.get_mut(command).and_then(VecDeque::pop_front).unwrap_or(Fault::None)
    }
}

async fn serve(client: TcpStream, server: PathBuf, script: Arc<Mutex<Script>>) -> io::Result<()> {
    let mut client = BufReader::new(client);
    let mut server = BufReader::new(UnixStream::connect(server).await?);
    let mut answer = Vec::new();
    loop {
        let mut command = Vec::new();
        value(&mut client, &mut command).await?;
        let fault = script.lock().expect("not poisoned").next(&name(&command));
        // An answer that is late goes ahead of all later ones.
        client.write_all(&answer).await?;
        answer.clear();
        match fault {
            Fault::Answer(line) => {
                client.write_all(format!("{line}\r\n").as_bytes()).await?;
                continue;
            }
            Fault::Aborted => {
                server.write_all(b"DISCARD\r\n").await?;
                value(&mut server, &mut Vec::new()).await?;
                client.write_all(b"-EXECABORT Transaction discarded\r\n").await?;
                continue;
            }
            Fault::LostBefore => return Ok(()),
            Fault::None | Fault::LostAfter | Fault::Late => {}
        }
        server.write_all(&command).await?;
        value(&mut server, &mut answer).await?;
        match fault {
            Fault::LostAfter => return Ok(()),
            Fault::Late => continue,
            _ => client.write_all(&answer).await?,
        }
        answer.clear();
    }
}

/// The name of a command: the first string of the array.
fn name(command: &[u8]) -> String {
    let name = command.split(|&byte| byte == b'\n').nth(2).unwrap_or_default();
    String::from_utf8_lossy(name).trim().to_ascii_uppercase()
}

/// Copies one value of the protocol, as of its specification (RESP2): a line, and after it as many bytes
/// or values as the line says.
async fn value<R>(from: &mut BufReader<R>, into: &mut Vec<u8>) -> io::Result<()>
where
    R: tokio::io::AsyncRead + Unpin,
{
    let mut values = 1_u64;
    while values > 0 {
        values -= 1;
        let start = into.len();
        if from.read_until(b'\n', into).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = String::from_utf8_lossy(&into[start..]);
        // Less than nothing stands for no value.
        let count = line[1..].trim().parse::<i64>().ok().and_then(|count| count.try_into().ok());
        match (line.as_bytes()[0], count) {
            (b'$', Some(count)) => {
                let _: u64 = count;
                from.take(count + 2).read_to_end(into).await?;
            }
            (b'*', Some(count)) => values += count,
            _ => {}
        }
    }
    Ok(())
}
