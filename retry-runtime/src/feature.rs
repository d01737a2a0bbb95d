//! What the attribute names for settings that need a feature: what it promises, or an error that says
//! which feature is missing.

use crate::Backoff;

#[cfg(feature = "adaptive")]
mod adaptive {
    use super::Backoff;
    use crate::adaptive::Adaptive;

    /// The adaptive configuration of a function that gives none.
    pub static ADAPTIVE: Adaptive = Adaptive::new();

    /// `backoff = "adaptive"`.
    #[must_use]
    pub const fn adaptive(config: &'static Adaptive) -> Backoff {
        Backoff::Adaptive(config)
    }
}

#[cfg(not(feature = "adaptive"))]
mod adaptive {
    use super::Backoff;

    /// What there is without the feature.
    #[derive(Debug)]
    pub struct Missing;

    /// Nothing has it.
    #[diagnostic::on_unimplemented(
        message = "`backoff = \"adaptive\"` needs the feature `adaptive` of `stormless`",
        label = "the feature `adaptive` is off",
        note = "switch it on in Cargo.toml: `stormless = {{ version = \"…\", features = [\"adaptive\"] }}`"
    )]
    pub trait HasFeature {}

    /// The adaptive configuration of a function that gives none.
    pub static ADAPTIVE: Missing = Missing;

    /// `backoff = "adaptive"`.
    #[must_use]
    pub const fn adaptive<C: HasFeature>(_: &'static C) -> Backoff {
        Backoff::None
    }
}

pub use adaptive::*;
