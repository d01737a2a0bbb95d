//! The table of functions, for terminals.

use std::fmt;

use crate::{Policy, StopReason, Warning, control::Effect};

use super::{
    SiteRow, Sites,
    text::{Table, write_below, write_effects, write_warnings, write_wrapped},
};

impl SiteRow {
    /// Why calls stopped, and what else was counted that should not be there.
    pub(super) fn stopped(&self) -> Vec<String> {
        StopReason::ALL
            .iter()
            .map(|reason| (self.stops(*reason), reason.label()))
            .chain([
                (self.panics(), "panicked"),
                (self.lost_to_nesting(), "lost_to_nesting"),
                (self.uncut(), "uncut"),
                (self.hook_panics(), "hooks_panicked"),
            ])
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect()
    }

    /// The same, and what else is out of the ordinary.
    fn stopped_and_marks(&self) -> Vec<String> {
        self.stopped()
            .into_iter()
            .chain(self.blocks_runtime().then(|| "BLOCKS A RUNTIME".to_owned()))
            .chain(self.is_off().then(|| "OFF".to_owned()))
            .chain(self.is_changed().then(|| "OVERRIDDEN".to_owned()))
            .collect()
    }

    /// Whether an override does more than to switch it off.
    pub(super) fn is_changed(&self) -> bool {
        self.overrides().iter().any(Effect::changes_numbers)
    }

    /// The most attempts of a call.
    fn attempts_in_words(&self) -> String {
        let words = |policy: Policy| match policy.max_attempts() {
            Some(attempts) => attempts.to_string(),
            None => "unlimited".to_owned(),
        };
        let (now, declared) = (words(self.policy_in_force()), words(self.policy()));
        match () {
            () if self.varies() => "varies".to_owned(),
            () if now == declared => now,
            () => format!("{now} (declared {declared})"),
        }
    }

    /// What there is no room for in a line of the table.
    fn write_details(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line) = self.place();
        let (policy, longest) = (self.policy_in_words(), self.longest_call());
        let said = format!("{} ({file}:{line}): {policy}; longest call {longest}", self.name());
        f.write_str("\n\n")?;
        write_wrapped(f, "  ", &said)?;
        write_effects(f, &self.overrides())?;
        self.errors().iter().try_for_each(|error| write_below(f, "  ", &error.to_string()))
    }
}

impl fmt::Display for Sites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Where nobody has one there is nothing to see.
        let breakers = self.iter().any(|row| row.breaker().is_some());
        let hedges = self.iter().any(SiteRow::is_hedging);
        let mut head = vec!["site", "max attempts", "budget"];
        head.extend(breakers.then_some("breaker"));
        head.extend(["failures", "retries"]);
        head.extend(hedges.then_some("hedges"));
        head.extend(["recovered", "stopped"]);
        let mut table = Table::new(&head);
        for row in self {
            let stopped = row.stopped_and_marks();
            let mut cells =
                vec![row.name(), row.attempts_in_words(), row.budget().unwrap_or("-").to_owned()];
            cells.extend(breakers.then(|| row.breaker().unwrap_or("-").to_owned()));
            cells.extend([row.failures().to_string(), row.retries().to_string()]);
            let own = || if row.is_hedging() { row.hedges().to_string() } else { "-".to_owned() };
            cells.extend(hedges.then(own));
            cells.extend([
                row.recovered().to_string(),
                if stopped.is_empty() { "-".to_owned() } else { stopped.join(", ") },
            ]);
            table.row(cells);
        }
        table.fmt(f)?;
        if f.alternate() {
            self.iter().try_for_each(|row| row.write_details(f))?;
        }
        write_warnings(f, Warning::is_of_a_site)
    }
}
