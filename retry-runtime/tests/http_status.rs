//! How HTTP statuses are classified.
#![cfg(feature = "http-1")]

use http::StatusCode;
use retry_runtime::{Classification, Retryable};

fn class_of(code: u16) -> Classification {
    StatusCode::from_u16(code).unwrap().classify()
}

#[test]
fn codes_that_a_repeat_can_help_are_few_and_all_others_are_answers() {
    for code in 100..=999 {
        let class = match code {
            408 | 421 | 425 => Classification::transient(),
            429 | 503 => Classification::throttled(),
            500 | 502 => Classification::transient().maybe_executed(),
            504 => Classification::timeout(),
            _ => Classification::permanent().executed(),
        };
        assert_eq!(class_of(code), class, "{code}");
    }
    assert!(class_of(404).is_answer());
}

#[test]
fn labels_are_the_valid_codes() {
    for code in 100..=999 {
        let label = StatusCode::from_u16(code).unwrap().label();
        if code < 600 {
            assert_eq!(label, code.to_string());
        } else {
            assert_eq!(label, "_OTHER", "{code}");
        }
    }
}
