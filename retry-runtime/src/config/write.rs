//! Overrides, written in the grammar in which they are read.

use std::fmt::{self, Write as _};

use crate::control::{Override, Overrides, Target, Value, duration};

impl fmt::Display for Overrides {
    /// A document of TOML that says the same. An expiry is written as `for`, with the time that it is to last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, one) in self.iter().enumerate() {
            let before = if index == 0 { "" } else { "\n" };
            write!(f, "{before}{}", Table(one))?;
        }
        Ok(())
    }
}

/// The table of one.
struct Table<'a>(&'a Override);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.target() {
            Target::All => f.write_str("[all]\n")?,
            Target::Site(name) => writeln!(f, "[site.{}]", Text(name))?,
            Target::Budget(name) => writeln!(f, "[budget.{}]", Text(name))?,
            Target::SitesOf(name) => writeln!(f, "[budget.{}.sites]", Text(name))?,
            Target::Breaker(name) => writeln!(f, "[breaker.{}]", Text(name))?,
        }
        for (key, value) in self.0.values() {
            writeln!(f, "{key} = {}", Toml(value))?;
        }
        if let Some(note) = self.0.text() {
            writeln!(f, "note = {}", Text(note))?;
        }
        match self.0.lifetime() {
            Some(time) => writeln!(f, "for = \"{}\"", duration::write(time)),
            None => Ok(()),
        }
    }
}

struct Toml<'a>(&'a Value);

impl fmt::Display for Toml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Integer(number) => write!(f, "{number}"),
            Value::Float(number) if number.is_nan() => f.write_str("nan"),
            // With a point, so that it stays no whole number.
            Value::Float(number) => write!(f, "{number:?}"),
            Value::Bool(yes) => write!(f, "{yes}"),
            Value::Text(text) => Text(text).fmt(f),
            Value::List(texts) => {
                f.write_char('[')?;
                for (index, text) in texts.iter().enumerate() {
                    let before = if index == 0 { "" } else { ", " };
                    write!(f, "{before}{}", Text(text))?;
                }
                f.write_char(']')
            }
        }
    }
}

/// A basic string of TOML.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
