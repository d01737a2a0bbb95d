//! `#[async_recursion]`, and `#[tokio::main]` below.
//!
//! A function that calls itself calls an annotated function within its attempt: the inner calls run
//! once, and the outermost one repeats.

use std::rc::Rc;

use async_recursion::async_recursion;
use stormless::retry;

use crate::support::{Failed, Tries, local, send};

/// `#[async_recursion]` below.
/// The whole of the recursion is repeated.
#[tokio::test(start_paused = true)]
async fn below() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[async_recursion]
    async fn down(from: u8, seen: &mut Vec<u8>) -> Result<usize, Failed> {
        seen.push(from);
        if from > 0 {
            return down(from - 1, seen).await;
        }
        TRIES.answer(seen.len()).await
    }
    let mut seen = Vec::new();
    assert_eq!(send(down(1, &mut seen)).await, Ok(6));
    assert_eq!((TRIES.bodies(), seen), (3, vec![1, 0, 1, 0, 1, 0]));
}

/// `#[async_recursion]` above.
/// `#[retry]` finds the future in the box and repeats what is in it.
#[tokio::test(start_paused = true)]
async fn above() {
    static TRIES: Tries = Tries::failing(2);
    #[async_recursion]
    #[retry]
    async fn down(from: u8, seen: &mut Vec<u8>) -> Result<usize, Failed> {
        seen.push(from);
        if from > 0 {
            return down(from - 1, seen).await;
        }
        TRIES.answer(seen.len()).await
    }
    let mut seen = Vec::new();
    assert_eq!(send(down(1, &mut seen)).await, Ok(6));
    assert_eq!((TRIES.bodies(), seen), (3, vec![1, 0, 1, 0, 1, 0]));
}

/// `#[async_recursion(?Send)]` below.
/// The future stays on its thread.
#[tokio::test(start_paused = true)]
async fn below_local() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[async_recursion(?Send)]
    async fn down(from: Rc<u8>) -> Result<u8, Failed> {
        if *from > 0 {
            return down(Rc::new(*from - 1)).await;
        }
        TRIES.answer(*from).await
    }
    assert_eq!(local(down(Rc::new(2))).await, Ok(0));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_recursion(?Send)]` above.
/// The future stays on its thread.
#[tokio::test(start_paused = true)]
async fn above_local() {
    static TRIES: Tries = Tries::failing(2);
    #[async_recursion(?Send)]
    #[retry]
    async fn down(from: Rc<u8>) -> Result<u8, Failed> {
        if *from > 0 {
            return down(Rc::new(*from - 1)).await;
        }
        TRIES.answer(*from).await
    }
    assert_eq!(local(down(Rc::new(2))).await, Ok(0));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_recursion]` above, on a method with a `mut` argument.
/// Each attempt changes a clone of its own.
#[tokio::test(start_paused = true)]
async fn above_method() {
    static TRIES: Tries = Tries::failing(2);
    struct Tree(Vec<Tree>);
    impl Tree {
        #[async_recursion]
        #[retry(clone(path))]
        async fn depth(&self, mut path: Vec<u8>) -> Result<usize, Failed> {
            path.push(0);
            match self.0.first() {
                Some(branch) => branch.depth(path).await,
                None => TRIES.answer(path.len()).await,
            }
        }
    }
    let tree = Tree(vec![Tree(vec![Tree(vec![])])]);
    assert_eq!(send(tree.depth(Vec::new())).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_recursion]` below, on a generic method.
/// As without it.
#[tokio::test(start_paused = true)]
async fn below_method() {
    static TRIES: Tries = Tries::failing(2);
    struct Tree(Vec<Tree>);
    impl Tree {
        #[retry]
        #[async_recursion]
        async fn depth<V: Send + Sync>(&self, value: &V) -> Result<usize, Failed> {
            match self.0.first() {
                Some(branch) => Ok(branch.depth(value).await? + 1),
                None => TRIES.answer(usize::from(size_of_val(value) > 0)).await,
            }
        }
    }
    let tree = Tree(vec![Tree(vec![Tree(vec![])])]);
    assert_eq!(send(tree.depth(&"a")).await, Ok(3));
    assert_eq!(TRIES.bodies(), 3);
}

/// `#[async_recursion]` and `#[instrument]` above.
/// Each level of each attempt has its span.
#[tokio::test(start_paused = true)]
async fn instrumented() {
    static TRIES: Tries = Tries::failing(2);
    #[async_recursion]
    #[tracing::instrument]
    #[retry]
    async fn down(from: u8, name: String) -> Result<usize, Failed> {
        if from > 0 {
            return down(from - 1, name.clone()).await;
        }
        TRIES.answer(name.len()).await
    }
    let watch = crate::spans::Watch::start();
    assert_eq!(send(down(1, "a".to_owned())).await, Ok(1));
    assert_eq!((TRIES.bodies(), watch.seen()), (3, (6, 0)));
}

/// `#[tokio::main]` below.
/// What is run on the runtime is the call with its retries.
#[test]
fn tokio_main() {
    static TRIES: Tries = Tries::failing(2);
    #[retry]
    #[tokio::main(flavor = "current_thread", start_paused = true)]
    async fn run() -> Result<u8, Failed> {
        TRIES.answer(4).await
    }
    assert_eq!(run(), Ok(4));
    assert_eq!(TRIES.bodies(), 3);
}
