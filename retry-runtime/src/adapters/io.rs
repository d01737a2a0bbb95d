//! `std::io::Error` and its kinds.

use std::error::Error as StdError;
use std::io::{Error, ErrorKind};

use super::{Verdict, by_type, causes};
use crate::{Classification, DeadlineExceeded, Retryable};

/// Kinds decide, and texts never do: they differ from one platform to the next.
///
/// Where the kind says nothing, as `Other` does, an error code that means a shortage in this process
/// (open files, socket buffers) makes the failure transient, not executed and local. Otherwise the
/// errors below decide, down to a fixed depth: an `io::Error`, a cut such as
/// [`AttemptTimeout`](crate::AttemptTimeout), a timeout of tokio's. If there is none of these, the
/// failure is permanent. A wrapped cut is classified as that cut, whatever the kind around it.
///
/// `HostUnreachable`, `NetworkUnreachable` and `NetworkDown` are not executed, as that is how connecting
/// fails. An established connection says the same where the way to the other side is lost, even after
/// the request was carried out: a function that writes to a socket of its own should map these to
/// `.maybe_executed()` once it has written. The adapters of clients do.
impl Retryable for Error {
    fn classify(&self) -> Classification {
        verdict(self).0
    }
    fn label(&self) -> &'static str {
        verdict(self).1
    }
    fn deadline_exceeded() -> Option<Self> {
        Some(DeadlineExceeded::new().into())
    }
}

/// As for an [`Error`] of this kind that wraps nothing.
impl Retryable for ErrorKind {
    fn classify(&self) -> Classification {
        by_kind(*self).unwrap_or(UNKNOWN).0
    }
    fn label(&self) -> &'static str {
        by_kind(*self).unwrap_or(UNKNOWN).1
    }
}

const UNKNOWN: Verdict = (Classification::permanent(), "_OTHER");

fn verdict(error: &Error) -> Verdict {
    causes(error).find_map(known).unwrap_or(UNKNOWN)
}

/// The verdict on an error of a connection that stands, for all that is not known to be one of connecting:
/// Linux reports from `recv`, too, that the next hop is dead, whatever had become of the request. The
/// kernel runs out of buffers as well after it has sent a part.
#[cfg(any(
    test,
    feature = "h2-0-4",
    feature = "redis-1",
    feature = "sqlx-0-9",
    feature = "tokio-postgres-0-7",
    feature = "tower-0-5"
))]
pub(super) fn on_a_connection((class, label): Verdict) -> Verdict {
    match label {
        "host_unreachable" | "network_unreachable" | "network_down" | "no_buffer_space" => {
            (class.maybe_executed(), label)
        }
        _ => (class, label),
    }
}

pub(super) fn known(error: &(dyn StdError + 'static)) -> Option<Verdict> {
    let Some(error) = error.downcast_ref::<Error>() else { return by_type(error) };
    let wrapped = error.get_ref().and_then(|wrapped| by_type(wrapped));
    wrapped.or_else(|| by_code(error.raw_os_error()?)).or_else(|| by_kind(error.kind()))
}

const TOO_MANY_OPEN_FILES: &[i32] = if cfg!(windows) {
    &[4, 10_024] // ERROR_TOO_MANY_OPEN_FILES, WSAEMFILE
} else if cfg!(unix) {
    &[23, 24] // ENFILE, EMFILE
} else {
    &[]
};

const NO_BUFFER_SPACE: &[i32] = if cfg!(windows) {
    &[10_055] // WSAENOBUFS
} else if cfg!(any(target_arch = "mips", target_arch = "mips64", target_arch = "sparc64")) {
    &[] // Linux numbers its errors differently there.
} else if cfg!(any(target_os = "linux", target_os = "android")) {
    &[105] // ENOBUFS
} else if cfg!(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly"
)) {
    &[55] // ENOBUFS
} else {
    &[]
};

/// Shortages that have no stable kind. Asked before the kind, so that a kind which the standard
/// library may name one day does not change the verdict.
fn by_code(code: i32) -> Option<Verdict> {
    let shortage = Classification::transient().local();
    if TOO_MANY_OPEN_FILES.contains(&code) {
        Some((shortage, "too_many_open_files"))
    } else if NO_BUFFER_SPACE.contains(&code) {
        Some((shortage, "no_buffer_space"))
    } else {
        None
    }
}

/// The kinds that are stable in Rust 1.85, except `Other`, which says nothing. Of the later ones
/// `InvalidFilename` (1.87) is permanent, which is what an unknown kind comes to.
fn by_kind(kind: ErrorKind) -> Option<Verdict> {
    use ErrorKind as K;

    let refused = Classification::transient();
    let lost = Classification::transient().maybe_executed();
    let late = Classification::timeout();
    let hopeless = Classification::permanent();
    Some(match kind {
        // Connecting fails so, before anything is sent; see `on_a_connection` for the others.
        K::ConnectionRefused => (refused, "connection_refused"),
        K::HostUnreachable => (refused, "host_unreachable"),
        K::NetworkUnreachable => (refused, "network_unreachable"),
        K::NetworkDown => (refused, "network_down"),
        // No free port, or an address that is not this machine's.
        K::AddrNotAvailable => (refused.local(), "addr_not_available"),

        K::Interrupted => (refused, "interrupted"),
        K::ResourceBusy => (refused, "resource_busy"),
        K::ExecutableFileBusy => (refused, "executable_file_busy"),
        K::Deadlock => (refused, "deadlock"),

        // The request may have been read before the connection was gone.
        K::ConnectionReset => (lost, "connection_reset"),
        K::ConnectionAborted => (lost, "connection_aborted"),
        K::BrokenPipe => (lost, "broken_pipe"),
        K::UnexpectedEof => (lost, "unexpected_eof"),
        K::NotConnected => (lost, "not_connected"),
        K::WriteZero => (lost, "write_zero"),
        K::StaleNetworkFileHandle => (lost, "stale_network_file_handle"),

        K::TimedOut => (late, "timed_out"),
        // What Unix says when a blocking socket's read or write timeout passes.
        K::WouldBlock => (late, "would_block"),

        K::NotFound => (hopeless, "not_found"),
        K::PermissionDenied => (hopeless, "permission_denied"),
        K::AlreadyExists => (hopeless, "already_exists"),
        K::AddrInUse => (hopeless, "addr_in_use"),
        K::InvalidInput => (hopeless, "invalid_input"),
        K::InvalidData => (hopeless, "invalid_data"),
        K::Unsupported => (hopeless, "unsupported"),
        K::OutOfMemory => (hopeless, "out_of_memory"),
        K::StorageFull => (hopeless, "storage_full"),
        K::QuotaExceeded => (hopeless, "quota_exceeded"),
        K::FileTooLarge => (hopeless, "file_too_large"),
        K::ReadOnlyFilesystem => (hopeless, "read_only_filesystem"),
        K::NotADirectory => (hopeless, "not_a_directory"),
        K::IsADirectory => (hopeless, "is_a_directory"),
        K::DirectoryNotEmpty => (hopeless, "directory_not_empty"),
        K::NotSeekable => (hopeless, "not_seekable"),
        K::CrossesDevices => (hopeless, "crosses_devices"),
        K::TooManyLinks => (hopeless, "too_many_links"),
        K::ArgumentListTooLong => (hopeless, "argument_list_too_long"),
        _ => return None,
    })
}
