//! Failures and stops by what failed: the error's label and the kind of failure.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Kind, StopReason, machine::Facts};

use super::chain::Chain;

/// How many pairs of a label and a kind are told apart, in tables and in metrics. Labels come from compile-time
/// sets, but a hand may leak text that is made at run time.
pub(crate) const MOST: usize = 64;

/// The label of all for whom there was no room.
pub(crate) const OTHERS: &str = "(other labels)";

const REASONS: usize = StopReason::ALL.len();

/// Grows and never shrinks; nothing is made before the first failure.
#[derive(Debug)]
pub(super) struct Errors {
    known: Chain<Tally>,
    others: Chain<Tally>,
}

/// What was counted under one label and kind.
#[derive(Debug)]
pub(crate) struct Tally {
    label: &'static str,
    kind: Option<Kind>,
    failures: AtomicU64,
    stops: [AtomicU64; REASONS],
}

impl Errors {
    pub(super) const fn new() -> Self {
        Self { known: Chain::new(), others: Chain::new() }
    }

    /// Where failures like this one are counted.
    pub(super) fn of(&self, facts: &Facts) -> &Tally {
        let (label, kind) = (facts.label, Some(facts.classification.kind()));
        let is = |tally: &Tally| tally.label == label && tally.kind == kind;
        self.known
            .find_or_add_within(MOST, is, || Tally::new(label, kind))
            .unwrap_or_else(|| self.others.find_or_add(|_| true, || Tally::new(OTHERS, None)))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Tally> {
        self.known.iter().chain(self.others.iter())
    }
}

impl Tally {
    const fn new(label: &'static str, kind: Option<Kind>) -> Self {
        let stops = [const { AtomicU64::new(0) }; REASONS];
        Self { label, kind, failures: AtomicU64::new(0), stops }
    }

    pub(super) fn add_failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn add_stop(&self, reason: StopReason) {
        self.stops[reason as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// The label, or the one that stands for many.
    pub(crate) const fn label(&self) -> &'static str {
        self.label
    }

    /// `None` where many labels of any kind are counted together.
    pub(crate) const fn kind(&self) -> Option<Kind> {
        self.kind
    }

    pub(crate) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    pub(crate) fn stops(&self, reason: StopReason) -> u64 {
        self.stops[reason as usize].load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Classification, leaked::leak};

    fn facts(label: &'static str) -> Facts {
        Facts { classification: Classification::transient(), label }
    }

    fn leaked(number: usize) -> &'static str {
        leak(number.to_string().into_boxed_str())
    }

    #[test]
    fn one_text_is_one_label_wherever_it_lies() {
        let errors = Errors::new();
        errors.of(&facts(leaked(7))).add_failure();
        errors.of(&facts(leaked(7))).add_failure();
        let counted: Vec<_> = errors.iter().map(|tally| (tally.label, tally.failures())).collect();
        assert_eq!(counted, [("7", 2)]);
    }

    #[test]
    fn one_label_of_two_kinds_is_counted_twice() {
        let errors = Errors::new();
        errors.of(&facts("busy")).add_failure();
        let late = Facts { classification: Classification::timeout(), label: "busy" };
        errors.of(&late).add_stop(StopReason::MaybeExecuted);
        let kinds: Vec<_> = errors.iter().map(|tally| (tally.kind, tally.failures())).collect();
        assert_eq!(kinds, [(Some(Kind::Transient), 1), (Some(Kind::Timeout), 0)]);
    }

    #[test]
    fn threads_that_bring_new_labels_at_once_lose_no_count_and_never_go_over_the_bound() {
        const EACH: usize = if cfg!(miri) { 25 } else { 25_000 };
        let errors = Errors::new();
        std::thread::scope(|threads| {
            for thread in 0..4 {
                let errors = &errors;
                threads.spawn(move || {
                    for number in 0..EACH {
                        let tally = errors.of(&facts(leaked(thread * EACH + number)));
                        tally.add_failure();
                        tally.add_stop(StopReason::Permanent);
                    }
                });
            }
        });
        let labels: Vec<_> = errors.iter().map(Tally::label).collect();
        assert_eq!((labels.len(), labels.last()), (MOST + 1, Some(&OTHERS)));
        assert_eq!(errors.iter().map(Tally::failures).sum::<u64>(), 4 * EACH as u64);
        let stops = errors.iter().map(|tally| tally.stops(StopReason::Permanent));
        assert_eq!(stops.sum::<u64>(), 4 * EACH as u64);
        let told_apart = errors.iter().take(MOST).map(Tally::failures);
        assert_eq!(told_apart.sum::<u64>(), MOST as u64, "each came once");
    }
}
