//! The floor, the loop that one would write by hand, and stormless.

use std::{pin::Pin, time::Duration};

use benches::work::Down;
use stormless::{Budget, budget, retry};
use tokio::time::sleep;

use crate::script::{Scenario, scripted};

/// Makes this many calls, one after the other, and says how many failed.
pub(crate) type Run = fn(u64) -> Pin<Box<dyn Future<Output = u64>>>;

/// One way to make the call.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) peer: Option<&'static str>,
    /// With a budget that is never empty, or without one.
    pub(crate) rich: Option<Run>,
    /// With a budget that is empty from the second call on, where there are budgets.
    pub(crate) poor: Option<Run>,
    /// Whether its waits follow the runtime's paused time.
    pub(crate) waits: bool,
}

impl Subject {
    /// How it goes through the scenario, if it can.
    pub(crate) fn run(&self, scenario: Scenario) -> Option<Run> {
        match scenario {
            Scenario::Once | Scenario::Twice => self.rich.filter(|_| self.waits),
            Scenario::Permanent => self.rich,
            Scenario::Refused => self.poor,
        }
    }
}

/// A loop of calls, as a future; what is made first is shared by all of them.
macro_rules! run {
    ($(let $shared:pat = $make:expr;)* |$input:ident| $call:expr) => {
        |calls| {
            Box::pin(async move {
                $(let $shared = $make;)*
                let mut failed = 0;
                for input in 1..=calls {
                    let $input = std::hint::black_box(input);
                    failed += u64::from($call.await.is_err());
                }
                failed
            })
        }
    };
}
pub(crate) use run;

budget! {
    static RICH: Budget = Budget::new("failure.rich").burst(1_000_000).ratio(1.0);
    static RICH_INSIDE: Budget = Budget::new("failure.rich-inside").burst(1_000_000).ratio(1.0);
    static POOR: Budget = Budget::new("failure.poor").burst(1).ratio(0.0);
    static POOR_INSIDE: Budget = Budget::new("failure.poor-inside").burst(1).ratio(0.0);
}

/// The one whose retries are paid for twice.
pub(crate) const NESTED: &str = "stormless: a call inside a call, two budgets";

/// Everything in this file, in the order of the tables.
pub(crate) const ALL: [Subject; 5] = [
    Subject {
        name: "the body, then `tokio::time::sleep` and the body",
        peer: None,
        rich: Some(run!(|input| floor(input))),
        poor: None,
        waits: true,
    },
    Subject {
        name: "hand-written loop",
        peer: None,
        rich: Some(run!(|input| by_hand(input))),
        poor: None,
        waits: true,
    },
    Subject {
        name: "stormless: `budget = none`",
        peer: None,
        rich: Some(run!(|input| unbudgeted(input))),
        poor: None,
        waits: true,
    },
    Subject {
        name: "stormless: static budget",
        peer: None,
        rich: Some(run!(|input| rich(input))),
        poor: Some(run!(|input| poor(input))),
        waits: true,
    },
    Subject {
        name: NESTED,
        peer: None,
        rich: Some(run!(|input| rich_outer(input))),
        poor: Some(run!(|input| poor_outer(input))),
        waits: true,
    },
];

/// What nobody who waits can do without.
async fn floor(input: u64) -> Result<u64, Down> {
    let mut result = scripted(input);
    for _ in 0..2 {
        if result != Err(Down::Transient) {
            break;
        }
        sleep(Duration::from_millis(25)).await;
        result = scripted(input);
    }
    result
}

async fn by_hand(input: u64) -> Result<u64, Down> {
    let mut limit = Duration::from_millis(50);
    let mut attempt = 1;
    loop {
        match scripted(input) {
            Ok(value) => return Ok(value),
            Err(error) if attempt == 3 || !error.is_transient() => return Err(error),
            Err(_) => {
                sleep(limit.mul_f64(fastrand::f64())).await;
                limit = (limit * 2).min(Duration::from_secs(20));
                attempt += 1;
            }
        }
    }
}

#[retry(budget = none)]
async fn unbudgeted(input: u64) -> Result<u64, Down> {
    scripted(input)
}

#[retry(budget = RICH)]
async fn rich(input: u64) -> Result<u64, Down> {
    scripted(input)
}

#[retry(budget = POOR)]
async fn poor(input: u64) -> Result<u64, Down> {
    scripted(input)
}

// The inner call runs once, and the outer one repeats it: each retry is paid for in both budgets.
#[retry(budget = RICH)]
async fn rich_outer(input: u64) -> Result<u64, Down> {
    rich_inner(input).await
}

#[retry(budget = RICH_INSIDE)]
async fn rich_inner(input: u64) -> Result<u64, Down> {
    scripted(input)
}

#[retry(budget = RICH)]
async fn poor_outer(input: u64) -> Result<u64, Down> {
    poor_inner(input).await
}

#[retry(budget = POOR_INSIDE)]
async fn poor_inner(input: u64) -> Result<u64, Down> {
    scripted(input)
}
