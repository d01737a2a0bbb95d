//! What the derive reads from an error's fields.

use std::time::Duration;

use crate::{Classification, Hint};

/// A field that `retry_after` may name.
#[diagnostic::on_unimplemented(
    message = "`retry_after` needs a field of type `Duration` or `Option<Duration>`, not `{Self}`",
    label = "not a `Duration`",
    note = "convert it where the error is made, or classify with `with = path` and `Classification::retry_after`"
)]
pub trait WaitField {
    /// The wait that the dependency asked for, if it did.
    fn wait(&self) -> Option<Duration>;
}

impl WaitField for Duration {
    fn wait(&self) -> Option<Duration> {
        Some(*self)
    }
}

impl WaitField for Option<Duration> {
    fn wait(&self) -> Option<Duration> {
        *self
    }
}

/// A field that `status` may name: any `Copy + Into<u16>`.
#[diagnostic::on_unimplemented(
    message = "`status` needs a field that is `Copy` and `Into<u16>`, such as `u16` or `http::StatusCode`, not `{Self}`",
    label = "not a status",
    note = "store the number as `u16`, or classify with `with = path` and `Classification::from_status`"
)]
pub trait StatusField {
    /// The status as a number.
    fn status(&self) -> u16;
}

#[diagnostic::do_not_recommend]
impl<S: Copy + Into<u16>> StatusField for S {
    fn status(&self) -> u16 {
        (*self).into()
    }
}

/// The field of a variant that is marked for a cut: just the cut's own type.
#[diagnostic::on_unimplemented(
    message = "a variant that is marked for `{Cut}` is a unit or holds just that, not `{Self}`",
    label = "not a `{Cut}`",
    note = "give the variant no field, or one of type `{Cut}`"
)]
pub trait CutField<Cut> {
    /// The cut as this field.
    fn hold(cut: Cut) -> Self;
    /// This field as the cut.
    fn cut(&self) -> &Cut;
}

impl<Cut> CutField<Cut> for Cut {
    fn hold(cut: Cut) -> Self {
        cut
    }
    fn cut(&self) -> &Cut {
        self
    }
}

/// The status in a field.
pub fn status<S: StatusField>(field: &S) -> u16 {
    field.status()
}

/// `class` with the wait in `field` as its hint. A dependency that asked for no retry at all keeps its
/// word.
pub fn with_retry_after<W: WaitField>(class: Classification, field: &W) -> Classification {
    match (class.hint(), field.wait()) {
        (Some(Hint::DoNotRetry), _) | (_, None) => class,
        (_, Some(wait)) => class.retry_after(wait),
    }
}

#[cfg(test)]
mod tests {
    use super::with_retry_after;
    use crate::{Classification, Hint};
    use std::time::Duration;

    #[test]
    fn a_wait_in_a_field_becomes_the_hint_unless_none_or_no_retry_was_asked() {
        let (second, two) = (Duration::from_secs(1), Duration::from_secs(2));
        let busy = Classification::throttled();
        for (class, field, want) in [
            (busy, Some(second), Some(Hint::RetryAfter(second))),
            (busy, None, None),
            (busy, Some(Duration::ZERO), None),
            (busy.retry_after(two), None, Some(Hint::RetryAfter(two))),
            (busy.retry_after(two), Some(second), Some(Hint::RetryAfter(second))),
            (busy.do_not_retry(), Some(second), Some(Hint::DoNotRetry)),
        ] {
            assert_eq!(with_retry_after(class, &field).hint(), want, "{class:?} {field:?}");
        }
        assert_eq!(with_retry_after(busy, &second), busy.retry_after(second));
    }
}
