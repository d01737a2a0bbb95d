//! What a function's attempts pass through: the parts of its site that a gate is made from.

use proc_macro2::TokenStream;
use retry_grammar::model::{Breaker, Quantile, Settings};

use super::runtime::{Runtime, borrowed, generated};

/// The site's breaker, and the static that a name needs.
pub(super) fn breaker(
    settings: &Settings,
    runtime: &Runtime,
    statics: &mut TokenStream,
) -> Option<TokenStream> {
    let breaker = match &settings.breaker()?.value {
        Breaker::Off => generated!(None),
        Breaker::Named(name) => {
            statics.extend(generated! {
                static __STORMLESS_BREAKER: #runtime::NamedBreaker = #runtime::NamedBreaker::new(#name);
            });
            generated!(Named(&__STORMLESS_BREAKER))
        }
        Breaker::Static(path) => {
            let breaker = borrowed(path);
            generated!(Static(#breaker))
        }
    };
    Some(generated!(breaker(#runtime::BreakerRef::#breaker)))
}

/// Which part of the site's attempts is waited for, and the static that remembers how long those took
/// that succeeded; an adaptive backoff goes by all of them, and has one of its own.
pub(super) fn expectation(
    settings: &Settings,
    runtime: &Runtime,
    statics: &mut TokenStream,
) -> Option<TokenStream> {
    let quantile = quantile(settings.expect.as_ref()?.value, runtime);
    statics.extend(generated! {
        static __STORMLESS_EXPECTED: #runtime::Latency = #runtime::Latency::new();
    });
    Some(generated!(expect(#quantile, &__STORMLESS_EXPECTED)))
}

/// The runtime's name of a part of all attempts.
pub(super) fn quantile(quantile: Quantile, runtime: &Runtime) -> TokenStream {
    let quantile = match quantile {
        Quantile::P50 => generated!(P50),
        Quantile::P75 => generated!(P75),
        Quantile::P90 => generated!(P90),
        Quantile::P95 => generated!(P95),
        Quantile::P99 => generated!(P99),
    };
    generated!(#runtime::Quantile::#quantile)
}
