//! Operations on budgets, and on single words as floors under them.

use std::{
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use stormless::{Budget, engine::Moment};
use tower::retry::budget::{Budget as _, TpsBudget};
use tower_resilience_retry::{RetryBudget, RetryBudgetBuilder};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// An answered call while the budget is full.
    DepositAtCap,
    /// An answered call while the budget is not full.
    DepositBelowCap,
    /// A retry that is granted.
    Withdraw,
    /// A retry that is not.
    Refused,
}

impl Operation {
    pub(crate) const ALL: [Self; 4] =
        [Self::DepositAtCap, Self::DepositBelowCap, Self::Withdraw, Self::Refused];

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::DepositAtCap => "Deposit at cap",
            Self::DepositBelowCap => "Deposit below cap",
            Self::Withdraw => "Withdraw",
            Self::Refused => "Withdraw, refused",
        }
    }
}

/// Does it this many times; two threads may at once.
pub(crate) type Run = Box<dyn Fn(u64) + Send + Sync>;

/// One operation on one kind of budget.
pub(crate) struct Case {
    pub(crate) operation: Operation,
    pub(crate) name: &'static str,
    /// What the others are compared with.
    pub(crate) floor: bool,
    pub(crate) run: Run,
}

fn case<S: Send + Sync + 'static>(
    operation: Operation,
    name: &'static str,
    subject: S,
    once: impl Fn(&S) + Send + Sync + 'static,
) -> Case {
    let run = move |times| {
        for _ in 0..times {
            once(black_box(&subject));
        }
    };
    Case { operation, name, floor: false, run: Box::new(run) }
}

/// Everything, the floors first.
pub(crate) fn all() -> Vec<Case> {
    let mut all = Vec::new();
    for operation in Operation::ALL {
        all.extend(floors(operation));
        all.push(stormless(operation));
        all.push(tower(operation));
        all.push(resilience(operation));
    }
    all
}

fn floors(operation: Operation) -> Vec<Case> {
    let load = |operation| {
        case(operation, "one word: relaxed load", AtomicU64::new(0), |word| {
            black_box(word.load(Relaxed));
        })
    };
    let add = |operation| {
        case(operation, "one word: relaxed `fetch_add`", AtomicU64::new(0), |word| {
            black_box(word.fetch_add(1, Relaxed));
        })
    };
    let exchange = case(operation, "one word: compare-exchange loop", AtomicU64::new(0), |word| {
        let mut before = word.load(Relaxed);
        while let Err(seen) =
            word.compare_exchange_weak(before, before.saturating_add(1), Relaxed, Relaxed)
        {
            before = seen;
        }
    });
    let floor = |case| Case { floor: true, ..case };
    match operation {
        Operation::DepositAtCap | Operation::Refused => vec![floor(load(operation))],
        Operation::DepositBelowCap | Operation::Withdraw => vec![floor(add(operation)), exchange],
    }
}

/// Buckets do not ask what time it is.
const NOW: Moment = Moment::from_nanos(0);

fn stormless(operation: Operation) -> Case {
    let name = "stormless";
    match operation {
        Operation::DepositAtCap => case(operation, name, Budget::new("full"), Budget::deposit),
        Operation::DepositBelowCap => {
            // A million retries below full, of which a deposit makes up for a thousandth of one.
            let budget = Budget::new("used").burst(2_000_000).ratio(0.001);
            assert!(budget.withdraw(1_000_000, NOW).is_some());
            case(operation, name, budget, Budget::deposit)
        }
        Operation::Withdraw => {
            case(operation, name, Budget::new("rich").burst(u32::MAX), |budget| {
                assert!(budget.withdraw(1, NOW).is_some());
            })
        }
        Operation::Refused => {
            let budget = Budget::new("empty").burst(1).ratio(0.0);
            assert!(budget.withdraw(1, NOW).is_some());
            case(operation, name, budget, |budget| assert!(budget.withdraw(1, NOW).is_none()))
        }
    }
}

/// A window of ten seconds; it has no cap, so that a deposit is always the same.
fn tower(operation: Operation) -> Case {
    let name = "tower: `TpsBudget`";
    let (ttl, most) = (Duration::from_secs(10), i32::MAX.unsigned_abs() - 1);
    match operation {
        Operation::DepositAtCap | Operation::DepositBelowCap => {
            case(operation, name, TpsBudget::new(ttl, 10, 0.1), TpsBudget::deposit)
        }
        Operation::Withdraw => case(operation, name, TpsBudget::new(ttl, most, 1.0), |budget| {
            assert!(budget.withdraw());
        }),
        Operation::Refused => case(operation, name, TpsBudget::new(ttl, 0, 0.1), |budget| {
            assert!(!budget.withdraw());
        }),
    }
}

/// More tokens than anybody takes.
const MANY: usize = 1 << 40;

/// Without a refill by time, so that an empty bucket stays empty.
fn resilience(operation: Operation) -> Case {
    let name = "tower-resilience: token bucket";
    let bucket = |initial: usize, most: usize| -> Arc<dyn RetryBudget> {
        RetryBudgetBuilder::new()
            .token_bucket()
            .tokens_per_second(0.0)
            .initial_tokens(initial)
            .max_tokens(most)
            .build()
            .expect("a rate that is finite")
    };
    match operation {
        Operation::DepositAtCap => {
            case(operation, name, bucket(100, 100), |budget| budget.deposit())
        }
        Operation::DepositBelowCap => {
            case(operation, name, bucket(0, MANY), |budget| budget.deposit())
        }
        Operation::Withdraw => case(operation, name, bucket(MANY, MANY), |budget| {
            assert!(budget.try_withdraw());
        }),
        Operation::Refused => case(operation, name, bucket(0, 0), |budget| {
            assert!(!budget.try_withdraw());
        }),
    }
}
