//! From what the derive wrote to rows.

use super::{ClassificationRow, Decided, DecidedBy, Facts, InnerTable, Tabled, TabledVariant};
use crate::Classification;

/// Those that HTTP can have.
const STATUSES: std::ops::RangeInclusive<u16> = 100..=999;

pub(super) fn of<E: Tabled + ?Sized>() -> Vec<ClassificationRow> {
    let mut rows = Rows { rows: Vec::new(), inside: Vec::new() };
    rows.table(InnerTable::of::<E>(), &Outer { refine: &|class| class, hint: None });
    rows.rows
}

/// What the variants around a table make of its classes.
struct Outer<'a> {
    refine: &'a dyn Fn(Classification) -> Classification,
    hint: Option<&'static str>,
}

struct Rows {
    rows: Vec<ClassificationRow>,
    /// The types whose tables are being written, the outermost first.
    inside: Vec<&'static str>,
}

impl Rows {
    fn table(&mut self, table: InnerTable, outer: &Outer<'_>) {
        let name = (table.name)();
        if self.inside.contains(&name) {
            return;
        }
        self.inside.push(name);
        for variant in (table.variants)() {
            self.variant(variant, outer);
        }
        self.inside.pop();
    }

    fn variant(&mut self, variant: TabledVariant, outer: &Outer<'_>) {
        let depth = self.inside.len() - 1;
        let hint = outer.hint.or(variant.hint);
        let refine = outer.refine;
        let mut row = |variant: &str, depth, facts, by, label| {
            let (variant, hint) = (variant.to_owned(), hint.map(str::to_owned));
            self.rows.push(ClassificationRow { variant, depth, facts, hint, label, by });
        };
        let (name, label) = (variant.name, variant.label);
        match variant.decided {
            Decided::Class(class) => {
                row(name, depth, Facts::of(&refine(class)), DecidedBy::Class, label);
            }
            Decided::Default(class) => {
                row(name, depth, Facts::of(&refine(class)), DecidedBy::Default, label);
            }
            Decided::Marker(marker, class) => {
                row(name, depth, Facts::of(&refine(class)), DecidedBy::Marker(marker), label);
            }
            Decided::With(path, class) => {
                let facts = Facts::fixed_by(|asked| refine(class(asked)));
                row(name, depth, facts, DecidedBy::With(path), label);
            }
            Decided::Status(field, class) => {
                let groups = groups(|status| Facts::of(&refine(class(status))));
                let facts = groups.iter().map(|group| group.facts).reduce(Facts::beside);
                let facts = facts.unwrap_or_else(|| Facts::fixed_by(refine));
                row(name, depth, facts, DecidedBy::Status(field), label);
                // A single group is what the row above it says.
                for group in groups.iter().filter(|_| groups.len() > 1) {
                    row(&group.name, depth + 1, group.facts, DecidedBy::Class, label);
                }
            }
            Decided::Forward(to, class, inner) => {
                let refine = |asked| refine(class(asked));
                row(name, depth, Facts::fixed_by(refine), DecidedBy::Forward(to), label);
                if let Some(inner) = inner {
                    self.table(inner, &Outer { refine: &refine, hint });
                }
            }
        }
    }
}

struct Group {
    name: String,
    facts: Facts,
}

/// The statuses that are alike, by their first; the most numerous last, as all others.
fn groups(facts: impl Fn(u16) -> Facts) -> Vec<Group> {
    let mut alike: Vec<(Facts, Vec<u16>)> = Vec::new();
    for status in STATUSES {
        let facts = facts(status);
        match alike.iter_mut().find(|(known, _)| *known == facts) {
            Some((_, statuses)) => statuses.push(status),
            None => alike.push((facts, vec![status])),
        }
    }
    alike.sort_by_key(|(_, statuses)| (statuses.len() > 100, statuses.first().copied()));
    let last = alike.len().saturating_sub(1);
    let named = alike.into_iter().enumerate().map(|(index, (facts, statuses))| {
        let name = if index == last {
            "all others".to_owned()
        } else {
            let statuses: Vec<_> = statuses.iter().map(u16::to_string).collect();
            statuses.join(", ")
        };
        Group { name, facts }
    });
    named.collect()
}
