//! Settings that mean something around a real function only.

use retry_grammar::Key;
use retry_grammar::text::{Given, Mistake};

/// A mistake for each of them, with its value.
pub(super) fn refused(given: &[Given]) -> Vec<Mistake> {
    let refusal = |given: &Given| {
        reason(given.key).map(|reason| Mistake {
            range: given.range.clone(),
            message: format!("`{}` {reason}", given.key),
        })
    };
    given.iter().filter_map(refusal).collect()
}

/// Why a setting cannot be taken without a function, and what to do about it; `None` for one that can.
pub(super) const fn reason(key: Key) -> Option<&'static str> {
    Some(match key {
        Key::Attempts
        | Key::Backoff
        | Key::Base
        | Key::Max
        | Key::Factor
        | Key::Budget
        | Key::Breaker
        | Key::Deadline
        | Key::AttemptTimeout
        | Key::Uncut
        | Key::MinRemaining
        | Key::TimePerAttempt
        | Key::MaxRetryAfter
        | Key::Idempotent
        | Key::Nested
        | Key::Inner
        | Key::Name => return None,
        Key::Adaptive => {
            "names a const of your program, and goes by the load and the latency of a running one: \
             leave it out, and write a backoff that is fixed, as in `backoff = \"full_jitter\"`"
        }
        Key::BudgetKey => {
            "is worked out from a function's arguments, which there are none of here: leave it out; \
             what is shown is then one destination"
        }
        Key::Shed => {
            "refuses first attempts, and here all of them are made: leave it out; what is shown is then \
             the load without it"
        }
        Key::LastAttemptUntimed => {
            "takes the timeout from one attempt, and here all of them have the same: leave it out"
        }
        Key::CutError => {
            "makes a value of the function's error type, and here a cut attempt is told by itself: \
             leave it out"
        }
        Key::Expect => {
            "goes by how long a running function's attempts took lately: leave it out, or write a \
             fixed time, as in `min_remaining = \"100ms\"`"
        }
        Key::IdempotencyKey => {
            "is worked out from a function's arguments, which there are none of here: leave it out; \
             that a repeat is harmless is said by `idempotent`"
        }
        Key::Classify | Key::ClassifyResult => {
            "is code that looks at a function's result, and here nothing is called: leave it out; \
             which failures there are is up to the scenario"
        }
        Key::Hedge | Key::HedgeMax => {
            "starts attempts side by side, and here each follows the one before: leave it out"
        }
        Key::Clone => {
            "names arguments of a function, and here there is none: leave it out; it changes no delay"
        }
        Key::OnRetry => {
            "is code that is called before each wait, and here nothing is called: leave it out; it \
             changes no delay"
        }
        Key::Policy => {
            "names a value of your program, of which nothing is known here: write what it says, as in \
             `attempts = 3, base = \"50ms\"`"
        }
        Key::Blocking => "says what kind of function it is, and here there is none: leave it out",
        Key::Crate => "says where generated code finds the crate, and here none is: leave it out",
    })
}
