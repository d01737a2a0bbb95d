//! Items of structured fields (RFC 9651, which has all that RFC 8941 has): a value and its parameters.

/// A value without its parameters, as far as headers of this crate have such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    Integer(i64),
    Boolean(bool),
    /// A decimal, a text, a date…
    Other,
}

/// Reads an item, and tells `parameter` of each of its parameters, of which the last of a name counts.
/// `None` if the text is no item.
pub(super) fn read(text: &str, mut parameter: impl FnMut(&str, Bare)) -> Option<Bare> {
    let mut rest = Rest(text.trim_matches(' '));
    let value = rest.bare()?;
    while rest.take(b';') {
        rest.spaces();
        let name = rest.name()?;
        let value = if rest.take(b'=') { rest.bare()? } else { Bare::Boolean(true) };
        parameter(name, value);
    }
    rest.0.is_empty().then_some(value)
}

/// What is not read yet. Every step stops at an ASCII byte, and so between two characters.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn peek(&self) -> Option<u8> {
        self.0.bytes().next()
    }

    fn take(&mut self, byte: u8) -> bool {
        let rest = self.0.strip_prefix(char::from(byte));
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn spaces(&mut self) {
        self.0 = self.0.trim_start_matches(' ');
    }

    /// All bytes up to the first that is not of this kind.
    fn run(&mut self, of_kind: impl Fn(u8) -> bool) -> &'a str {
        let end = self.0.bytes().position(|byte| !of_kind(byte)).unwrap_or(self.0.len());
        // Where a kind has only ASCII bytes, this is always a boundary.
        let (run, rest) = self.0.split_at_checked(end).unwrap_or(("", self.0));
        self.0 = rest;
        run
    }

    fn name(&mut self) -> Option<&'a str> {
        let first = self.peek()?;
        if !(first.is_ascii_lowercase() || first == b'*') {
            return None;
        }
        let more = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-.*".contains(&byte)
        };
        Some(self.run(more))
    }

    fn bare(&mut self) -> Option<Bare> {
        match self.peek()? {
            b'-' | b'0'..=b'9' => self.number(),
            b'?' => self.boolean(),
            b'"' => self.quoted().map(|()| Bare::Other),
            b'%' => {
                self.take(b'%');
                self.quoted().map(|()| Bare::Other)
            }
            b'@' => {
                self.take(b'@');
                matches!(self.number()?, Bare::Integer(_)).then_some(Bare::Other)
            }
            b':' => self.bytes(),
            first if first.is_ascii_alphabetic() || first == b'*' => {
                let token =
                    |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte);
                self.run(token);
                Some(Bare::Other)
            }
            _ => None,
        }
    }

    fn number(&mut self) -> Option<Bare> {
        let negative = self.take(b'-');
        let whole = self.run(|byte| byte.is_ascii_digit());
        if self.take(b'.') {
            let fraction = self.run(|byte| byte.is_ascii_digit());
            let fits = (1..=12).contains(&whole.len()) && (1..=3).contains(&fraction.len());
            return fits.then_some(Bare::Other);
        }
        // Fifteen digits fit.
        let number: i64 = if whole.len() <= 15 { whole.parse().ok()? } else { return None };
        Some(Bare::Integer(if negative { -number } else { number }))
    }

    fn boolean(&mut self) -> Option<Bare> {
        self.take(b'?');
        match (self.take(b'1'), self.take(b'0')) {
            (true, false) => Some(Bare::Boolean(true)),
            (false, true) => Some(Bare::Boolean(false)),
            _ => None,
        }
    }

    fn quoted(&mut self) -> Option<()> {
        if !self.take(b'"') {
            return None;
        }
        loop {
            self.run(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\');
            if self.take(b'"') {
                return Some(());
            }
            if !(self.take(b'\\') && (self.take(b'"') || self.take(b'\\'))) {
                return None;
            }
        }
    }

    fn bytes(&mut self) -> Option<Bare> {
        self.take(b':');
        self.run(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        self.take(b':').then_some(Bare::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Option<(Bare, Vec<(String, Bare)>)> {
        let mut parameters = Vec::new();
        let value = read(text, |name, value| parameters.push((name.to_owned(), value)))?;
        Some((value, parameters))
    }

    #[test]
    fn values_of_every_kind_are_read_over() {
        let text = r#"  7;a;b=?0;  c="x;\"\\=";d=1.5;e=:aGk=:;f=tok/en;*g=@17;h=%"f%c3%bc";i=-3 "#;
        let (value, parameters) = all(text).unwrap();
        assert_eq!(value, Bare::Integer(7));
        let names: Vec<_> = parameters.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f", "*g", "h", "i"]);
        assert_eq!(parameters[0].1, Bare::Boolean(true));
        assert_eq!(parameters[1].1, Bare::Boolean(false));
        assert_eq!(parameters[8].1, Bare::Integer(-3));
    }

    #[test]
    fn what_is_no_item_is_refused() {
        for text in [
            "",
            " ",
            ";",
            "1;",
            "1;A",
            "1;a=",
            "1 ;a",
            "1;a=\"",
            "1;a=\"\\x\"",
            "1,2",
            "1 2",
            "-",
            "?",
            "?2",
            "?10",
            "1.",
            ".1",
            "1.2345",
            "1;a=:x",
            "1;a=@1.5",
            "ä",
            "1;a=\"ä\"",
            "\t1",
            "1234567890123456",
            "1;;a",
            "1;a=%x",
            "1;a=@",
        ] {
            assert_eq!(all(text), None, "{text:?}");
        }
    }
}
