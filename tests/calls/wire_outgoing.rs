//! What requests say of the attempt that sends them.

use std::{collections::BTreeMap, time::Duration};

use stormless::{
    Context, Retryable, current, deadline, retry,
    wire::{self, Facts, Inject},
};

#[derive(Debug, Retryable)]
enum Failed {
    #[retryable(transient)]
    Down,
    #[retryable(timeout)]
    Doubtful,
}

/// Notes what a request would say here.
fn send(sent: &mut Vec<String>) {
    let mut headers = BTreeMap::new();
    wire::inject(&mut headers);
    sent.push(headers.remove(wire::ATTEMPT).unwrap_or_default());
}

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn plain(sent: &mut Vec<String>) -> Result<(), Failed> {
    send(sent);
    Err(Failed::Down)
}

async fn all_of<F: AsyncFnOnce(&mut Vec<String>) -> Result<(), Failed>>(call: F) -> Vec<String> {
    let mut sent = Vec::new();
    let _failed = call(&mut sent).await;
    sent
}

#[tokio::test(start_paused = true)]
async fn each_attempt_tells_its_number_and_the_most_already_on_the_first() {
    assert_eq!(all_of(plain).await, ["1;max=3", "2;max=3", "3;max=3"]);
}

#[tokio::test(start_paused = true)]
async fn outside_of_attempts_and_deadlines_nothing_is_written() {
    let mut headers = BTreeMap::from([(wire::ATTEMPT.to_owned(), "as it was".to_owned())]);
    Inject::new().idempotency_key().grpc_timeout().envoy().aws().write(&mut headers);
    assert_eq!(headers.len(), 1);
    assert_eq!(headers[wire::ATTEMPT], "as it was");
    let limited = deadline::within(Duration::from_millis(1_500), async { Facts::current() });
    assert_eq!(limited.await.unwrap().unwrap().to_string(), "1;max=1;remaining=1500");
}

#[retry(attempts = 2, base = "1ms", budget = none)]
async fn outer(sent: &mut Vec<String>) -> Result<(), Failed> {
    send(sent);
    plain(sent).await
}

#[retry(attempts = 2, base = "1ms", budget = none, idempotent)]
async fn outermost(sent: &mut Vec<String>) -> Result<(), Failed> {
    outer(sent).await
}

#[retry(attempts = 1)]
async fn never_again(sent: &mut Vec<String>) -> Result<(), Failed> {
    send(sent);
    plain(sent).await
}

#[tokio::test(start_paused = true)]
async fn inside_nested_calls_the_one_counts_that_will_repeat_the_request() {
    // Its own, and that of the call in it, whose first attempt is in the second.
    assert_eq!(all_of(outer).await, ["1;max=2", "1;max=2", "2;max=2", "2;max=2"]);
    let told = "1;max=2;idempotent";
    assert_eq!(all_of(outermost).await[..2], [told, told]);
    // Who never repeats leaves that to those inside.
    assert_eq!(all_of(never_again).await, ["1;max=1", "1;max=3", "2;max=3", "3;max=3"]);
}

#[retry(attempts = 2, base = "1ms", budget = none, nested = "independent")]
async fn independent(sent: &mut Vec<String>) -> Result<(), Failed> {
    send(sent);
    Err(Failed::Down)
}

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn around_independent(sent: &mut Vec<String>) -> Result<(), Failed> {
    independent(sent).await
}

#[retry(attempts = 2, base = "1ms", budget = none, inner = "allow")]
async fn allowing(sent: &mut Vec<String>) -> Result<(), Failed> {
    send(sent);
    plain(sent).await
}

#[tokio::test(start_paused = true)]
async fn calls_that_opt_out_of_nesting_tell_what_they_do_themselves() {
    assert_eq!(all_of(around_independent).await, ["1;max=2", "2;max=2"].repeat(3));
    let inside = ["1;max=3", "2;max=3", "3;max=3"];
    let mut all = vec!["1;max=2;allow"];
    all.extend(inside);
    all.push("2;max=2;allow");
    all.extend(inside);
    assert_eq!(all_of(allowing).await, all);
}

#[retry(attempts = 3, base = "1ms", budget = none, idempotent)]
async fn yields(sent: &mut Vec<String>) -> Result<(), Failed> {
    send(sent);
    Err(Failed::Doubtful)
}

#[retry(attempts = 2, base = "1ms", budget = none)]
async fn around_yielding(sent: &mut Vec<String>) -> Result<(), Failed> {
    yields(sent).await
}

#[tokio::test(start_paused = true)]
async fn what_a_suppressed_call_repeats_by_itself_is_marked_as_a_retry() {
    // Who repeats what may have been carried out is the inner one, and it is idempotent.
    let told = ["1;max=2;idempotent", "2;max=2;idempotent", "3;max=3;idempotent"];
    assert_eq!(all_of(around_yielding).await, told);
}

#[tokio::test(start_paused = true)]
async fn a_caller_in_another_process_is_the_outermost() {
    for (told, sent) in [
        ("2;max=7", "2;max=7"),
        ("2;max=7;idempotent", "2;max=7;idempotent"),
        ("4", "4"),
        ("300;max=400", "300"),
    ] {
        let headers = BTreeMap::from([(wire::ATTEMPT.to_owned(), told.to_owned())]);
        let all =
            all_of(async |sent: &mut _| wire::extract(&headers).scope(outer(sent)).await).await;
        assert_eq!(all, [sent, sent], "{told}");
    }
    let headers = BTreeMap::from([(wire::ATTEMPT.to_owned(), "2;max=7;allow".to_owned())]);
    let all = all_of(async |sent: &mut _| wire::extract(&headers).scope(plain(sent)).await).await;
    assert_eq!(all, ["1;max=3", "2;max=3", "3;max=3"]);
}

#[retry(attempts = 9, budget = none, clone(context))]
async fn elsewhere(context: Context) -> Result<Option<Facts>, Failed> {
    Ok(context.scope(async { Facts::current() }).await)
}

#[retry(attempts = 5, base = "1ms", budget = none)]
async fn spawning(sent: &mut Vec<String>) -> Result<(), Failed> {
    // In a task where another call is around it, which has nothing to do with it.
    let told = tokio::spawn(elsewhere(Context::capture())).await.unwrap().unwrap().unwrap();
    sent.push(told.to_string());
    Err(Failed::Down)
}

#[retry(attempts = 2, base = "1ms", budget = none)]
async fn around_spawning(sent: &mut Vec<String>) -> Result<(), Failed> {
    spawning(sent).await
}

#[tokio::test(start_paused = true)]
async fn a_carried_context_tells_what_it_knows_and_a_retry_stays_one() {
    let sent = ["1;max=5", "2;max=5", "3;max=5", "4;max=5", "5;max=5"];
    assert_eq!(all_of(spawning).await, sent);
    assert_eq!(all_of(around_spawning).await, ["1;max=5", "2;max=5"]);
}

#[retry(attempts = 4, base = "1ms", budget = none)]
async fn counted(sent: &mut Vec<Option<u32>>) -> Result<(), Failed> {
    sent.push(current().unwrap().max());
    Err(Failed::Down)
}

#[retry(attempts = 300, base = "1ms", budget = none)]
async fn many(sent: &mut Vec<Option<u32>>) -> Result<(), Failed> {
    sent.push(current().unwrap().max());
    Ok(())
}

#[retry(attempts = "unlimited", deadline = none, budget = none, inner = "allow")]
async fn unlimited(sent: &mut Vec<Option<u32>>) -> Result<(), Failed> {
    sent.push(current().unwrap().max());
    Ok(())
}

#[retry(attempts = 4, time_per_attempt = "100ms", budget = none)]
async fn timed(sent: &mut Vec<Option<u32>>) -> Result<(), Failed> {
    sent.push(current().unwrap().max());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_attempt_knows_how_many_there_may_be() {
    let mut told = Vec::new();
    let _failed = counted(&mut told).await;
    assert_eq!(told, [Some(4); 4]);
    told.clear();
    many(&mut told).await.unwrap();
    unlimited(&mut told).await.unwrap();
    timed(&mut told).await.unwrap();
    deadline::within(Duration::from_millis(250), timed(&mut told)).await.unwrap().unwrap();
    assert_eq!(told, [None, None, Some(4), Some(2)]);
}

#[tokio::test(start_paused = true)]
async fn foreign_headers_are_written_where_asked_for_and_their_times_only_shrink() {
    let all = Inject::new()
        .grpc_timeout()
        .grpc_previous_attempts()
        .envoy()
        .aws()
        .margin(Duration::from_millis(100));
    let written = async |headers: BTreeMap<String, String>| {
        let mut headers = headers;
        let mut incoming = BTreeMap::new();
        incoming.insert(wire::ATTEMPT.to_owned(), "2;max=3;remaining=1100".to_owned());
        wire::extract(&incoming).scope(async { all.write(&mut headers) }).await;
        headers
    };
    let headers = written(BTreeMap::new()).await;
    assert_eq!(headers["stormless-attempt"], "2;max=3;remaining=1000");
    assert_eq!(headers["grpc-timeout"], "1000000u");
    assert_eq!(headers["grpc-previous-rpc-attempts"], "1");
    assert_eq!(headers["x-envoy-attempt-count"], "2");
    assert_eq!(headers["x-envoy-expected-rq-timeout-ms"], "1000");
    let aws = wire::aws::SdkRequest::parse(&headers["amz-sdk-request"]).unwrap();
    assert_eq!((aws.attempt, aws.max), (2, Some(3)));
    assert!(aws.ttl.is_some());

    let there = |grpc: &str, envoy: &str| {
        BTreeMap::from([
            ("grpc-timeout".to_owned(), grpc.to_owned()),
            ("x-envoy-expected-rq-timeout-ms".to_owned(), envoy.to_owned()),
        ])
    };
    let headers = written(there("5m", "6")).await;
    assert_eq!(
        (&*headers["grpc-timeout"], &*headers["x-envoy-expected-rq-timeout-ms"]),
        ("5m", "6")
    );
    let headers = written(there("5H", "9999")).await;
    assert_eq!(headers["grpc-timeout"], "1000000u");
    assert_eq!(headers["x-envoy-expected-rq-timeout-ms"], "1000");
}

#[retry(attempts = 3, base = "1ms", budget = none)]
async fn keyed(sent: &mut Vec<String>, own: Option<&str>) -> Result<(), Failed> {
    let mut headers = BTreeMap::new();
    if let Some(own) = own {
        headers.insert(wire::IDEMPOTENCY_KEY.to_owned(), own.to_owned());
    }
    Inject::new().idempotency_key().write(&mut headers);
    sent.push(headers.remove(wire::IDEMPOTENCY_KEY).unwrap());
    Err(Failed::Down)
}

#[tokio::test(start_paused = true)]
async fn all_attempts_send_one_key_in_quotes_unless_the_request_has_one() {
    let sent = all_of(async |sent: &mut Vec<String>| keyed(sent, None).await).await;
    assert_eq!(sent.len(), 3);
    assert!(sent[0] == sent[1] && sent[1] == sent[2], "{sent:?}");
    assert_eq!(sent[0].len(), 38);
    assert!(sent[0].starts_with('"') && sent[0].ends_with('"'));
    let sent = all_of(async |sent: &mut Vec<String>| keyed(sent, Some("mine")).await).await;
    assert_eq!(sent, ["mine"; 3]);
}
