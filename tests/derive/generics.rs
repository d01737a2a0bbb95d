//! Type parameters, projections, lifetimes, const parameters.

#![expect(clippy::trait_duplication_in_bounds, reason = "the other derive repeats a bound")]

use std::error::Error;
use std::fmt::Debug;
use std::marker::PhantomData;

use stormless::{BreakerOpen, Classification, DeadlineExceeded, Retryable};

use crate::{Inner, assert_class};

#[expect(clippy::use_self, reason = "spelled out on purpose")]
#[derive(Retryable)]
enum Tree<I> {
    #[retryable(forward)]
    Leaf(I),
    #[retryable(forward)]
    Node(Box<Self>),
    #[retryable(forward)]
    Spelled(Box<Tree<I>>),
}

#[test]
fn a_recursive_type_is_bound_by_its_parameter() {
    let leaf = || Box::new(Tree::Leaf(Inner::Refused));
    assert_class(
        &Tree::Node(Box::new(Tree::Spelled(leaf()))),
        Classification::transient(),
        "Refused",
    );
}

trait Service {
    type Error;
}

struct Store;

impl Service for Store {
    type Error = Inner;
}

#[derive(Retryable)]
enum CallError<S: Service, T>
where
    T: Service,
{
    #[retryable(forward)]
    First(S::Error),
    #[retryable(forward)]
    Second(Box<<T as Service>::Error>),
    #[retryable(breaker_open)]
    Open,
    #[retryable(deadline_exceeded)]
    Late(DeadlineExceeded),
}

#[test]
fn projections_are_bound_instead_of_their_parameters() {
    // `Store` is not `Retryable`; only its error is.
    assert_class(
        &CallError::<Store, Store>::First(Inner::Refused),
        Classification::transient(),
        "Refused",
    );
    let missing = CallError::<Store, Store>::Second(Box::new(Inner::NoSuchRow));
    assert_class(&missing, Classification::permanent().executed(), "NoSuchRow");
    assert_eq!(CallError::<Store, Store>::from(BreakerOpen::new(None)).label(), "Open");
    assert_eq!(
        CallError::<Store, Store>::deadline_exceeded().map_or("none", |late| late.label()),
        "Late"
    );
}

#[derive(Debug, Retryable)]
enum Unforwarded<'a, T: ?Sized, U, const N: usize>
where
    U: Debug,
{
    #[retryable(transient)]
    Borrowed(&'a T),
    #[retryable(permanent)]
    Owned([U; N], PhantomData<&'a T>),
    #[retryable(attempt_timeout)]
    TimedOut,
}

#[test]
fn parameters_that_are_not_forwarded_need_nothing() {
    // Neither `str` nor `char` is `Retryable`.
    type Plain<'a> = Unforwarded<'a, str, char, 2>;
    let borrowed = Plain::Borrowed("x");
    assert_class(&borrowed, Classification::transient(), "Borrowed");
    assert_eq!(format!("{borrowed:?}"), "Borrowed(\"x\")");
    assert_class(&Plain::Owned(['a', 'b'], PhantomData), Classification::permanent(), "Owned");
    assert_class(
        &Plain::from(stormless::AttemptTimeout::new()),
        Classification::timeout(),
        "TimedOut",
    );
}

#[derive(Retryable)]
#[retryable(forward)]
struct Wrapped<E: ?Sized> {
    retries: u32,
    source: E,
}

#[derive(Debug, thiserror::Error, Retryable)]
#[error("{0:?}")]
#[retryable(forward)]
struct Sourced<'a, E: Error + 'static>(&'a u32, #[source] E);

#[derive(Retryable)]
#[retryable(forward)]
struct ByRef<'a, E: ?Sized>(&'a E);

#[test]
fn unsized_and_borrowed_inner_errors_are_asked() {
    let wrapped: &Wrapped<dyn Retryable> = &Wrapped { retries: 1, source: Inner::Refused };
    assert_eq!((wrapped.classify(), wrapped.retries), (Classification::transient(), 1));
    assert_class(&Sourced(&1, Inner::Refused), Classification::transient(), "Refused");
    let any: &dyn Retryable = &Inner::Refused;
    assert_class(&ByRef(any), Classification::transient(), "Refused");
}

#[derive(Retryable)]
enum StatusOf<S: Copy + Into<u16>, const RETRY: bool = true> {
    #[retryable(status = 0)]
    Status(S),
}

#[test]
fn a_generic_status_uses_the_declared_bounds() {
    assert_class(&StatusOf::<u16>::Status(503), Classification::from_status(503), "Status");
}

#[derive(Retryable)]
enum Never {}

#[derive(Retryable)]
enum Half<E> {
    #[retryable(forward)]
    Never(std::convert::Infallible),
    #[retryable(forward)]
    Inner(E),
}

#[test]
fn empty_types_are_classified_without_a_value() {
    fn classifies<E: Retryable>() -> Option<E> {
        E::deadline_exceeded()
    }
    assert!(classifies::<Never>().is_none());
    assert_class(&Half::Inner(Inner::Refused), Classification::transient(), "Refused");
    let never: Option<Half<Inner>> = None::<std::convert::Infallible>.map(Half::Never);
    assert!(never.is_none());
}
