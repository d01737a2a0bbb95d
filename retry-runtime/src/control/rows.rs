//! One override in force, to be read.

use std::time::Duration;

use super::{
    Layer, Target, Value, effect,
    in_force::{Entry, InForce},
    names::Labels,
    reach::{self, Waiting},
};
use crate::{Moment, site};

/// One override in force. From [`overrides`](super::overrides).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control::{self, Layer, Override, OverrideRow, Target};
///
/// control::set(Override::new(Target::All).set("attempts", 2)?.note("INC-4711"))?;
/// let table = control::overrides();
/// let row: &OverrideRow = table.iter().next().unwrap();
/// assert_eq!((row.target(), row.layer(), row.note()), (&Target::All, Layer::Code, Some("INC-4711")));
/// assert_eq!((row.settings().as_str(), row.values().len()), ("attempts = 2", 1));
/// assert_eq!((row.expires_in(), row.is_pending(), row.nearest()), (None, false, None));
/// assert_eq!((row.sites().len(), row.left_out().len()), (0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct OverrideRow {
    entry: Entry,
    pub(super) expires_in: Option<Duration>,
    sites: Vec<String>,
    left_out: Vec<LeftOut>,
    pending: Option<Waiting>,
    ambiguous: Option<Vec<String>>,
}

/// A key that a site does without.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LeftOut {
    site: String,
    key: &'static str,
    reason: &'static str,
    /// It came about after the override was checked.
    contradicts: bool,
}

/// What an override says, in words.
pub(super) fn settings<'a>(
    target: &Target,
    values: impl Iterator<Item = (&'static str, &'a Value)>,
) -> String {
    let once = |key| {
        // What becomes of the state from there on is another matter.
        let is_state = key == "state" && matches!(target, Target::Breaker(_));
        if is_state { " (entered once)" } else { "" }
    };
    let words = values.map(|(key, value)| format!("{key} = {value}{}", once(key)));
    words.collect::<Vec<_>>().join(", ")
}

impl OverrideRow {
    fn new(entry: &Entry, labels: &Labels, now: Moment) -> Self {
        let reached = reach::reached(entry).into_iter();
        let mut sites: Vec<String> = reached.map(|site| labels.of(site)).collect();
        sites.sort();
        sites.dedup();
        Self {
            expires_in: entry.expires_in(now),
            sites,
            left_out: Vec::new(),
            pending: reach::pending(entry.target()),
            ambiguous: reach::ambiguous(entry.target()),
            entry: entry.clone(),
        }
    }

    /// All, from the weakest to the strongest.
    pub(super) fn all(in_force: &InForce, now: Moment) -> Vec<Self> {
        let (labels, entries) = (Labels::new(), in_force.entries());
        let mut rows: Vec<Self> =
            entries.iter().map(|entry| Self::new(entry, &labels, now)).collect();
        for site in site::every() {
            for share in in_force.shares(site, now) {
                let same = |known: &Entry| std::ptr::eq(known, share.entry);
                let Some(at) = entries.iter().position(same) else { continue };
                let refused = share.entry.item.settings().clone().limit_to(site);
                let refused = refused.into_iter().map(|why| (why, false));
                let contradictory = share.contradictory.into_iter().map(|why| (why, true));
                let left_out = refused.chain(contradictory);
                rows[at].left_out.extend(left_out.map(|((key, reason), contradicts)| LeftOut {
                    site: labels.of(site),
                    key,
                    reason,
                    contradicts,
                }));
            }
        }
        for row in &mut rows {
            row.left_out.sort();
            row.left_out.dedup();
        }
        rows
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
        settings(self.target(), self.values())
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

    /// The sites that it reaches, as tables call them: those that it is about, or that use the budget or the
    /// breaker which it is about. Those whose budget comes with the call are not among them.
    #[must_use]
    pub fn sites(&self) -> &[String] {
        &self.sites
    }

    /// The sites among them that do without part of it, because they cannot honour it or because it contradicts
    /// what else is said about them: the site, the key and the reason.
    pub fn left_out(&self) -> impl ExactSizeIterator<Item = (&str, &'static str, &'static str)> {
        self.left_out.iter().map(|one| (one.site.as_str(), one.key, one.reason))
    }

    /// Those that do without because of what came about after the override was checked.
    pub(crate) fn contradicted(&self) -> impl Iterator<Item = (&str, &'static str, &'static str)> {
        let since = self.left_out.iter().filter(|one| one.contradicts);
        since.map(|one| (one.site.as_str(), one.key, one.reason))
    }

    /// The labels of errors that it keeps from being retried.
    pub(crate) fn stopped_labels(&self) -> &[String] {
        self.entry.item.settings().stop.as_ref().map_or(&[], |stop| &stop.labels)
    }

    /// Whether it waits for its name to appear.
    #[must_use]
    pub const fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Where it does, the most similar name there is.
    #[must_use]
    pub fn nearest(&self) -> Option<&str> {
        self.pending.as_ref()?.nearest.as_deref()
    }

    /// The sites that share its name by now, if there are several.
    pub(crate) fn ambiguous(&self) -> Option<&[String]> {
        self.ambiguous.as_deref()
    }

    /// Whether it does not reach those whom it was meant for.
    pub(crate) fn is_amiss(&self) -> bool {
        self.pending.is_some() || self.ambiguous.is_some()
    }

    /// Whether it switches retries off.
    pub(crate) fn switches_off(&self) -> bool {
        self.values().any(|(key, value)| key == "retries" && *value == Value::from("off"))
    }

    /// Who says so, why, and for how long.
    pub(crate) fn source(&self) -> String {
        effect::source(self.layer(), self.target(), self.note(), self.expires_in)
    }

    /// The sites that it reaches, in words, and what stands in its way.
    pub(crate) fn reach(&self) -> String {
        let mut words = match (&self.pending, self.target()) {
            (Some(Waiting { nearest: Some(near) }), _) => format!("WAITS: did you mean `{near}`?"),
            (Some(_), _) => "WAITS for the name".to_owned(),
            (None, Target::All) => "all".to_owned(),
            (None, _) if self.sites.is_empty() => "known to calls only".to_owned(),
            (None, _) => self.sites.join(", "),
        };
        for LeftOut { site, key, .. } in &self.left_out {
            words.extend([", NOT `", key, "` of ", site]);
        }
        words
    }
}
