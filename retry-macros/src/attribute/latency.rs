//! How long the attempts of a function take: who asks for it, and what remembers it.

use proc_macro2::TokenStream;

use super::model::{Quantile, Settings};
use super::runtime::{Runtime, generated};

/// Which part of the site's attempts is waited for.
pub(super) fn expectation(settings: &Settings, runtime: &Runtime) -> Option<TokenStream> {
    let quantile = quantile(settings.expect.as_ref()?.value, runtime);
    Some(generated!(expect(#quantile, &__STORMLESS_LATENCY)))
}

/// What remembers how long the attempts took.
pub(super) fn statics(settings: &Settings, runtime: &Runtime) -> Option<TokenStream> {
    settings.takes_time().then(|| {
        generated! {
            static __STORMLESS_LATENCY: #runtime::Latency = #runtime::Latency::new();
        }
    })
}

/// The runtime's name of it.
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
