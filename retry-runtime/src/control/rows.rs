//! All overrides in force, to be read.

use std::{fmt, time::Duration};

use super::{
    Layer, Store, Target, Value, check, duration,
    in_force::{Entry, InForce},
    names,
};
use crate::{Moment, clock, isolation, tables::Table};

/// One override in force. From [`overrides`].
#[derive(Clone, Debug)]
pub struct OverrideRow {
    entry: Entry,
    expires_in: Option<Duration>,
    sites: Vec<String>,
    left_out: Vec<(String, &'static str, &'static str)>,
    pending: Option<Option<String>>,
    ambiguous: Option<Vec<String>>,
}

impl OverrideRow {
    fn new(entry: &Entry, now: Moment) -> Self {
        let expires_in = (entry.expires != Moment::NEVER).then(|| now.until(entry.expires));
        let mut sites: Vec<String> = check::met(entry).map(names::label).collect();
        sites.sort();
        sites.dedup();
        let refused = check::met(entry).filter_map(|site| {
            let (key, reason) = entry.item.settings().refusal(site)?;
            Some((names::label(site), key, reason))
        });
        let mut left_out: Vec<_> = refused.collect();
        left_out.sort();
        left_out.dedup();
        Self {
            expires_in,
            sites,
            left_out,
            pending: check::pending(entry.target()),
            ambiguous: check::ambiguous(entry.target()),
            entry: entry.clone(),
        }
    }

    /// Whom it is about.
    #[must_use]
    pub fn target(&self) -> &Target {
        self.entry.target()
    }

    /// Where it comes from.
    #[must_use]
    pub const fn layer(&self) -> Layer {
        self.entry.layer
    }

    /// What it says, in the order in which it was said.
    pub fn values(&self) -> impl ExactSizeIterator<Item = (&'static str, &Value)> {
        self.entry.item.values()
    }

    /// What it says, in words.
    #[must_use]
    pub fn settings(&self) -> String {
        self.values().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join(", ")
    }

    /// Why.
    #[must_use]
    pub fn note(&self) -> Option<&str> {
        self.entry.item.text()
    }

    /// How long it lasts from now on; `None` for ever.
    #[must_use]
    pub const fn expires_in(&self) -> Option<Duration> {
        self.expires_in
    }

    /// The sites that it is about, as tables call them; none for an override of a budget or a breaker
    /// itself. Those whose budget comes with the call are not among them.
    #[must_use]
    pub fn sites(&self) -> &[String] {
        &self.sites
    }

    /// The sites among them that cannot honour all of it: the site, the key and the reason.
    pub fn left_out(&self) -> impl ExactSizeIterator<Item = (&str, &'static str, &'static str)> {
        self.left_out.iter().map(|(site, key, reason)| (site.as_str(), *key, *reason))
    }

    /// Whether it waits for its name to appear.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Where it does, the most similar name there is.
    #[must_use]
    pub fn nearest(&self) -> Option<&str> {
        self.pending.as_ref()?.as_deref()
    }

    /// The sites that share its name by now, if there are several.
    pub(crate) fn ambiguous(&self) -> Option<&[String]> {
        self.ambiguous.as_deref()
    }

    fn reach(&self) -> String {
        let mut words = match (&self.pending, self.target()) {
            (Some(Some(near)), _) => format!("WAITS: did you mean `{near}`?"),
            (Some(None), _) => "WAITS for the name".to_owned(),
            (None, Target::Budget(_) | Target::Breaker(_)) => "-".to_owned(),
            (None, Target::All) => "all".to_owned(),
            (None, _) if self.sites.is_empty() => "known to calls only".to_owned(),
            (None, _) => self.sites.join(", "),
        };
        for (site, key, _) in &self.left_out {
            words.push_str(&format!(", NOT `{key}` of {site}"));
        }
        words
    }
}

/// All overrides in force, from the weakest to the strongest. Its `Display` is a table.
#[derive(Clone, Debug)]
pub struct OverrideTable {
    rows: Vec<OverrideRow>,
    shutting_down: bool,
}

impl OverrideTable {
    /// Each override.
    pub fn iter(&self) -> std::slice::Iter<'_, OverrideRow> {
        self.rows.iter()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether everything is as it stands in the code.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether [`shutdown`](super::shutdown) was called, which is no override and ends every retry.
    #[must_use]
    pub const fn is_shutting_down(&self) -> bool {
        self.shutting_down
    }
}

impl<'a> IntoIterator for &'a OverrideTable {
    type Item = &'a OverrideRow;
    type IntoIter = std::slice::Iter<'a, OverrideRow>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// All overrides in force: of whom, what, why, until when, and who said so.
#[must_use]
pub fn overrides() -> OverrideTable {
    super::expire_now();
    let in_force = isolation::overrides(Store::in_force);
    let entries = in_force.as_deref().map_or(&[][..], InForce::entries);
    // Where there are none, no clock is read.
    let now = if entries.is_empty() { Moment::NEVER } else { clock::now() };
    OverrideTable {
        rows: entries.iter().map(|entry| OverrideRow::new(entry, now)).collect(),
        shutting_down: super::is_shutting_down(),
    }
}

impl fmt::Display for OverrideTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.shutting_down {
            f.write_str("SHUTTING DOWN: nothing is retried any more")?;
        }
        if self.rows.is_empty() {
            return f.write_str(if self.shutting_down { "" } else { "nothing is overridden" });
        }
        if self.shutting_down {
            f.write_str("\n\n")?;
        }
        let mut table = Table::new(&["override", "says", "layer", "expires in", "note", "sites"]);
        for row in self {
            // A table that is read needs no nanoseconds.
            let seconds = row.expires_in.map(|left| Duration::from_secs(left.as_secs()));
            table.row(vec![
                row.target().to_string(),
                row.settings(),
                row.layer().to_string(),
                seconds.map_or_else(|| "-".to_owned(), duration::write),
                row.note().unwrap_or("-").to_owned(),
                row.reach(),
            ]);
        }
        table.fmt(f)
    }
}
