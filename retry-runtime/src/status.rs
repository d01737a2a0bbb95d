//! What an HTTP status says about a retry.

use crate::{Classification, Execution, Kind};

/// The table behind [`Classification::from_status`].
///
/// Sources: RFC 9110 §15 (408, 421, 500–504), RFC 8470 §5.2 (425), RFC 6585 §4 (429).
pub(crate) const fn classify_status(code: u16) -> Classification {
    match code {
        408 | 421 | 425 => Classification::transient(),
        429 | 503 => Classification::throttled(),
        500 | 502 => Classification::transient().maybe_executed(),
        504 => Classification::timeout(),
        _ => Classification::permanent().executed(),
    }
}

/// A class that the user gave to a response with a status. The class wins; the status only tells
/// whether the request may have been carried out. That it was answered for shows only on a failure
/// that is final: any other class says that the answer did not settle it.
pub const fn beside_status(class: Classification, code: u16) -> Classification {
    match (classify_status(code).execution(), class.kind()) {
        (Execution::NotExecuted, _) => class.not_executed(),
        (Execution::MaybeExecuted, _) => class.maybe_executed(),
        (Execution::Executed, Kind::Permanent) => class.executed(),
        (Execution::Executed, _) => class,
    }
}

#[cfg(test)]
mod tests {
    use super::{beside_status, classify_status};
    use crate::{Classification, Execution, Kind};

    #[test]
    fn every_status_has_its_row() {
        for code in 100..=599 {
            let (kind, execution) = match code {
                408 | 421 | 425 => (Kind::Transient, Execution::NotExecuted),
                429 | 503 => (Kind::Throttled, Execution::NotExecuted),
                500 | 502 => (Kind::Transient, Execution::MaybeExecuted),
                504 => (Kind::Timeout, Execution::MaybeExecuted),
                _ => (Kind::Permanent, Execution::Executed),
            };
            let class = classify_status(code);
            assert_eq!((class.kind(), class.execution()), (kind, execution), "{code}");
            assert_eq!(
                (class.hint(), class.is_local(), class.retry_cost()),
                (None, false, 1),
                "{code}"
            );
        }
    }

    #[test]
    fn numbers_outside_of_http_are_final() {
        for code in [0, 1, 99, 600, 999, u16::MAX] {
            assert!(classify_status(code).is_answer(), "{code}");
        }
    }

    #[test]
    fn a_class_beats_the_status_and_takes_its_execution() {
        let (permanent, throttled) = (Classification::permanent(), Classification::throttled());
        for (class, code, want) in [
            (permanent, 404, permanent.executed()),
            (permanent, 402, permanent.executed()),
            // An overloaded or broken server has not proved that it lives.
            (permanent, 429, permanent),
            (permanent, 503, permanent),
            (permanent, 500, permanent.maybe_executed()),
            (throttled, 403, throttled),
            (throttled, 429, throttled),
            (throttled, 500, throttled.maybe_executed()),
            (Classification::timeout(), 408, Classification::timeout().not_executed()),
            (Classification::timeout(), 404, Classification::timeout()),
            (Classification::conflict(), 409, Classification::conflict()),
        ] {
            assert_eq!(beside_status(class, code), want, "{class:?} {code}");
        }
    }
}
