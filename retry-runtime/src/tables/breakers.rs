//! The breakers of the process.

use std::{fmt, time::Duration};

use crate::{
    Breaker, BreakerSettings, BreakerState, BreakerStats, Warning, breaker,
    control::{Effect, effect},
    isolation,
};

use super::{
    rows::{Named, in_force, named, named_row, readable_rows},
    text::{NOT_COUNTED, Table, write_effects, write_warnings, write_wrapped},
};

/// One breaker. From [`breakers`].
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Breaker, BreakerRow, BreakerState, breaker, breakers};
///
/// breaker! { static ORDERS: Breaker = Breaker::new("orders").consecutive(3); }
///
/// let table = breakers();
/// let row: &BreakerRow = table.get("orders").unwrap();
/// assert_eq!((row.name(), row.state(), row.is_implicit()), ("orders", BreakerState::Closed, false));
/// assert_eq!((row.settings(), row.stats().opened), (row.declared_settings(), 0));
/// assert!(row.overrides().is_empty() && row.sites().is_empty() && row.opens_in().is_some());
/// assert!(std::ptr::eq(row.breaker(), &ORDERS));
/// ```
#[derive(Clone, Debug)]
pub struct BreakerRow(Named<Breaker>);

named_row!(BreakerRow);

impl BreakerRow {
    /// The breaker itself.
    #[must_use]
    pub fn breaker(&self) -> &'static Breaker {
        isolation::own(self.0.holder)
    }

    /// What it does with calls now.
    #[must_use]
    pub fn state(&self) -> BreakerState {
        self.breaker().state()
    }

    /// How long it is until it lets a call through: zero if it does so now, `None` if it waits to be
    /// closed by hand.
    #[must_use]
    pub fn opens_in(&self) -> Option<Duration> {
        self.breaker().opens_in()
    }

    /// What it goes by now.
    #[must_use]
    pub fn settings(&self) -> BreakerSettings {
        self.breaker().settings()
    }

    /// The same as it was declared, whatever is overridden.
    #[must_use]
    pub fn declared_settings(&self) -> BreakerSettings {
        self.breaker().declared_settings()
    }

    /// The overrides that change anything about it, the strongest first, each with what it changes here.
    #[must_use]
    pub fn overrides(&self) -> Vec<Effect> {
        effect::of_breaker(self.breaker())
    }

    /// What was seen and done under its name, also by breakers that answered to it before.
    #[must_use]
    pub fn stats(&self) -> BreakerStats {
        let others = self.0.others.iter().map(|breaker| isolation::own(*breaker).own_stats());
        others.fold(self.breaker().own_stats(), BreakerStats::plus)
    }
}

/// All breakers that have a name, declared or implicit. Its `Display` is a table with their settings, and
/// the warnings about breakers under it.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Breaker, Breakers, breaker, breakers};
///
/// breaker! { static ORDERS: Breaker = Breaker::new("orders"); }
///
/// let table: Breakers = breakers();
/// assert!(table.get("orders").is_some());
/// assert_eq!(table.iter().len(), 1);
/// # assert_eq!(ORDERS.name(), "orders");
/// ```
#[derive(Clone, Debug)]
pub struct Breakers(Vec<BreakerRow>);

/// The breakers of the process.
///
/// A crate that is linked but never named in code registers nothing, so its breakers are missing here.
///
/// ```
/// # use retry_runtime as stormless;
/// println!("{}", stormless::breakers());
/// ```
#[must_use]
pub fn breakers() -> Breakers {
    Breakers(named(breaker::all(), breaker::used_by).map(BreakerRow).collect())
}

readable_rows!(Breakers, BreakerRow);

/// The state, and how long it lasts if that is known.
fn state(row: &BreakerRow) -> String {
    let state = row.state();
    match row.opens_in() {
        Some(left) if !left.is_zero() && left != Duration::MAX => {
            format!("{state} ({:.1}s)", left.as_secs_f64())
        }
        _ => state.to_string(),
    }
}

/// Which of the counts is that of successes.
const SUCCESSES: usize = 1;

impl fmt::Display for Breakers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(&[
            "breaker",
            "state",
            "opened",
            "ok",
            "failed",
            "timeouts",
            "slow",
            "rejected",
            "cancelled",
            "ignored",
            "sites",
        ]);
        for row in self {
            let stats = row.stats();
            let counts = [
                stats.opened,
                stats.successes,
                stats.failures,
                stats.timeouts,
                stats.slow,
                stats.rejected,
                stats.cancelled,
                stats.ignored,
                row.sites().len() as u64,
            ];
            let changed = if row.overrides().is_empty() { "" } else { " OVERRIDDEN" };
            let named = [format!("{}{changed}", row.title()), state(row)];
            let mut counts = counts.map(|count| count.to_string());
            if !isolation::counting() {
                NOT_COUNTED.clone_into(&mut counts[SUCCESSES]);
            }
            table.row(named.into_iter().chain(counts).collect());
        }
        table.fmt(f)?;
        self.iter().try_for_each(|row| {
            f.write_str("\n\n")?;
            let settings = in_force(&row.settings(), &row.declared_settings());
            write_wrapped(f, "", &format!("{}: {settings}", row.name()))?;
            write_effects(f, &row.overrides())
        })?;
        write_warnings(f, Warning::is_of_a_breaker)
    }
}
