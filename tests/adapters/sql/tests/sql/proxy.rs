//! Stands between a driver and its database, and loses connections when certain words pass.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
};

use crate::driver::{At, Target};

/// Lost before the server has seen the statement.
pub(crate) const BEFORE: &str = "/* lost before */";
/// Lost when the server had answered it.
pub(crate) const AFTER: &str = "/* lost after */";

/// The proxy; it lives as long as the test's runtime.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    accepted: Arc<AtomicU32>,
}

impl Proxy {
    pub(crate) async fn start(target: &Target) -> io::Result<Self> {
        let At::Socket(directory) = &target.at else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let server = directory.join(".s.PGSQL.5432");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let accepted = Arc::<AtomicU32>::default();
        let counter = Arc::clone(&accepted);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                counter.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(pass(client, server.clone()));
            }
        });
        Ok(Self { address, accepted })
    }

    /// How often somebody connected.
    pub(crate) fn accepted(&self) -> u32 {
        self.accepted.load(Ordering::Relaxed)
    }
}

async fn pass(mut client: TcpStream, server: PathBuf) -> io::Result<()> {
    let mut server = UnixStream::connect(server).await?;
    let (mut asked, mut answered) = ([0; 4096], [0; 4096]);
    let mut doomed = false;
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let asked = &asked[..read?];
                if asked.is_empty() || contains(asked, BEFORE) {
                    return Ok(());
                }
                doomed |= contains(asked, AFTER);
                server.write_all(asked).await?;
            }
            read = server.read(&mut answered) => {
                let answered = &answered[..read?];
                if answered.is_empty() || doomed {
                    return Ok(());
                }
                client.write_all(answered).await?;
            }
        }
    }
}

fn contains(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|window| window == words.as_bytes())
}
