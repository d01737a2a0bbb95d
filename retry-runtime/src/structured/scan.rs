//! The grammar, from left to right.

use super::{Bare, Item};

/// What is left of a field.
pub(super) struct Scan<'a>(&'a str);

impl<'a> Scan<'a> {
    pub(super) const fn new(field: &'a str) -> Self {
        Self(field)
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    fn peek(&self) -> Option<u8> {
        self.0.bytes().next()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        if there {
            self.0 = &self.0[1..];
        }
        there
    }

    pub(super) fn expect(&mut self, byte: u8) -> Option<()> {
        self.eat(byte).then_some(())
    }

    /// Takes as many bytes, all of them ASCII, as there are.
    fn take_while(&mut self, fits: impl Fn(u8) -> bool) -> &'a str {
        let end = self.0.bytes().take_while(|&byte| byte.is_ascii() && fits(byte)).count();
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    /// Between the members of a list.
    pub(super) fn white_space(&mut self) {
        self.take_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    fn spaces(&mut self) -> &'a str {
        self.take_while(|byte| byte == b' ')
    }

    pub(super) fn member(&mut self) -> Option<Item<'a>> {
        if !self.eat(b'(') {
            return self.item();
        }
        loop {
            self.spaces();
            if self.eat(b')') {
                return Some(Item { value: Bare::Other, parameters: self.parameters()? });
            }
            self.item()?;
            if !matches!(self.peek()?, b' ' | b')') {
                return None;
            }
        }
    }

    pub(super) fn item(&mut self) -> Option<Item<'a>> {
        Some(Item { value: self.bare()?, parameters: self.parameters()? })
    }

    fn parameters(&mut self) -> Option<Vec<(&'a str, Bare)>> {
        let mut parameters = Vec::new();
        while self.eat(b';') {
            self.spaces();
            let key = self.key()?;
            parameters.push((key, if self.eat(b'=') { self.bare()? } else { Bare::Boolean(true) }));
        }
        Some(parameters)
    }

    fn key(&mut self) -> Option<&'a str> {
        if !matches!(self.peek()?, b'a'..=b'z' | b'*') {
            return None;
        }
        let fits = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'*');
        Some(self.take_while(fits))
    }

    fn bare(&mut self) -> Option<Bare> {
        match self.peek()? {
            b'-' | b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'?' => self.boolean(),
            b':' => self.bytes(),
            b'@' => self.date(),
            b'%' => self.display_string(),
            b'*' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.take_while(is_in_token);
                Some(Bare::Other)
            }
            _ => None,
        }
    }

    /// An integer of at most 15 digits, or a decimal of at most 12 and 3.
    fn number(&mut self) -> Option<Bare> {
        let negative = self.eat(b'-');
        let whole = self.take_while(|byte| byte.is_ascii_digit());
        if self.eat(b'.') {
            let fraction = self.take_while(|byte| byte.is_ascii_digit());
            let fits = (1..=12).contains(&whole.len()) && (1..=3).contains(&fraction.len());
            return fits.then_some(Bare::Other);
        }
        let number = (whole.len() <= 15).then(|| whole.parse::<i64>().ok()).flatten()?;
        Some(Bare::Integer(if negative { -number } else { number }))
    }

    fn string(&mut self) -> Option<Bare> {
        self.expect(b'"')?;
        loop {
            self.take_while(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\');
            if self.eat(b'"') {
                return Some(Bare::String);
            }
            self.expect(b'\\')?;
            if !self.eat(b'"') {
                self.expect(b'\\')?;
            }
        }
    }

    fn boolean(&mut self) -> Option<Bare> {
        self.expect(b'?')?;
        if self.eat(b'1') {
            return Some(Bare::Boolean(true));
        }
        self.expect(b'0')?;
        Some(Bare::Boolean(false))
    }

    fn bytes(&mut self) -> Option<Bare> {
        self.expect(b':')?;
        self.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
        self.expect(b':')?;
        Some(Bare::Other)
    }

    fn date(&mut self) -> Option<Bare> {
        self.expect(b'@')?;
        matches!(self.number()?, Bare::Integer(_)).then_some(Bare::Other)
    }

    /// Text in which all that is not ASCII is given by its bytes, in lower-case hexadecimal.
    fn display_string(&mut self) -> Option<Bare> {
        self.expect(b'%')?;
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            let plain = |byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'%';
            text.extend(self.take_while(plain).bytes());
            if self.eat(b'"') {
                return std::str::from_utf8(&text).is_ok().then_some(Bare::Other);
            }
            self.expect(b'%')?;
            let byte = self.0.get(..2)?;
            if !byte.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
                return None;
            }
            text.push(u8::from_str_radix(byte, 16).ok()?);
            self.0 = &self.0[2..];
        }
    }
}

fn is_in_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~:/".contains(&byte)
}
