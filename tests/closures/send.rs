//! Which closures can be run, and whose calls may move between threads.

use std::{
    cell::{Cell, RefCell},
    future::{Future, IntoFuture},
    rc::Rc,
    sync::{Arc, Mutex},
};

use stormless::{Policy, RetryExt, Retryable};

const POLICY: Policy = Policy::new();

#[derive(Debug, PartialEq, Eq, thiserror::Error, Retryable)]
#[error("down")]
#[retryable(transient)]
struct Down;

type Answer = Result<usize, Down>;

/// A client that is shared by reference.
#[derive(Clone, Debug, Default)]
struct Client {
    orders: Arc<Mutex<Vec<String>>>,
}

impl Client {
    async fn get(&self, id: &str) -> Answer {
        tokio::task::yield_now().await;
        Ok(id.len())
    }

    async fn put(&mut self, id: &str) -> Answer {
        tokio::task::yield_now().await;
        self.orders.lock().unwrap().push(id.to_owned());
        Ok(id.len())
    }

    async fn own(self, id: String) -> Answer {
        tokio::task::yield_now().await;
        Ok(id.len())
    }
}

trait Store {
    fn get(&self, id: &str) -> impl Future<Output = Answer> + Send;
}

impl Store for Client {
    async fn get(&self, id: &str) -> Answer {
        Self::get(self, id).await
    }
}

/// Where a future is `Send`, this is how it is told.
fn sent<F: Future + Send>(future: F) -> F {
    future
}

async fn in_a_struct<S: Store + Sync>(store: &S, id: &str) -> Answer {
    sent(POLICY.run(async || store.get(id).await).into_future()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closures_that_borrow_what_is_around_them_are_send() {
    let (client, id) = (Client::default(), String::from("order"));
    assert_eq!(sent(POLICY.run(async || client.get(&id).await).into_future()).await, Ok(5));
    assert_eq!(sent(POLICY.run(|| client.get(&id)).into_future()).await, Ok(5));
    assert_eq!(sent(POLICY.run(|| async { client.get(&id).await }).into_future()).await, Ok(5));
    assert_eq!(sent((async || client.get(&id).await).retry(POLICY).into_future()).await, Ok(5));
    assert_eq!(in_a_struct(&client, &id).await, Ok(5));
    let boxed: std::pin::Pin<Box<dyn Future<Output = Answer> + Send + '_>> =
        Box::pin(POLICY.run(async || client.get(&id).await).into_future());
    assert_eq!(boxed.await, Ok(5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closures_that_clone_what_they_own_are_send_and_static() {
    let (client, id) = (Client::default(), Arc::<str>::from("order"));
    let call = POLICY.run(move || {
        let (client, id) = (client.clone(), id.clone());
        async move { client.get(&id).await }
    });
    assert_eq!(tokio::spawn(call.into_future()).await.unwrap(), Ok(5));

    let client = Client::default();
    let call = POLICY.run(move || client.clone().own("order".to_owned())).budget("spawned");
    assert_eq!(tokio::spawn(call.into_future()).await.unwrap(), Ok(5));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_async_closure_in_a_spawned_task_borrows_from_the_task() {
    let (client, id) = (Client::default(), String::from("order"));
    let task = tokio::spawn(async move {
        let first = POLICY.run(async || client.get(&id).await).named("spawned.first").await?;
        let second = (async || client.get(&id).await).retry(POLICY).await?;
        let generic = in_a_struct(&client, &id).await?;
        Ok::<_, Down>(first + second + generic)
    });
    assert_eq!(task.await.unwrap(), Ok(15));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_setting_keeps_a_call_send() {
    let client = Client::default();
    let (mut told, mut asked) = (0, 0);
    let task = async {
        let call = POLICY
            .idempotent()
            .run(async || client.get("order").await)
            .named("send.all")
            .cut_error(|_| Down)
            .deadline(std::time::Duration::from_secs(1))
            .attempt_timeout(std::time::Duration::from_millis(100))
            .breaker("send.breaker")
            .budget("send.budget")
            .classify(|_: &Down| stormless::Classification::transient())
            .classify_result(|_| None)
            .on_retry(|_| told += 1)
            .adjust(|_, delay| {
                asked += 1;
                Some(delay)
            })
            .hedge(stormless::Quantile::P95)
            .fallback_with(async |_| 7);
        sent(call.into_future()).await
    };
    assert_eq!(sent(task).await, 5);
    assert_eq!((told, asked), (0, 0));
}

#[tokio::test]
async fn what_is_not_send_is_run_all_the_same() {
    let count = Rc::new(Cell::new(0));
    let call = POLICY.run(async || {
        tokio::task::yield_now().await;
        count.set(count.get() + 1);
        Ok::<_, Rc<Down>>(count.clone())
    });
    let call = call.classify(|_| stormless::Classification::transient());
    assert_eq!(call.await.unwrap().get(), 1);
}

#[tokio::test]
async fn closures_that_lend_are_run_with_their_state() {
    let mut log = Vec::new();
    let mut client = Client::default();
    let fails = Cell::new(2);
    let result = POLICY
        .run_mut(async || {
            log.push(log.len());
            client.put("order").await?;
            if fails.replace(fails.get() - 1) > 0 { Err(Down) } else { Ok(log.len()) }
        })
        .no_budget()
        .call()
        .await;
    assert_eq!((result, log.len()), (Ok(3), 3), "the state of one attempt is there in the next");
    assert_eq!(client.orders.lock().unwrap().len(), 3);

    let owned = Client::default();
    assert_eq!(POLICY.run_mut(async move || owned.get("moved in").await).call().await, Ok(8));
    let cell = RefCell::new(Client::default());
    #[expect(clippy::await_holding_refcell_ref, reason = "nobody else is there")]
    let borrowed = async || cell.borrow_mut().put("order").await;
    assert_eq!(borrowed.retry_mut(POLICY).call().await, Ok(5));
}

/// With anything borrowed it is not, as tests/ui/closures shows: the compiler does not see that it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_lends_is_send_where_everything_was_moved_into_its_closure() {
    let client = Client::default();
    let call = POLICY.run_mut(async move || client.get("order").await).named("send.moved").call();
    assert_eq!(tokio::spawn(call).await.unwrap(), Ok(5));

    let (mut client, mut sent) = (Client::default(), 0);
    let call = POLICY.run_mut(async move || {
        sent += client.put("order").await?;
        if sent < 15 { Err(Down) } else { Ok(sent) }
    });
    let call = call.no_budget().fallback(|_| 0).call();
    assert_eq!(tokio::spawn(call).await.unwrap(), 15);
}

/// What may be borrowed in a spawned task, if it is changed there: whatever changes through `&`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn state_that_changes_through_a_shared_reference_keeps_a_call_send() {
    let task = tokio::spawn(async {
        let (client, sent) = (Client::default(), Mutex::new(0));
        let call = POLICY.run(async || {
            client.clone().put("order").await?;
            let mut sent = sent.lock().unwrap();
            *sent += 1;
            if *sent < 3 { Err(Down) } else { Ok(*sent) }
        });
        call.no_budget().await
    });
    assert_eq!(task.await.unwrap(), Ok(3));
}
