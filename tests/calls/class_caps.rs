//! `attempts = n` of a class counts the failures of that class in one call, and no others.

use std::cell::Cell;

use stormless::{Classification, Retryable, StopReason, report, retry};

#[derive(Debug, PartialEq, Eq)]
struct Unlabelled;

impl Retryable for Unlabelled {
    fn classify(&self) -> Classification {
        Classification::transient()
    }
}

/// Three labels without a cap, one with its own.
#[derive(Debug, PartialEq, Eq, Retryable)]
enum Inner {
    #[retryable(transient)]
    X,
    #[retryable(transient)]
    Y,
    #[retryable(transient)]
    Z,
    #[retryable(transient, attempts = 3)]
    Capped,
}

#[derive(Debug, PartialEq, Eq, Retryable)]
enum Outer {
    #[retryable(forward, attempts = 2)]
    First(Unlabelled),
    #[retryable(forward, attempts = 2)]
    Second(Unlabelled),
    #[retryable(forward, attempts = 2)]
    Many(Inner),
    #[retryable(forward)]
    Open(Inner),
    #[retryable(forward)]
    AlsoOpen(Inner),
}

use Outer::{AlsoOpen, First, Many, Open, Second};

/// Fails as the script says, then succeeds: the bodies that ran, and why there was no other.
macro_rules! bodies {
    ($name:ident: $error:ty $(, $setting:ident = $value:expr)?) => {
        async fn $name(script: &[fn() -> $error]) -> (usize, Option<StopReason>) {
            #[retry(attempts = 9, budget = none, backoff = "none" $(, $setting = $value)?)]
            async fn call(script: &[fn() -> $error], bodies: &Cell<usize>) -> Result<(), $error> {
                let body = bodies.replace(bodies.get() + 1);
                script.get(body).map_or(Ok(()), |fail| Err(fail()))
            }
            let bodies = Cell::new(0);
            let (_, calls) = report(call(script, &bodies)).await;
            (bodies.get(), calls[0].reason())
        }
    };
}

const EXHAUSTED: Option<StopReason> = Some(StopReason::AttemptsExhausted);

bodies!(forwarding: Outer);

#[tokio::test(start_paused = true)]
async fn two_forwarding_variants_have_two_caps_although_their_labels_are_one() {
    let [first, second]: [fn() -> Outer; 2] = [|| First(Unlabelled), || Second(Unlabelled)];
    assert_eq!(forwarding(&[first, second]).await, (3, None));
    assert_eq!(forwarding(&[first, second, second]).await, (3, EXHAUSTED));
}

#[tokio::test(start_paused = true)]
async fn a_cap_of_a_forwarding_variant_counts_all_labels_inside() {
    let script: [fn() -> Outer; 3] = [|| Many(Inner::X), || Many(Inner::Y), || Many(Inner::Z)];
    assert_eq!(forwarding(&script).await, (2, EXHAUSTED));
    // The cap outside stands in place of the one inside, and counts with the other labels.
    assert_eq!(forwarding(&[script[0], || Many(Inner::Capped)]).await, (2, EXHAUSTED));
}

#[tokio::test(start_paused = true)]
async fn a_cap_inside_counts_its_variant_through_all_that_forward_it() {
    let script: [fn() -> Outer; 3] =
        [|| Open(Inner::Capped), || AlsoOpen(Inner::Capped), || Open(Inner::Capped)];
    assert_eq!(forwarding(&script).await, (3, EXHAUSTED));
    let others: [fn() -> Outer; 4] =
        [script[0], || Open(Inner::X), || Many(Inner::Capped), script[1]];
    assert_eq!(forwarding(&others).await, (5, None));
}

#[derive(Debug)]
enum Plain {
    Refused,
    Lost,
    Raced,
}

fn by_hand(failure: &Plain) -> Classification {
    match failure {
        Plain::Refused => Classification::transient().attempts(2),
        Plain::Lost => Classification::transient().attempts(3),
        Plain::Raced => Classification::conflict().attempts(2),
    }
}

bodies!(classified: Plain, classify = by_hand);

#[tokio::test(start_paused = true)]
async fn classes_of_a_function_have_a_cap_each_although_nothing_has_a_label() {
    let [refused, lost, raced]: [fn() -> Plain; 3] =
        [|| Plain::Refused, || Plain::Lost, || Plain::Raced];
    assert_eq!(classified(&[refused, raced, lost, lost]).await, (5, None));
    assert_eq!(classified(&[refused, raced, raced]).await, (3, EXHAUSTED));
    assert_eq!(classified(&[lost, refused, lost, lost]).await, (4, EXHAUSTED));
}

/// A type of the same name, with a variant of the same name, in each of two functions.
mod twins {
    use stormless::Retryable;

    pub(super) fn one() -> Box<dyn Retryable> {
        #[derive(Retryable)]
        enum Twin {
            #[retryable(transient, attempts = 2)]
            Busy,
        }
        Box::new(Twin::Busy)
    }

    pub(super) fn other() -> Box<dyn Retryable> {
        #[derive(Retryable)]
        enum Twin {
            #[retryable(transient, attempts = 2)]
            Busy,
        }
        Box::new(Twin::Busy)
    }
}

bodies!(twin: Box<dyn Retryable>);

#[tokio::test(start_paused = true)]
async fn variants_of_one_name_in_two_functions_are_two() {
    assert_eq!(twin(&[twins::one, twins::other]).await, (3, None));
    assert_eq!(twin(&[twins::one, twins::other, twins::one]).await, (3, EXHAUSTED));
}

macro_rules! siblings {
    ($($name:ident)+) => {$(
        #[derive(Retryable)]
        enum $name {
            #[retryable(transient, attempts = 2)]
            Busy,
            #[retryable(transient, attempts = 2)]
            Slow,
        }
    )+};
}

siblings! { Left Right }

#[tokio::test(start_paused = true)]
async fn variants_that_one_macro_writes_are_told_apart_by_their_names() {
    let script: [fn() -> Box<dyn Retryable>; 4] = [
        || Box::new(Left::Busy),
        || Box::new(Left::Slow),
        || Box::new(Right::Busy),
        || Box::new(Right::Slow),
    ];
    assert_eq!(twin(&script).await, (5, None));
    assert_eq!(twin(&[script[0], script[3], script[1], script[0]]).await, (4, EXHAUSTED));
}
