//! What a scenario file may say, and what is said about one that says something else.

mod anything;
mod builtins;
mod documented;
mod files;
mod mistakes;
mod order;
mod values;

use super::{Mistake, Scenario, ScenarioError, read};

/// A scenario of a service engineer's, as short as it is in the documentation.
pub(super) const SIMPLE: &str = r#"
title = "Orders under loss"
duration = "60s"

[clients]
processes = 20
rate = 30.0

[[tier]]
name = "orders"
timeout = "500ms"
server = { workers = 10, service = "10ms" }

[[fault]]
kind = "loss"
share = 0.15

[[policy]]
name = "naive"
retry = 'backoff = "fixed", base = "100ms", attempts = 4, budget = none, idempotent'

[[policy]]
name = "default"
retry = 'attempts = 4, idempotent'
"#;

/// All that is wrong with the simple scenario once each pair's first text is replaced with its second.
pub(super) fn wrong(changes: &[(&str, &str)]) -> Vec<Mistake> {
    let mut text = SIMPLE.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    mistakes(&text)
}

pub(super) fn mistakes(text: &str) -> Vec<Mistake> {
    match read("test", text) {
        Ok(_) => Vec::new(),
        Err(ScenarioError::Mistakes(all)) => all.iter().cloned().collect(),
        Err(error) => panic!("{error}"),
    }
}

pub(super) fn right(changes: &[(&str, &str)]) -> Scenario {
    let mut text = SIMPLE.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    read("test", &text).unwrap_or_else(|error| panic!("{error}"))
}
