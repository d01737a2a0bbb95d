use super::*;
use crate::{args, read};
use quote::quote;

fn messages(tokens: proc_macro2::TokenStream) -> Vec<String> {
    let (entries, errors) = args::parse(tokens);
    assert!(errors.is_empty(), "{errors:?}");
    let mut errors = Errors::default();
    let (settings, given) = read::read(&entries, &mut errors);
    check(&settings, &given, &mut errors);
    match errors.finish(()) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.to_string()).collect(),
    }
}

#[test]
fn unlimited_names_exactly_what_is_missing() {
    // R003
    for (tokens, missing) in [
        (quote!(budget = none, inner = "allow"), "explicit `deadline`:"),
        (quote!(deadline = none, inner = "allow"), "explicit `budget`:"),
        (quote!(deadline = none, budget = "a"), "explicit `inner`:"),
        (quote!(), "explicit `deadline`, `budget`, `inner`:"),
    ] {
        let messages = messages(quote!(attempts = "unlimited", #tokens));
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains(missing), "{messages:?}");
    }
    let all = quote!(attempts = "unlimited", deadline = none, budget = none, inner = "allow");
    assert!(messages(all).is_empty());
}

#[test]
fn a_base_above_max_shows_both() {
    // R034
    for (tokens, shown) in [
        (quote!(base = "5s", max = "1s"), ["\"5s\"", "\"1s\""]),
        (quote!(max = "49ms"), ["50ms", "\"49ms\""]),
    ] {
        let messages = messages(tokens);
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(shown.iter().all(|value| messages[0].contains(value)), "{messages:?}");
    }
}

#[test]
fn what_makes_sense_is_let_through() {
    for tokens in [
        quote!(base = "1s", max = "1s"),
        quote!(base = "30s"),
        quote!(max = "50ms"),
        quote!(policy = SHARED, max = "1ms"),
        quote!(base = BASE, max = "1ms"),
        quote!(backoff = custom, base = "1s", factor = 3),
        quote!(backoff = "exponential", factor = 1),
        quote!(min_remaining = "1h", time_per_attempt = "1h"),
        quote!(deadline = "1s", min_remaining = "999ms", time_per_attempt = "1s"),
        quote!(deadline = D, uncut),
        quote!(deadline = none, min_remaining = "0s"),
        quote!(attempts = 1, clone(a)),
    ] {
        let messages = messages(tokens.clone());
        assert!(messages.is_empty(), "{tokens}: {messages:?}");
    }
}

#[test]
fn a_refused_value_has_no_second_error() {
    for tokens in [
        quote!(attempts = "unlimited", deadline = 5, budget = none, inner = "allow"),
        quote!(deadline = 5, uncut),
        quote!(base = 1, max = "1ms"),
        quote!(deadline = "0s", min_remaining = "1s"),
    ] {
        let messages = messages(tokens);
        assert_eq!(messages.len(), 1, "{messages:?}");
    }
}

#[test]
fn contradictions_are_refused() {
    for tokens in [
        quote!(backoff = "fixed", factor = 2),
        quote!(backoff = "linear", factor = 2),
        quote!(backoff = "fibonacci", factor = 2),
        quote!(backoff = "decorrelated_jitter", factor = 2),
        quote!(backoff = "none", base = "1s"),
        quote!(backoff = "none", max = "1s"),
        quote!(backoff = "none", factor = 2),
        quote!(max_retry_after = "0s"),
        quote!(attempt_timeout = "0s"),
        quote!(time_per_attempt = "0s"),
        quote!(deadline = "0s"),
        quote!(deadline = "1s", min_remaining = "1s"),
        quote!(deadline = "1s", time_per_attempt = "1001ms"),
        quote!(uncut),
        quote!(uncut, deadline = none),
        quote!(uncut, deadline = "1s", cut_error = f),
        quote!(cut_error = f, deadline = "1s", attempt_timeout = "1s", uncut),
    ] {
        let messages = messages(tokens.clone());
        assert_eq!(messages.len(), 1, "{tokens}: {messages:?}");
    }
}

#[test]
fn an_adaptive_configuration_needs_the_adaptive_backoff() {
    for tokens in [
        quote!(adaptive = PATIENT),
        quote!(adaptive = PATIENT, backoff = "fixed"),
        quote!(adaptive = PATIENT, policy = SHARED),
        quote!(adaptive = PATIENT, backoff = BACKOFF),
    ] {
        let messages = messages(tokens);
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains("without `backoff = \"adaptive\"`"), "{messages:?}");
    }
    // Of a backoff that was refused nothing is known.
    let messages = messages(quote!(adaptive = PATIENT, backoff = "adaptiv"));
    assert!(
        messages.len() == 1 && messages[0].contains("did you mean `adaptive`?"),
        "{messages:?}"
    );
}

#[test]
fn an_adaptive_backoff_needs_a_tenth_of_a_second_unless_told_otherwise() {
    for (tokens, mistakes) in [
        (quote!(deadline = "99ms"), 1),
        (quote!(deadline = "100ms"), 0),
        (quote!(deadline = "99ms", time_per_attempt = "20ms"), 0),
        (quote!(deadline = "99ms", policy = SHARED), 0),
        (quote!(deadline = LIMIT), 0),
        (quote!(deadline = none), 0),
        (quote!(deadline = "0s"), 1),
        (quote!(adaptive = PATIENT, factor = 3, base = "1ms"), 0),
    ] {
        let messages = messages(quote!(backoff = "adaptive", breaker = none, #tokens));
        assert_eq!(messages.len(), mistakes, "{tokens}: {messages:?}");
    }
}

#[test]
fn adaptive_asks_for_a_breaker_or_for_none_of_it() {
    for (tokens, mistakes) in [
        (quote!(), 1),
        (quote!(breaker = none), 0),
        (quote!(breaker = "a"), 0),
        (quote!(attempts = 1), 1),
    ] {
        let messages = messages(quote!(backoff = "adaptive", #tokens));
        assert_eq!(messages.len(), mistakes, "{tokens}: {messages:?}");
        assert!(messages.iter().all(|message| message.contains("needs a `breaker`")));
    }
    assert!(messages(quote!(backoff = CONST)).is_empty(), "nobody knows what it is");
}

#[test]
fn shed_asks_for_a_budget_that_others_know() {
    for (tokens, mistakes) in [
        (quote!(), 1),
        (quote!(budget = none), 1),
        (quote!(budget = self.budget), 1),
        (quote!(budget = "orders"), 0),
        (quote!(budget = ORDERS), 0),
        (quote!(budget = ORDERS, budget_key = host), 0),
    ] {
        let messages = messages(quote!(shed, #tokens));
        assert_eq!(messages.len(), mistakes, "{tokens}: {messages:?}");
        assert!(messages.iter().all(|message| message.contains("`shed` needs a `budget`")));
    }
    // The value was refused already.
    assert_eq!(messages(quote!(shed, budget = 7)).len(), 1);
}
