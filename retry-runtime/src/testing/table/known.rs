//! Tables of what is classified here.

use std::{convert::Infallible, io::ErrorKind, sync::Arc};

use super::{Decided, InnerTable, Tabled, TabledVariant};
use crate::{AttemptTimeout, BreakerOpen, Cut, DeadlineExceeded, RetryError, Retryable};

#[diagnostic::do_not_recommend]
impl<E: Tabled + ?Sized> Tabled for &E {
    fn variants() -> Vec<TabledVariant> {
        E::variants()
    }
    fn name() -> &'static str {
        E::name()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Tabled + ?Sized> Tabled for Box<E> {
    fn variants() -> Vec<TabledVariant> {
        E::variants()
    }
    fn name() -> &'static str {
        E::name()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Tabled + ?Sized> Tabled for Arc<E> {
    fn variants() -> Vec<TabledVariant> {
        E::variants()
    }
    fn name() -> &'static str {
        E::name()
    }
}

impl Tabled for Infallible {
    fn variants() -> Vec<TabledVariant> {
        Vec::new()
    }
}

fn single(name: &'static str, value: &impl Retryable) -> TabledVariant {
    TabledVariant {
        name,
        hint: None,
        label: Some(value.label()),
        decided: Decided::Class(value.classify()),
    }
}

fn forward<E: Tabled>(name: &'static str, to: &'static str) -> TabledVariant {
    let decided = Decided::Forward(to, |class| class, Some(InnerTable::of::<E>()));
    TabledVariant { name, hint: None, label: None, decided }
}

impl Tabled for AttemptTimeout {
    fn variants() -> Vec<TabledVariant> {
        vec![single("AttemptTimeout", &Self::new())]
    }
}

impl Tabled for DeadlineExceeded {
    fn variants() -> Vec<TabledVariant> {
        vec![single("DeadlineExceeded", &Self::new())]
    }
}

impl Tabled for BreakerOpen {
    fn variants() -> Vec<TabledVariant> {
        let open = single("BreakerOpen", &Self::new(None));
        vec![TabledVariant { hint: Some("retry_after"), ..open }]
    }
}

impl Tabled for Cut {
    fn variants() -> Vec<TabledVariant> {
        [AttemptTimeout::variants(), DeadlineExceeded::variants(), BreakerOpen::variants()].concat()
    }
}

impl<E: Tabled> Tabled for RetryError<E> {
    fn variants() -> Vec<TabledVariant> {
        vec![forward::<E>("error", "E"), forward::<Cut>("cut", "Cut")]
    }
}

#[cfg(feature = "http-1")]
impl Tabled for http::StatusCode {
    fn variants() -> Vec<TabledVariant> {
        let decided = Decided::Status("self", crate::Classification::from_status);
        vec![TabledVariant { name: "StatusCode", hint: None, label: None, decided }]
    }
}

macro_rules! kinds {
    ($($kind:ident)*) => { [$((ErrorKind::$kind, stringify!($kind))),*] };
}

impl Tabled for ErrorKind {
    fn variants() -> Vec<TabledVariant> {
        KINDS.iter().map(|(kind, name)| single(name, kind)).collect()
    }
}

/// Those that are stable in Rust 1.85, in the order of the standard library's documentation. Any other kind is
/// classified as `Other` is.
const KINDS: [(ErrorKind, &str); 38] = kinds! {
    NotFound PermissionDenied ConnectionRefused ConnectionReset HostUnreachable NetworkUnreachable ConnectionAborted
    NotConnected AddrInUse AddrNotAvailable NetworkDown BrokenPipe AlreadyExists WouldBlock NotADirectory IsADirectory
    DirectoryNotEmpty ReadOnlyFilesystem StaleNetworkFileHandle InvalidInput InvalidData TimedOut WriteZero StorageFull
    NotSeekable QuotaExceeded FileTooLarge ResourceBusy ExecutableFileBusy Deadlock CrossesDevices TooManyLinks
    ArgumentListTooLong Interrupted Unsupported UnexpectedEof OutOfMemory Other
};
