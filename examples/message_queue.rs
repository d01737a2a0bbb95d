//! A producer and a consumer on both ends of a queue: what the headers of a message tell, and what the
//! consumer does about it.
//!
//! It prints:
//!
//! ```text
//! The consumer keeps to what it is told, and leaves retrying to the producer:
//!   order "7", attempt 1;max=3;remaining=2000
//!   order "7", attempt 2;max=3;remaining=1900
//!   order "7", attempt 3;max=3;remaining=1800
//!   the store is down: the store was tried 3 times
//!
//! It does not:
//!   order "7", attempt 1;max=3;remaining=2000
//!   order "7", attempt 2;max=3;remaining=1880
//!   order "7", attempt 3;max=3;remaining=1760
//!   the store is down: the store was tried 9 times
//! ```

use std::{cell::Cell, collections::HashMap, rc::Rc};

use stormless::{
    Retryable, retry,
    wire::{self, Inject},
};
use tokio::sync::{mpsc, oneshot};

#[derive(Clone, Copy, Debug, thiserror::Error, Retryable)]
enum OrderError {
    #[error("the store is down")]
    #[retryable(transient)]
    Down,
    #[error("nobody answered in time")]
    #[retryable(deadline_exceeded)]
    OutOfTime,
}

/// What the queue carries: a map of strings beside the order is all that it takes.
struct Message {
    headers: HashMap<String, String>,
    order: u64,
    reply: oneshot::Sender<Result<(), OrderError>>,
}

/// The producer: each attempt is a message of its own, and all of them have one key.
#[retry(attempts = 3, backoff = "fixed", base = "100ms", deadline = "2s", budget = none, idempotency_key = order)]
async fn place(queue: &mpsc::UnboundedSender<Message>, order: u64) -> Result<(), OrderError> {
    let mut headers = HashMap::new();
    Inject::new().idempotency_key().write(&mut headers);
    let (reply, answer) = oneshot::channel();
    queue.send(Message { headers, order, reply }).map_err(|_| OrderError::Down)?;
    answer.await.unwrap_or(Err(OrderError::Down))
}

/// What the consumer does with an order.
#[retry(attempts = 3, backoff = "fixed", base = "10ms", budget = none)]
async fn store(_order: u64, stores: &Cell<u32>) -> Result<(), OrderError> {
    stores.set(stores.get() + 1);
    Err(OrderError::Down)
}

async fn consume(mut queue: mpsc::UnboundedReceiver<Message>, reads: bool, stores: Rc<Cell<u32>>) {
    while let Some(Message { headers, order, reply }) = queue.recv().await {
        // As soon as the message is there: from now on the time that is left counts.
        let incoming = wire::extract(&headers);
        let key = headers.get(wire::IDEMPOTENCY_KEY).map_or("", String::as_str);
        let told = headers.get(wire::ATTEMPT).map_or("", String::as_str);
        println!("  order {key}, attempt {told}");
        let result = if reads {
            incoming.scope(store(order, &stores)).await
        } else {
            store(order, &stores).await
        };
        // The producer may have given up.
        let _gone = reply.send(result);
    }
}

async fn run(reads: bool) {
    let stores = Rc::default();
    let (producer, queue) = mpsc::unbounded_channel();
    let consumer = tokio::task::spawn_local(consume(queue, reads, Rc::clone(&stores)));
    let result = place(&producer, 7).await;
    drop(producer);
    consumer.await.expect("the consumer ends with its queue");
    println!("  {}: the store was tried {} times\n", result.unwrap_err(), stores.get());
}

#[tokio::main(flavor = "current_thread", start_paused = true)]
async fn main() {
    let both = async {
        println!("The consumer keeps to what it is told, and leaves retrying to the producer:");
        run(true).await;
        println!("It does not:");
        run(false).await;
    };
    tokio::task::LocalSet::new().run_until(both).await;
}
