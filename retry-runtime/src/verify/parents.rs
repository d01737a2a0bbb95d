//! Budgets above budgets.

use super::Problem;
use crate::{BudgetRow, Budgets};

/// Those that are above themselves, each circle once; and those with more above them than pay together.
pub(super) fn check(budgets: &Budgets, problems: &mut Vec<Problem>) {
    let mut circles: Vec<Vec<String>> = Vec::new();
    for row in budgets {
        let Some(fault) = row.budget().fault() else { continue };
        match circle(row) {
            Some(circle) if circles.contains(&circle) => {}
            Some(circle) => circles.push(circle),
            None => {
                problems.push(Problem::FaultyBudget { name: row.name().to_owned(), fault });
            }
        }
    }
    problems.extend(circles.into_iter().map(|budgets| Problem::CircleOfBudgets { budgets }));
}

/// The names on the way up, where it ends in a circle: the circle alone, from the first in the alphabet.
fn circle(row: &BudgetRow) -> Option<Vec<String>> {
    let mut way: Vec<&str> = vec![row.name()];
    let mut next = row.budget().declared_above();
    while let Some(budget) = next {
        if let Some(from) = way.iter().position(|known| *known == budget.name()) {
            let mut circle: Vec<String> = way[from..].iter().map(|&name| name.to_owned()).collect();
            let first = circle.iter().enumerate().min_by_key(|(_, name)| *name)?.0;
            circle.rotate_left(first);
            return Some(circle);
        }
        way.push(budget.name());
        next = budget.declared_above();
    }
    None
}
