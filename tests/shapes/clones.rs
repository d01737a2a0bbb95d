//! Arguments with `clone(..)`.
//!
//! Each attempt gets a clone of its own, the last one too, to consume or to change. The clone is gone
//! before the wait.

use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
};

use stormless::retry;

use crate::support::{Failed, Tries, send};

/// Consumed by the body.
/// Each attempt gives its clone away.
#[tokio::test(start_paused = true)]
async fn consumed() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(words))]
    async fn publish(words: Vec<String>) -> Result<Vec<String>, Failed> {
        TRIES.answer(words).await
    }
    assert_eq!(send(publish(vec!["a".to_owned()])).await, Ok(vec!["a".to_owned()]));
    assert_eq!(TRIES.bodies(), 3);
}

/// `mut`, changed by the body.
/// No attempt sees what another one changed.
#[tokio::test(start_paused = true)]
async fn changed() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(words))]
    async fn publish(mut words: Vec<String>) -> Result<Vec<String>, Failed> {
        words.push("once".to_owned());
        TRIES.answer(words).await
    }
    assert_eq!(send(publish(Vec::new())).await, Ok(vec!["once".to_owned()]));
    assert_eq!(TRIES.bodies(), 3);
}

/// Several, and one that is not cloned.
/// Only what is named is cloned.
#[tokio::test(start_paused = true)]
async fn several() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(head, body))]
    async fn join(head: String, body: Vec<u8>, mark: Box<u8>) -> Result<(String, Vec<u8>), Failed> {
        let mut body = body;
        body.push(*mark);
        TRIES.answer((head, body)).await
    }
    let joined = send(join("a".to_owned(), vec![1], Box::new(2))).await;
    assert_eq!(joined, Ok(("a".to_owned(), vec![1, 2])));
    assert_eq!(TRIES.bodies(), 3);
}

/// Under `#[cfg]`.
/// The clone is made only where the argument exists.
#[tokio::test(start_paused = true)]
async fn under_cfg() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(word))]
    async fn echo(#[cfg(test)] word: String, #[cfg(not(test))] word: u8) -> Result<String, Failed> {
        TRIES.answer(word).await
    }
    assert_eq!(send(echo("a".to_owned())).await, Ok("a".to_owned()));
    assert_eq!(TRIES.bodies(), 3);
}

/// `Send` but not `Sync`.
/// A borrow across an await would keep the future on its thread; a clone moves with it.
#[tokio::test(start_paused = true)]
async fn not_sync() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(cell))]
    async fn count(cell: Cell<u8>) -> Result<u8, Failed> {
        tokio::task::yield_now().await;
        cell.set(cell.get() + 1);
        TRIES.answer(cell.get()).await
    }
    assert_eq!(send(count(Cell::new(4))).await, Ok(5));
    assert_eq!(TRIES.bodies(), 3);
}

/// `impl FnMut`.
/// Each attempt calls a closure that nobody has called before.
#[tokio::test(start_paused = true)]
async fn closure() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(next))]
    async fn ask(mut next: impl FnMut() -> u8 + Clone + Send) -> Result<u8, Failed> {
        let _first = next();
        TRIES.answer(next()).await
    }
    let mut last = 0;
    let next = move || {
        last += 1;
        last
    };
    assert_eq!(send(ask(next)).await, Ok(2));
    assert_eq!(TRIES.bodies(), 3);
}

/// Generic `T: Clone`.
/// With nothing but `Clone` and `Send`, the future is `Send`.
#[tokio::test(start_paused = true)]
async fn generic() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(value))]
    async fn echo<T: Clone + Send>(value: T) -> Result<T, Failed> {
        TRIES.answer(value).await
    }
    assert_eq!(send(echo(Cell::new(4))).await, Ok(Cell::new(4)));
    assert_eq!(TRIES.bodies(), 3);
}

/// A sender, moved into a task.
/// Each attempt moves its own into an `async move` block.
#[tokio::test(start_paused = true)]
async fn into_a_task() {
    static TRIES: Tries = Tries::failing(2);
    #[retry(clone(sender))]
    async fn announce(sender: mpsc::Sender<u8>, number: u8) -> Result<(), Failed> {
        let task = tokio::spawn(async move { sender.send(number) });
        task.await.map_err(|_| Failed)?.map_err(|_| Failed)?;
        TRIES.answer(()).await
    }
    let (sender, receiver) = mpsc::channel();
    assert_eq!(send(announce(sender, 4)).await, Ok(()));
    assert_eq!(TRIES.bodies(), 3);
    assert_eq!(receiver.iter().collect::<Vec<_>>(), [4, 4, 4]);
}

/// Beside `&mut self`.
/// The receiver is borrowed, the argument cloned.
#[tokio::test(start_paused = true)]
async fn beside_a_receiver() {
    static TRIES: Tries = Tries::failing(2);
    struct Outbox(Vec<String>);
    impl Outbox {
        #[retry(clone(letter))]
        async fn push(&mut self, letter: String) -> Result<usize, Failed> {
            self.0.push(letter);
            TRIES.answer(self.0.len()).await
        }
    }
    assert_eq!(send(Outbox(Vec::new()).push("a".to_owned())).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// A counted clone.
/// One clone for each attempt and none before the first.
#[tokio::test(start_paused = true)]
async fn counted() {
    static TRIES: Tries = Tries::failing(1);
    struct Counted(Arc<AtomicU32>);
    impl Clone for Counted {
        fn clone(&self) -> Self {
            let _earlier = self.0.fetch_add(1, Ordering::Relaxed);
            Self(Arc::clone(&self.0))
        }
    }
    #[retry(clone(counted))]
    async fn consume(counted: Counted) -> Result<u32, Failed> {
        TRIES.answer(counted).await.map(|counted| counted.0.load(Ordering::Relaxed))
    }
    assert_eq!(send(consume(Counted(Arc::default()))).await, Ok(2));
    assert_eq!(TRIES.bodies(), 2);
}

/// Cloned and not used.
/// It works, though a clone is a use, and clippy's pedantic lints say so of a name with an underscore.
#[tokio::test(start_paused = true)]
async fn unused() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(clone(_reserved))]
    #[expect(clippy::used_underscore_binding, clippy::no_effect_underscore_binding)]
    async fn ping(_reserved: String) -> Result<(), Failed> {
        TRIES.answer(()).await
    }
    assert_eq!(send(ping(String::new())).await, Ok(()));
    assert_eq!(TRIES.bodies(), 2);
}

/// With a lint's attribute.
/// What the lint says of the clone, and not of the argument, is what the attribute is about.
#[tokio::test(start_paused = true)]
async fn under_lints() {
    static TRIES: Tries = Tries::failing(1);
    #[retry(clone(kept, later, left))]
    #[deny(unused_mut, unused_variables, unfulfilled_lint_expectations)]
    async fn length(
        #[expect(unused_mut)] mut kept: Vec<u8>,
        #[expect(unused_variables)] later: String,
        #[allow(unused_mut)] (mut left, right): (u8, u8),
    ) -> Result<usize, Failed> {
        TRIES.answer(kept.len() + usize::from(left + right)).await
    }
    assert_eq!(send(length(vec![1, 2], String::new(), (1, 1))).await, Ok(4));
    assert_eq!(TRIES.bodies(), 2);
}

/// With `attempts = 1`.
/// Nothing has to be cloned: the one attempt may consume and change what the call was given.
#[tokio::test(start_paused = true)]
async fn needless() {
    static TRIES: Tries = Tries::failing(0);
    #[retry(attempts = 1)]
    async fn publish(mut words: Vec<String>) -> Result<Vec<String>, Failed> {
        words.push("once".to_owned());
        TRIES.answer(words).await
    }
    assert_eq!(send(publish(Vec::new())).await, Ok(vec!["once".to_owned()]));
    assert_eq!(TRIES.bodies(), 1);
}
