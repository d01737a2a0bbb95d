//! What one request says about the call that it is part of.

use std::{fmt, time::Duration};

use crate::{
    clock,
    context::{self, Repeater},
    structured::{self, Bare, Item},
};

/// What one request says about the call that it is part of: the value of the header `stormless-attempt`,
/// such as `2;max=3;remaining=1837`.
///
/// It is an item with parameters as structured fields ([RFC 9651]) have them: the number of the attempt, from
/// 1, and
///
/// | parameter | |
/// |---|---|
/// | `max` | how many attempts the caller makes at most; absent, it does not stop by number |
/// | `remaining` | the time for which it still waits for an answer, in milliseconds; absent, it waits for ever |
/// | `idempotent` | it also repeats what may have been carried out |
/// | `allow` | calls inside its attempts may retry (`inner = "allow"`), whether it does or is not known to |
///
/// Other parameters are passed over, so that later versions may have more. [`parse`](Self::parse) reads such
/// a value, and `Display` writes it.
///
/// [RFC 9651]: https://www.rfc-editor.org/rfc/rfc9651
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire::Facts;
/// use std::time::Duration;
///
/// let facts = Facts::parse("2;max=3;remaining=1837").unwrap();
/// assert_eq!((facts.attempt(), facts.max()), (2, Some(3)));
/// assert_eq!(facts.remaining(), Some(Duration::from_millis(1837)));
/// assert!(!facts.is_idempotent() && !facts.allows_inner());
/// assert_eq!(facts.to_string(), "2;max=3;remaining=1837");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    attempt: u32,
    max: Option<u32>,
    remaining: Option<Duration>,
    idempotent: bool,
    allow: bool,
}

/// As long as fifteen digits can tell, which are the most that an item may have.
const LONGEST: u64 = 999_999_999_999_999;

impl Facts {
    /// Attempt number `attempt` of a call that does not stop by number, without a deadline; the first is 1,
    /// and 0 is taken for it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::Facts;
    ///
    /// assert_eq!(Facts::new(2).to_string(), "2");
    /// ```
    #[must_use]
    pub const fn new(attempt: u32) -> Self {
        let attempt = if attempt == 0 { 1 } else { attempt };
        Self { attempt, max: None, remaining: None, idempotent: false, allow: false }
    }

    /// Of this many attempts at most; fewer than were made are taken for as many.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::Facts;
    ///
    /// assert_eq!(Facts::new(2).max_attempts(3).to_string(), "2;max=3");
    /// assert_eq!(Facts::new(2).max_attempts(1).max(), Some(2));
    /// ```
    pub const fn max_attempts(mut self, max: u32) -> Self {
        self.max = Some(if max < self.attempt { self.attempt } else { max });
        self
    }

    /// With this much time left, of which whole milliseconds count.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::Facts;
    /// use std::time::Duration;
    ///
    /// let facts = Facts::new(1).time_left(Duration::from_micros(1_500_900));
    /// assert_eq!(facts.to_string(), "1;remaining=1500");
    /// ```
    pub const fn time_left(mut self, left: Duration) -> Self {
        let millis = left.as_millis();
        #[expect(clippy::cast_possible_truncation, reason = "compared with the limit just before")]
        let millis = if millis > LONGEST as u128 { LONGEST } else { millis as u64 };
        self.remaining = Some(Duration::from_millis(millis));
        self
    }

    /// The caller also repeats what may have been carried out.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::Facts;
    ///
    /// assert!(Facts::new(1).idempotent().is_idempotent());
    /// ```
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Callees may retry even if the caller does.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::Facts;
    ///
    /// assert!(Facts::new(1).allow_inner().allows_inner());
    /// ```
    pub const fn allow_inner(mut self) -> Self {
        self.allow = true;
        self
    }

    /// What a request that is sent now says: what [`inject`](super::inject) writes. `None` where neither an
    /// attempt nor a deadline is in force.
    ///
    /// Inside nested calls these are the facts of the call that will repeat the request: the outermost that
    /// suppresses the others, be it in this process or in the one that called it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, wire::Facts};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// assert_eq!(Facts::current(), None);
    /// let facts = Policy::new().run(async || Ok::<_, std::io::Error>(Facts::current())).await?;
    /// assert_eq!(facts, Some(Facts::new(1).max_attempts(3)));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn current() -> Option<Self> {
        Self::with_time_left(Duration::ZERO).map(|(facts, _)| facts)
    }

    /// The same with the time that is left, which is `margin` less than it is, and not of whole milliseconds.
    pub(super) fn with_time_left(margin: Duration) -> Option<(Self, Option<Duration>)> {
        let Repeater { attempt, most, suppresses, idempotent, deadline } = context::repeater()?;
        let mut facts = Self::new(attempt);
        facts.max = most;
        // Whoever makes one attempt keeps nobody from retrying.
        facts.allow = !suppresses && most != Some(1);
        facts.idempotent = suppresses && idempotent;
        let left = deadline.may_come().then(|| clock::now().until(deadline).saturating_sub(margin));
        Some((left.map_or(facts, |left| facts.time_left(left)), left))
    }

    /// Reads the header's value; `None` if it is malformed.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::wire::Facts;
    ///
    /// assert_eq!(Facts::parse("2;max=3"), Some(Facts::new(2).max_attempts(3)));
    /// assert_eq!(Facts::parse("second"), None);
    /// ```
    #[must_use]
    pub fn parse(value: &str) -> Option<Self> {
        let item = structured::item(value)?;
        let attempt = number(item.value)?;
        let max = parameter(&item, "max", None, |value| number(value).map(Some))?;
        (attempt >= 1 && max.is_none_or(|max| max >= attempt)).then_some(Self {
            attempt,
            max,
            remaining: parameter(&item, "remaining", None, |value| millis(value).map(Some))?,
            idempotent: parameter(&item, "idempotent", false, boolean)?,
            allow: parameter(&item, "allow", false, boolean)?,
        })
    }

    /// The attempt's number; the first is 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.attempt
    }

    /// How many attempts there may be; `None` if that is no limit, or one that the caller cannot tell, which
    /// are those from 255 on.
    #[must_use]
    pub const fn max(&self) -> Option<u32> {
        self.max
    }

    /// How long the caller waits for an answer, from when it sent the request; `None` without a deadline.
    #[must_use]
    pub const fn remaining(&self) -> Option<Duration> {
        self.remaining
    }

    /// Whether the caller also repeats what may have been carried out.
    #[must_use]
    pub const fn is_idempotent(&self) -> bool {
        self.idempotent
    }

    /// Whether callees may retry even if the caller does.
    #[must_use]
    pub const fn allows_inner(&self) -> bool {
        self.allow
    }
}

/// What a parameter says, or what it means that there is none. As the last one of a name counts, so does its
/// fault.
fn parameter<T>(
    item: &Item<'_>,
    name: &str,
    absent: T,
    read: impl FnOnce(Bare) -> Option<T>,
) -> Option<T> {
    item.parameter(name).map_or(Some(absent), read)
}

fn number(value: Bare) -> Option<u32> {
    match value {
        Bare::Integer(number) => number.try_into().ok(),
        _ => None,
    }
}

fn millis(value: Bare) -> Option<Duration> {
    match value {
        Bare::Integer(millis) => millis.try_into().ok().map(Duration::from_millis),
        _ => None,
    }
}

fn boolean(value: Bare) -> Option<bool> {
    match value {
        Bare::Boolean(value) => Some(value),
        _ => None,
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.attempt)?;
        if let Some(max) = self.max {
            write!(f, ";max={max}")?;
        }
        if let Some(remaining) = self.remaining {
            write!(f, ";remaining={}", remaining.as_millis())?;
        }
        if self.idempotent {
            f.write_str(";idempotent")?;
        }
        if self.allow {
            f.write_str(";allow")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
