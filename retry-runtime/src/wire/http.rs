//! `http::HeaderMap`.

use http::{HeaderMap, HeaderName, HeaderValue};

use super::Carrier;

impl Carrier for HeaderMap {
    fn get(&self, name: &'static str) -> Option<&str> {
        let mut values = self.get_all(name).into_iter();
        let only = values.next().filter(|_| values.next().is_none());
        only?.to_str().ok()
    }

    fn set(&mut self, name: &'static str, value: &str) {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value))
        {
            self.insert(name, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{ATTEMPT, extract};

    #[test]
    fn a_header_that_is_there_twice_or_is_no_text_says_nothing() {
        let mut headers = HeaderMap::new();
        headers.append(ATTEMPT, HeaderValue::from_static("2;max=3"));
        assert_eq!(extract(&headers).attempt(), Some(2));
        headers.append(ATTEMPT, HeaderValue::from_static("2;max=3"));
        assert!(extract(&headers).is_empty());
        headers.set(ATTEMPT, "3;max=3");
        assert_eq!(extract(&headers).attempt(), Some(3));
        headers.insert(ATTEMPT, HeaderValue::from_bytes(b"2\xff").unwrap());
        assert!(extract(&headers).is_empty());
    }
}
