//! What was attempted when.

mod assertions;
mod book;
mod range;
mod row;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use crate::{
    clock,
    event::{self, Attached},
    tables::Table,
};

use book::Book;
pub use range::DelayRange;
pub use row::{AttemptOutcome, ScheduleRow};

/// Writes down every attempt from here on: in the enclosing [`isolated`](super::isolated) future alone, or in the
/// process outside of one. Points in time are told from here on too.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::{io::{Error, ErrorKind::ConnectionRefused}, time::Duration};
/// use stormless::{Backoff, Policy, testing::{Script, isolated, schedule}};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// isolated(async {
///     let schedule = schedule();
///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
///     policy.run(async || server.next().await).named("orders").await.unwrap();
///     schedule.assert_schedule("
///         call  site    attempt  started  outcome                         then
///         1     orders  1        0ns      connection_refused (transient)  retry in 50ms
///         1     orders  2        50ms     ok                              -
///     ");
///     schedule.assert_delays([Duration::from_millis(50)]);
///     schedule.assert_amplification(2.0);
/// }).await;
/// # }
/// ```
pub fn schedule() -> Schedule {
    let book = Arc::new(Mutex::new(Book::new(clock::now())));
    let kept = Arc::clone(&book);
    let attached = event::listen_here(move |event| {
        kept.lock().unwrap_or_else(PoisonError::into_inner).note(event);
    });
    Schedule { book, _attached: Arc::new(attached), site: None, timed: true }
}

/// What was attempted since [`schedule`] was called, and still is: it goes on writing until it is dropped, with all
/// that [`of`](Self::of) and [`without_times`](Self::without_times) made of it.
///
/// Its `Display` is a table with a row for each attempt, in the order in which they started, for eyes and for
/// snapshots:
///
/// | column | |
/// |---|---|
/// | `call` | the calls are numbered in the order in which they began |
/// | `site` | the annotated function, or the closure's name |
/// | `attempt` | its number; the first is 1. 0 stands for a call that was kept from its first |
/// | `started` | since `schedule` was called; `-` if it was under way by then |
/// | `outcome` | `ok`, or the error's label and kind; see [`AttemptOutcome`] |
/// | `then` | the delay that was decided on, or the [label](crate::StopReason::label) of the reason why none was; `-` after a success |
///
/// Two runs give the same table where nothing in it is random or real: with a [seed](super::seed) or a strategy
/// without jitter, and with paused time or [`without_times`](Self::without_times).
#[derive(Clone, Debug)]
pub struct Schedule {
    book: Arc<Mutex<Book>>,
    _attached: Arc<Attached>,
    site: Option<String>,
    timed: bool,
}

impl Schedule {
    /// The same, of the calls of one function alone, by its name.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use std::io::{Error, ErrorKind::ConnectionRefused};
    /// use std::time::Duration;
    /// use stormless::{Backoff, Policy, testing::{Script, isolated, schedule}};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// isolated(async {
    ///     let schedule = schedule();
    ///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
    ///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
    ///     policy.run(async || server.next().await).named("orders").await.unwrap();
    ///     assert_eq!((schedule.of("orders").attempts(), schedule.of("users").attempts()), (2, 0));
    /// }).await;
    /// # }
    /// ```
    pub fn of(&self, site: impl Into<String>) -> Self {
        Self { site: Some(site.into()), ..self.clone() }
    }

    /// The same, with a table that does not say when attempts started: for snapshots in real time.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use std::io::{Error, ErrorKind::ConnectionRefused};
    /// use std::time::Duration;
    /// use stormless::{Backoff, Policy, testing::{Script, isolated, schedule}};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// isolated(async {
    ///     let schedule = schedule();
    ///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
    ///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
    ///     policy.run(async || server.next().await).named("orders").await.unwrap();
    ///     schedule.without_times().assert_schedule("
    ///         call  site    attempt  outcome                         then
    ///         1     orders  1        connection_refused (transient)  retry in 50ms
    ///         1     orders  2        ok                              -
    ///     ");
    /// }).await;
    /// # }
    /// ```
    pub fn without_times(&self) -> Self {
        Self { timed: false, ..self.clone() }
    }

    /// The attempts, in the order in which they started.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use std::io::{Error, ErrorKind::ConnectionRefused};
    /// use std::time::Duration;
    /// use stormless::{Backoff, Policy, testing::{Script, isolated, schedule}};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// isolated(async {
    ///     let schedule = schedule();
    ///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
    ///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
    ///     policy.run(async || server.next().await).named("orders").await.unwrap();
    ///     let rows = schedule.rows();
    ///     assert_eq!((rows.len(), rows[1].started()), (2, Some(Duration::from_millis(50))));
    /// }).await;
    /// # }
    /// ```
    #[must_use]
    pub fn rows(&self) -> Vec<ScheduleRow> {
        self.look(|book| self.chosen(book).cloned().collect())
    }

    /// The delays that were decided on, in that order, slept or not.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use std::io::{Error, ErrorKind::ConnectionRefused};
    /// use std::time::Duration;
    /// use stormless::{Backoff, Policy, testing::{Script, isolated, schedule}};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// isolated(async {
    ///     let schedule = schedule();
    ///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
    ///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
    ///     policy.run(async || server.next().await).named("orders").await.unwrap();
    ///     assert_eq!(schedule.delays(), [Duration::from_millis(50)]);
    /// }).await;
    /// # }
    /// ```
    #[must_use]
    pub fn delays(&self) -> Vec<Duration> {
        self.look(|book| self.chosen(book).filter_map(ScheduleRow::delay).collect())
    }

    /// How many attempts have started.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use std::io::{Error, ErrorKind::ConnectionRefused};
    /// use std::time::Duration;
    /// use stormless::{Backoff, Policy, testing::{Script, isolated, schedule}};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// isolated(async {
    ///     let schedule = schedule();
    ///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
    ///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
    ///     policy.run(async || server.next().await).named("orders").await.unwrap();
    ///     assert_eq!(schedule.attempts(), 2);
    /// }).await;
    /// # }
    /// ```
    #[must_use]
    pub fn attempts(&self) -> usize {
        self.look(|book| self.chosen(book).filter(|row| row.attempt() > 0).count())
    }

    /// How many attempts were made for each that would have been made without retries; `None` if there was none.
    ///
    /// Of calls that contain no others, that is attempts by calls. Where annotated functions call each other, those
    /// attempts count that contain no attempt of another one, because they are what reaches a dependency: three
    /// layers of which each makes three attempts have an amplification of 27. It is 1 where nothing was retried,
    /// however many calls a call contains. Hedges are attempts.
    ///
    /// It is infinite where no attempt would have been made without retries, such as in a step that follows one that
    /// failed at first.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// # use std::io::{Error, ErrorKind::ConnectionRefused};
    /// use std::time::Duration;
    /// use stormless::{Backoff, Policy, testing::{Script, isolated, schedule}};
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
    /// isolated(async {
    ///     let schedule = schedule();
    ///     let server = Script::new([Err(Error::from(ConnectionRefused)), Ok(7)]);
    ///     let policy = Policy::new().backoff(Backoff::Fixed).base(Duration::from_millis(50));
    ///     policy.run(async || server.next().await).named("orders").await.unwrap();
    ///     assert_eq!(schedule.amplification(), Some(2.0)); // two attempts for one call
    /// }).await;
    /// # }
    /// ```
    #[must_use]
    pub fn amplification(&self) -> Option<f64> {
        self.look(|book| {
            let site = self.site.as_deref();
            let (all, first) = book.leaves(|row| site.is_none_or(|site| row.site() == site));
            #[expect(clippy::cast_precision_loss, reason = "there are no 2^52 attempts in memory")]
            let amplification = (all > 0).then(|| all as f64 / first as f64);
            amplification
        })
    }

    fn look<T>(&self, look: impl FnOnce(&Book) -> T) -> T {
        look(&self.book.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn chosen<'a>(&'a self, book: &'a Book) -> impl Iterator<Item = &'a ScheduleRow> {
        book.rows().filter(|row| self.site.as_ref().is_none_or(|site| row.site() == site))
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["call", "site", "attempt", "started", "outcome", "then"];
        let shown = |at: usize| self.timed || head[at] != "started";
        let pick = |cells: Vec<String>| -> Vec<String> {
            cells
                .into_iter()
                .enumerate()
                .filter(|(at, _)| shown(*at))
                .map(|(_, cell)| cell)
                .collect()
        };
        let head: Vec<&str> =
            head.iter().enumerate().filter(|(at, _)| shown(*at)).map(|(_, cell)| *cell).collect();
        let mut table = Table::new(&head);
        self.look(|book| self.chosen(book).for_each(|row| table.row(pick(row.cells()))));
        table.fmt(f)
    }
}
