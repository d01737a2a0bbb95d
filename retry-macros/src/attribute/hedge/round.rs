//! A round of attempts in the place of one.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use crate::attribute::{
    Checked,
    expand::{Copies, Round, braces, copies, cut_error, fake_return},
    outcome,
    runtime::{Runtime, at, generated},
};

/// The body as a closure, which each attempt calls for a future of its own, and the statements that run a
/// round of them. The closure only borrows; it stands before the loop, so that a body which moves an argument
/// is refused once, for what it is.
///
/// ```text
/// let __attempt = attempts(|| async {
///     if let Some(__ret) = None::<Result<Order, OrderError>> { return __ret; }
///     ({ body })
/// });
/// loop {
///     {
///         let (__ended, __facts, __hook) =
///             __call.attempt_hedged(policy, cuts, &__attempt, by_trait, on_retry, gate).await;
///         let __result = __ended;
///         …
/// ```
pub(in crate::attribute) fn round(
    checked: &Checked,
    runtime: &Runtime,
    policy: &TokenStream,
    body: Span,
) -> Round {
    let Copies { made, owned } = copies(checked);
    let edge = fake_return(&checked.output.body);
    let block = braces(checked.prelude.body.clone(), body);
    let content = braces(generated!(#edge #made #owned (#block)), body);
    let attempt = quote_spanned!(body=> || async #content);
    let before = generated!(let __attempt = #runtime::attempts(#attempt););

    let cuts = outcome::cuts(checked, runtime);
    let (judge, hook) = (outcome::judge(checked, runtime), outcome::hook(checked, runtime));
    let gated = checked.settings.has_gate();
    let gate = if gated { generated!(&mut __gate) } else { generated!(#runtime::NoGate) };
    // Where the type is no `Result`, the compiler refuses this call.
    let round = quote_spanned! {at(checked.output.span())=>
        __call.attempt_hedged(#policy, #cuts, &__attempt, #judge, #hook, #gate).await
    };
    let told = checked.settings.on_retry.is_some();
    let told = if told { generated!(__hook) } else { generated!(_) };
    let result = cut_error(checked, runtime, generated!(__ended));
    let attempt = generated! {
        let (__ended, __facts, #told) = #round;
        let __result = #result;
    };
    Round { before, attempt }
}
