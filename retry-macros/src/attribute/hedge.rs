//! Hedges: attempts that run side by side, and what that asks of a function.

mod round;

use proc_macro2::TokenStream;
use retry_grammar::diagnostics::Errors;
use retry_grammar::model::{Hedge, Settings};
use syn::{FnArg, Receiver, ReceiverKind};

use super::Checked;
use super::arguments::is_exclusive;
use super::gate::quantile;
use super::item::Function;
use super::policy::length;
use super::runtime::{Runtime, generated};

pub(super) use round::round;

/// How many attempts start beside the first where nothing is said.
const DEFAULT_MAX: u32 = 1;

/// Two attempts cannot have the same `&mut` at once.
pub(super) fn check_arguments(function: &Function, settings: &Settings, errors: &mut Errors) {
    if settings.hedge.is_none() {
        return;
    }
    for argument in &function.sig.inputs {
        match argument {
            FnArg::Receiver(receiver) if is_exclusive_receiver(receiver) => errors.push(
                receiver,
                "`hedge` lets attempts run at the same time, which cannot share a `&mut self`: take `&self`, with a lock around what changes, or leave `hedge` out",
            ),
            FnArg::Typed(argument) if is_exclusive(&argument.ty) => errors.push(
                &argument.ty,
                "`hedge` lets attempts run at the same time, which cannot share a `&mut`: take `&`, with a lock around what changes, or leave `hedge` out",
            ),
            FnArg::Receiver(_) | FnArg::Typed(_) => {}
        }
    }
}

fn is_exclusive_receiver(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        ReceiverKind::Typed(_, ty) => is_exclusive(ty),
        _ => false,
    }
}

/// What remembers how long the attempts took, where the delay depends on it.
pub(super) fn statics(settings: &Settings, runtime: &Runtime) -> Option<TokenStream> {
    matches!(settings.hedge.as_ref()?.value, Hedge::Quantile(_)).then(|| {
        generated! {
            static __STORMLESS_USUAL: #runtime::Latency = #runtime::Latency::new();
        }
    })
}

/// What the site says about hedges.
pub(super) fn site(site: TokenStream, checked: &Checked, runtime: &Runtime) -> TokenStream {
    let Some(hedge) = &checked.settings.hedge else { return site };
    let max = checked.settings.hedge_max.as_ref().map_or(DEFAULT_MAX, |max| max.value);
    let delay = match &hedge.value {
        Hedge::After(value) => {
            let length = length(value).0;
            generated!(#runtime::HedgeDelay::After(#length))
        }
        Hedge::Quantile(value) => {
            let quantile = quantile(*value, runtime);
            generated!(#runtime::HedgeDelay::Quantile(#quantile, &__STORMLESS_USUAL))
        }
    };
    let arguments = generated!(#site, #runtime::Hedge::new(#delay, #max));
    runtime.method_at(("Site", "hedge"), &hedge.tokens, &arguments)
}
