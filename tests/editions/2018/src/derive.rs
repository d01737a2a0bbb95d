// The derive, with every part of its expansion that a key adds.

use std::time::Duration;

use stormless::{BreakerOpen, Classification, Retryable};

#[derive(Retryable)]
#[retryable(default = permanent)]
enum Error<E> {
    #[retryable(throttled, retry_after = wait, base = "1s")]
    Busy {
        wait: Option<Duration>,
    },
    #[retryable(status = 0)]
    Status(u16),
    #[retryable(forward)]
    Inner(Box<E>),
    #[retryable(with = Self::decide)]
    Decided,
    #[retryable(breaker_open)]
    Open(BreakerOpen),
    #[retryable(deadline_exceeded)]
    Late,
    Unknown,
}

impl<E> Error<E> {
    fn decide(&self) -> Classification {
        match self {
            Self::Decided => Classification::conflict(),
            _ => Classification::permanent(),
        }
    }
}

#[derive(Retryable)]
#[retryable(transient)]
struct Blip;

#[test]
fn the_derive_works_here() {
    let open = Classification::throttled().local();
    let second = Duration::from_secs(1);
    let errors: [(Error<Blip>, Classification, &str); 7] = [
        (
            Error::Busy { wait: Some(second) },
            Classification::throttled().retry_after(second).base(second),
            "Busy",
        ),
        (Error::Status(500), Classification::from_status(500), "Status"),
        (Error::Inner(Box::new(Blip)), Classification::transient(), "Blip"),
        (Error::Decided, Classification::conflict(), "Decided"),
        (Error::from(BreakerOpen::new(Some(second))), open.retry_after(second), "Open"),
        (Error::Late, Classification::timeout(), "Late"),
        (Error::Unknown, Classification::permanent(), "Unknown"),
    ];
    for (error, class, label) in &errors {
        assert_eq!((error.classify(), error.label()), (*class, *label));
    }
    assert_eq!(Error::<Blip>::deadline_exceeded().map(|late| late.label()), Some("Late"));
}
