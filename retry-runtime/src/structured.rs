//! Structured fields (RFC 9651): lists and items. What does not follow the grammar to the letter is no
//! value at all, as section 4.2 demands. RFC 8941 has nothing that is not in there.

mod scan;

use scan::Scan;

/// A value without its parameters. The contents of what nobody here asks for are checked and dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bare {
    Integer(i64),
    Boolean(bool),
    String,
    /// A decimal, token, byte sequence, date, display string or inner list.
    Other,
}

/// A member of a list, or a field that is a single item.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Item<'a> {
    pub(crate) value: Bare,
    parameters: Vec<(&'a str, Bare)>,
}

impl Item<'_> {
    /// The last one counts if there are several of that name.
    pub(crate) fn parameter(&self, name: &str) -> Option<Bare> {
        let mut parameters = self.parameters.iter().rev();
        parameters.find(|(key, _)| *key == name).map(|&(_, value)| value)
    }
}

/// A field that is a single item.
pub(crate) fn item(field: &str) -> Option<Item<'_>> {
    let mut scan = Scan::new(field.trim_matches(' '));
    let item = scan.item()?;
    scan.is_at_end().then_some(item)
}

/// Whether a field, or one line of it, says "true". Whoever joined several lines may have left more than one.
pub(crate) fn says_true(line: &str) -> bool {
    list(line).is_some_and(|items| items.iter().any(|item| item.value == Bare::Boolean(true)))
}

pub(crate) fn list(field: &str) -> Option<Vec<Item<'_>>> {
    let mut scan = Scan::new(field.trim_matches(' '));
    let mut members = Vec::new();
    if scan.is_at_end() {
        return Some(members);
    }
    loop {
        members.push(scan.member()?);
        scan.white_space();
        if scan.is_at_end() {
            return Some(members);
        }
        scan.expect(b',')?;
        scan.white_space();
    }
}

#[cfg(test)]
mod tests {
    use super::{Bare, item, list, says_true};

    #[test]
    fn items_are_read_with_their_parameters() {
        let read = item(" 2;max=3;remaining=1837; s=\"a;b\\\"\" ;no").map(|_| ());
        assert_eq!(read, None, "a space before a semicolon is not in the grammar");
        let read = item(" 2;max=3; remaining=1837;s=\"a;b\\\"\";yes;max=-4 ").unwrap();
        assert_eq!(read.value, Bare::Integer(2));
        assert_eq!(read.parameter("max"), Some(Bare::Integer(-4)));
        assert_eq!(read.parameter("remaining"), Some(Bare::Integer(1837)));
        assert_eq!(read.parameter("s"), Some(Bare::String));
        assert_eq!(read.parameter("yes"), Some(Bare::Boolean(true)));
        assert_eq!(read.parameter("ye"), None);
    }

    #[test]
    fn every_kind_of_value_is_known() {
        for (text, value) in [
            ("?1", Bare::Boolean(true)),
            ("?0", Bare::Boolean(false)),
            ("-0", Bare::Integer(0)),
            ("007", Bare::Integer(7)),
            ("-999999999999999", Bare::Integer(-999_999_999_999_999)),
            ("1.5", Bare::Other),
            ("-123456789012.345", Bare::Other),
            ("\"\"", Bare::String),
            ("\"\\\\ \\\" ~\"", Bare::String),
            ("*a/b:c%20", Bare::Other),
            (":cHJl:", Bare::Other),
            ("::", Bare::Other),
            ("@1659578233", Bare::Other),
            ("%\"f%c3%bc\"", Bare::Other),
        ] {
            assert_eq!(item(text).map(|item| item.value), Some(value), "{text}");
        }
    }

    #[test]
    fn lists_are_read_whole_or_not_at_all() {
        let values = |text| list(text).map(|list| list.iter().map(|item| item.value).collect());
        let read: Option<Vec<_>> = values("\"a\";r=0 ,\t(1 2;x \"y\");z=1 , ?1");
        assert_eq!(read, Some(vec![Bare::String, Bare::Other, Bare::Boolean(true)]));
        assert_eq!(values("   "), Some(vec![]));
        for text in ["\"a\",", ",1", "1 2", "1,,2", "(1", "(1,2)", "1;", "a=1", "(1)2", "((1))"] {
            assert_eq!(values(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_in_the_grammar_is_nothing() {
        for text in [
            "",
            "?",
            "?2",
            "?true",
            "-",
            "--1",
            "+1",
            "1.",
            "1.2345",
            "1234567890123456",
            "1.2.3",
            "1234567890123.1",
            "\"",
            "\"a",
            "\"\\a\"",
            "\"\u{7f}\"",
            "\"ü\"",
            ":a",
            ":*:",
            "@",
            "@1.5",
            "@a",
            "%\"%C3\"",
            "%\"%zz\"",
            "%\"%c3\"",
            "%a",
            "%\"a",
            "1;A=1",
            "1;=1",
            "1; a=",
            "1;a= 1",
            "ü",
            "[1]",
            "1\t",
            "1,1",
            "?1, ?1",
            " ",
            ";",
            "1;",
            "1;A",
            "1;a=",
            "1 ;a",
            "1;a=\"",
            "1;a=\"\\x\"",
            "1 2",
            "?10",
            ".1",
            "1;a=:x",
            "1;a=@1.5",
            "ä",
            "1;a=\"ä\"",
            "\t1",
            "1;;a",
            "1;a=%x",
            "1;a=@",
        ] {
            assert_eq!(item(text), None, "{text}");
        }
    }

    #[test]
    fn parameters_of_every_kind_are_read_over() {
        let text = r#"  7;a;b=?0;  c="x;\"\\=";d=1.5;e=:aGk=:;f=tok/en;*g=@17;h=%"f%c3%bc";i=-3 "#;
        let read = item(text).unwrap();
        assert_eq!(read.value, Bare::Integer(7));
        let names: Vec<_> = read.parameters.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["a", "b", "c", "d", "e", "f", "*g", "h", "i"]);
        assert_eq!(read.parameter("a"), Some(Bare::Boolean(true)));
        assert_eq!(read.parameter("b"), Some(Bare::Boolean(false)));
        assert_eq!(read.parameter("i"), Some(Bare::Integer(-3)));
    }

    #[test]
    fn one_that_says_true_is_enough() {
        for line in ["?1", " ?1;why=load ", "?0, ?1", "?1,?1"] {
            assert!(says_true(line), "{line}");
        }
        for line in ["", "?0", "1", "true", "?1, x y"] {
            assert!(!says_true(line), "{line}");
        }
    }
}
