//! A budget as a command line or a table says it. (The reader comes with its own branch.)

use retry_runtime::Budget;

/// A budget that can be made anew.
#[derive(Clone, Debug)]
pub struct BudgetSpec(fn(String) -> Budget);

impl BudgetSpec {
    /// One that this function makes.
    pub const fn made_by(make: fn(String) -> Budget) -> Self {
        Self(make)
    }

    /// A full one of this name.
    pub fn build(&self, name: String) -> Budget {
        (self.0)(name)
    }
}
