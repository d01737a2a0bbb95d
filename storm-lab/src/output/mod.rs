//! What is written: a table for a terminal, JSON, CSV, and files that appear whole or not at all.

mod csv;
mod grid;
mod json;
mod style;
mod table;
mod whole;

pub use csv::csv;
pub use json::{VERSION, json};
pub use style::Style;
pub use table::table;
pub use whole::{Whole, WholeError};

use crate::{runner::Results, summary::Summary};

/// The results of one scenario with what they come to.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The outcomes.
    pub results: Results,
    /// The figures.
    pub summary: Summary,
}

impl From<Results> for Finished {
    fn from(results: Results) -> Self {
        Self { summary: Summary::of(&results.scenario, &results.outcomes), results }
    }
}
