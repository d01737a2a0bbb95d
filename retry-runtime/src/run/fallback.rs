//! What a call comes to when it has given up.

use std::{
    fmt,
    future::{Future, IntoFuture},
    pin::Pin,
    task::{Context, Poll, ready},
};

use pin_project_lite::pin_project;

use super::{
    builder::Run,
    mode::{Blocking, Lending, Mode},
    rules::{Rules, Ruling},
};

/// A call that cannot fail, because something stands in for its value. From [`Run::fallback`] and
/// [`Run::fallback_with`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::Policy;
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let missing = async || Err::<u32, _>(io::Error::from(io::ErrorKind::NotFound));
/// let with_fallback = Policy::new().run(missing).fallback(|_| 0);
/// assert_eq!(with_fallback.await, 0);
/// # }
/// ```
#[must_use = "nothing runs until it is awaited, or until `.call()` where it comes from `run_mut` or `run_blocking`"]
pub struct WithFallback<S, F> {
    call: S,
    fallback: F,
}

/// The value is at hand.
#[derive(Clone, Copy, Debug)]
pub struct Falling<F>(F);

/// The value is waited for.
#[derive(Clone, Copy, Debug)]
pub struct FallingWith<F>(F);

impl<Op, T, E, M, C, J, K, A> Run<Op, T, E, M, C, J, K, A>
where
    M: Mode<Op>,
    Rules<C, J, K, A>: Ruling<T, E>,
{
    /// The value that stands in where the call gives up, made of its last error. With it the output is the
    /// value itself. Comes last: what is said before it is about the call.
    ///
    /// The call has failed all the same: its report, its counters and its budget say so.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::io;
    /// use stormless::Policy;
    ///
    /// const POLICY: Policy = Policy::new();
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// let down = async || Err::<u32, _>(io::Error::from(io::ErrorKind::ConnectionRefused));
    /// let stock: u32 = POLICY.run(down).fallback(|_error| 0).await;
    /// assert_eq!(stock, 0);
    /// # }
    /// ```
    pub fn fallback<F>(self, fallback: F) -> WithFallback<Self, Falling<F>>
    where
        F: FnOnce(<Rules<C, J, K, A> as Ruling<T, E>>::Error) -> T,
    {
        WithFallback { call: self, fallback: Falling(fallback) }
    }

    /// [`fallback`](Self::fallback) with a future, such as of another service. It runs outside of the call:
    /// neither its attempts nor its deadline are about it.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::io;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let missing = async || Err::<u32, _>(io::Error::from(io::ErrorKind::NotFound));
    /// let from_cache = |_error| async { 7 };
    /// assert_eq!(Policy::new().run(missing).fallback_with(from_cache).await, 7);
    /// # }
    /// ```
    pub fn fallback_with<F, V>(self, fallback: F) -> WithFallback<Self, FallingWith<F>>
    where
        F: FnOnce(<Rules<C, J, K, A> as Ruling<T, E>>::Error) -> V,
        V: Future<Output = T>,
    {
        WithFallback { call: self, fallback: FallingWith(fallback) }
    }
}

pin_project! {
    /// The future of a call that cannot fail.
    #[must_use = "futures do nothing unless polled"]
    pub struct Finally<D, F, V> {
        #[pin]
        stage: Stage<D, V>,
        fallback: Option<F>,
    }
}

pin_project! {
    #[project = StageNow]
    enum Stage<D, V> {
        Calling { #[pin] call: D },
        Falling { #[pin] value: V },
        Over,
    }
}

/// A future that was ready from the start.
type Ready<T> = std::future::Ready<T>;

impl<S, F, T, E> IntoFuture for WithFallback<S, Falling<F>>
where
    S: IntoFuture<Output = Result<T, E>>,
    F: FnOnce(E) -> T,
{
    type Output = T;
    type IntoFuture = Finally<S::IntoFuture, Falling<F>, Ready<T>>;

    fn into_future(self) -> Self::IntoFuture {
        let stage = Stage::Calling { call: self.call.into_future() };
        Finally { stage, fallback: Some(self.fallback) }
    }
}

impl<S, F, V, T, E> IntoFuture for WithFallback<S, FallingWith<F>>
where
    S: IntoFuture<Output = Result<T, E>>,
    F: FnOnce(E) -> V,
    V: Future<Output = T>,
{
    type Output = T;
    type IntoFuture = Finally<S::IntoFuture, FallingWith<F>, V>;

    fn into_future(self) -> Self::IntoFuture {
        let stage = Stage::Calling { call: self.call.into_future() };
        Finally { stage, fallback: Some(self.fallback) }
    }
}

/// Makes a future of an error.
pub trait FallBack<E, V> {
    /// Makes it.
    fn fall_back(self, error: E) -> V;
}

impl<E, T, F: FnOnce(E) -> T> FallBack<E, Ready<T>> for Falling<F> {
    fn fall_back(self, error: E) -> Ready<T> {
        std::future::ready((self.0)(error))
    }
}

impl<E, V, F: FnOnce(E) -> V> FallBack<E, V> for FallingWith<F> {
    fn fall_back(self, error: E) -> V {
        (self.0)(error)
    }
}

impl<D, F, V, T, E> Future for Finally<D, F, V>
where
    D: Future<Output = Result<T, E>>,
    F: FallBack<E, V>,
    V: Future<Output = T>,
{
    type Output = T;

    fn poll(self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<T> {
        let mut this = self.project();
        loop {
            let value = match this.stage.as_mut().project() {
                StageNow::Falling { value } => ready!(value.poll(task)),
                StageNow::Calling { call } => match ready!(call.poll(task)) {
                    Ok(value) => value,
                    Err(error) => {
                        let Some(fallback) = this.fallback.take() else { return Poll::Pending };
                        this.stage.set(Stage::Falling { value: fallback.fall_back(error) });
                        continue;
                    }
                },
                // Polled again after it was ready, as nobody does who awaits it.
                StageNow::Over => return Poll::Pending,
            };
            this.stage.set(Stage::Over);
            return Poll::Ready(value);
        }
    }
}

impl<Op, T, E, C, J, K, A, F> WithFallback<Run<Op, T, E, Lending, C, J, K, A>, Falling<F>>
where
    Op: AsyncFnMut() -> Result<T, E>,
    Rules<C, J, K, A>: Ruling<T, E>,
    F: FnOnce(<Rules<C, J, K, A> as Ruling<T, E>>::Error) -> T,
{
    /// Runs the closure, and falls back if it gives up.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::io;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let missing = async || Err::<u32, _>(io::Error::from(io::ErrorKind::NotFound));
    /// assert_eq!(Policy::new().run_mut(missing).fallback(|_| 0).call().await, 0);
    /// # }
    /// ```
    pub async fn call(self) -> T {
        match self.call.call().await {
            Ok(value) => value,
            Err(error) => (self.fallback.0)(error),
        }
    }
}

impl<Op, T, E, C, J, K, A, F, V> WithFallback<Run<Op, T, E, Lending, C, J, K, A>, FallingWith<F>>
where
    Op: AsyncFnMut() -> Result<T, E>,
    Rules<C, J, K, A>: Ruling<T, E>,
    F: FnOnce(<Rules<C, J, K, A> as Ruling<T, E>>::Error) -> V,
    V: Future<Output = T>,
{
    /// Runs the closure, and falls back if it gives up.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::io;
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let missing = async || Err::<u32, _>(io::Error::from(io::ErrorKind::NotFound));
    /// let call = Policy::new().run_mut(missing).fallback_with(|_error| async { 7 });
    /// assert_eq!(call.call().await, 7);
    /// # }
    /// ```
    pub async fn call(self) -> T {
        match self.call.call().await {
            Ok(value) => value,
            Err(error) => (self.fallback.0)(error).await,
        }
    }
}

impl<Op, T, E, C, J, K, A, F> WithFallback<Run<Op, T, E, Blocking, C, J, K, A>, Falling<F>>
where
    Op: FnMut() -> Result<T, E>,
    Rules<C, J, K, A>: Ruling<T, E>,
    F: FnOnce(<Rules<C, J, K, A> as Ruling<T, E>>::Error) -> T,
{
    /// Runs the closure, and falls back if it gives up.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Policy;
    /// use std::io;
    ///
    /// let missing = || Err::<u32, _>(io::Error::from(io::ErrorKind::NotFound));
    /// assert_eq!(Policy::new().run_blocking(missing).fallback(|_| 0).call(), 0);
    /// ```
    pub fn call(self) -> T {
        self.call.call().unwrap_or_else(self.fallback.0)
    }
}

impl<S: fmt::Debug, F> fmt::Debug for WithFallback<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WithFallback").field("call", &self.call).finish_non_exhaustive()
    }
}

impl<D: fmt::Debug, F, V> fmt::Debug for Finally<D, F, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Finally");
        if let Stage::Calling { call } = &self.stage {
            debug.field("call", call);
        }
        debug.finish_non_exhaustive()
    }
}
