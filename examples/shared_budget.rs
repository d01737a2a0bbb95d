//! One budget for several functions that call the same dependency: what one of them spends, the
//! others cannot.
//!
//! It prints:
//!
//! ```text
//! The service is down.
//! shared_budget::read_profile
//!   attempt 1: Down (transient, not executed) -> retry in 34ms
//!   attempt 2: Down (transient, not executed) -> retry in 16ms
//!   attempt 3: Down (transient, not executed)
//!   stopped after 3 attempts, slept 50ms: no attempts left
//! shared_budget::search_profiles
//!   attempt 1: Down (transient, not executed) -> retry in 11ms
//!   attempt 2: Down (transient, not executed) -> retry in 84ms
//!   attempt 3: Down (transient, not executed)
//!   stopped after 3 attempts, slept 95ms: no attempts left
//! shared_budget::read_profile
//!   attempt 1: Down (transient, not executed)
//!   stopped after 1 attempt: the retry budget is empty
//! shared_budget::search_profiles
//!   attempt 1: Down (transient, not executed)
//!   stopped after 1 attempt: the retry budget is empty
//!
//! It is back, and 20 calls are answered: they earn 2 retries.
//!
//! It is down again.
//! shared_budget::search_profiles
//!   attempt 1: Down (transient, not executed) -> retry in 13ms
//!   attempt 2: Down (transient, not executed) -> retry in 54ms
//!   attempt 3: Down (transient, not executed)
//!   stopped after 3 attempts, slept 67ms: no attempts left
//! shared_budget::read_profile
//!   attempt 1: Down (transient, not executed)
//!   stopped after 1 attempt: the retry budget is empty
//!
//! budget    balance  taken  refused  given back  sites
//! profiles  0.0      6      3        0           2
//!
//! profiles: At most 4 retries at once, then 0.1 of a retry for each answered call: retries never
//! exceed 4 + 0.1 x answered calls. In the long run that is at most 1.1 attempts per call, and while
//! nothing is answered there are none once the 4 are spent. Not covered: first attempts, what an
//! enclosing call repeats beside its last failed call, calls with `budget = none`, other processes, and
//! retries inside drivers.
//! ```

use std::sync::atomic::{AtomicBool, Ordering};

use stormless::{Budget, CallReport, Retryable, budget, budgets, report, retry, testing};

budget! {
    /// Four retries to begin with, and another for every ten calls that were answered.
    static PROFILES: Budget = Budget::new("profiles").burst(4).ratio(0.1);
}

#[derive(Debug, thiserror::Error, Retryable)]
#[error("the profile service is down")]
#[retryable(transient)]
struct Down;

/// By path: a misspelt name does not compile.
#[retry(budget = PROFILES)]
async fn read_profile(service: &Service) -> Result<(), Down> {
    service.answer()
}

/// By name, from anywhere in the process; `verify()` finds a misspelt one.
#[retry(budget = "profiles")]
async fn search_profiles(service: &Service) -> Result<(), Down> {
    service.answer()
}

struct Service {
    up: AtomicBool,
}

impl Service {
    fn answer(&self) -> Result<(), Down> {
        if self.up.load(Ordering::Relaxed) { Ok(()) } else { Err(Down) }
    }
}

// Virtual time, a seed and an isolated run make the output the same each time.
#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    testing::isolated(async {
        testing::seed(1);
        let service = Service { up: AtomicBool::new(false) };
        println!("The service is down.");
        for _ in 0..2 {
            show(report(read_profile(&service)).await.1);
            show(report(search_profiles(&service)).await.1);
        }
        println!("\nIt is back, and 20 calls are answered: they earn 2 retries.");
        service.up.store(true, Ordering::Relaxed);
        for _ in 0..20 {
            read_profile(&service).await.expect("the service is up");
        }
        println!("\nIt is down again.");
        service.up.store(false, Ordering::Relaxed);
        show(report(search_profiles(&service)).await.1);
        show(report(read_profile(&service)).await.1);
        println!("\n{}", budgets());
    })
    .await;
}

fn show(calls: Vec<CallReport>) {
    for call in calls {
        println!("{call}");
    }
}
