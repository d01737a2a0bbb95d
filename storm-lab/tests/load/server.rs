//! The server, in this process, over real sockets.

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

use reqwest::{Client, Response, StatusCode};
use storm_lab::load::{
    faults::{Fault, Schedule},
    protocol::ServerOrder,
    server::{Server, Watcher},
};
use stormless::{Execution, Kind, Retryable};
use tokio::{net::TcpListener, task::JoinSet, time::sleep};

const HOUR: Duration = Duration::from_secs(3_600);

fn order(workers: u32, service: Duration, queue: u32) -> ServerOrder {
    ServerOrder {
        workers,
        service_us: service.as_micros().try_into().unwrap(),
        rounds: 10,
        queue,
        most_requests: 1_000,
        schedule: Schedule::only(Fault::Stall, HOUR, HOUR),
        seed: 1,
    }
}

fn faulty(fault: Fault, to: Duration) -> ServerOrder {
    let schedule = Schedule::only(fault, Duration::ZERO, to);
    ServerOrder { schedule, ..order(8, Duration::from_millis(1), 8) }
}

/// The server runs until the test's runtime ends.
async fn start(order: ServerOrder) -> (SocketAddr, Watcher) {
    let server = Server::bind(order).await.unwrap();
    let address = server.address().unwrap();
    let (watcher, serving) = server.run(Instant::now());
    tokio::spawn(serving);
    (address, watcher)
}

fn client() -> Client {
    stormless::reqwest::unretried(Client::builder()).no_proxy().build().unwrap()
}

async fn get(client: &Client, address: SocketAddr) -> Result<Response, reqwest::Error> {
    client.get(format!("http://{address}/")).send().await
}

async fn together(address: SocketAddr, requests: usize) -> Vec<StatusCode> {
    let mut all = JoinSet::new();
    for _ in 0..requests {
        let client = client();
        all.spawn(async move { get(&client, address).await.unwrap().status() });
    }
    all.join_all().await
}

fn count(statuses: &[StatusCode], status: StatusCode) -> usize {
    statuses.iter().filter(|found| **found == status).count()
}

#[tokio::test]
async fn it_listens_on_loopback_and_on_a_port_that_was_free() {
    let (address, _) = start(order(1, Duration::ZERO, 0)).await;
    assert_eq!(address.ip(), Ipv4Addr::LOCALHOST);
    assert_ne!(address.port(), 0);
}

#[tokio::test]
async fn what_finds_no_place_in_the_queue_is_refused() {
    let (address, watcher) = start(order(1, Duration::from_millis(400), 2)).await;
    let statuses = together(address, 6).await;
    assert_eq!(count(&statuses, StatusCode::OK), 3, "one is served, two wait: {statuses:?}");
    assert_eq!(count(&statuses, StatusCode::SERVICE_UNAVAILABLE), 3);
    let seen = watcher.take();
    assert_eq!((seen.arrived, seen.served, seen.refused, seen.waiting), (6, 3, 3, 0));
    assert!(seen.busy_us >= 1_200_000, "{}", seen.busy_us);
}

#[tokio::test]
async fn in_an_outage_each_request_is_refused_after_its_delay_and_none_is_served() {
    let (address, watcher) = start(faulty(Fault::Outage { after_ms: 50 }, HOUR)).await;
    let begun = Instant::now();
    let error = get(&client(), address).await.unwrap().error_for_status().unwrap_err();
    assert!(begun.elapsed() >= Duration::from_millis(50));
    let class = error.classify();
    assert_eq!((class.kind(), class.execution()), (Kind::Throttled, Execution::NotExecuted));
    let seen = watcher.take();
    assert_eq!((seen.arrived, seen.failed, seen.served), (1, 1, 0));
}

#[tokio::test]
async fn a_request_that_is_lost_may_have_been_executed_for_all_its_client_knows() {
    let (address, watcher) = start(faulty(Fault::Loss { request: 1.0, response: 0.0 }, HOUR)).await;
    let class = get(&client(), address).await.unwrap_err().classify();
    assert_eq!((class.kind(), class.execution()), (Kind::Transient, Execution::MaybeExecuted));
    let seen = watcher.take();
    assert_eq!((seen.arrived, seen.lost, seen.served, seen.unanswered), (1, 1, 0, 0));
}

#[tokio::test]
async fn an_answer_that_is_lost_looks_the_same_though_it_was_executed() {
    let (address, watcher) = start(faulty(Fault::Loss { request: 0.0, response: 1.0 }, HOUR)).await;
    let class = get(&client(), address).await.unwrap_err().classify();
    assert_eq!((class.kind(), class.execution()), (Kind::Transient, Execution::MaybeExecuted));
    let seen = watcher.take();
    assert_eq!((seen.arrived, seen.lost, seen.served, seen.unanswered), (1, 0, 1, 1));
}

#[tokio::test]
async fn a_connection_that_is_refused_has_executed_nothing() {
    let gone = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap().local_addr().unwrap();
    let class = get(&client(), gone).await.unwrap_err().classify();
    assert_eq!((class.kind(), class.execution()), (Kind::Transient, Execution::NotExecuted));
}

#[tokio::test]
async fn the_share_that_is_lost_is_as_asked_and_the_same_for_the_same_seed() {
    let mut lost = Vec::new();
    for _ in 0..2 {
        let order = faulty(Fault::Loss { request: 0.25, response: 0.25 }, HOUR);
        let (address, watcher) = start(order).await;
        let client = client();
        for _ in 0..200 {
            drop(get(&client, address).await);
        }
        let seen = watcher.take();
        assert_eq!((seen.arrived, seen.served + seen.lost), (200, 200));
        lost.push((seen.lost, seen.unanswered));
    }
    assert_eq!(lost[0], lost[1]);
    assert!((30..70).contains(&lost[0].0) && (30..70).contains(&lost[0].1), "{lost:?}");
}

#[tokio::test]
async fn what_a_stall_holds_is_let_go_together_when_it_ends() {
    let stall = Duration::from_millis(600);
    let (address, watcher) = start(faulty(Fault::Stall, stall)).await;
    let begun = Instant::now();
    let mut all = JoinSet::new();
    for _ in 0..5 {
        let client = client();
        all.spawn(async move {
            let status = get(&client, address).await.unwrap().status();
            (status, begun.elapsed())
        });
    }
    while watcher.take().waiting < 5 {
        assert!(begun.elapsed() < Duration::from_secs(60), "they never came");
        sleep(Duration::from_millis(5)).await;
    }
    let ends = all.join_all().await;
    // The server's clock began a little earlier than this test's.
    assert!(ends.iter().all(|(status, at)| status.is_success() && *at > stall / 2), "{ends:?}");
    assert_eq!(watcher.take().waiting, 0);
}

#[tokio::test]
async fn what_nobody_waits_for_any_more_is_served_all_the_same() {
    let (address, watcher) = start(order(1, Duration::from_millis(500), 5)).await;
    let impatient =
        Client::builder().no_proxy().timeout(Duration::from_millis(100)).build().unwrap();
    let class = get(&impatient, address).await.unwrap_err().classify();
    assert_eq!((class.kind(), class.execution()), (Kind::Timeout, Execution::MaybeExecuted));
    // The one after it is served only once the first one was.
    assert!(get(&client(), address).await.unwrap().status().is_success());
    let seen = watcher.take();
    assert_eq!((seen.served, seen.wasted), (2, 1));
    assert_eq!(seen.in_time.values().sum::<u32>(), 1);
}

#[tokio::test]
async fn it_takes_no_more_requests_than_it_was_told() {
    let (address, watcher) =
        start(ServerOrder { most_requests: 2, ..order(1, Duration::ZERO, 1) }).await;
    let client = client();
    for _ in 0..2 {
        assert!(get(&client, address).await.unwrap().status().is_success());
    }
    assert!(get(&client, address).await.is_err());
    assert_eq!(watcher.take().served, 2);
}
