//! Collects every mistake, so that one build shows them all.

use proc_macro2::Span;
use quote::ToTokens;

/// The mistakes found so far, in the order in which they were found.
#[derive(Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    /// Reports a mistake in tokens that the user wrote.
    pub fn push(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.add(syn::Error::new_spanned(tokens, message));
    }

    /// Reports a mistake at a place without tokens of its own.
    pub fn push_at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Takes over an error of the parser.
    pub fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            empty => *empty = Some(error),
        }
    }

    /// `value` if there was no mistake.
    ///
    /// # Errors
    ///
    /// All mistakes as one error.
    pub fn finish<T>(self, value: T) -> syn::Result<T> {
        self.0.map_or(Ok(value), Err)
    }
}

/// The accepted keys as a list for a message: `` `a`, `b`, `c` ``.
pub fn list<'a>(keys: impl IntoIterator<Item = &'a str>) -> String {
    keys.into_iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// `` ; did you mean `attempts`? `` where a known key is close, else nothing.
pub fn did_you_mean<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    closest(unknown, known).map_or_else(String::new, |key| format!("; did you mean `{key}`?"))
}

/// The known word that a typing mistake or two may have turned into `unknown`: at most a third of
/// its letters differ, upper case not counted, and not all of them.
fn closest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let unknown = unknown.to_lowercase();
    known
        .into_iter()
        .map(|word| (distance(&unknown, word), word))
        .filter(|(distance, word)| {
            let letters = word.chars().count();
            *distance <= (letters / 3).max(1) && *distance < letters
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// Letters to insert, remove, replace or swap with their neighbour to turn one word into the other
/// (optimal string alignment).
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![(0..=to.len()).collect::<Vec<usize>>()];
    for (i, &letter) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &other) in to.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(letter != other);
            let mut best = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && letter == to[j - 1] && from[i - 1] == other {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::{Errors, did_you_mean, distance, list};
    use proc_macro2::Span;
    use quote::quote;

    #[test]
    fn all_mistakes_come_out_in_order() {
        let mut errors = Errors::default();
        errors.push(quote!(a), "first");
        errors.push_at(Span::call_site(), "second");
        errors.add(syn::Error::new(Span::call_site(), "third"));
        let all: Vec<_> =
            errors.finish(()).unwrap_err().into_iter().map(|e| e.to_string()).collect();
        assert_eq!(all, ["first", "second", "third"]);
        assert_eq!(Errors::default().finish(7).unwrap(), 7);
    }

    #[test]
    fn distance_counts_single_typing_mistakes() {
        for (from, to, want) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("attempts", "attempts", 0),
            ("attempt", "attempts", 1),
            ("atempts", "attempts", 1),
            ("attemtps", "attempts", 1),
            ("kitten", "sitting", 3),
            ("größe", "grösse", 2),
        ] {
            assert_eq!(distance(from, to), want, "{from} {to}");
        }
    }

    #[test]
    fn only_a_close_word_is_suggested() {
        let known = ["transient", "throttled", "timeout", "cost", "base", "0"];
        for (unknown, want) in [
            ("transent", "; did you mean `transient`?"),
            ("TimeOut", "; did you mean `timeout`?"),
            ("coast", "; did you mean `cost`?"),
            ("retryable", ""),
            ("x", ""),
            ("2", ""),
            ("", ""),
        ] {
            assert_eq!(did_you_mean(unknown, known), want, "{unknown}");
        }
        assert_eq!(list(known), "`transient`, `throttled`, `timeout`, `cost`, `base`, `0`");
    }
}
