//! The settings that `#[retry]` knows, each with the example that its errors show.

use std::fmt::{self, Display, Formatter};

use proc_macro2::Ident;

use crate::diagnostics::{did_you_mean, list};

macro_rules! keys {
    ($($key:ident $name:literal $example:literal,)*) => {
        /// One setting.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key { $(#[doc = concat!("`", $name, "`.")] $key),* }

        impl Key {
            /// All of them, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$key),*];

            /// As the user writes it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$key => $name),* }
            }

            /// The whole setting with a sensible value.
            #[must_use]
            pub const fn example(self) -> &'static str {
                match self { $(Self::$key => $example),* }
            }
        }
    };
}

keys! {
    Attempts        "attempts"         "attempts = 3",
    Backoff         "backoff"          "backoff = \"full_jitter\"",
    Adaptive        "adaptive"         "adaptive = PATIENT",
    Base            "base"             "base = \"50ms\"",
    Max             "max"              "max = \"20s\"",
    Factor          "factor"           "factor = 2.0",
    Budget          "budget"           "budget = \"orders\"",
    BudgetKey       "budget_key"       "budget_key = host",
    Shed            "shed"             "shed",
    Breaker         "breaker"          "breaker = \"orders\"",
    Deadline        "deadline"         "deadline = \"5s\"",
    AttemptTimeout  "attempt_timeout"  "attempt_timeout = \"1s\"",
    LastAttemptUntimed "last_attempt_untimed" "last_attempt_untimed",
    CutError        "cut_error"        "cut_error = |cut| MyError::from(cut)",
    Uncut           "uncut"            "uncut",
    MinRemaining    "min_remaining"    "min_remaining = \"100ms\"",
    TimePerAttempt  "time_per_attempt" "time_per_attempt = \"200ms\"",
    Expect          "expect"           "expect = \"p95\"",
    MaxRetryAfter   "max_retry_after"  "max_retry_after = \"30s\"",
    Idempotent      "idempotent"       "idempotent",
    IdempotencyKey  "idempotency_key"  "idempotency_key = order.id",
    Classify        "classify"         "classify = |error| Classification::transient()",
    ClassifyResult  "classify_result"  "classify_result = |result| None",
    Hedge           "hedge"            "hedge = \"100ms\"",
    HedgeMax        "hedge_max"        "hedge_max = 1",
    Nested          "nested"           "nested = \"independent\"",
    Inner           "inner"            "inner = \"allow\"",
    Clone           "clone"            "clone(request)",
    OnRetry         "on_retry"         "on_retry = |event| log(event)",
    Policy          "policy"           "policy = POLICY",
    Name            "name"             "name = \"orders.fetch\"",
    Blocking        "blocking"         "blocking",
    Crate           "crate"            "crate = ::my_crate::stormless",
}

/// What other libraries call a setting, so that a user who comes from one is sent to ours.
const ELSEWHERE: [(&str, Key); 16] = [
    ("max_attempts", Key::Attempts),
    ("max_retries", Key::Attempts),
    ("retries", Key::Attempts),
    ("times", Key::Attempts),
    ("jitter", Key::Backoff),
    ("strategy", Key::Backoff),
    ("delay", Key::Base),
    ("min_delay", Key::Base),
    ("max_delay", Key::Max),
    ("multiplier", Key::Factor),
    ("timeout", Key::AttemptTimeout),
    ("max_elapsed_time", Key::Deadline),
    ("circuit_breaker", Key::Breaker),
    ("when", Key::Classify),
    ("retry_if", Key::Classify),
    ("sync", Key::Blocking),
];

impl Key {
    pub(super) fn from_ident(ident: &Ident) -> Option<Self> {
        Self::ALL.iter().copied().find(|key| ident == key.name())
    }

    fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|key| key.name())
    }

    /// The message for a word that is no setting.
    pub(super) fn unknown(word: &Ident) -> String {
        let word = word.to_string();
        let hint = match ELSEWHERE.iter().find(|(name, _)| *name == word) {
            Some((_, key)) => format!("; did you mean `{key}`?"),
            None => did_you_mean(&word, Self::names()),
        };
        if hint.is_empty() {
            format!("unknown setting `{word}`: use one of {}", list(Self::names()))
        } else {
            format!("unknown setting `{word}`{hint}")
        }
    }
}

impl Display for Key {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::format_ident;

    #[test]
    fn every_example_begins_with_its_key() {
        for key in Key::ALL {
            assert!(key.example().starts_with(key.name()), "{key}");
            assert_eq!(
                Key::from_ident(&syn::parse_str::<AnyIdent>(key.name()).unwrap().0),
                Some(*key)
            );
        }
    }

    #[test]
    fn a_misspelt_or_foreign_key_is_sent_to_ours() {
        for (word, wanted) in [
            ("atempts", "; did you mean `attempts`?"),
            ("max_retries", "; did you mean `attempts`?"),
            ("timeout", "; did you mean `attempt_timeout`?"),
            ("dead_line", "; did you mean `deadline`?"),
        ] {
            let message = Key::unknown(&format_ident!("{word}"));
            assert!(message.ends_with(wanted), "{message}");
        }
        let message = Key::unknown(&format_ident!("zzz"));
        assert!(message.ends_with("`crate`"), "{message}");
    }

    struct AnyIdent(Ident);

    impl syn::parse::Parse for AnyIdent {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            input.call(syn::ext::IdentExt::parse_any).map(Self)
        }
    }
}
