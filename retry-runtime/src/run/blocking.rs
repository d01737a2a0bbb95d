//! Attempts that run on the calling thread.

use crate::call::Gate;

use super::{
    builder::Run,
    mode::{Blocking, Holds, Parts},
    rules::{Answer, Limits, Rules, Ruling},
    settings::Begun,
    setup::Setup,
};

impl<Op, T, E, C, J, K, A> Run<Op, T, E, Blocking, C, J, K, A>
where
    Op: FnMut() -> Result<T, E>,
    Rules<C, J, K, A>: Ruling<T, E>,
{
    /// Runs the closure, and sleeps on this thread between its attempts.
    ///
    /// A deadline ends the sleeps and the retries, and keeps an attempt from starting; a running attempt goes
    /// on. In an async runtime a sleeping thread holds up other tasks: `spawn_blocking` is where such calls
    /// belong, with [`Context::run`](crate::Context::run) inside.
    ///
    /// # Errors
    ///
    /// That of the last attempt, unchanged, or that of a cut.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    ///
    /// let lines = Policy::new()
    ///     .run_blocking(|| std::fs::read_to_string("Cargo.toml").map(|text| text.lines().count()))
    ///     .call()?;
    /// assert!(lines > 0);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn call(self) -> Answer<T, E, Rules<C, J, K, A>> {
        let Parts { mut operation, setup } = self.driver.release();
        let Setup { policy, mut settings, mut rules } = setup;
        settings.shape.blocking = true;
        let Begun { gate, call, .. } = settings.begin(&policy);
        let mut call = call.gated();
        let mut gate = gate.unwrap_or_else(Gate::open);
        loop {
            {
                let started = call.attempt_begins();
                let limits = Limits { rules: &mut rules, timeout: None };
                let ended = call.attempt_blocking_gated(&mut gate, limits, &mut operation);
                call.attempt_over(started);
                let attempted = rules.settle(ended);
                let gate = Some(&mut gate);
                if call.conclude(&policy, &attempted, gate, &mut rules, true, Ruling::judge) {
                    let result = Rules::finish(&mut call, attempted);
                    return call.end(result);
                }
            }
            call.pause_blocking();
        }
    }
}
