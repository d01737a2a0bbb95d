//! One variant's keys, each read by itself and then checked against the others.

use retry_grammar::diagnostics::Errors;
use retry_grammar::retryable::VARIANT_KEYS;
use syn::Ident;

use super::check::{Target, unknown};
use super::model::{CUTS, Class, EXECUTIONS, Field, Item, KINDS, Mark, Refinement};
use super::parse::{Entries, Entry};
use super::{fields, values};

/// What became of one variant's keys.
pub(super) enum Reading<'a> {
    Classified(Class<'a>, Vec<Refinement<'a>>),
    /// No key is a class; not reported yet.
    Unclassified,
    /// Reported.
    Faulty,
}

/// Where a value was wrong, the key still counts as given, so that one mistake is one error.
struct Draft<'a, 'e> {
    class: Option<(&'e Ident, Option<Class<'a>>)>,
    status: Option<(&'e Ident, Option<Field<'a>>)>,
    execution: Option<(&'e Ident, &'static str)>,
    refinements: Vec<(&'e Ident, Option<Refinement<'a>>)>,
    unknown: bool,
}

/// Reads the keys of `target`.
pub(super) fn read<'a>(
    target: &Target<'a>,
    entries: &Entries,
    item: &mut Item<'a>,
    errors: &mut Errors,
) -> Reading<'a> {
    let mut draft = Draft {
        class: None,
        status: None,
        execution: None,
        refinements: Vec::new(),
        unknown: entries.damaged,
    };
    for entry in &entries.list {
        draft.take(entry, target, item, errors);
    }
    draft.check_refinements(errors);
    draft.check_status(errors);
    draft.finish()
}

impl<'a, 'e> Draft<'a, 'e> {
    fn take(
        &mut self,
        entry: &'e Entry,
        target: &Target<'a>,
        item: &mut Item<'a>,
        errors: &mut Errors,
    ) {
        let name = entry.name();
        let key = &entry.key;
        let flag = |errors: &mut Errors| ok(values::none(entry), errors);
        let find = |list: &[&'static str]| list.iter().copied().find(|known| *known == name);
        if let Some(kind) = find(&KINDS) {
            let read = flag(errors).map(|()| Class::Kind(kind, None));
            self.set_class(key, read, errors);
        } else if let Some(cut) = CUTS.iter().find(|cut| cut.key == name) {
            let mark = Mark {
                cut,
                has_from: target.fields.iter().any(|field| fields::has_attribute(field, "from")),
            };
            let read = flag(errors).and_then(|()| ok(fields::marker(mark, entry, target), errors));
            if item.marks.iter().any(|earlier| earlier.cut == cut) {
                errors.push(key, format!("`{name}` marks an earlier variant already: keep one, which reports this cut"));
            } else {
                item.marks.push(mark);
            }
            self.set_class(key, read, errors);
        } else if let Some(execution) = find(&EXECUTIONS) {
            flag(errors);
            match self.execution {
                Some((earlier, _)) => {
                    errors.push(key, format!("`{name}` contradicts `{earlier}`: keep one of them"));
                }
                None => self.execution = Some((key, execution)),
            }
        } else {
            match name.as_str() {
                "forward" => {
                    let read = ok(fields::forward(entry, target), errors).map(Class::Forward);
                    self.set_class(key, read, errors);
                }
                "with" => {
                    let read = ok(values::path(entry, "Self::decide"), errors).map(Class::With);
                    self.set_class(key, read, errors);
                }
                "status" => {
                    self.status = Some((key, ok(fields::named(entry, target.fields), errors)));
                }
                "local" => self.refine(key, flag(errors).map(|()| Refinement::Flag("local"))),
                "retry_after" => {
                    self.refine(
                        key,
                        ok(fields::named(entry, target.fields), errors).map(Refinement::RetryAfter),
                    );
                }
                "base" => {
                    self.refine(key, ok(values::duration(entry), errors).map(Refinement::Base));
                }
                "attempts" => {
                    self.refine(key, ok(values::count(entry), errors).map(Refinement::Attempts));
                }
                "cost" => self.refine(key, ok(values::count(entry), errors).map(Refinement::Cost)),
                _ => {
                    self.unknown = true;
                    unknown(entry, &VARIANT_KEYS, errors);
                }
            }
        }
    }

    fn set_class(&mut self, key: &'e Ident, class: Option<Class<'a>>, errors: &mut Errors) {
        match &self.class {
            Some((earlier, _)) => errors.push(
                key,
                format!(
                    "`{key}` contradicts `{earlier}`: there is exactly one class, keep one of them"
                ),
            ),
            None => self.class = Some((key, class)),
        }
    }

    fn refine(&mut self, key: &'e Ident, refinement: Option<Refinement<'a>>) {
        self.refinements.push((key, refinement));
    }

    /// A refinement that could never show is a misunderstanding.
    fn check_refinements(&self, errors: &mut Errors) {
        let Some((class, _)) = &self.class else { return };
        let name = class.to_string();
        let is_cut = CUTS.iter().any(|cut| cut.key == name);
        if is_cut {
            if let Some((key, _)) = self.execution {
                errors.push(key, fixed_by_cut(key, &name));
            }
        }
        for (key, _) in &self.refinements {
            let refinement = key.to_string();
            if is_cut && (refinement == "local" || refinement == "retry_after") {
                errors.push(key, fixed_by_cut(key, &name));
            } else if (name == "permanent" || name == "cancelled") && refinement != "local" {
                errors.push(
                    key,
                    format!("`{key}` says how to retry, but `{name}` is never retried: remove it or choose another class"),
                );
            }
        }
    }

    /// A status decides by itself, or tells the execution beside a class that leaves it open.
    fn check_status(&self, errors: &mut Errors) {
        let (Some((key, _)), Some((class, _))) = (&self.status, &self.class) else { return };
        let name = class.to_string();
        if !KINDS.contains(&name.as_str()) {
            errors.push(
                key,
                format!(
                    "`status` says nothing beside `{name}`, which decides alone: remove one of them"
                ),
            );
        } else if name == "cancelled" {
            errors.push(key, "`status` says nothing beside `cancelled`, which is never retried: remove one of them");
        } else if let Some((execution, _)) = self.execution {
            errors.push(
                key,
                format!(
                    "`status` says nothing here, since `{name}` gives the class and `{execution}` the execution: \
                     remove one of the three"
                ),
            );
        }
    }

    fn finish(self) -> Reading<'a> {
        let class = match (self.class, self.status) {
            (None, None) if !self.unknown => return Reading::Unclassified,
            (None, Some((_, status))) => status.map(Class::Status),
            (Some((_, class)), None) => class,
            (Some((_, Some(Class::Kind(kind, _)))), Some((_, status))) => {
                status.map(|status| Class::Kind(kind, Some(status)))
            }
            (None, None) | (Some(_), Some(_)) => None,
        };
        let execution = self.execution.map(|(_, execution)| Some(Refinement::Flag(execution)));
        let refinements = self.refinements.into_iter().map(|(_, refinement)| refinement);
        match (class, execution.into_iter().chain(refinements).collect()) {
            (Some(class), Some(refinements)) => Reading::Classified(class, refinements),
            _ => Reading::Faulty,
        }
    }
}

fn ok<T>(result: syn::Result<T>, errors: &mut Errors) -> Option<T> {
    result.map_err(|error| errors.add(error)).ok()
}

fn fixed_by_cut(key: &Ident, cut: &str) -> String {
    format!("`{key}` cannot change what `{cut}` means to an enclosing call: remove it")
}
