//! What users may have called their things, and what macros may have made of them.

use stormless::{Classification, Retryable};

use crate::{assert_class, ms};

/// Everything here is in the way of a path that is not absolute.
mod shadowed {
    #![expect(dead_code, non_camel_case_types, reason = "they only have to be there")]

    mod core {}
    mod std {}
    mod stormless {}
    struct Option;
    struct Some;
    struct None;
    struct Result;
    struct Ok;
    struct Err;
    struct From;
    struct Box;
    struct Duration;
    struct Classification;
    struct DeadlineExceeded;
    struct str;
    struct u16;
    struct u32;
    struct bool;
    trait Retryable {
        fn classify(&self) {}
        fn label(&self) {}
        fn base(&self) {}
    }
    impl<T> Retryable for T {}

    #[derive(::stormless::Retryable)]
    pub(super) enum Error {
        #[retryable(status = status, retry_after = wait, base = "1s")]
        Status {
            status: ::core::primitive::u16,
            wait: ::core::option::Option<::core::time::Duration>,
        },
        #[retryable(forward, attempts = 2)]
        Inner(crate::Inner),
        #[retryable(with = decide)]
        Decided,
        #[retryable(deadline_exceeded)]
        Late,
        #[retryable(breaker_open)]
        Open(::stormless::BreakerOpen),
    }

    const fn decide(_: &Error) -> ::stormless::Classification {
        ::stormless::Classification::conflict()
    }
}

#[test]
fn names_of_the_user_are_not_in_the_way() {
    use shadowed::Error;
    let status = Error::Status { status: 429, wait: Some(ms(3)) };
    assert_class(&status, Classification::throttled().retry_after(ms(3)).base(ms(1_000)), "Status");
    assert_class(
        &Error::Inner(crate::Inner::Refused),
        Classification::transient().attempts(2),
        "Refused",
    );
    assert_class(&Error::Decided, Classification::conflict(), "Decided");
    assert!(matches!(<Error as Retryable>::deadline_exceeded(), Some(Error::Late)));
    assert_eq!(Retryable::label(&Error::from(stormless::BreakerOpen::new(None))), "Open");
}

#[expect(non_camel_case_types, reason = "keywords as names")]
#[derive(Retryable)]
enum r#enum {
    #[retryable(throttled, retry_after = r#type)]
    r#type { r#type: std::time::Duration },
    #[retryable(forward = r#match)]
    r#match { r#match: crate::Inner, field_0: u8 },
}

#[expect(non_camel_case_types, reason = "keywords as names")]
#[derive(Retryable)]
#[retryable(transient)]
struct r#struct;

#[test]
fn raw_identifiers_lose_their_prefix_in_labels() {
    assert_class(
        &r#enum::r#type { r#type: ms(1) },
        Classification::throttled().retry_after(ms(1)),
        "type",
    );
    let forwarded = r#enum::r#match { r#match: crate::Inner::Refused, field_0: 1 };
    assert_class(&forwarded, Classification::transient(), "Refused");
    if let r#enum::r#match { field_0, .. } = forwarded {
        assert_eq!(field_0, 1);
    }
    assert_class(&r#struct, Classification::transient(), "struct");
}

#[derive(Retryable)]
enum Configured {
    #[cfg(not(any()))]
    #[retryable(transient)]
    Here,
    #[cfg(any())]
    #[retryable(transient, and = nonsense)]
    Away(NoSuchType),
    #[cfg_attr(all(), retryable(throttled, retry_after = 0))]
    Busy(#[cfg(any())] NoSuchType, #[cfg(not(any()))] std::time::Duration),
    #[cfg(not(any()))]
    #[retryable(breaker_open)]
    Open,
    #[cfg(any())]
    #[retryable(breaker_open)]
    AlsoOpen,
}

#[test]
fn variants_that_are_configured_away_are_not_there() {
    assert_class(&Configured::Here, Classification::transient(), "Here");
    assert_class(&Configured::Busy(ms(2)), Classification::throttled().retry_after(ms(2)), "Busy");
    assert_class(
        &Configured::from(stormless::BreakerOpen::new(None)),
        Classification::throttled().local(),
        "Open",
    );
}

#[derive(Retryable)]
enum Deprecated {
    #[deprecated]
    #[retryable(transient)]
    Old,
    #[retryable(transient)]
    New {
        #[deprecated]
        #[expect(dead_code, reason = "not read")]
        detail: u8,
    },
    #[retryable(throttled, retry_after = wait)]
    Busy {
        #[deprecated]
        wait: std::time::Duration,
    },
}

#[test]
fn deprecated_variants_and_fields_are_classified_without_a_warning() {
    #[expect(deprecated, reason = "made here")]
    let errors = [Deprecated::Old, Deprecated::New { detail: 0 }, Deprecated::Busy { wait: ms(1) }];
    assert_eq!(errors.map(|error| error.label()), ["Old", "New", "Busy"]);
}

macro_rules! errors {
    ($name:ident { $($variant:ident($ty:ty) = $class:ident $(, $key:ident = $value:tt)?;)* }, $base:literal, $by:path, $n:expr) => {
        #[derive(Retryable)]
        enum $name {
            $(
                #[retryable($class $(, $key = $value)?)]
                $variant($ty),
            )*
            #[retryable(transient, base = $base, attempts = $n)]
            Based,
            #[retryable(with = $by)]
            By,
        }
    };
}

const fn by(_: &Made) -> Classification {
    Classification::conflict()
}

errors! {
    Made { Inner(crate::Inner) = forward; Busy(std::time::Duration) = throttled, retry_after = 0; }, "5ms", by, 2
}

#[test]
fn macro_variables_are_values() {
    assert_class(&Made::Inner(crate::Inner::Refused), Classification::transient(), "Refused");
    assert_class(&Made::Busy(ms(6)), Classification::throttled().retry_after(ms(6)), "Busy");
    assert_class(&Made::Based, Classification::transient().base(ms(5)).attempts(2), "Based");
    assert_class(&Made::By, Classification::conflict(), "By");
}

mod renamed {
    mod reexport {
        pub(super) use stormless::__private;
    }

    #[derive(stormless::Retryable)]
    #[retryable(crate = crate::names::renamed::reexport)]
    pub(super) enum Error {
        #[retryable(deadline_exceeded)]
        Late,
    }

    #[derive(stormless::Retryable)]
    #[retryable(transient, crate = self::reexport)]
    pub(super) struct Blip;
}

#[test]
fn the_crate_may_be_named_otherwise() {
    assert_class(&renamed::Blip, Classification::transient(), "Blip");
    assert!(matches!(renamed::Error::deadline_exceeded(), Some(renamed::Error::Late)));
}
