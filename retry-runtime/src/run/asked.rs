//! What settings take: a budget, a breaker, a time, each in more than one form.

use std::time::Duration;

use crate::{Breaker, Budget, KeyedBudget, Quantile};

/// What may pay for the retries of a call: a budget, the name of one, or the bucket of a key.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Budget, Policy, budget};
///
/// budget! { static HOSTS: Budget = Budget::new("hosts"); }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// let fetch = async || Ok::<_, std::io::Error>(());
/// Policy::new().run(fetch).budget(&HOSTS).await?;
/// Policy::new().run(fetch).budget("hosts").await?;
/// Policy::new().run(fetch).budget(HOSTS.keyed("one.example")).await?;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a budget",
    label = "`budget` takes a `&'static Budget`, the name of one, or the bucket of a key",
    note = "`Budget::declare` returns a `&'static Budget`, and `no_budget()` is for none"
)]
pub trait IntoBudget {
    #[doc(hidden)]
    fn into_budget(self) -> Payer;
}

/// Who pays.
#[doc(hidden)]
#[derive(Debug)]
pub enum Payer {
    Static(&'static Budget),
    Named(&'static str),
    Keyed(KeyedBudget),
}

impl IntoBudget for &'static Budget {
    #[inline]
    fn into_budget(self) -> Payer {
        Payer::Static(self)
    }
}

impl IntoBudget for &'static str {
    #[inline]
    fn into_budget(self) -> Payer {
        Payer::Named(self)
    }
}

impl IntoBudget for KeyedBudget {
    #[inline]
    fn into_budget(self) -> Payer {
        Payer::Keyed(self)
    }
}

/// What may be asked before each attempt: a breaker, or the name of one.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Breaker, Policy, breaker};
///
/// breaker! { static ORDERS: Breaker = Breaker::new("orders"); }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// let fetch = async || Ok::<_, std::io::Error>(());
/// Policy::new().run(fetch).breaker(&ORDERS).await?;
/// Policy::new().run(fetch).breaker("orders").await?;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a breaker",
    label = "`breaker` takes a `&'static Breaker`, or the name of one"
)]
pub trait IntoBreaker {
    #[doc(hidden)]
    fn into_breaker(self) -> Gatekeeper;
}

/// Who is asked.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Gatekeeper {
    Static(&'static Breaker),
    Named(&'static str),
}

impl IntoBreaker for &'static Breaker {
    #[inline]
    fn into_breaker(self) -> Gatekeeper {
        Gatekeeper::Static(self)
    }
}

impl IntoBreaker for &'static str {
    #[inline]
    fn into_breaker(self) -> Gatekeeper {
        Gatekeeper::Named(self)
    }
}

/// After what an attempt may start beside a slow one: a time, or a part of the site's own latency.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, Quantile};
/// use std::time::Duration;
///
/// const READ: Policy = Policy::new().idempotent();
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// let fetch = async || Ok::<_, std::io::Error>(());
/// READ.run(fetch).hedge(Duration::from_millis(100)).await?;
/// READ.run(fetch).hedge(Quantile::P95).await?;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no time after which to hedge",
    label = "`hedge` takes a `Duration`, or a `Quantile` of the site's latency"
)]
pub trait IntoHedge {
    #[doc(hidden)]
    fn into_hedge(self) -> HedgeAfter;
}

/// After what.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum HedgeAfter {
    Time(Duration),
    Quantile(Quantile),
}

impl IntoHedge for Duration {
    #[inline]
    fn into_hedge(self) -> HedgeAfter {
        HedgeAfter::Time(self)
    }
}

impl IntoHedge for Quantile {
    #[inline]
    fn into_hedge(self) -> HedgeAfter {
        HedgeAfter::Quantile(self)
    }
}
