//! What a case says about itself.

/// One error that is expected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Counted from 1.
    pub(crate) line: usize,
    /// Part of the message, or of a label at the place.
    pub(crate) text: String,
    /// Whether the error may lie at the name of the attribute.
    pub(crate) at_attribute: bool,
}

/// Shorter texts could be met by another error as well.
const DISTINCTIVE: usize = 8;

/// All marks of a case, or what is wrong with the first one that is none.
pub(crate) fn marks(source: &str) -> Result<Vec<Mark>, String> {
    let mut marks = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let line_number = index + 1;
        for comment in line.split("//~").skip(1) {
            let Some(text) = comment.strip_prefix(" ERROR ").map(str::trim) else {
                return Err(format!("line {line_number}: `//~{comment}` is no mark"));
            };
            let (at_attribute, text) = match text.strip_prefix("@attribute ") {
                Some(text) => (true, text),
                None => (false, text),
            };
            if text.len() < DISTINCTIVE {
                return Err(format!("line {line_number}: `{text}` says too little"));
            }
            marks.push(Mark { line: line_number, text: text.into(), at_attribute });
        }
    }
    Ok(marks)
}

#[test]
fn a_line_may_have_no_mark_or_several() {
    let mark = |line, text: &str, at_attribute| Mark { line, text: text.into(), at_attribute };
    assert_eq!(
        marks(
            "a // ordinary\nb //~ ERROR first one //~ ERROR @attribute second one\n\nc //~ ERROR third one  "
        ),
        Ok(vec![
            mark(2, "first one", false),
            mark(2, "second one", true),
            mark(4, "third one", false),
        ])
    );
}

#[test]
fn what_looks_like_a_mark_and_is_none_is_refused() {
    for (source, said) in [
        ("a //~ERROR no space", "is no mark"),
        ("a //~^ ERROR above", "is no mark"),
        ("a //~ WARN other level", "is no mark"),
        ("a //~ ERROR short", "says too little"),
        ("a //~ ERROR", "is no mark"),
        ("a //~ ERROR fine enough //~ ERROR @attribute x", "says too little"),
    ] {
        let error = marks(source).expect_err(source);
        assert!(error.contains(said) && error.starts_with("line 1"), "{error}");
    }
}
