//! The deadline that is in force.

use std::{future::Future, pin::Pin, task::Poll, time::Duration};

use pin_project_lite::pin_project;

use crate::{
    DeadlineExceeded, Moment, clock,
    context::{self, Scoped},
    timer::{self, Slot},
};

/// The time left before the deadline in force here: that of the running attempt, or of an enclosing
/// [`within`]. `None` where there is none; zero if it has passed.
///
/// ```
/// # use retry_runtime as stormless;
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use std::time::Duration;
/// assert_eq!(stormless::deadline::remaining(), None);
/// stormless::deadline::within(Duration::from_secs(2), async {
///     assert!(stormless::deadline::remaining().unwrap() <= Duration::from_secs(2));
/// }).await.unwrap();
/// # }
/// ```
#[must_use]
pub fn remaining() -> Option<Duration> {
    let deadline = context::ambient().deadline;
    deadline.may_come().then(|| clock::now().until(deadline))
}

/// Gives everything inside `future` a deadline this far from now, or the one in force if that is
/// sooner, and drops the future when it passes.
///
/// # Errors
///
/// [`DeadlineExceeded`] if the future was not ready in time.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::deadline;
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let second = Duration::from_secs(1);
/// assert_eq!(deadline::within(second, async { 7 }).await, Ok(7));
/// assert!(deadline::within(second, std::future::pending::<()>()).await.is_err());
/// # }
/// ```
pub async fn within<F: Future>(time: Duration, future: F) -> Result<F::Output, DeadlineExceeded> {
    let outer = context::ambient();
    let deadline = clock::now().after(time).min(outer.deadline);
    let scoped = Scoped::new(outer.with_deadline(deadline), future);
    if !deadline.may_come() {
        return Ok(scoped.await);
    }
    Within { timer: Slot::due(deadline), future: scoped }.await
}

pin_project! {
    /// A future, and its deadline from its first `Pending` on.
    struct Within<F> {
        #[pin]
        timer: Slot,
        #[pin]
        future: F,
    }
}

impl<F: Future> Future for Within<F> {
    type Output = Result<F::Output, DeadlineExceeded>;

    fn poll(self: Pin<&mut Self>, task: &mut std::task::Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        match this.future.poll(task) {
            Poll::Ready(output) => Poll::Ready(Ok(output)),
            Poll::Pending => this.timer.poll(task).map(|()| Err(DeadlineExceeded::new())),
        }
    }
}

/// What the attribute's `deadline = …` may be: a time from the first poll, or a point in time.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Policy;
/// use std::time::{Duration, Instant};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// let fetch = async || Ok::<_, std::io::Error>("an order");
/// let second = Duration::from_secs(1);
/// Policy::new().run(fetch).deadline(second).await?;
/// Policy::new().run(fetch).deadline(Instant::now() + second).await?;
/// Policy::new().run(fetch).deadline(None::<Duration>).await?;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a time nor a point in time",
    label = "`deadline` takes a `Duration`, an `Instant`, or an `Option` of one"
)]
pub trait IntoDeadline: Sized {
    /// The moment of the deadline; [`Moment::NEVER`] for none.
    ///
    /// ```
    /// # mod stormless { pub use retry_runtime::*; pub mod engine { pub use retry_runtime::*; } }
    /// use stormless::{deadline::IntoDeadline, engine::Moment};
    /// use std::time::Duration;
    ///
    /// assert_eq!(None::<Duration>.into_moment(), Moment::NEVER);
    /// ```
    fn into_moment(self) -> Moment;

    /// The deadline, before it is known when the call begins.
    #[doc(hidden)]
    fn into_later(self) -> Later {
        Later::At(self.into_moment())
    }
}

/// A deadline of a call that has not begun.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Later {
    /// This long after the call begins.
    After(Duration),
    /// Then; [`Moment::NEVER`] for never.
    At(Moment),
}

impl Later {
    pub(crate) fn starting_now(self) -> Moment {
        match self {
            Self::After(time) => time.into_moment(),
            Self::At(moment) => moment,
        }
    }
}

impl IntoDeadline for Duration {
    fn into_moment(self) -> Moment {
        clock::now().after(self)
    }

    fn into_later(self) -> Later {
        Later::After(self)
    }
}

impl IntoDeadline for std::time::Instant {
    fn into_moment(self) -> Moment {
        timer::moment(self)
    }
}

impl<D: IntoDeadline> IntoDeadline for Option<D> {
    fn into_moment(self) -> Moment {
        self.map_or(Moment::NEVER, D::into_moment)
    }

    fn into_later(self) -> Later {
        self.map_or(Later::At(Moment::NEVER), D::into_later)
    }
}
