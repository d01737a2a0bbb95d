//! HTTP/1, byte by byte.

use std::{
    borrow::Cow,
    io::{self, Read, Write},
};

use crate::{script::entry, state::Connection};

/// One thing that a server does on a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Reads one whole request.
    Read,
    /// Writes these bytes.
    Write(Cow<'static, [u8]>),
    /// Closes: what was written arrives, then the end (FIN).
    Close,
    /// Resets (RST): what was written may get lost.
    Reset,
    /// Waits until [`Server::release`](crate::Server::release), and goes on.
    Hold,
    /// Does nothing more, until the client goes or the server ends.
    Stall,
}

/// Writes these bytes.
pub fn write(bytes: impl Into<Vec<u8>>) -> Step {
    Step::Write(Cow::Owned(bytes.into()))
}

/// Writes a whole answer, with its length. `fields` are lines without their ends.
#[must_use]
pub fn response(status: u16, fields: &[&str], body: &str) -> Step {
    write(head(status, fields, body.len()) + body)
}

fn head(status: u16, fields: &[&str], length: usize) -> String {
    let fields: String = fields.iter().flat_map(|field| [*field, "\r\n"]).collect();
    format!("HTTP/1.1 {status} Said\r\n{fields}content-length: {length}\r\n\r\n")
}

/// A connection that is closed before anything is read.
#[must_use]
pub fn close() -> Vec<Step> {
    vec![Step::Close]
}

/// A connection that is closed after one request, without an answer.
#[must_use]
pub fn read_then_close() -> Vec<Step> {
    vec![Step::Read, Step::Close]
}

/// A connection that is reset after one request, without an answer.
#[must_use]
pub fn reset() -> Vec<Step> {
    vec![Step::Read, Step::Reset]
}

/// A connection that is closed in the middle of the answer's fields.
#[must_use]
pub fn half_head() -> Vec<Step> {
    vec![Step::Read, write("HTTP/1.1 200 Said\r\ncontent-ty"), Step::Close]
}

/// A connection that is closed in the middle of the answer's body.
#[must_use]
pub fn half_body() -> Vec<Step> {
    vec![Step::Read, write(head(200, &[], 100) + "[1, 2, "), Step::Close]
}

/// A connection that is reset in the middle of the answer's body.
#[must_use]
pub fn reset_body() -> Vec<Step> {
    vec![Step::Read, write(head(200, &[], 100) + "[1, 2, "), Step::Reset]
}

/// A connection whose answer's body stops in the middle and never goes on.
#[must_use]
pub fn slow_body() -> Vec<Step> {
    vec![Step::Read, write(head(200, &[], 100) + "[1, 2, "), Step::Stall]
}

/// A connection on which the answer is not HTTP.
#[must_use]
pub fn garbage() -> Vec<Step> {
    vec![Step::Read, write("\u{1}what is this?\r\n\r\n"), Step::Close]
}

/// A connection on which no answer ever comes.
#[must_use]
pub fn stall() -> Vec<Step> {
    vec![Step::Read, Step::Stall]
}

/// A connection that is kept alive after one answer, and closed when the server is told to
/// ([`Server::release`](crate::Server::release)).
#[must_use]
pub fn answer_then_close_later(status: u16, fields: &[&str], body: &str) -> Vec<Step> {
    vec![Step::Read, response(status, fields, body), Step::Hold, Step::Close]
}

/// A connection that is closed right after one answer, which says nothing about it.
#[must_use]
pub fn answer_then_close(status: u16, fields: &[&str], body: &str) -> Vec<Step> {
    vec![Step::Read, response(status, fields, body), Step::Close]
}

/// What happens from a connection's first byte on.
pub(crate) fn connection(connection: Connection, each: &[Vec<Step>]) -> io::Result<()> {
    let steps = entry(each, connection.number);
    let reader = Reader { connection, read: Vec::new() };
    match reader.run(steps)? {
        Some(reader) => reader.connection.close(),
        None => Ok(()),
    }
}

/// What happens after each request.
pub(crate) fn requests(connection: Connection, each: &[Vec<Step>]) -> io::Result<()> {
    let mut reader = Reader { connection, read: Vec::new() };
    loop {
        let number = reader.request()?;
        match reader.run(entry(each, number))? {
            Some(going_on) => reader = going_on,
            None => return Ok(()),
        }
    }
}

/// Splits what a client sends into requests.
struct Reader {
    connection: Connection,
    read: Vec<u8>,
}

impl Reader {
    /// Gives itself back if the connection goes on.
    fn run(mut self, steps: &[Step]) -> io::Result<Option<Self>> {
        for step in steps {
            match step {
                Step::Read => drop(self.request()?),
                Step::Write(bytes) => self.connection.stream.write_all(bytes)?,
                Step::Hold => self.connection.hold(),
                Step::Close => return self.connection.close().map(|()| None),
                Step::Reset => return self.connection.reset().map(|()| None),
                Step::Stall => return self.connection.drain().map(|()| None),
            }
        }
        Ok(Some(self))
    }

    /// Reads a whole request, and gives its number.
    fn request(&mut self) -> io::Result<usize> {
        let end = self.through(b"\r\n\r\n", 0)?;
        let head = String::from_utf8_lossy(&self.read[..end]).into_owned();
        let field = |name: &str| {
            let mut fields = head.lines().filter_map(|line| line.split_once(": "));
            fields.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        };
        let end = if field("transfer-encoding") == Some("chunked") {
            self.through(b"0\r\n\r\n", end)?
        } else {
            let length = field("content-length").and_then(|length| length.parse().ok());
            let end = end.saturating_add(length.unwrap_or(0));
            while self.read.len() < end {
                self.more()?;
            }
            end
        };
        self.read.drain(..end);
        Ok(self.connection.requested(Some(head)))
    }

    /// Where the first `mark` at or after `from` ends.
    fn through(&mut self, mark: &[u8], from: usize) -> io::Result<usize> {
        loop {
            let found = self.read[from..].windows(mark.len()).position(|window| window == mark);
            if let Some(found) = found {
                return Ok(from + found + mark.len());
            }
            self.more()?;
        }
    }

    fn more(&mut self) -> io::Result<()> {
        let mut piece = [0; 4096];
        match self.connection.stream.read(&mut piece)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                self.read.extend_from_slice(&piece[..read]);
                Ok(())
            }
        }
    }
}
