//! What a client sees of each script, by sockets alone.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::Duration,
};

use faults::{Script, Server, h1, h2};

const REQUEST: &[u8] = b"POST /x HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc";

/// What comes back until the end, or the error that ends it.
fn ask(server: &Server, request: &[u8]) -> (String, io::Result<()>) {
    let mut stream = TcpStream::connect(server.addr()).unwrap();
    let mut bytes = Vec::new();
    let ended = stream.write_all(request).and_then(|()| stream.read_to_end(&mut bytes).map(drop));
    (String::from_utf8_lossy(&bytes).into_owned(), ended)
}

#[test]
fn a_refused_port_stays_refused() {
    let server = Server::start(Script::refused()).unwrap();
    for _ in 0..3 {
        let error = TcpStream::connect(server.addr()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionRefused);
    }
}

#[test]
fn a_deaf_port_lets_clients_wait() {
    let server = Server::start(Script::deaf()).unwrap();
    let connected = TcpStream::connect_timeout(&server.addr(), Duration::from_millis(50));
    assert_eq!(connected.unwrap_err().kind(), io::ErrorKind::TimedOut);
}

#[test]
fn a_close_is_an_end_and_a_reset_is_an_error() {
    let script =
        [h1::close(), h1::read_then_close(), h1::reset(), h1::half_head(), h1::reset_body()];
    let server = Server::start(Script::connections(script)).unwrap();
    for read in [false, true] {
        let (said, ended) = ask(&server, REQUEST);
        assert!(said.is_empty() && ended.is_ok(), "{said} {ended:?}");
        assert_eq!(server.hits().requests, usize::from(read));
    }
    let (_, ended) = ask(&server, REQUEST);
    assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    let (said, ended) = ask(&server, REQUEST);
    assert!(said.ends_with("content-ty") && ended.is_ok(), "{said} {ended:?}");
    assert_eq!(ask(&server, REQUEST).1.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
    assert!(server.wait(|hits| hits.closed == 5));
    assert_eq!((server.hits().connections, server.hits().requests), (5, 4));
}

#[test]
fn answers_by_request_come_on_any_connection_and_the_last_repeats() {
    let busy = h1::response(503, &["retry-after: 1"], "busy");
    let server = Server::start(Script::requests([vec![busy], vec![h1::Step::Close]])).unwrap();
    // Two requests at once, the first with a body in pieces.
    let pieces = b"POST /y HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    let (said, ended) = ask(&server, &[pieces, REQUEST].concat());
    assert!(ended.is_ok());
    assert_eq!(said, "HTTP/1.1 503 Said\r\nretry-after: 1\r\ncontent-length: 4\r\n\r\nbusy");
    assert_eq!(ask(&server, REQUEST).0, "");
    let lines: Vec<_> =
        server.heads().iter().filter_map(|head| head.lines().next().map(str::to_owned)).collect();
    assert_eq!(lines, ["POST /y HTTP/1.1", "POST /x HTTP/1.1", "POST /x HTTP/1.1"]);
}

#[test]
fn streams_are_counted_and_answered_by_the_frames_of_their_script() {
    let script = [h2::reset(h2::REFUSED_STREAM), h2::go_away_before(h2::NO_ERROR), h2::close()];
    let server = Server::start(Script::streams(script)).unwrap();
    let head = |stream: u8| [0, 0, 1, 1, 5, 0, 0, 0, stream, 0x82];
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".as_slice();
    let sent = [preface, &settings, &head(1), &head(3), &head(5)].concat();
    let mut stream = TcpStream::connect(server.addr()).unwrap();
    stream.write_all(&sent).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let expected = [
        settings.as_slice(),
        &[0, 0, 0, 4, 1, 0, 0, 0, 0],
        &[0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 7],
        &[0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    ];
    assert_eq!(bytes, expected.concat());
    assert!(server.wait(|hits| hits.closed == 1));
    assert_eq!(server.hits().requests, 3);
}

#[test]
fn a_connection_that_holds_goes_on_when_told() {
    let server =
        Server::start(Script::connections([h1::answer_then_close_later(200, &[], "ok")])).unwrap();
    let mut stream = TcpStream::connect(server.addr()).unwrap();
    stream.write_all(REQUEST).unwrap();
    let mut answer = [0; 64];
    assert!(stream.read(&mut answer).unwrap() > 0);
    assert_eq!(server.hits().closed, 0);
    server.release();
    assert!(server.wait(|hits| hits.closed == 1));
    assert_eq!(stream.read_to_end(&mut Vec::new()).unwrap(), 0);
}

#[test]
fn a_dropped_server_leaves_nobody_waiting() {
    let server = Server::start(Script::connections([h1::stall()])).unwrap();
    let mut stream = TcpStream::connect(server.addr()).unwrap();
    stream.write_all(REQUEST).unwrap();
    assert!(server.wait(|hits| hits.requests == 1));
    let addr = server.addr();
    drop(server);
    assert_eq!(stream.read(&mut [0]).unwrap(), 0);
    assert!(TcpStream::connect(addr).is_err());
}
