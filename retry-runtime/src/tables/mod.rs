//! What there is in the process, and what has happened to it.

mod breakers;
mod budgets;
mod rows;
mod sites;
mod text;

pub use breakers::{BreakerRow, Breakers, breakers};
pub use budgets::{BudgetRow, Budgets, budgets};
pub use sites::{SiteRow, Sites, sites};
pub(crate) use text::Table;
