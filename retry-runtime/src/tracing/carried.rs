//! The span that a context carries to where it does not follow by itself.

use ::tracing::{Span, level_filters::LevelFilter};

use super::contain::{Held, Inside, contained};

/// The span that was current where a context was captured, if one was.
#[derive(Clone, Debug)]
pub(crate) struct Carried(Option<Held>);

impl Carried {
    pub(crate) const NOTHING: Self = Self(None);

    /// The current span.
    pub(crate) fn capture() -> Self {
        if LevelFilter::current() == LevelFilter::OFF {
            return Self::NOTHING;
        }
        let current = contained(Span::current).filter(|span| !span.is_none());
        Self(current.map(Held::new))
    }

    /// For as long as what this returns is in scope, the span is the current one.
    #[inline]
    pub(crate) fn enter(&self) -> Inside<'_> {
        self.0.as_ref().map_or(Inside::NOWHERE, Held::enter)
    }
}
