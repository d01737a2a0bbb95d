//! Heads of requests and responses, as they stand in an input: `name: value`, one a line.

use http::{HeaderMap, HeaderName, HeaderValue};

/// The most lines that are read. Servers have limits of their own.
const MOST: usize = 64;

/// The lines that HTTP could carry, in their order. The bytes of a value may be any that HTTP allows.
pub(crate) fn read(bytes: &[u8]) -> Vec<(HeaderName, HeaderValue)> {
    bytes.split(|byte| *byte == b'\n').filter_map(line).take(MOST).collect()
}

fn line(line: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    // As a server takes it off.
    let value = value.trim_ascii();
    Some((HeaderName::from_bytes(name).ok()?, HeaderValue::from_bytes(value).ok()?))
}

pub(crate) fn map(lines: &[(HeaderName, HeaderValue)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in lines {
        map.append(name.clone(), value.clone());
    }
    map
}
