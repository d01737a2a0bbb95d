//! The trait that error types implement, mostly by derive.

use crate::Classification;

/// Says for each value of an error type whether a retry can help.
///
/// `#[derive(Retryable)]` writes it for enums and structs; a hand-written impl is as good.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Classification, Retryable};
///
/// enum StoreError { Unreachable, NoSuchRow }
///
/// impl Retryable for StoreError {
///     fn classify(&self) -> Classification {
///         match self {
///             Self::Unreachable => Classification::transient(),
///             Self::NoSuchRow => Classification::permanent().executed(),
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which of its values a retry can help",
    label = "not `Retryable`",
    note = "add `#[derive(stormless::Retryable)]` to it and classify its variants",
    note = "or, for a type that is not yours, give `#[retry(classify = path)]`, or `.classify(path)` on a closure or a layer, with a `fn(&{Self}) -> Classification`"
)]
pub trait Retryable {
    /// The facts about this failure.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Kind, Retryable};
    /// use std::io;
    ///
    /// let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
    /// assert_eq!(refused.classify().kind(), Kind::Transient);
    /// ```
    fn classify(&self) -> Classification;

    /// A name from a compile-time set (a variant, a status, a code): the label under which failures
    /// are counted. Never derived from run-time data.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::Retryable;
    /// use std::io;
    ///
    /// println!("{}", io::Error::from(io::ErrorKind::ConnectionRefused).label());
    /// ```
    fn label(&self) -> &'static str {
        "_OTHER"
    }

    /// How this type reports that an inherited deadline passed during an attempt, if it can.
    ///
    /// `Box<E>`, `Arc<E>` and `&E` ask the error inside for everything but this: they cannot report an
    /// inherited deadline, whatever `E` can, because they also stand for types of unknown size. Whoever
    /// opened the deadline cuts then. Return `E`, or give `cut_error`, where the function is to end by
    /// itself.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Classification, Retryable};
    ///
    /// #[derive(Debug, PartialEq)]
    /// enum StoreError { Unreachable, OutOfTime }
    ///
    /// impl Retryable for StoreError {
    ///     fn classify(&self) -> Classification {
    ///         match self {
    ///             Self::Unreachable => Classification::transient(),
    ///             Self::OutOfTime => Classification::timeout(),
    ///         }
    ///     }
    ///     fn deadline_exceeded() -> Option<Self> {
    ///         Some(Self::OutOfTime)
    ///     }
    /// }
    ///
    /// assert_eq!(StoreError::deadline_exceeded(), Some(StoreError::OutOfTime));
    /// ```
    #[must_use]
    fn deadline_exceeded() -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<E: Retryable + ?Sized> Retryable for &E {
    fn classify(&self) -> Classification {
        (**self).classify()
    }
    fn label(&self) -> &'static str {
        (**self).label()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Retryable + ?Sized> Retryable for Box<E> {
    fn classify(&self) -> Classification {
        (**self).classify()
    }
    fn label(&self) -> &'static str {
        (**self).label()
    }
}

#[diagnostic::do_not_recommend]
impl<E: Retryable + ?Sized> Retryable for std::sync::Arc<E> {
    fn classify(&self) -> Classification {
        (**self).classify()
    }
    fn label(&self) -> &'static str {
        (**self).label()
    }
}

impl Retryable for std::convert::Infallible {
    fn classify(&self) -> Classification {
        match *self {}
    }
}
