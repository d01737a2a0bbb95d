//! What is written: a table for a terminal, JSON, CSV, and files that appear whole or not at all.

mod csv;
mod experiment;
pub(crate) mod grid;
mod json;
mod phases;
pub(crate) mod style;
mod table;
mod whole;

pub use csv::csv;
pub use json::{VERSION, json};
pub use phases::phases;
pub use style::Style;
pub use table::table;
pub use whole::{Whole, WholeError, is_device, leave};

use crate::{measured::Measured, runner::Results, summary::Summary};

/// The results of one scenario with what they come to.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The outcomes.
    pub results: Results,
    /// The figures.
    pub summary: Summary,
    /// What is known besides, where they were measured.
    pub measured: Option<Measured>,
}

impl From<Results> for Finished {
    fn from(results: Results) -> Self {
        Self { summary: Summary::of(&results.scenario, &results.outcomes), results, measured: None }
    }
}

impl Finished {
    /// Results that were measured.
    pub fn measured(results: Results, measured: Measured) -> Self {
        Self { measured: Some(measured), ..results.into() }
    }
}
