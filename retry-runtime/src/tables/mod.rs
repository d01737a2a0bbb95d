//! What there is in the process, and what has happened to it.

mod breakers;
mod budgets;
mod errors;
#[cfg(feature = "serde-1")]
mod json;
mod longest;
mod outcomes;
mod page;
mod rows;
mod rules;
mod sites;
mod sites_text;
mod text;
mod troubles;
mod words;

pub use breakers::{BreakerRow, Breakers, breakers};
pub use budgets::{BudgetRow, Budgets, budgets};
pub use errors::ErrorRow;
pub use longest::LongestCall;
pub use outcomes::Outcomes;
pub use page::{Page, report_page};
pub use sites::{SiteRow, Sites, sites};
pub(crate) use text::Table;
