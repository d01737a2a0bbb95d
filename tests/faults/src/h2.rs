//! HTTP/2 with prior knowledge, frame by frame.

mod frame;

use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, Read},
};

use frame::{DATA, END_HEADERS, END_STREAM, Frame, GO_AWAY, HEADERS, RST_STREAM, SETTINGS};

use crate::{script::entry, state::Connection};

/// `NO_ERROR`
pub const NO_ERROR: u32 = 0x0;
/// `PROTOCOL_ERROR`
pub const PROTOCOL_ERROR: u32 = 0x1;
/// `INTERNAL_ERROR`
pub const INTERNAL_ERROR: u32 = 0x2;
/// `REFUSED_STREAM`
pub const REFUSED_STREAM: u32 = 0x7;
/// `CANCEL`
pub const CANCEL: u32 = 0x8;
/// `ENHANCE_YOUR_CALM`
pub const ENHANCE_YOUR_CALM: u32 = 0xb;

/// A name (in lower case) and a value.
pub type Field = (Cow<'static, str>, Cow<'static, str>);

/// One thing that a server does with a stream, once its request has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Sends a block of fields: the head of an answer with `:status` first, or trailers.
    Headers {
        /// In the order in which they are sent.
        fields: Vec<Field>,
        /// Whether the stream ends with it.
        end: bool,
    },
    /// Sends a piece of a body.
    Data {
        /// At most 16,384 of them.
        bytes: Cow<'static, [u8]>,
        /// Whether the stream ends with it.
        end: bool,
    },
    /// Resets the stream with this code.
    Reset(u32),
    /// Says that the connection ends.
    GoAway {
        /// The reason.
        code: u32,
        /// Whether this stream is the last one that counts. Otherwise the one before it is.
        taken: bool,
    },
    /// Closes the connection (FIN).
    Close,
    /// Resets the connection (RST).
    Abort,
}

/// Fields with a status.
#[must_use]
pub fn headers(status: u16, fields: &[(&str, &str)], end: bool) -> Step {
    let status = (Cow::Borrowed(":status"), Cow::Owned(status.to_string()));
    Step::Headers { fields: [vec![status], owned(fields)].concat(), end }
}

/// Fields after a body; the stream ends with them.
#[must_use]
pub fn trailers(fields: &[(&str, &str)]) -> Step {
    Step::Headers { fields: owned(fields), end: true }
}

/// A piece of a body.
pub fn data(bytes: impl Into<Vec<u8>>, end: bool) -> Step {
    Step::Data { bytes: Cow::Owned(bytes.into()), end }
}

fn owned(fields: &[(&str, &str)]) -> Vec<Field> {
    let owned = |text: &str| Cow::Owned(text.to_owned());
    fields.iter().map(|(name, value)| (owned(name), owned(value))).collect()
}

/// A stream with a whole answer.
#[must_use]
pub fn answer(status: u16, body: &str) -> Vec<Step> {
    vec![headers(status, &[], false), data(body, true)]
}

/// A stream that is reset with this code, without an answer.
#[must_use]
pub fn reset(code: u32) -> Vec<Step> {
    vec![Step::Reset(code)]
}

/// A stream that is reset with this code in the middle of the answer's body.
#[must_use]
pub fn reset_body(code: u32) -> Vec<Step> {
    vec![headers(200, &[], false), data("[1, 2, ", false), Step::Reset(code)]
}

/// A stream after which the connection ends, and which was not looked at.
#[must_use]
pub fn go_away_before(code: u32) -> Vec<Step> {
    vec![Step::GoAway { code, taken: false }]
}

/// A stream after which the connection ends, without an answer for it although it was taken.
#[must_use]
pub fn go_away_after(code: u32) -> Vec<Step> {
    vec![Step::GoAway { code, taken: true }, Step::Close]
}

/// A stream whose connection is closed, without an answer.
#[must_use]
pub fn close() -> Vec<Step> {
    vec![Step::Close]
}

/// A stream whose connection is reset, without an answer.
#[must_use]
pub fn abort() -> Vec<Step> {
    vec![Step::Abort]
}

/// A stream that is never answered.
#[must_use]
pub const fn stall() -> Vec<Step> {
    Vec::new()
}

pub(crate) fn connection(mut connection: Connection, each: &[Vec<Step>]) -> io::Result<()> {
    let mut preface = [0; 24];
    connection.stream.read_exact(&mut preface)?;
    if preface != *b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Frame::new(SETTINGS, 0, 0, Vec::new()).write(&mut connection.stream)?;
    // The requests whose end has not been read, by stream.
    let mut begun = HashMap::new();
    loop {
        let frame = Frame::read(&mut connection.stream)?;
        if let Some(answer) = frame.acknowledgement() {
            answer.write(&mut connection.stream)?;
        }
        if frame.kind == HEADERS {
            begun.entry(frame.stream).or_insert_with(|| connection.requested(None));
        }
        let ended = matches!(frame.kind, HEADERS | DATA) && frame.flags & END_STREAM != 0;
        let steps = ended.then(|| begun.remove(&frame.stream)).flatten();
        for step in steps.map_or(&[][..], |number| entry(each, number)) {
            let answer = match step {
                Step::Close => return connection.close(),
                Step::Abort => return connection.reset(),
                Step::Headers { fields, end } => headers_frame(frame.stream, fields, *end),
                Step::Data { bytes, end } => {
                    Frame::new(DATA, end_flag(*end), frame.stream, bytes.to_vec())
                }
                Step::Reset(code) => {
                    Frame::new(RST_STREAM, 0, frame.stream, code.to_be_bytes().to_vec())
                }
                Step::GoAway { code, taken } => {
                    // Clients' streams have odd numbers.
                    let last = frame.stream.saturating_sub(if *taken { 0 } else { 2 });
                    let payload = [last.to_be_bytes(), code.to_be_bytes()].concat();
                    Frame::new(GO_AWAY, 0, 0, payload)
                }
            };
            answer.write(&mut connection.stream)?;
        }
    }
}

const fn end_flag(end: bool) -> u8 {
    if end { END_STREAM } else { 0 }
}

fn headers_frame(stream: u32, fields: &[Field], end: bool) -> Frame {
    let mut block = Vec::new();
    for (name, value) in fields {
        frame::field(&mut block, name.as_bytes(), value.as_bytes());
    }
    Frame::new(HEADERS, end_flag(end) | END_HEADERS, stream, block)
}
