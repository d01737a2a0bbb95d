//! As much of `PromQL` as it takes to see which metrics and labels an expression names. Whether it is correct
//! otherwise, `promtool` says.

use std::collections::BTreeSet;

/// What an expression names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Metrics, each with the labels that its own braces name.
    pub metrics: Vec<(String, BTreeSet<String>)>,
    /// Labels that are named elsewhere: in `by (…)`, `on (…)` and the like.
    pub labels: BTreeSet<String>,
}

/// Words that a list of labels follows.
const LISTS: [&str; 6] = ["by", "without", "on", "ignoring", "group_left", "group_right"];
/// Words that stand where a metric could.
const OPERATORS: [&str; 7] = ["and", "or", "unless", "bool", "offset", "atan2", "inf"];

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(char),
}

fn tokens(expression: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = expression.chars().peekable();
    while let Some(first) = rest.next() {
        if first == '"' {
            // A value: of no interest, and full of signs that would mean something outside.
            while let Some(inside) = rest.next() {
                match inside {
                    '\\' => drop(rest.next()),
                    '"' => break,
                    _ => {}
                }
            }
        } else if first == '[' {
            // A range, of a unit that would look like a name.
            while rest.next().is_some_and(|inside| inside != ']') {}
        } else if is_of_word(first) {
            let mut word = String::from(first);
            while let Some(next) = rest.next_if(|next| is_of_word(*next)) {
                word.push(next);
            }
            found.push(Token::Word(word));
        } else if !first.is_whitespace() {
            found.push(Token::Sign(first));
        }
    }
    found
}

fn is_of_word(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '_' | ':' | '.')
}

/// Numbers and durations begin with a digit.
fn is_name(word: &str) -> bool {
    !word.starts_with(|first: char| first.is_ascii_digit() || first == '.')
}

/// What an expression names.
#[must_use]
pub fn names(expression: &str) -> Names {
    let tokens = tokens(expression);
    let mut names = Names::default();
    let mut at = 0;
    while at < tokens.len() {
        let Token::Word(word) = &tokens[at] else {
            at += 1;
            continue;
        };
        let next = tokens.get(at + 1);
        at += 1;
        if LISTS.contains(&word.as_str()) && next == Some(&Token::Sign('(')) {
            at += collect(&tokens[at..], ')', &mut names.labels);
        } else if next == Some(&Token::Sign('{')) {
            let mut labels = BTreeSet::new();
            at += collect(&tokens[at..], '}', &mut labels);
            names.metrics.push((word.clone(), labels));
        } else if next != Some(&Token::Sign('('))
            && !OPERATORS.contains(&word.as_str())
            && !LISTS.contains(&word.as_str())
            && is_name(word)
            && !is_grouped(next)
        {
            names.metrics.push((word.clone(), BTreeSet::new()));
        }
    }
    names
}

/// `max by (…) (…)`: before a grouping stands an aggregation.
fn is_grouped(next: Option<&Token>) -> bool {
    matches!(next, Some(Token::Word(word)) if word == "by" || word == "without")
}

/// Takes the names up to a closing sign, and says how many tokens that were.
fn collect(tokens: &[Token], end: char, names: &mut BTreeSet<String>) -> usize {
    let length = tokens.iter().position(|token| *token == Token::Sign(end)).unwrap_or(tokens.len());
    for token in &tokens[..length] {
        if let Token::Word(word) = token {
            names.insert(word.clone());
        }
    }
    length
}
