//! What becomes of an attempt: how it reports a cut, and whether its result is the call's.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote_spanned};
use retry_grammar::model::Deadline;

use super::Checked;
use super::runtime::{Runtime, across, at, first, generated};

/// A function of the runtime whose bound the user's error type may not meet. In a closure the bound
/// is asked for once, at `user`; the function itself would be refused wherever it is handed on.
fn called(runtime: &Runtime, function: &str, user: &impl ToTokens) -> TokenStream {
    let call = runtime.call_at(function, user, &generated!(__value));
    generated!(|__value| #call)
}

/// The same for a function that takes a reference, whose argument is what the compiler blames.
fn called_with_reference(runtime: &Runtime, function: &str, user: &impl ToTokens) -> TokenStream {
    let argument = across(quote_spanned!(at(first(user))=> &*__value), user);
    let call = runtime.call_at(function, user, &argument);
    generated!(|__value| #call)
}

/// How a cut attempt reports itself.
pub(super) fn cuts(checked: &Checked, runtime: &Runtime) -> TokenStream {
    let settings = &checked.settings;
    if checked.output.wraps {
        return generated!(#runtime::Wrap);
    }
    if settings.cut_error.is_some() {
        return generated!(#runtime::Later);
    }
    let timeout = if let Some(timeout) = &settings.attempt_timeout {
        called(runtime, "timeout_from", &timeout.key)
    } else {
        generated!(#runtime::timeout_never)
    };
    let own = settings.deadline.as_ref().filter(|own| !matches!(own.value, Deadline::Off));
    let deadline = match own {
        _ if settings.uncut.is_some() => generated!(#runtime::deadline_never),
        Some(own) => called(runtime, "deadline_from", &own.key),
        None if settings.classify.is_some() => generated!(#runtime::deadline_never),
        None => called(runtime, "deadline_by_trait", &checked.output.error),
    };
    let place = checked.output.span();
    let plain = runtime.item_at("Plain", place);
    let plain = quote_spanned!(at(place)=> #plain(#timeout, #deadline));
    let Some(key) = settings.refusing() else { return plain };
    let refusal = called(runtime, "breaker_from", key);
    let refusing = runtime.item_at("Refusing", place);
    quote_spanned!(at(place)=> #refusing(#plain, #refusal))
}

/// What tells the meaning of a result.
pub(super) fn judge(checked: &Checked, runtime: &Runtime) -> TokenStream {
    let settings = &checked.settings;
    let judge = match settings.classify.as_ref().map(|classify| &classify.value) {
        Some(classify) => {
            let arguments = generated!(__r, #classify);
            let judged = runtime.call_at("by_classifier", classify, &arguments);
            generated!(|__r| #judged)
        }
        None => called_with_reference(runtime, "by_trait", &checked.output.error),
    };
    let Some(classify_result) = &settings.classify_result else { return judge };
    let classify_result = &classify_result.value;
    let arguments = generated!(__r, #classify_result, #judge);
    let judged = runtime.call_at("by_result", classify_result, &arguments);
    generated!(|__r| #judged)
}

/// Who is told of retries and hedges, in a round of attempts.
pub(super) fn hook(checked: &Checked, runtime: &Runtime) -> TokenStream {
    if let Some(on_retry) = &checked.settings.on_retry {
        on_retry.value.to_token_stream()
    } else {
        generated!(#runtime::untold)
    }
}

/// The condition under which the result is the call's.
pub(super) fn decide(checked: &Checked, runtime: &Runtime, policy: &TokenStream) -> TokenStream {
    // A round of attempts has judged each of them, and gives the hook back.
    let (judge, hook) = if checked.is_hedged() {
        (generated!(|_| __facts), generated!(__hook))
    } else {
        (judge(checked, runtime), hook(checked, runtime))
    };
    // Where the type is no `Result`, the compiler refuses this call as well.
    let place = at(checked.output.span());
    let settings = &checked.settings;
    let hook = settings.on_retry.as_ref().map(|_| hook);
    match (hook, settings.has_gate()) {
        (None, false) => quote_spanned!(place=> __call.decide(#policy, &__result, #judge)),
        (None, true) => {
            quote_spanned!(place=> __call.decide_gated(#policy, &__result, #judge, &mut __gate))
        }
        (Some(hook), false) => {
            quote_spanned!(place=> __call.decide_and_tell(#policy, &__result, #judge, #hook))
        }
        (Some(hook), true) => quote_spanned! {place=>
            __call.decide_and_tell_gated(#policy, &__result, #judge, #hook, &mut __gate)
        },
    }
}
