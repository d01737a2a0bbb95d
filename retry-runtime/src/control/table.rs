//! All overrides in force, to be read.

use std::{fmt, sync::Arc};

use super::{Layer, OverrideRow, Store, effect};
use crate::{clock, isolation, tables::Table};

/// All overrides in force, from the weakest to the strongest. Its `Display` is a table.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{self, OverrideTable};
///
/// let table: OverrideTable = control::overrides();
/// assert!(table.is_empty() && table.iter().len() == table.len());
/// assert!(!table.is_shutting_down());
/// for (layer, faults) in table.refused() {
///     eprintln!("{layer}: {faults}");
/// }
/// println!("{table}");
/// ```
#[derive(Clone, Debug)]
pub struct OverrideTable {
    rows: Vec<OverrideRow>,
    shutting_down: bool,
    refused: Vec<(Layer, Arc<str>)>,
}

impl OverrideTable {
    /// Each override.
    pub fn iter(&self) -> std::slice::Iter<'_, OverrideRow> {
        self.rows.iter()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether everything is as it stands in the code.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether [`shutdown`](super::shutdown) was called, which is no override and ends every retry.
    #[must_use]
    pub const fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }

    /// The documents that were refused last, while what the layer said before is still in force: the layer, and
    /// all that is wrong, one fault a line.
    pub fn refused(&self) -> impl ExactSizeIterator<Item = (Layer, &str)> {
        self.refused.iter().map(|(layer, why)| (*layer, &**why))
    }
}

impl<'a> IntoIterator for &'a OverrideTable {
    type Item = &'a OverrideRow;
    type IntoIter = std::slice::Iter<'a, OverrideRow>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// All overrides in force: of whom, what, why, until when, and who said so.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control;
///
/// control::all().because("INC-4711").off();
/// assert_eq!(control::overrides().len(), 1);
/// println!("{}", control::overrides());
/// ```
#[must_use]
pub fn overrides() -> OverrideTable {
    super::expire_now();
    // Where there are none, no clock is read.
    let in_force = isolation::overrides(Store::in_force);
    let rows = in_force.map(|in_force| OverrideRow::all(&in_force, clock::now()));
    OverrideTable {
        rows: rows.unwrap_or_default(),
        shutting_down: super::is_shutting_down(),
        refused: isolation::overrides(Store::refused),
    }
}

impl fmt::Display for OverrideTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shutting_down {
            f.write_str("SHUTTING DOWN: nothing is retried any more")?;
            if !self.rows.is_empty() {
                f.write_str("\n\n")?;
            }
        } else if self.rows.is_empty() {
            f.write_str("nothing is overridden")?;
        }
        if !self.rows.is_empty() {
            let head = ["override", "says", "layer", "expires in", "note", "sites"];
            let mut table = Table::new(&head);
            for row in self {
                table.row(vec![
                    row.target().to_string(),
                    row.settings(),
                    row.layer().to_string(),
                    row.expires_in.map_or_else(|| "-".to_owned(), effect::whole),
                    row.note().unwrap_or("-").to_owned(),
                    row.reach(),
                ]);
            }
            table.fmt(f)?;
        }
        self.refused().try_for_each(|(layer, why)| {
            write!(f, "\n\nREFUSED, the layer `{layer}` stays as it is:")?;
            why.lines().try_for_each(|line| write!(f, "\n  {line}"))
        })
    }
}
