//! Child processes, one at a time.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::SocketAddr,
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};

use storm_lab::load::{
    Function, SUBCOMMAND,
    faults::{Fault, Schedule},
    protocol::{ClientOrder, Message, Order, ServerOrder},
};

use super::program;

fn spawn() -> Child {
    Command::new(program())
        .args([SUBCOMMAND, "--parent", "0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn server() -> Order {
    let schedule = Schedule::only(Fault::Stall, Duration::from_secs(60), Duration::from_secs(61));
    Order::Serve(ServerOrder {
        workers: 1,
        service_us: 1,
        rounds: 1,
        queue: 1,
        most_requests: 1,
        schedule,
        seed: 1,
    })
}

fn client(server: &str) -> Order {
    Order::Call(ClientOrder {
        server: server.parse().unwrap(),
        function: Function::Naive,
        rate: 1.0,
        length_us: 1,
        most_calls: 1,
        seed: 1,
        number: 0,
    })
}

/// All that it says when it is told this, and how it ends once nobody is there any more.
fn told(line: &str) -> (Vec<String>, ExitStatus) {
    let mut child = spawn();
    writeln!(child.stdin.take().unwrap(), "{line}").unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
    (lines, child.wait().unwrap())
}

#[test]
fn a_child_ends_when_its_parent_is_gone() {
    let mut child = spawn();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", serde_json::to_string(&server()).unwrap()).unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    let Message::Ready { address: Some(address) } = serde_json::from_str(&line).unwrap() else {
        panic!("{line}")
    };
    assert!(address.ip().is_loopback());
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn a_client_calls_nobody_but_loopback() {
    let address: SocketAddr = "192.0.2.1:80".parse().unwrap();
    let mut child = spawn();
    // Kept open, so that it is the refusal that ends it.
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{}", serde_json::to_string(&client(&address.to_string())).unwrap()).unwrap();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let Message::Refused { why } = serde_json::from_str(text.trim()).unwrap() else {
        panic!("{text}")
    };
    assert!(why.contains("127.0.0.1") && why.contains("192.0.2.1:80"), "{why}");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn an_order_that_is_none_ends_a_child() {
    for line in ["", "go", "{}", "{\"Serve\":{}}", "[[[[[["] {
        let (lines, status) = told(line);
        assert!(!status.success(), "{line}");
        let said =
            |line: &String| matches!(serde_json::from_str(line), Ok(Message::Refused { .. }));
        // It may have seen the end of its input first.
        assert!(lines.iter().all(said), "{lines:?}");
    }
}
