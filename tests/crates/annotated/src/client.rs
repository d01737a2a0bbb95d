//! What the annotated functions call: a client of a line protocol.

use std::io;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// One server.
#[derive(Clone, Debug)]
pub struct Client {
    address: String,
}

impl Client {
    /// The server at this address.
    #[must_use]
    pub const fn new(address: String) -> Self {
        Self { address }
    }

    /// Sends a line and reads the answer.
    ///
    /// # Errors
    ///
    /// Those of the connection.
    pub async fn send(&self, line: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(&self.address).await?;
        stream.write_all(line.as_bytes()).await?;
        stream.shutdown().await?;
        let mut answer = String::new();
        let _length: usize = stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    /// Sends a line that has no answer.
    ///
    /// # Errors
    ///
    /// Those of the connection.
    pub async fn tell(&self, line: &str) -> io::Result<()> {
        self.send(line).await.map(drop)
    }
}
