//! A policy as the attribute says it, read by the attribute's own grammar.

mod elsewhere;
mod mistakes;
mod shown;
mod values;
mod wrapping;

use std::time::Duration;

use retry_grammar::{model::Settings, text};
use retry_runtime::Policy;

pub use mistakes::{Mistake, Mistakes};
pub(crate) use shown::{shortened, visible};

/// A policy as the attribute says it, in production's own types.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// As it was written.
    pub text: String,
    /// What decides.
    pub policy: Policy,
    /// What pays.
    pub budget: Payer,
    /// What is asked before each attempt, by its name.
    pub breaker: Option<String>,
    /// After how long an attempt is ended.
    pub attempt_timeout: Option<Duration>,
    /// For the whole call.
    pub deadline: Option<Duration>,
}

/// What pays for retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payer {
    /// A bucket of the function's own.
    Own,
    /// Nothing.
    None,
    /// The budget of this name.
    Named(String),
}

/// Reads what would stand in the parentheses of `#[retry(…)]`. An empty text is the attribute without any.
///
/// The rules are the attribute's own, and so are the messages. What can only be meant for a function, or is known
/// to no one but the compiler, is a mistake that says what to write instead; `name` and `uncut` change nothing
/// here and are let through.
///
/// # Errors
///
/// All that is wrong, each with its place.
///
/// ```
/// use storm_lab::attribute::{self, Payer};
///
/// let orders = attribute::read(r#"backoff = "full_jitter", base = "50ms", max = "1s", budget = "orders""#)?;
/// assert_eq!(orders.policy.max_attempts(), Some(3));
/// assert_eq!(orders.budget, Payer::Named("orders".into()));
///
/// let mistakes = attribute::read(r#"attempts = 3, base = "50""#).unwrap_err();
/// assert_eq!(
///     mistakes.to_string(),
///     r#"error: `50` has no unit: write "50ms" for milliseconds, "50s" for seconds
///  --> 1:22
///   |
/// 1 | attempts = 3, base = "50"
///   |                      ^^^^
/// "#
/// );
/// # Ok::<(), attribute::Mistakes>(())
/// ```
pub fn read(text: &str) -> Result<Attribute, Mistakes> {
    if let Some(mistake) = wrapping::mistake(text) {
        return Err(Mistakes::of(text, vec![mistake]));
    }
    let text::Reading { settings, given, mut mistakes } = text::read(text);
    let mut refused = elsewhere::refused(&given);
    // What is refused as a whole has no other mistakes.
    mistakes.retain(|mistake| {
        !refused.iter().any(|refusal| refusal.range.contains(&mistake.range.start))
    });
    let attribute = attribute(&settings, text, &mut refused);
    mistakes.extend(refused);
    if mistakes.is_empty()
        && let Err(fault) = attribute.policy.check()
    {
        mistakes.push(text::Mistake { range: 0..text.len(), message: fault.to_string() });
    }
    if mistakes.is_empty() { Ok(attribute) } else { Err(Mistakes::of(text, mistakes)) }
}

fn attribute(settings: &Settings, text: &str, mistakes: &mut Vec<text::Mistake>) -> Attribute {
    let mut values = values::Values { text, mistakes };
    Attribute {
        text: text.to_owned(),
        policy: values.policy(settings),
        budget: values.budget(settings),
        breaker: values.breaker(settings),
        attempt_timeout: values.duration(settings.attempt_timeout.as_ref()),
        deadline: values.deadline(settings),
    }
}

#[cfg(test)]
mod tests;
