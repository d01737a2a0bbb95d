//! From tables of TOML to overrides, with the place of everything.

use std::{
    ops::Range,
    time::{Duration, SystemTime},
};

use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};

use super::{
    Fault,
    values::{self, Given, describe},
};
use crate::{
    control::{self, Override, OverrideError, Target},
    diagnostics::nearest,
};

/// What may stand outside of a table, or begin the name of one.
const ROOT: [&str; 5] = ["retries", "all", "site", "budget", "breaker"];

/// The keys of a table that are not about what it targets.
const META: [&str; 3] = ["note", "expires", "for"];

/// The most tables that a document may have: each is compared with those of the other layers and with what it
/// meets, and no emergency needs as many.
const MOST_TABLES: usize = 1_000;

/// An override, and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) one: Override,
    at: Option<usize>,
    keys: Vec<(String, Option<usize>)>,
}

impl Entry {
    fn new(target: Target) -> Self {
        Self { one: Override::new(target), at: None, keys: Vec::new() }
    }

    /// The byte at which a key stands, or else the whole.
    pub(super) fn place_of(&self, key: Option<&str>) -> Option<usize> {
        let known = self.keys.iter().find(|(known, _)| Some(known.as_str()) == key);
        known.map_or(self.at, |(_, at)| *at)
    }
}

type Key<'a> = Spanned<DeString<'a>>;

/// Goes through a document, and gathers all that is in it and all that is wrong with it.
pub(super) struct Walk<'a> {
    text: &'a str,
    now: Option<SystemTime>,
    /// Where the parser's text begins.
    pub(super) shift: usize,
    /// What is wrong, and the byte where that stands.
    pub(super) faults: Vec<(usize, String)>,
    /// What is wrong with the variable beside the document.
    pub(super) outside: Option<Fault>,
    pub(super) entries: Vec<Entry>,
    /// Whose tables have expired, and the bytes where they begin.
    pub(super) expired: Vec<(usize, Target)>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(text: &'a str, now: Option<SystemTime>) -> Self {
        let (faults, entries, expired) = (Vec::new(), Vec::new(), Vec::new());
        Self { text, now, shift: 0, faults, outside: None, entries, expired }
    }

    pub(super) fn fault(&mut self, at: usize, message: String) {
        self.faults.push((self.shift + at, message));
    }

    /// Whether the document has no more tables than it may have.
    pub(super) fn has_room_for(&mut self, root: &DeTable<'_>) -> bool {
        let kinds = ["site", "budget", "breaker"].into_iter().filter_map(|kind| root.get(kind));
        let named = kinds.filter_map(|value| value.get_ref().as_table()).flatten();
        let mut begin: Vec<usize> = root
            .get_key_value("all")
            .map(|(key, _)| key.span().start)
            .into_iter()
            .chain(named.flat_map(|(name, value)| {
                {
                    let sites =
                        value.get_ref().as_table().and_then(|table| table.get_key_value("sites"));
                    [Some(name), sites.map(|(sites, _)| sites)].into_iter().flatten()
                }
                .map(|key| key.span().start)
            }))
            .collect();
        begin.sort_unstable();
        let Some(at) = begin.get(MOST_TABLES) else { return true };
        let message = format!(
            "there are {} tables, and a document may have {MOST_TABLES}: say it of `[all]`, or of the sites of a budget",
            begin.len()
        );
        self.fault(*at, message);
        false
    }

    /// The whole document, with what a variable says about all sites.
    pub(super) fn root(&mut self, root: &DeTable<'_>, variable: Option<&str>) {
        let mut all = Entry::new(Target::All);
        if let Some(retries) = variable {
            match all.one.clone().set("retries", retries) {
                Ok(one) => all.one = one,
                Err(error) => {
                    let origin = super::environment::RETRIES.into();
                    self.outside = Some(Fault::new(&origin, None, error.to_string()));
                }
            }
            all.keys.push(("retries".to_owned(), None));
        }
        if let Some((key, value)) = root.get_key_value("retries") {
            self.set(&mut all, key, value);
        }
        match root.get_key_value("all") {
            Some((key, value)) => self.table(all, key, value, None),
            None if all.one.values().len() > 0 => self.entries.push(all),
            None => {}
        }
        for (key, value) in root {
            match key.get_ref().as_ref() {
                "retries" | "all" => {}
                "site" => self.each(key, value, Target::Site),
                "budget" => self.each(key, value, Target::Budget),
                "breaker" => self.each(key, value, Target::Breaker),
                other => self.stray(key, other),
            }
        }
    }

    /// A key that nothing outside of tables has.
    fn stray(&mut self, key: &Key<'_>, name: &str) {
        let known = Override::new(Target::All).set(name, 0);
        let message = if META.contains(&name) || !is_unknown(&known) {
            format!(
                "`{name}` stands outside of a table: write it under `[all]`, or under the table of a site, a budget or a breaker"
            )
        } else {
            let meant = nearest(name, ROOT.into_iter())
                .map(|near| format!(": did you mean `{near}`?"))
                .unwrap_or_default();
            format!(
                "there is no `{name}`{meant}; there are `retries`, `[all]`, `[site.\"…\"]`, `[budget.\"…\"]` and `[breaker.\"…\"]`"
            )
        };
        self.fault(key.span().start, message);
    }

    /// The tables of a kind, each under a name.
    fn each(&mut self, kind: &Key<'_>, value: &Given<'_>, target: fn(String) -> Target) {
        let DeValue::Table(named) = value.get_ref() else {
            let (kind, what) = (kind.get_ref(), describe(value.get_ref()));
            let message = format!(
                "`{kind}` is {what}: write a table with a name, such as `[{kind}.\"orders\"]`"
            );
            return self.fault(value.span().start, message);
        };
        for (name, value) in named {
            let target = target(name.get_ref().clone().into_owned());
            let entry = Entry::new(target.clone());
            let DeValue::Table(table) = value.get_ref() else {
                let what = describe(value.get_ref());
                let message = format!(
                    "`{kind}` holds tables, and `{name}` is {what}: write `[{kind}.\"…\"]` with a name",
                    kind = kind.get_ref(),
                    name = name.get_ref(),
                );
                self.fault(value.span().start, message);
                continue;
            };
            let sites = match &target {
                Target::Budget(budget) => {
                    table.get_key_value("sites").map(|sites| (budget.clone(), sites))
                }
                _ => None,
            };
            let apart = sites.is_some().then_some("sites");
            self.table(entry, name, value, apart);
            if let Some((budget, (key, value))) = sites {
                self.table(Entry::new(Target::SitesOf(budget)), key, value, None);
            }
        }
    }

    /// One table: what it says about its target, why, and for how long. `apart` is a key that is not its own.
    fn table(&mut self, mut entry: Entry, name: &Key<'_>, value: &Given<'_>, apart: Option<&str>) {
        let DeValue::Table(table) = value.get_ref() else {
            let message =
                format!("`{}` is {}: write a table", name.get_ref(), describe(value.get_ref()));
            return self.fault(value.span().start, message);
        };
        entry.at = Some(self.shift + name.span().start);
        let mut lifetime = Lifetime { key: None, time: None };
        let outside = entry.keys.len();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                own if Some(own) == apart => {}
                "note" => {
                    if let Some(note) = value.get_ref().as_str() {
                        entry.one = entry.one.note(note);
                    } else {
                        let what = describe(value.get_ref());
                        self.fault(value.span().start, format!("`note` is {what}: write a text"));
                    }
                }
                "expires" => {
                    let left = values::expires(value.get_ref(), self.now);
                    self.lifetime(&mut lifetime, key, value, left);
                }
                "for" => {
                    self.lifetime(&mut lifetime, key, value, values::lasts(value.get_ref()));
                }
                _ => self.set(&mut entry, key, value),
            }
        }
        if let (Some(key), true) = (lifetime.key, outside > 0) {
            self.fault(
                key,
                "`retries` stands outside of this table, which would end without it: write it in here"
                    .to_owned(),
            );
        }
        match lifetime.time {
            Some(Duration::ZERO) => {
                let at = self.shift + name.span().start;
                self.expired.push((at, entry.one.target().clone()));
            }
            // A table whose keys are all commented out says nothing, and neither does one that only groups.
            _ if entry.one.values().len() == 0 => {}
            Some(time) => {
                entry.one = entry.one.expires_in(time);
                self.entries.push(entry);
            }
            None => self.entries.push(entry),
        }
    }

    /// A key with its value.
    fn set(&mut self, entry: &mut Entry, key: &Key<'_>, value: &Given<'_>) {
        let name = key.get_ref();
        let at = value.span().start;
        // Within a table TOML itself sees to it; what stands outside came first: a variable's, the document's.
        if entry.keys.iter().take(2).any(|(known, _)| known == name) {
            return self.fault(
                key.span().start,
                format!("`{name}` is set twice, once outside of the table: write it in one place"),
            );
        }
        entry.keys.push((name.clone().into_owned(), Some(self.shift + at)));
        let (text, shift) = (self.text, self.shift);
        let written =
            |span: Range<usize>| text.get(shift + span.start..shift + span.end).unwrap_or_default();
        let given = match values::value(name, value, entry.one.target(), written) {
            Ok(given) => given,
            Err((at, message)) => return self.fault(at, message),
        };
        match entry.one.clone().set(name, given) {
            Ok(one) => entry.one = one,
            Err(error) => {
                let unknown = is_unknown(&Err(error.clone()));
                let at = if unknown { key.span().start } else { at };
                self.fault(at, explain(&error, unknown));
            }
        }
    }

    fn lifetime(
        &mut self,
        lifetime: &mut Lifetime,
        key: &Key<'_>,
        value: &Given<'_>,
        read: Result<Duration, String>,
    ) {
        if lifetime.key.replace(key.span().start).is_some() {
            return self.fault(
                key.span().start,
                "`expires` and `for` say the same: write one of them".to_owned(),
            );
        }
        match read {
            Ok(time) => lifetime.time = Some(time),
            Err(message) => self.fault(value.span().start, message),
        }
    }
}

/// For how long a table is in force, and where that stands.
struct Lifetime {
    key: Option<usize>,
    time: Option<Duration>,
}

fn is_unknown(set: &Result<Override, OverrideError>) -> bool {
    matches!(set, Err(error) if matches!(error.fault(), control::Fault::UnknownKey { .. }))
}

/// What is wrong; of keys, with those that every table has.
fn explain(error: &OverrideError, unknown: bool) -> String {
    if !unknown {
        return error.to_string();
    }
    let meant = error.key().and_then(|key| nearest(key, META.into_iter()));
    let meant = meant.map(|near| format!("; or did you mean `{near}`?")).unwrap_or_default();
    format!("{error}, and everywhere `note`, `expires`, `for`{meant}")
}
