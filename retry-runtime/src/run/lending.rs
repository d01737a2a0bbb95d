//! Attempts that borrow from their closure. No named future can hold both, so these calls are driven by an
//! `async fn`.

use crate::call::Gate;

use super::{
    builder::Run,
    mode::{Holds, Lending, Parts},
    rules::{Answer, Limits, Rules, Ruling},
    settings::Begun,
    setup::Setup,
};

impl<Op, T, E, C, J, K, A> Run<Op, T, E, Lending, C, J, K, A>
where
    Op: AsyncFnMut() -> Result<T, E>,
    Rules<C, J, K, A>: Ruling<T, E>,
{
    /// Runs the closure. The call begins at the first poll.
    ///
    /// Dropped, it is a call that was cancelled.
    ///
    /// # Errors
    ///
    /// That of the last attempt, unchanged, or that of a cut.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let mut attempts = 0;
    /// let count = async || {
    ///     attempts += 1;
    ///     Ok::<_, std::io::Error>(attempts)
    /// };
    /// assert_eq!(Policy::new().run_mut(count).call().await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call(self) -> Answer<T, E, Rules<C, J, K, A>> {
        let Parts { operation, setup } = self.driver.release();
        drive(operation, setup).await
    }
}

async fn drive<Op, T, E, R>(mut operation: Op, setup: Setup<R>) -> Result<T, R::Error>
where
    Op: AsyncFnMut() -> Result<T, E>,
    R: Ruling<T, E>,
{
    let Setup { policy, mut settings, mut rules } = setup;
    let Begun { gate, call, timeout, .. } = settings.begin(&policy);
    let mut call = call.gated();
    let mut gate = gate.unwrap_or_else(Gate::open);
    loop {
        {
            let ended = {
                let started = call.attempt_begins();
                let limits = Limits { rules: &mut rules, timeout };
                // Not called before the attempt has started, and inside its context.
                let body = async { operation().await };
                let ended = call.attempt_gated(&mut gate, limits, body).await;
                call.attempt_over(started);
                ended
            };
            let attempted = rules.settle(ended);
            let gate = Some(&mut gate);
            if call.conclude(&policy, &attempted, gate, &mut rules, true, Ruling::judge) {
                let result = R::finish(&mut call, attempted);
                return call.end(result);
            }
        }
        call.pause().await;
    }
}
