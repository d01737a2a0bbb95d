//! Durations, written as in the attribute.

use std::time::Duration;

use super::model::Window;

/// Reads `"50ms"`, `"1.5s"`, `"1m30s"`, up to what a simulation can count.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let duration = retry_grammar::duration::parse(text)?;
    if duration > Window::NEVER {
        return Err(format!(
            "`{text}` is longer than a hundred years, which nothing here lasts: write a shorter time"
        ));
    }
    Ok(duration)
}
