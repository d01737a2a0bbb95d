//! Whom an override is about, and where it comes from.

use std::fmt;

/// Whom an override is about.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{Override, Target};
///
/// // The numbers of the budget, and what the functions that it pays for do.
/// let its_own = Override::new(Target::Budget("orders".to_owned())).set("burst", 5)?;
/// let of_sites = Override::new(Target::SitesOf("orders".to_owned())).set("attempts", 2)?;
/// # drop((its_own, of_sites));
/// # Ok::<(), stormless::control::OverrideError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Target {
    /// All sites of the process.
    All,
    /// One site, by its name, or by `name@file:line` where several share one.
    Site(String),
    /// A budget itself: its numbers, and whether it pays for retries at all.
    Budget(String),
    /// All sites whose retries a budget pays for.
    SitesOf(String),
    /// A breaker itself.
    Breaker(String),
}

impl Target {
    /// Whether it is about sites, and not about what they share.
    pub(crate) const fn is_of_sites(&self) -> bool {
        matches!(self, Self::All | Self::Site(_) | Self::SitesOf(_))
    }

    /// The narrower target wins within a layer.
    pub(super) const fn width(&self) -> u8 {
        match self {
            Self::All => 0,
            Self::SitesOf(_) => 1,
            Self::Site(_) | Self::Budget(_) | Self::Breaker(_) => 2,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all sites"),
            Self::Site(name) => write!(f, "site `{name}`"),
            Self::Budget(name) => write!(f, "budget `{name}`"),
            Self::SitesOf(name) => write!(f, "sites of budget `{name}`"),
            Self::Breaker(name) => write!(f, "breaker `{name}`"),
        }
    }
}

/// Where an override comes from. Later ones win; the policy and the attribute come before them all.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::Layer;
///
/// assert_eq!(Layer::ALL.map(Layer::label), ["environment", "file", "code"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// Variables of the process's environment.
    Environment,
    /// A file.
    File,
    /// The program itself, or who speaks to it.
    Code,
}

impl Layer {
    /// From the weakest to the strongest.
    pub const ALL: [Self; 3] = [Self::Environment, Self::File, Self::Code];

    /// Its name in tables and metrics, such as `environment`.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Environment => "environment",
            Self::File => "file",
            Self::Code => "code",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.label())
    }
}
