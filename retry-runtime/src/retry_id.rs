//! What tells an attempt from all others.

use std::fmt;

use crate::random;

/// Tells an attempt from all others, in this process and elsewhere: a number of the call that no other call
/// is likely to have, and the attempt's number.
///
/// It joins what was written about one attempt in logs, traces, profiles and at the server. Written, it is 16
/// hexadecimal digits, a hyphen and the attempt's number; all attempts of a call share the digits. It is no
/// [idempotency key](crate::IdempotencyKey): it differs from one attempt to the next, and a restarted process
/// makes others. Never make it a label of metrics.
///
/// ```
/// # use retry_runtime as stormless;
/// let id = stormless::current().map(|attempt| attempt.id().to_string());
/// assert_eq!(id, None, "no annotated function is running");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RetryId {
    call: u64,
    attempt: u32,
}

impl RetryId {
    pub(crate) fn new(call: u64, attempt: u32) -> Self {
        Self { call: random::word_of_this_process(call), attempt }
    }

    /// What all attempts of the call have in common.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let id = async || Ok::<_, std::io::Error>(current().unwrap().id());
    /// let (one, other) = (Policy::new().run(id).await.unwrap(), Policy::new().run(id).await.unwrap());
    /// assert_ne!(one.call(), other.call());
    /// # }
    /// ```
    #[must_use]
    pub const fn call(self) -> u64 {
        self.call
    }

    /// The attempt's number; the first is 1. 0 stands for the call before its first, and is seen in events and
    /// records alone.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, current};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let id = async || Ok::<_, std::io::Error>(current().unwrap().id());
    /// assert_eq!(Policy::new().run(id).await.unwrap().attempt(), 1);
    /// # }
    /// ```
    #[must_use]
    pub const fn attempt(self) -> u32 {
        self.attempt
    }
}

impl fmt::Display for RetryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}-{}", self.call, self.attempt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_of_a_call_share_its_digits_and_no_other_call_has_them() {
        const CALLS: u64 = if cfg!(miri) { 100 } else { 10_000 };
        let (first, second) = (RetryId::new(7, 1), RetryId::new(7, 2));
        assert_eq!(first.call(), second.call());
        assert_eq!(second.to_string(), format!("{:016x}-2", first.call()));
        let mut calls: Vec<u64> = (0..CALLS).map(|call| RetryId::new(call, 1).call()).collect();
        calls.sort_unstable();
        calls.dedup();
        assert_eq!(calls.len() as u64, CALLS);
    }
}
