//! An annotated function, as the engine sees it.

mod build;
mod chain;
mod dynamic;
pub(crate) mod errors;
mod list;
mod shape;
mod shards;
mod state;

use std::time::Duration;

use crate::{
    Budget, Policy,
    breaker::{Breaker, NamedBreaker},
    budget::NamedBudget,
    hedge::Hedge,
    latency::{Latency, Quantile},
};

pub(crate) use dynamic::{Whence, find};
pub(crate) use errors::Tally;
pub use list::SiteEntry;
#[cfg(feature = "metrics-0-24")]
pub(crate) use list::linked;
pub(crate) use list::{all, every, in_order, labels};
pub(crate) use shape::{Asked, Hedged, PaidBy, Shape, TimingOut};
pub use state::SiteState;
pub(crate) use state::{Count, OWN};

/// Where a call's deadline comes from.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum DeadlineRule {
    /// From the enclosing call, if it has one.
    Inherit,
    /// None, even inside a call that has one.
    None,
    /// This long after the first poll, or the enclosing call's if that is sooner.
    After(Duration),
}

/// Which budget pays for a site's retries.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BudgetRef {
    /// A bucket of the site's own.
    Own,
    /// A declared static.
    Static(&'static Budget),
    /// Whatever answers to the name.
    Named(&'static NamedBudget),
    /// None: retries are limited by attempts and deadline alone.
    None,
    /// An expression's value, handed over by each call.
    Given,
}

/// Which breaker the attempts of a site ask.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BreakerRef {
    /// None.
    None,
    /// A declared static.
    Static(&'static Breaker),
    /// Whatever answers to the name.
    Named(&'static NamedBreaker),
}

/// The unchanging facts about an annotated function. Generated code keeps one in a static.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each of which folds by itself"
)]
pub struct Site {
    name: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    policy: Policy,
    attempt_timeout: Option<Duration>,
    hedge: Option<Hedge>,
    last_untimed: bool,
    sheds: bool,
    deadline: DeadlineRule,
    budget: BudgetRef,
    breaker: BreakerRef,
    expectation: Option<(Quantile, &'static Latency)>,
    latency: Option<&'static Latency>,
    varies: bool,
    blocking: bool,
    times_out: bool,
    single: bool,
    key: u32,
    state: &'static SiteState,
}

impl Site {
    /// A site with a bucket of its own and no deadline of its own.
    #[must_use]
    pub const fn new(
        name: &'static str,
        file: &'static str,
        line: u32,
        column: u32,
        policy: Policy,
        state: &'static SiteState,
    ) -> Self {
        Self {
            name,
            file,
            line,
            column,
            policy,
            attempt_timeout: None,
            hedge: None,
            last_untimed: false,
            sheds: false,
            deadline: DeadlineRule::Inherit,
            budget: BudgetRef::Own,
            breaker: BreakerRef::None,
            expectation: None,
            latency: None,
            varies: false,
            blocking: false,
            times_out: false,
            single: false,
            key: place_hash(name, file, line, column),
            state,
        }
    }

    /// The policy in the attribute.
    #[inline]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The name in reports and tables.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether both are of one closure, whose calls differ in their settings.
    pub(crate) fn shares_row(&self, other: &Self) -> bool {
        std::ptr::eq(self.state, other.state)
    }

    /// The file and the line of the attribute.
    pub(crate) const fn place(&self) -> (&'static str, u32) {
        (self.file, self.line)
    }

    /// `name@file:line` of the attribute.
    pub(crate) fn at_line(&self) -> String {
        format!("{}@{}:{}", self.name, self.file, self.line)
    }

    /// `name@file:line:column` of the attribute. Functions that one macro call generates share it.
    pub(crate) fn at_column(&self) -> String {
        format!("{}:{}", self.at_line(), self.column)
    }

    /// Whether that is its name, alone or with its place as in [`at_line`](Self::at_line) and
    /// [`at_column`](Self::at_column).
    pub(crate) fn answers_to(&self, name: &str) -> bool {
        fn place<'a>(rest: &'a str, file: &str) -> Option<&'a str> {
            rest.strip_prefix('@')?.strip_prefix(file)?.strip_prefix(':')
        }
        let Some(rest) = name.strip_prefix(self.name) else { return false };
        if rest.is_empty() {
            return true;
        }
        let Some(place) = place(rest, self.file) else { return false };
        let (line, column) = match place.split_once(':') {
            Some((line, column)) => (line, Some(column)),
            None => (place, None),
        };
        line.parse() == Ok(self.line)
            && column.is_none_or(|column| column.parse() == Ok(self.column))
    }

    /// Whether the policy is another for each type or each call.
    #[must_use]
    pub fn varies(&self) -> bool {
        self.varies || self.state.varies()
    }

    /// Whether the function waits on its thread.
    #[inline]
    pub(crate) const fn is_blocking(&self) -> bool {
        self.blocking
    }

    #[inline]
    pub(crate) const fn timeout(&self) -> Option<Duration> {
        self.attempt_timeout
    }

    #[inline]
    pub(crate) const fn hedges(&self) -> Option<&Hedge> {
        self.hedge.as_ref()
    }

    #[inline]
    pub(crate) const fn deadline_rule(&self) -> DeadlineRule {
        self.deadline
    }

    #[inline]
    pub(crate) const fn budget_ref(&self) -> BudgetRef {
        self.budget
    }

    /// The budget that the attribute names, if it names one.
    pub(crate) fn named_budget(&self) -> Option<&'static Budget> {
        match self.budget {
            BudgetRef::Static(budget) => Some(budget),
            BudgetRef::Named(name) => Some(name.resolve()),
            BudgetRef::Own | BudgetRef::None | BudgetRef::Given => None,
        }
    }

    /// The name of that budget.
    pub(crate) fn budget_name(&self) -> Option<&str> {
        match self.budget {
            BudgetRef::Static(budget) => Some(budget.name()),
            BudgetRef::Named(name) => Some(name.name()),
            BudgetRef::Own | BudgetRef::None | BudgetRef::Given => None,
        }
    }

    /// Whether its error can say that an attempt timed out, whether attempts have a timeout or not.
    pub(crate) const fn can_time_out(&self) -> bool {
        (self.times_out || self.attempt_timeout.is_some()) && !self.blocking
    }

    /// Whether its body runs once at most, because there is no loop around it.
    pub(crate) const fn is_single(&self) -> bool {
        self.single
    }

    #[inline]
    pub(crate) const fn is_shedding(&self) -> bool {
        self.sheds
    }

    #[inline]
    pub(crate) const fn breaker_ref(&self) -> BreakerRef {
        self.breaker
    }

    #[inline]
    pub(crate) const fn expectation(&self) -> Option<(Quantile, &'static Latency)> {
        self.expectation
    }

    #[inline]
    pub(crate) const fn is_last_untimed(&self) -> bool {
        self.last_untimed
    }

    /// The bucket that the site has if it names no other.
    #[inline]
    pub(crate) const fn own_budget(&self) -> &'static Budget {
        self.state.own()
    }

    #[inline]
    pub(crate) const fn keeps_latency(&self) -> bool {
        self.latency.is_some()
    }

    /// How long attempts take, if that is kept: the process's, or that of an isolated test.
    pub(crate) fn latency(&self) -> Option<&'static Latency> {
        self.latency.map(crate::isolation::latency)
    }

    /// A number that stands for this site in derived idempotency keys.
    #[inline]
    pub(crate) const fn key(&self) -> u32 {
        self.key
    }

    /// The process's counters, whatever isolated test asks.
    pub(crate) const fn process_state(&self) -> &'static SiteState {
        self.state
    }

    /// The counters that are in force here: the process's, or those of an isolated test.
    pub(crate) fn state(&self) -> &'static SiteState {
        crate::isolation::state(self.state)
    }
}

/// FNV-1a over the name and the place, so that two sites of one name differ.
const fn place_hash(name: &str, file: &str, line: u32, column: u32) -> u32 {
    const fn feed(mut hash: u32, bytes: &[u8]) -> u32 {
        let mut at = 0;
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
            at += 1;
        }
        hash
    }
    let hash = feed(feed(0x811c_9dc5, name.as_bytes()), file.as_bytes());
    feed(feed(hash, &line.to_le_bytes()), &column.to_le_bytes())
}
