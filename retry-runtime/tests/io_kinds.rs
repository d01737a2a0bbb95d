//! How errors of `std::io` are classified.

use std::error::Error as StdError;
use std::fmt;
use std::io::{Error, ErrorKind, Read};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use retry_runtime::{
    AttemptTimeout, BreakerOpen, Classification, Cut, DeadlineExceeded, Execution, Kind, Retryable,
};

use ErrorKind as K;

const NOT_EXECUTED: [ErrorKind; 8] = [
    K::ConnectionRefused,
    K::HostUnreachable,
    K::NetworkUnreachable,
    K::NetworkDown,
    K::Interrupted,
    K::ResourceBusy,
    K::ExecutableFileBusy,
    K::Deadlock,
];

const MAYBE_EXECUTED: [ErrorKind; 7] = [
    K::ConnectionReset,
    K::ConnectionAborted,
    K::BrokenPipe,
    K::UnexpectedEof,
    K::NotConnected,
    K::WriteZero,
    K::StaleNetworkFileHandle,
];

const PERMANENT: [ErrorKind; 19] = [
    K::NotFound,
    K::PermissionDenied,
    K::AlreadyExists,
    K::AddrInUse,
    K::InvalidInput,
    K::InvalidData,
    K::Unsupported,
    K::OutOfMemory,
    K::StorageFull,
    K::QuotaExceeded,
    K::FileTooLarge,
    K::ReadOnlyFilesystem,
    K::NotADirectory,
    K::IsADirectory,
    K::DirectoryNotEmpty,
    K::NotSeekable,
    K::CrossesDevices,
    K::TooManyLinks,
    K::ArgumentListTooLong,
];

/// Every kind that says something, with its class.
fn table() -> Vec<(ErrorKind, Classification)> {
    let mut table = vec![
        (K::TimedOut, Classification::timeout()),
        (K::WouldBlock, Classification::timeout()),
        (K::AddrNotAvailable, Classification::transient().local()),
    ];
    table.extend(NOT_EXECUTED.map(|kind| (kind, Classification::transient())));
    table.extend(MAYBE_EXECUTED.map(|kind| (kind, Classification::transient().maybe_executed())));
    table.extend(PERMANENT.map(|kind| (kind, Classification::permanent())));
    table
}

/// `ConnectionRefused` as `connection_refused`.
fn snake_case(kind: ErrorKind) -> String {
    let mut name = String::new();
    for letter in format!("{kind:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

// R128
#[test]
fn kinds_decide_and_texts_never_do() {
    for (kind, class) in table() {
        assert_eq!(kind.classify(), class, "{kind:?}");
        assert_eq!(Error::from(kind).classify(), class, "{kind:?}");
        for text in ["", "connection refused", "Connection reset by peer", "timed out", "\u{0}"] {
            assert_eq!(Error::new(kind, text).classify(), class, "{kind:?} {text:?}");
        }
    }
}

#[test]
fn labels_are_the_names_of_the_kinds() {
    for (kind, _) in table() {
        assert_eq!(kind.label(), snake_case(kind));
        assert_eq!(Error::new(kind, "any text").label(), snake_case(kind));
    }
}

#[test]
fn other_with_a_mere_text_is_permanent() {
    for error in [Error::other("connection refused"), Error::from(K::Other)] {
        assert_eq!(error.classify(), Classification::permanent());
        assert_eq!(error.label(), "_OTHER");
    }
    assert_eq!(K::Other.classify(), Classification::permanent());
    assert_eq!(K::Other.label(), "_OTHER");
}

#[cfg(target_os = "linux")]
#[test]
fn a_shortage_in_this_process_is_transient_and_local() {
    let shortages =
        [(23, "too_many_open_files"), (24, "too_many_open_files"), (105, "no_buffer_space")];
    for (code, label) in shortages {
        let error = Error::from_raw_os_error(code);
        assert_eq!(error.classify(), Classification::transient().local(), "{error}");
        assert_eq!(error.label(), label);

        let wrapped = Error::other(error);
        assert_eq!(wrapped.classify(), Classification::transient().local(), "{wrapped}");
    }
    // EIO has no kind, and it is not a shortage.
    let broken_disk = Error::from_raw_os_error(5);
    assert_eq!(broken_disk.classify(), Classification::permanent());
    assert_eq!(broken_disk.label(), "_OTHER");
}

#[cfg(unix)]
#[test]
fn a_code_that_has_a_kind_is_classified_by_it() {
    let forbidden = Error::from_raw_os_error(13); // EACCES
    assert_eq!(forbidden.classify(), Classification::permanent());
    assert_eq!(forbidden.label(), "permission_denied");
}

#[cfg_attr(miri, ignore = "Miri has no sockets")]
#[test]
fn errors_of_real_sockets_are_recognised() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    drop(listener.accept().unwrap());
    let closed = client.read_exact(&mut [0]).unwrap_err();
    assert_eq!(closed.classify(), Classification::transient().maybe_executed());

    // Port 1: nothing listens there, and no client socket is ever given it.
    let refused = TcpStream::connect("127.0.0.1:1").unwrap_err();
    assert_eq!(refused.classify(), Classification::transient());
    assert_eq!(refused.label(), "connection_refused");
}

#[test]
fn a_wrapped_cut_is_classified_as_that_cut() {
    let open = BreakerOpen::new(Some(Duration::from_secs(3)));
    let same = |error: Error, class: Classification, label: &str| {
        assert_eq!(error.classify(), class);
        assert_eq!(error.label(), label);
    };
    same(AttemptTimeout::new().into(), Classification::timeout(), "attempt_timeout");
    same(DeadlineExceeded::new().into(), Classification::timeout(), "deadline_exceeded");
    same(open.into(), open.classify(), "breaker_open");
    same(Error::other(Cut::BreakerOpen(open)), open.classify(), "breaker_open");
    same(Error::other(Error::from(open)), open.classify(), "breaker_open");
}

#[test]
fn an_io_error_reports_an_inherited_deadline() {
    let error = <Error as Retryable>::deadline_exceeded().unwrap();
    assert_eq!(error.kind(), K::TimedOut);
    assert_eq!(error.label(), "deadline_exceeded");
    assert_eq!(error.classify().kind(), Kind::Timeout);
    assert_eq!(error.classify().execution(), Execution::MaybeExecuted);
}

/// An error of some other library with an `io::Error` somewhere below.
#[derive(Debug)]
struct Layer(Box<dyn StdError + Send + Sync>);

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not found")
    }
}

impl StdError for Layer {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.0)
    }
}

fn buried(mut error: Error, layers: usize) -> Error {
    for _ in 0..layers {
        error = Error::other(Layer(Box::new(error)));
    }
    error
}

#[test]
fn the_nearest_io_error_below_decides() {
    let reset = || Error::from(K::ConnectionReset);
    for error in [Error::other(reset()), buried(reset(), 1), buried(reset(), 5)] {
        assert_eq!(error.classify(), Classification::transient().maybe_executed());
        assert_eq!(error.label(), "connection_reset");
    }
    let nearer = Error::other(Error::new(K::InvalidData, reset()));
    assert_eq!(nearer.classify(), Classification::permanent());
    assert_eq!(nearer.label(), "invalid_data");
}

#[test]
fn a_kind_is_not_overruled_by_what_it_wraps() {
    let error = Error::new(K::PermissionDenied, Error::from(K::ConnectionReset));
    assert_eq!(error.classify(), Classification::permanent());
}

/// Its source is itself; counts how often it is asked for it.
#[derive(Clone, Debug, Default)]
struct Ouroboros(Arc<AtomicUsize>);

impl fmt::Display for Ouroboros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("connection refused")
    }
}

impl StdError for Ouroboros {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Some(self)
    }
}

// R126
#[test]
fn a_source_that_returns_itself_ends_after_a_fixed_number_of_steps() {
    let steps = || {
        let endless = Ouroboros::default();
        assert_eq!(Error::other(endless.clone()).classify(), Classification::permanent());
        endless.0.load(Ordering::Relaxed)
    };
    assert!((1..=64).contains(&steps()), "{} steps", steps());
    assert_eq!(steps(), steps());
}

// R126
#[test]
fn an_error_deeper_than_the_walk_goes_is_permanent() {
    assert_eq!(
        buried(Error::from(K::ConnectionReset), 500).classify(),
        Classification::permanent()
    );
}
