//! Numbers as headers have them.

/// A number of digits and nothing else; `None` for more than `most` digits, or a number that does not fit.
pub(super) fn number(text: &str, most: usize) -> Option<u64> {
    let digits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}
