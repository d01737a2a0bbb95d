//! What a call runs once for each attempt.

use std::future::Future;

/// An operation that can be started again and again, one attempt at a time.
///
/// Closures that make a future are, such as `async || client.get(id).await` and
/// `move || client.clone().fetch()`.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::run::{Operation, Turn};
/// use stormless::Policy;
///
/// /// A request that is moved into the attempt that can be the last.
/// struct Send(Option<String>);
///
/// impl Operation for Send {
///     type Output = std::io::Result<usize>;
///     type Body = std::future::Ready<Self::Output>;
///
///     fn start(&mut self, turn: Turn) -> Self::Body {
///         let request = if turn.is_last() { self.0.take() } else { self.0.clone() };
///         std::future::ready(Ok(request.map_or(0, |text| text.len())))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// assert_eq!(Policy::new().run(Send(Some("order".to_owned()))).await?, 5);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be run once for each attempt: its futures borrow from the closure itself, or they are no futures",
    label = "not a closure whose futures can outlive each call of it",
    note = "a closure that lends its attempts what it has captured, such as `&mut` state or moved-in values that they borrow, is run by `run_mut(..)` (or `.retry_mut(..)`) and `.call().await`",
    note = "a closure that returns no future is run by `run_blocking(..)` (or `.retry_blocking(..)`) and `.call()`",
    note = "a moved-in value can also be cloned for each attempt: `move || {{ let client = client.clone(); async move {{ … }} }}`"
)]
pub trait Operation {
    /// What an attempt ends in.
    type Output;
    /// One attempt.
    type Body: Future<Output = Self::Output>;

    /// Prepares an attempt, before [`start`](Self::start) and inside the attempt's context. `false` where it
    /// turns out now that no other attempt can follow: what runs inside is then not told that one does, and
    /// retries by itself.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, run::{Operation, Turn}};
    ///
    /// /// Counts what was made ready.
    /// struct Counting(u32);
    ///
    /// impl Operation for Counting {
    ///     type Output = std::io::Result<u32>;
    ///     type Body = std::future::Ready<Self::Output>;
    ///
    ///     fn prepare(&mut self, _turn: Turn) -> bool {
    ///         self.0 += 1;
    ///         true
    ///     }
    ///
    ///     fn start(&mut self, _turn: Turn) -> Self::Body {
    ///         std::future::ready(Ok(self.0))
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
    /// assert_eq!(Policy::new().run(Counting(0)).await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    fn prepare(&mut self, turn: Turn) -> bool {
        let _ = turn;
        true
    }

    /// Starts an attempt. It runs inside the attempt's context, when the wait before it is over.
    fn start(&mut self, turn: Turn) -> Self::Body;

    /// Whether it can be started once more. Where it cannot, a failure that would be retried is not, and the
    /// reason is [`StopReason::Unrepeatable`](crate::StopReason::Unrepeatable).
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, StopReason, run::{Operation, Turn}};
    /// use std::io;
    ///
    /// /// A body that can be sent once.
    /// struct Stream;
    ///
    /// impl Operation for Stream {
    ///     type Output = io::Result<()>;
    ///     type Body = std::future::Ready<Self::Output>;
    ///
    ///     fn start(&mut self, _turn: Turn) -> Self::Body {
    ///         std::future::ready(Err(io::Error::from(io::ErrorKind::ConnectionRefused)))
    ///     }
    ///
    ///     fn is_repeatable(&self) -> bool {
    ///         false
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let error = Policy::new().run(Stream).explain().await.unwrap_err();
    /// assert_eq!((error.attempts(), error.reason()), (1, StopReason::Unrepeatable));
    /// # }
    /// ```
    fn is_repeatable(&self) -> bool {
        true
    }
}

#[diagnostic::do_not_recommend]
impl<F, B> Operation for F
where
    F: FnMut() -> B,
    B: Future,
{
    type Output = B::Output;
    type Body = B;

    #[inline]
    fn start(&mut self, _: Turn) -> B {
        self()
    }
}

/// Which attempt it is that starts.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, run::{Operation, Turn}};
///
/// struct Number;
///
/// impl Operation for Number {
///     type Output = std::io::Result<(u32, bool)>;
///     type Body = std::future::Ready<Self::Output>;
///
///     fn start(&mut self, turn: Turn) -> Self::Body {
///         std::future::ready(Ok((turn.number(), turn.is_last())))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// assert_eq!(Policy::new().attempts(2).run(Number).await?, (1, false));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub(crate) number: u32,
    pub(crate) last: bool,
}

impl Turn {
    /// The attempt's number; the first is 1.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number
    }

    /// Whether it is known that no other attempt follows, whatever becomes of this one: what would be kept
    /// for one, such as a copy of a request, need not be.
    #[must_use]
    pub const fn is_last(self) -> bool {
        self.last
    }
}
