//! Frames of HTTP/2 (RFC 9113, section 4) and fields as HPACK has them (RFC 7541).

use std::io::{self, Read, Write};

pub(super) const DATA: u8 = 0x0;
pub(super) const HEADERS: u8 = 0x1;
pub(super) const RST_STREAM: u8 = 0x3;
pub(super) const SETTINGS: u8 = 0x4;
pub(super) const PING: u8 = 0x6;
pub(super) const GO_AWAY: u8 = 0x7;

pub(super) const ACK: u8 = 0x1;
pub(super) const END_STREAM: u8 = 0x1;
pub(super) const END_HEADERS: u8 = 0x4;

pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
    payload: Vec<u8>,
}

impl Frame {
    pub(super) const fn new(kind: u8, flags: u8, stream: u32, payload: Vec<u8>) -> Self {
        Self { kind, flags, stream, payload }
    }

    pub(super) fn read(stream: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; 9];
        stream.read_exact(&mut head)?;
        let [a, b, c, kind, flags, id @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
        stream.read_exact(&mut payload)?;
        Ok(Self { kind, flags, stream: u32::from_be_bytes(id) & (u32::MAX >> 1), payload })
    }

    pub(super) fn write(&self, stream: &mut impl Write) -> io::Result<()> {
        let length = u32::try_from(self.payload.len()).map_err(io::Error::other)?;
        let mut bytes = length.to_be_bytes()[1..].to_vec();
        bytes.extend([self.kind, self.flags]);
        bytes.extend(self.stream.to_be_bytes());
        bytes.extend(&self.payload);
        stream.write_all(&bytes)
    }

    /// What settings and pings are to be answered with.
    pub(super) fn acknowledgement(&self) -> Option<Self> {
        let payload = match self.kind {
            SETTINGS => Vec::new(),
            PING => self.payload.clone(),
            _ => return None,
        };
        (self.flags & ACK == 0).then(|| Self::new(self.kind, ACK, 0, payload))
    }
}

/// A field that neither side's table needs to know: "literal without indexing, new name".
pub(super) fn field(block: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    block.push(0);
    for text in [name, value] {
        length(block, text.len());
        block.extend(text);
    }
}

/// An integer with a prefix of seven bits.
fn length(block: &mut Vec<u8>, length: usize) {
    const PREFIX: usize = 0x7f;
    let low = |number: usize| u8::try_from(number & PREFIX).unwrap_or(0);
    if length < PREFIX {
        return block.push(low(length));
    }
    block.push(0x7f);
    let mut rest = length - PREFIX;
    while rest > PREFIX {
        block.push(low(rest) | 0x80);
        rest >>= 7;
    }
    block.push(low(rest));
}
