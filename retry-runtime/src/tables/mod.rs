//! What there is in the process, and what has happened to it.

mod budgets;
mod sites;
mod text;

pub use budgets::{BudgetRow, Budgets, budgets};
pub use sites::{SiteRow, Sites, sites};
