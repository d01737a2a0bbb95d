//! The suffix form: a closure, and then how it is retried.

use crate::Policy;

use super::{
    builder::Run,
    mode::{Awaited, Blocking, Lending},
    operation::Operation,
};

/// Retries behind the closure that they are about.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, RetryExt};
///
/// const POLICY: Policy = Policy::new().attempts(4);
/// # async fn read(_: &str) -> std::io::Result<u64> { Ok(7) }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// let length = (async || read("orders").await).retry(POLICY).named("orders.length").await?;
/// # assert_eq!(length, 7);
/// # Ok(())
/// # }
/// ```
pub trait RetryExt: Sized {
    /// [`Policy::run`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, RetryExt};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// assert_eq!((async || Ok::<_, std::io::Error>(7)).retry(Policy::new()).await?, 7);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    fn retry<T, E>(self, policy: Policy) -> Run<Self, T, E, Awaited>
    where
        Self: Operation<Output = Result<T, E>>,
    {
        Run::new(policy, self)
    }

    /// [`Policy::run_mut`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, RetryExt};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// let mut attempts = 0;
    /// let count = async || {
    ///     attempts += 1;
    ///     Ok::<_, std::io::Error>(attempts)
    /// };
    /// assert_eq!(count.retry_mut(Policy::new()).call().await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    fn retry_mut<T, E>(self, policy: Policy) -> Run<Self, T, E, Lending>
    where
        Self: AsyncFnMut() -> Result<T, E>,
    {
        Run::new(policy, self)
    }

    /// [`Policy::run_blocking`].
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, RetryExt};
    ///
    /// let text = (|| std::fs::read_to_string("Cargo.toml")).retry_blocking(Policy::new()).call()?;
    /// assert!(!text.is_empty());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[track_caller]
    fn retry_blocking<T, E>(self, policy: Policy) -> Run<Self, T, E, Blocking>
    where
        Self: FnMut() -> Result<T, E>,
    {
        Run::new(policy, self)
    }
}

/// What can be retried, each method says for itself: a closure that lends cannot be told apart here.
impl<Op> RetryExt for Op {}
