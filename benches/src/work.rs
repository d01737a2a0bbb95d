//! The body that every subject wraps.

use std::{error::Error, fmt, hint::black_box};

use stormless::{Classification, Retryable};

/// Why it failed. All of one kind, so that no subject pays for telling failures apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Down {
    /// Worth a retry.
    Transient,
    /// Not worth one.
    Permanent,
}

impl fmt::Display for Down {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Transient => "down",
            Self::Permanent => "refused",
        })
    }
}

impl Error for Down {}

impl Down {
    /// Whether a retry is worth it, for peers that ask with a predicate.
    #[inline]
    pub fn is_transient(&self) -> bool {
        matches!(self, Self::Transient)
    }
}

impl Retryable for Down {
    #[inline]
    fn classify(&self) -> Classification {
        match self {
            Self::Transient => Classification::transient(),
            Self::Permanent => Classification::permanent(),
        }
    }
}

/// A call of a dependency, out of line like a real one.
///
/// # Errors
///
/// [`Down`] for 0, which no benchmark of the success path passes; the compiler does not know.
#[inline(never)]
pub fn work(input: u64) -> Result<u64, Down> {
    if black_box(input) == 0 { Err(Down::Transient) } else { Ok(input) }
}
