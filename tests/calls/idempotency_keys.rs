//! Idempotency keys: one for each logical call, the same when an enclosing call repeats it.

use std::{cell::RefCell, sync::Mutex, time::Duration};

use crate::bodies::{Answer, Dependency, T, TM};
use stormless::{Context, current, retry, testing};

/// The keys that leaves have sent, in order.
#[derive(Debug, Default)]
struct Sent(Mutex<Vec<String>>);

impl Sent {
    fn send(&self) {
        let attempt = current().expect("an attempt is running");
        self.0.lock().expect("not poisoned").push(attempt.idempotency_key().to_string());
    }

    fn keys(&self) -> Vec<String> {
        self.0.lock().expect("not poisoned").clone()
    }
}

fn distinct(keys: &[String]) -> usize {
    keys.iter().collect::<std::collections::BTreeSet<_>>().len()
}

#[retry(attempts = 3, backoff = "none", budget = none, idempotent)]
async fn leaf(sent: &Sent, dependency: &Dependency) -> Answer {
    sent.send();
    dependency.answer()
}

#[retry(attempts = 3, backoff = "none", budget = none)]
async fn another_leaf(sent: &Sent) -> Answer {
    sent.send();
    Ok(())
}

// R130
#[tokio::test(start_paused = true)]
async fn all_attempts_of_a_call_send_the_same_key() {
    let sent = Sent::default();
    assert_eq!(leaf(&sent, &Dependency::script([Err(TM), Err(T), Ok(())])).await, Ok(()));
    assert_eq!((sent.keys().len(), distinct(&sent.keys())), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn calls_outside_of_others_have_keys_at_random() {
    let (sent, healthy) = (Sent::default(), Dependency::always(Ok(())));
    for _ in 0..100 {
        assert_eq!(leaf(&sent, &healthy).await, Ok(()));
    }
    assert_eq!(distinct(&sent.keys()), 100);
    for key in sent.keys() {
        let dashes: Vec<usize> = key.match_indices('-').map(|(at, _)| at).collect();
        assert_eq!((key.len(), dashes), (36, vec![8, 13, 18, 23]), "`{key}` is no UUID");
        assert_eq!(&key[14..15], "4", "`{key}` does not say that it is random");
    }
    assert!(current().is_none());
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn outer(sent: &Sent, dependency: &Dependency) -> Answer {
    leaf(sent, dependency).await?;
    leaf(sent, dependency).await?;
    another_leaf(sent).await?;
    dependency.answer()
}

// R130
#[tokio::test(start_paused = true)]
async fn a_repeated_outer_attempt_sends_the_same_keys_and_its_calls_differ() {
    let sent = Sent::default();
    let script = [Ok(()), Ok(()), Err(T), Ok(()), Ok(()), Ok(())];
    assert_eq!(outer(&sent, &Dependency::script(script)).await, Ok(()));
    let keys = sent.keys();
    assert_eq!(keys.len(), 6);
    assert_eq!(keys[..3], keys[3..]);
    assert_eq!(distinct(&keys), 3, "two calls of one function, and one of another");

    // The attempt may end early: what comes first has the same key all the same.
    let sent = Sent::default();
    let script = [Ok(()), Err(T), Ok(()), Ok(()), Ok(())];
    assert_eq!(outer(&sent, &Dependency::script(script)).await, Ok(()));
    let keys = sent.keys();
    assert_eq!((keys.len(), distinct(&keys)), (5, 3));
    assert_eq!(keys[..2], keys[2..4]);

    let another = Sent::default();
    assert_eq!(outer(&another, &Dependency::always(Ok(()))).await, Ok(()));
    assert_eq!(distinct(&[another.keys(), keys].concat()), 6, "another call, other keys");
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn outermost(sent: &Sent, dependency: &Dependency, own: &Dependency) -> Answer {
    let first = outer(sent, dependency).await;
    let second = outer(sent, dependency).await;
    own.answer().and(first).and(second)
}

#[tokio::test(start_paused = true)]
async fn keys_are_the_same_through_three_layers() {
    let (sent, own) = (Sent::default(), Dependency::script([Err(T), Ok(())]));
    assert_eq!(outermost(&sent, &Dependency::always(Ok(())), &own).await, Ok(()));
    let keys = sent.keys();
    assert_eq!(keys.len(), 12);
    assert_eq!(keys[..6], keys[6..]);
    assert_eq!(distinct(&keys), 6);
}

#[retry(attempts = 2, backoff = "none", budget = none, idempotency_key = format!("order-{order}"))]
async fn keyed(order: u32, sent: &Sent, dependency: &Dependency) -> Answer {
    sent.send();
    leaf(sent, dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_key_from_the_users_data_is_sent_as_it_is_and_the_inner_ones_derive_from_it() {
    let (first, again, other) = (Sent::default(), Sent::default(), Sent::default());
    assert_eq!(keyed(17, &first, &Dependency::script([Err(T), Ok(())])).await, Ok(()));
    assert_eq!(keyed(17, &again, &Dependency::always(Ok(()))).await, Ok(()));
    assert_eq!(keyed(18, &other, &Dependency::always(Ok(()))).await, Ok(()));
    let (first, again, other) = (first.keys(), again.keys(), other.keys());
    assert_eq!([&first[0], &first[2], &again[0]], ["order-17"; 3]);
    assert_eq!(other[0], "order-18");
    assert_eq!(first[1], first[3]);
    // The same order in another call, or in another process: the inner operation is the same one.
    assert_eq!(first[1], again[1]);
    assert_ne!(first[1], other[1]);
    assert_eq!(&first[1][14..15], "8", "`{}` does not say that it is derived", first[1]);
}

struct Order {
    id: String,
}

#[retry(attempts = 2, backoff = "none", budget = none, idempotency_key = order.id)]
async fn keyed_behind_a_reference(order: &Order, sent: &Sent, dependency: &Dependency) -> Answer {
    sent.send();
    assert_eq!(order.id, "order-17");
    leaf(sent, dependency).await
}

#[retry(attempts = 2, backoff = "none", budget = none, idempotency_key = key)]
async fn keyed_by_an_owned_argument(key: String, sent: &Sent, dependency: &Dependency) -> Answer {
    sent.send();
    assert_eq!(key, "order-17");
    leaf(sent, dependency).await
}

#[tokio::test(start_paused = true)]
async fn a_key_is_read_and_not_moved_out_of_what_the_body_uses() {
    let (sent, order) = (Sent::default(), Order { id: "order-17".to_owned() });
    let dependency = Dependency::always(Ok(()));
    assert_eq!(keyed_behind_a_reference(&order, &sent, &dependency).await, Ok(()));
    assert_eq!(keyed_by_an_owned_argument(order.id, &sent, &dependency).await, Ok(()));
    let keys = sent.keys();
    assert_eq!([&keys[0], &keys[2]], ["order-17"; 2]);
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn joining(sent: [&Sent; 2], dependency: &Dependency) -> Answer {
    let healthy = Dependency::always(Ok(()));
    let slowly =
        async |sent: &Sent, wait: u64| slow(sent, Duration::from_millis(wait), &healthy).await;
    let (left, right) = tokio::join!(slowly(sent[0], 20), slowly(sent[1], 10));
    left.and(right)?;
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn slow(sent: &Sent, wait: Duration, dependency: &Dependency) -> Answer {
    sent.send();
    tokio::time::sleep(wait).await;
    sent.send();
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn calls_side_by_side_have_keys_of_their_own_and_keep_them() {
    let (left, right) = (Sent::default(), Sent::default());
    let script = Dependency::script([Err(T), Ok(())]);
    assert_eq!(joining([&left, &right], &script).await, Ok(()));
    let (left, right) = (left.keys(), right.keys());
    assert_eq!((left.len(), distinct(&left)), (4, 1));
    assert_eq!((right.len(), distinct(&right)), (4, 1));
    assert_ne!(left[0], right[0]);
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn spawning(dependency: &Dependency, keys: &RefCell<Vec<[String; 2]>>) -> Answer {
    let own = current().expect("an attempt is running").idempotency_key().to_string();
    let task = tokio::spawn(Context::capture().scope(async {
        let sent = Sent::default();
        sent.send();
        leaf(&sent, &Dependency::always(Ok(()))).await.map(|()| sent.keys())
    }));
    let theirs = task.await.expect("the task does not panic")?;
    assert_eq!(theirs[0], own, "the task is inside the attempt");
    keys.borrow_mut().push([own, theirs[1].clone()]);
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_task_with_the_context_draws_its_keys_from_the_attempt() {
    let keys = RefCell::default();
    assert_eq!(spawning(&Dependency::script([Err(T), Ok(())]), &keys).await, Ok(()));
    let keys = keys.into_inner();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[0][0], keys[0][1]);
}

#[tokio::test(start_paused = true)]
async fn a_seed_makes_random_keys_repeat() {
    let run = async |seed| {
        testing::isolated(async {
            testing::seed(seed);
            let (sent, healthy) = (Sent::default(), Dependency::always(Ok(())));
            assert_eq!(leaf(&sent, &healthy).await, Ok(()));
            assert_eq!(leaf(&sent, &healthy).await, Ok(()));
            sent.keys()
        })
        .await
    };
    let (first, again, other) = (run(7).await, run(7).await, run(8).await);
    assert_eq!(first, again);
    assert_eq!(distinct(&[first, other].concat()), 4);
}

/// The first to be written is the last to ask, on every other attempt.
#[retry(budget = none)]
async fn slower_by_turns(sent: &Sent, first: bool, attempt: u32) -> Answer {
    let wait = if first == (attempt % 2 == 1) { 1 } else { 5 };
    tokio::time::sleep(Duration::from_millis(wait)).await;
    sent.send();
    Ok(())
}

#[retry(budget = none, backoff = "none", attempts = 3)]
async fn by_turns(first: &Sent, second: &Sent) -> Answer {
    let attempt = current().expect("it is running").number();
    let _ = tokio::join!(
        slower_by_turns(first, true, attempt),
        slower_by_turns(second, false, attempt),
    );
    Err(T)
}

#[tokio::test(start_paused = true)]
async fn calls_side_by_side_keep_their_keys_whichever_asks_first() {
    let (first, second) = (Sent::default(), Sent::default());
    assert_eq!(by_turns(&first, &second).await, Err(T));
    assert_eq!((first.keys().len(), distinct(&first.keys())), (3, 1), "{:?}", first.keys());
    assert_eq!((second.keys().len(), distinct(&second.keys())), (3, 1), "{:?}", second.keys());
    assert_ne!(first.keys()[0], second.keys()[0]);
}

#[tokio::test(start_paused = true)]
async fn keys_are_distinct_at_either_end_of_the_jitter() {
    for jitter in [testing::Jitter::Lowest, testing::Jitter::Highest] {
        let (sent, healthy) = (Sent::default(), Dependency::always(Ok(())));
        testing::isolated(async {
            testing::jitter(jitter);
            for _ in 0..10 {
                assert_eq!(leaf(&sent, &healthy).await, Ok(()));
            }
        })
        .await;
        assert_eq!(distinct(&sent.keys()), 10, "{jitter:?}");
    }
}

/// Asks for its key after as long as it is told, so that the second may be the first to ask.
#[retry(budget = none)]
async fn asks_after(sent: &Sent, milliseconds: u64) -> Answer {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    sent.send();
    Ok(())
}

#[retry(budget = none, backoff = "none", attempts = 3)]
async fn second_asks_first(first: &Sent, second: &Sent) -> Answer {
    let _ = tokio::join!(asks_after(first, 5), asks_after(second, 1));
    Err(T)
}

/// The very first calls of a process that ask for keys began before that was known.
#[tokio::test(start_paused = true)]
async fn calls_never_draw_each_others_keys_even_the_first_time() {
    let (first, second) = (Sent::default(), Sent::default());
    assert_eq!(second_asks_first(&first, &second).await, Err(T));
    let (first, second) = (first.keys(), second.keys());
    assert!(first.iter().all(|key| !second.contains(key)), "{first:?} {second:?}");
    assert_eq!((&first[1], &second[1]), (&first[2], &second[2]), "settled from the second on");
    let (again, other) = (Sent::default(), Sent::default());
    assert_eq!(second_asks_first(&again, &other).await, Err(T));
    assert_eq!((distinct(&again.keys()), distinct(&other.keys())), (1, 1), "known from now on");
}
