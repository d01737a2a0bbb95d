//! Retries without an attribute: the calls of closures.
//!
//! [`Policy::run`] runs a closure once for each attempt, with all that the attribute can do. What is typed
//! after it are the methods of [`Run`]; [`RetryExt`] has the same as suffixes of the closure.

mod asked;
mod blocking;
mod builder;
mod cutting;
mod drive;
mod fallback;
mod hedged;
mod hooks;
mod judging;
mod lending;
mod mode;
mod operation;
mod rules;
mod setters;
mod settings;
mod setup;
mod suffix;

use crate::Policy;

pub use asked::{Gatekeeper, HedgeAfter, IntoBreaker, IntoBudget, IntoHedge, Payer};
pub use builder::Run;
pub use cutting::{
    ByError, ByFunction, CutByDeadline, CutByRefusal, CutByTimeout, Explained, Express,
};
pub use drive::Drive;
pub use fallback::{Falling, FallingWith, Finally, WithFallback};
pub use hedged::HedgedDrive;
pub use hooks::{Adjusting, Hook, Nobody, Told};
pub use judging::{ByClass, ByResult, ByTrait, Judging, WithClass};
#[cfg(feature = "tower-0-5")]
pub(crate) use mode::driver;
pub use mode::{
    Awaited, Blocking, Hedging, Holds, Interruptible, IsAwaited, Lending, Mode, Parts, Said,
    Uncalled,
};
pub use operation::{Operation, Turn};
pub use rules::{Answer, Rules, Ruling};
#[cfg(feature = "tower-0-5")]
pub(crate) use settings::Settings;
#[cfg(feature = "tower-0-5")]
pub(crate) use setup::Setup;
pub use suffix::RetryExt;

impl Policy {
    /// Runs an async closure, and again where it fails, as this policy says.
    ///
    /// It is a call like that of an annotated function, nested in the same way, and does nothing until it is
    /// awaited. Its site is the name that it is given with [`named`](Run::named), or else the line where this
    /// stands. The future is a named type, which allocates nothing before the first failure, and is `Send` where the closure, its futures and the functions it was given are.
    ///
    /// The closure makes a future for each attempt. `async ||` does, where it only borrows what is around it;
    /// so does `|| async { … }`, and `move || { let client = client.clone(); async move { … } }` where
    /// nothing may be borrowed. A closure that lends its attempts what is its own is for
    /// [`run_mut`](Self::run_mut).
    ///
    /// A policy is a plain value, so that one call can have another: `POLICY.attempts(5).run(…)`.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use std::time::Duration;
    /// use stormless::{Budget, Policy, budget};
    ///
    /// budget! { static ORDERS: Budget = Budget::new("orders").burst(10).ratio(0.1); }
    /// const POLICY: Policy = Policy::new().base(Duration::from_millis(50)).max(Duration::from_secs(1));
    /// # struct Client;
    /// # impl Client { async fn order(&self, id: u64) -> std::io::Result<u64> { Ok(id) } }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// # let (client, id) = (Client, 7);
    /// let order = POLICY
    ///     .run(async || client.order(id).await)
    ///     .named("orders.fetch")
    ///     .budget(&ORDERS)
    ///     .deadline(Duration::from_secs(2))
    ///     .await?;
    /// # assert_eq!(order, 7);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    #[track_caller]
    pub fn run<Op, T, E>(self, operation: Op) -> Run<Op, T, E, Awaited>
    where
        Op: Operation<Output = Result<T, E>>,
    {
        Run::new(self, operation)
    }

    /// [`run`](Self::run) for an async closure that lends its attempts what it has: state that they change,
    /// or values that were moved into it. It ends in `.call().await`.
    ///
    /// What is changed stays changed: the next attempt sees it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    ///
    /// const POLICY: Policy = Policy::new().attempts(4);
    /// # async fn send(tried: &mut Vec<u32>) -> std::io::Result<usize> { Ok(tried.len()) }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let mut tried = Vec::new();
    /// let sent = POLICY
    ///     .run_mut(async || {
    ///         tried.push(1);
    ///         send(&mut tried).await
    ///     })
    ///     .call()
    ///     .await?;
    /// # assert_eq!(sent, 1);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    #[track_caller]
    pub fn run_mut<Op, T, E>(self, operation: Op) -> Run<Op, T, E, Lending>
    where
        Op: AsyncFnMut() -> Result<T, E>,
    {
        Run::new(self, operation)
    }

    /// Runs a closure that is not async, and again where it fails, as this policy says. It ends in `.call()`,
    /// and waits on the calling thread.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let manifest = Policy::new()
    ///     .run_blocking(|| std::fs::read_to_string("Cargo.toml"))
    ///     .named("manifest")
    ///     .call()?;
    /// # assert!(manifest.contains("[package]"));
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    #[track_caller]
    pub fn run_blocking<Op, T, E>(self, operation: Op) -> Run<Op, T, E, Blocking>
    where
        Op: FnMut() -> Result<T, E>,
    {
        Run::new(self, operation)
    }
}
