//! What tests assert about a schedule.

use std::fmt;

use super::{DelayRange, Schedule};
use crate::tables::Table;

impl Schedule {
    /// Asserts that no more attempts were made than this for each that would have been made without retries: see
    /// [`amplification`](Self::amplification).
    ///
    /// A budget's worst case is [its bound](crate::Budget::bound); its long-run one is 1 and its `ratio`.
    ///
    /// # Panics
    ///
    /// If there were more, or none at all, or `most` is not a number; with the table.
    #[track_caller]
    pub fn assert_amplification(&self, most: f64) {
        let Some(amplification) = self.amplification() else {
            panic!("expected an amplification of at most {most}, but nothing was attempted");
        };
        assert!(
            amplification <= most,
            "expected an amplification of at most {most}, observed {amplification:.3}:\n{}",
            Short(self),
        );
    }

    /// Asserts what the delays were that were decided on, in the order of the attempts that they followed: each a
    /// `Duration`, or each a range.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::{io, time::Duration};
    /// use stormless::{Policy, testing::{isolated, no_delays, schedule}};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// isolated(async {
    ///     no_delays();
    ///     let schedule = schedule();
    ///     let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    ///     let _refused = Policy::new().run(refused).await;
    ///     // Full jitter: anything up to a cap that doubles.
    ///     let up_to = |millis| Duration::ZERO..=Duration::from_millis(millis);
    ///     schedule.assert_delays([up_to(50), up_to(100)]);
    /// }).await;
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// If there were others, or fewer, or more, with both lists and the table; or if nothing was attempted at all,
    /// as in the schedule [of](Self::of) a site that is misspelt.
    #[track_caller]
    pub fn assert_delays<D: Into<DelayRange>>(&self, expected: impl IntoIterator<Item = D>) {
        assert!(self.attempts() > 0, "expected certain delays, but nothing was attempted");
        let expected: Vec<DelayRange> = expected.into_iter().map(Into::into).collect();
        let observed = self.delays();
        let fits = expected.len() == observed.len()
            && expected.iter().zip(&observed).all(|(range, delay)| range.contains(*delay));
        if !fits {
            let mut table = Table::new(&["delay", "expected", "observed", "verdict"]);
            for at in 0..expected.len().max(observed.len()) {
                let (range, delay) = (expected.get(at), observed.get(at));
                let is_right =
                    range.zip(delay).is_some_and(|(range, delay)| range.contains(*delay));
                table.row(vec![
                    (at + 1).to_string(),
                    range.map_or_else(|| "none".to_owned(), ToString::to_string),
                    delay.map_or_else(|| "none".to_owned(), |delay| format!("{delay:?}")),
                    if is_right { "as expected" } else { "WRONG" }.to_owned(),
                ]);
            }
            panic!("the delays are others than expected:\n{table}\n\nobserved:\n{}", Short(self));
        }
    }

    /// Asserts that the table is this one. Blanks at the ends of lines do not matter, nor do blank lines before and
    /// after, so that it can be indented as code is.
    ///
    /// # Panics
    ///
    /// If it is another one; with both, the observed one ready to be pasted.
    #[track_caller]
    pub fn assert_schedule(&self, expected: &str) {
        let observed = self.to_string();
        let lines = |text: &str| -> Vec<String> {
            text.trim().lines().map(|line| line.trim().to_owned()).collect()
        };
        let (wanted, found) = (lines(expected), lines(&observed));
        assert!(
            wanted == found,
            "the schedule is another one than expected.\n\nexpected:\n{}\n\nobserved:\n{observed}\n",
            wanted.join("\n"),
        );
    }
}

/// A table that fits on a screen or two.
struct Short<'a>(&'a Schedule);

impl fmt::Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 100;
        let table = self.0.to_string();
        let mut lines = table.lines();
        lines.by_ref().take(MOST).try_for_each(|line| writeln!(f, "{line}"))?;
        match lines.count() {
            0 => Ok(()),
            more => writeln!(f, "… and {more} lines more"),
        }
    }
}
