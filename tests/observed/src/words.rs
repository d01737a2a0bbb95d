//! Events in words: all that each says, a line each.

use std::{collections::HashMap, time::Duration};

use stormless::{Classification, Event, Execution, Hint, What};

/// The calls of a scenario, numbered in the order in which they began.
#[derive(Debug, Default)]
pub(crate) struct Calls(HashMap<u64, Call>);

#[derive(Debug)]
struct Call {
    number: usize,
    site: &'static str,
    budget: Option<&'static str>,
}

impl Calls {
    /// Those that these events are about.
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut calls = Self::default();
        for event in events {
            let (Some(id), Some(site)) = (event.retry_id(), event.site()) else { continue };
            let (number, budget) = (calls.0.len() + 1, event.budget());
            let call = calls.0.entry(id.call()).or_insert(Call { number, site, budget });
            assert_eq!((call.site, call.budget), (site, event.budget()), "{event:?}");
            assert_eq!(event.attempt(), Some(id.attempt()), "{event:?}");
        }
        calls
    }

    /// The number of a call by what its attempts' ids have in common.
    pub(crate) fn number(&self, id: u64) -> usize {
        self.0.get(&id).unwrap_or_else(|| panic!("no call {id:016x}")).number
    }

    /// A retry id, as written in fields: `#1` for a call, `#1-2` for an attempt.
    pub(crate) fn name(&self, id: &str) -> String {
        let (call, attempt) = id.split_at(16);
        let call = u64::from_str_radix(call, 16).expect("sixteen hexadecimal digits");
        format!("#{}{attempt}", self.number(call))
    }

    /// When, of which attempt and what, for each event: `  20 #1-2 attempt succeeds after 20ms`. Milliseconds
    /// from the first event on.
    pub(crate) fn tell(&self, events: &[Event]) -> Vec<String> {
        let start = events.first().map(Event::at);
        let line = |event: &Event| {
            let at = start.map_or(Duration::ZERO, |start| start.until(event.at())).as_millis();
            let whose = match event.retry_id() {
                Some(id) => format!("#{}-{}", self.number(id.call()), id.attempt()),
                None => "all".to_owned(),
            };
            format!("{at:>5} {whose} {}", what(event))
        };
        events.iter().map(line).collect()
    }
}

/// Every field of every kind: one that is added has to be written here.
fn what(event: &Event) -> String {
    match event.what() {
        What::CallStarted => {
            let (site, budget) = (event.site().unwrap_or_default(), event.budget());
            format!("call of {site}, budget {}", budget.unwrap_or("none"))
        }
        What::AttemptStarted { hedge: false } => "attempt starts".to_owned(),
        What::AttemptStarted { hedge: true } => "hedge starts".to_owned(),
        What::AttemptSucceeded { took } => format!("attempt succeeds after {}", time(*took)),
        What::AttemptFailed { classification, label, took } => {
            format!("attempt fails after {}: {label}, {}", time(*took), facts(classification))
        }
        What::AttemptDropped { took } => format!("attempt dropped after {}", time(*took)),
        What::HintUsed { asked } => format!("hint {asked:?}"),
        What::RetryScheduled { delay } => format!("retry in {delay:?}"),
        What::BudgetRefused => "budget refuses".to_owned(),
        What::NestedSuppressed => "left to the call around".to_owned(),
        What::BreakerRefused { retry_after } => {
            format!("breaker refuses, back in {}", time(*retry_after))
        }
        What::CallSucceeded { attempts, slept, took } => {
            format!("call succeeds: {attempts} attempts, slept {slept:?}, took {}", time(*took))
        }
        What::CallStopped { reason, failure, attempts, slept, took } => {
            let failed = |(classification, label): (Classification, &str)| {
                format!("{label}, {}", facts(&classification))
            };
            let failure = failure.map_or_else(|| "nothing".to_owned(), failed);
            let (reason, took) = (reason.label(), time(*took));
            format!(
                "call stops: {reason} at {failure}; {attempts} attempts, slept {slept:?}, took {took}"
            )
        }
        What::CallPanicked { attempts, took } => {
            format!("call panics: {attempts} attempts, took {}", time(*took))
        }
        What::LostToNesting { site, outer, failures } => {
            format!("lost to nesting: {failures} of {site} in {outer}")
        }
        What::BreakerChanged { breaker, from, to } => {
            format!("breaker {breaker}: {} -> {}", from.label(), to.label())
        }
        What::Overrides(change) => format!("overrides: {change}"),
        What::Warned(warning) => format!("warned: {warning}"),
        other => panic!("no words for {other:?}"),
    }
}

fn time(took: Option<Duration>) -> String {
    took.map_or_else(|| "unknown".to_owned(), |took| format!("{took:?}"))
}

/// What is not as with most failures, after the kind.
fn facts(classification: &Classification) -> String {
    let mut words = vec![classification.kind().label().to_owned()];
    match classification.execution() {
        Execution::NotExecuted => {}
        other => words.push(format!("{other:?}")),
    }
    match classification.hint() {
        Some(Hint::RetryAfter(wait)) => words.push(format!("asks for {wait:?}")),
        Some(other) => words.push(format!("{other:?}")),
        None => {}
    }
    if classification.is_local() {
        words.push("local".to_owned());
    }
    let (base, cost) = (classification.base_override(), classification.cost_override());
    let more = (base, classification.attempts_override(), cost);
    if more != (None, None, None) {
        words.push(format!("{more:?}"));
    }
    words.join(" ")
}
