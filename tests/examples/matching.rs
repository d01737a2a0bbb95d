//! Whether a program printed what was promised.
//!
//! Figures of programs that run in real time differ from run to run, and so do parts of what they print. A line
//! `…` of the promise stands for any number of lines; in figures only their places are compared.

/// What a line looks like with all figures and their units alike, and without the widths of columns.
pub(crate) fn masked(line: &str) -> String {
    let mut mask = String::new();
    let mut rest = line.trim_end().chars().peekable();
    while let Some(char) = rest.next() {
        if !char.is_ascii_digit() {
            // Columns are as wide as their widest figure.
            if !(char == ' ' && mask.ends_with(' ')) {
                mask.push(char);
            }
            continue;
        }
        mask.push('0');
        while rest.next_if(|next| next.is_ascii_digit() || *next == '.').is_some() {}
        // A wait of 0.9 s is written as milliseconds.
        let is_unit = |next: &char| matches!(next, 's' | 'm' | 'µ' | 'n');
        while rest.next_if(is_unit).is_some() {}
    }
    mask
}

/// The first line in which the output differs from what was promised: what was wanted, and what there is.
pub(crate) fn difference(promised: &[String], printed: &[String]) -> Option<String> {
    let Some((wanted, following)) = promised.split_first() else {
        return printed.first().map(|line| format!("promised nothing more, printed `{line}`"));
    };
    if wanted == "…" {
        let mut rests = (0..=printed.len()).map(|skipped| &printed[skipped..]);
        return if rests.any(|rest| difference(following, rest).is_none()) {
            None
        } else {
            let next = following.first().map_or("the end", String::as_str);
            Some(format!(
                "promised, after any lines, `{next}` and what follows it; nothing is like that"
            ))
        };
    }
    match printed.split_first() {
        Some((line, lines)) if line == wanted => difference(following, lines),
        Some((line, _)) => Some(format!("promised `{wanted}`, printed `{line}`")),
        None => Some(format!("promised `{wanted}`, printed nothing more")),
    }
}

#[cfg(test)]
mod tests {
    use super::{difference, masked};

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn figures_and_widths_are_masked_and_nothing_else() {
        assert_eq!(masked("attempt 2: ok, slept 1.115s"), masked("attempt 1: ok,  slept 989ms"));
        assert_ne!(masked("attempt 2: ok, slept 1.115s"), masked("attempt 2: ok, waited 1.115s"));
        assert_ne!(masked("12 in stock"), masked("none in stock"));
        assert_ne!(masked("recovered 0"), masked("recovered -"));
    }

    #[test]
    fn a_missing_a_strange_and_an_additional_line_are_found() {
        let promised = lines("a\nb\n…\ny\nz");
        assert_eq!(difference(&promised, &lines("a\nb\ny\nz")), None);
        assert_eq!(difference(&promised, &lines("a\nb\nc\ny\nd\ny\nz")), None);
        for printed in ["a\nc\ny\nz", "a\nb\nz", "a\nb\ny\nz\nz1", "a\nb\ny", "", "b\ny\nz"] {
            assert!(difference(&promised, &lines(printed)).is_some(), "{printed}");
        }
    }
}
