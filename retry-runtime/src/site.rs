//! An annotated function, as the engine sees it.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use crate::{Budget, Policy, StopReason, budget::NamedBudget};

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

/// The unchanging facts about an annotated function. Generated code keeps one in a static.
#[derive(Debug)]
pub struct Site {
    name: &'static str,
    file: &'static str,
    line: u32,
    policy: Policy,
    attempt_timeout: Option<Duration>,
    deadline: DeadlineRule,
    budget: BudgetRef,
    per_type: bool,
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
        policy: Policy,
        state: &'static SiteState,
    ) -> Self {
        Self {
            name,
            file,
            line,
            policy,
            attempt_timeout: None,
            deadline: DeadlineRule::Inherit,
            budget: BudgetRef::Own,
            per_type: false,
            key: place_hash(name, file, line),
            state,
        }
    }

    /// Ends each attempt after this long.
    ///
    /// # Panics
    ///
    /// In const evaluation, if it is zero.
    #[track_caller]
    #[must_use]
    pub const fn attempt_timeout(mut self, timeout: Duration) -> Self {
        assert!(!timeout.is_zero(), "`attempt_timeout` is zero: leave it out if it is not wanted");
        self.attempt_timeout = Some(timeout);
        self
    }

    /// Where the deadline comes from.
    ///
    /// # Panics
    ///
    /// In const evaluation, if it is zero.
    #[track_caller]
    #[must_use]
    pub const fn deadline(mut self, rule: DeadlineRule) -> Self {
        if let DeadlineRule::After(time) = rule {
            assert!(!time.is_zero(), "`deadline` is zero: no attempt could ever start");
        }
        self.deadline = rule;
        self
    }

    /// Which budget pays.
    #[must_use]
    pub const fn budget(mut self, budget: BudgetRef) -> Self {
        self.budget = budget;
        self
    }

    /// Marks that the policy depends on the type that the function is instantiated with.
    #[must_use]
    pub const fn per_type(mut self) -> Self {
        self.per_type = true;
        self
    }

    /// Marks that the site never repeats the body: it expands without a loop.
    #[must_use]
    pub const fn single(self) -> Self {
        self
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

    /// `file:line` of the attribute.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    /// Whether the policy depends on the type that the function is instantiated with.
    #[must_use]
    pub const fn is_per_type(&self) -> bool {
        self.per_type
    }

    #[inline]
    pub(crate) const fn timeout(&self) -> Option<Duration> {
        self.attempt_timeout
    }

    #[inline]
    pub(crate) const fn deadline_rule(&self) -> DeadlineRule {
        self.deadline
    }

    #[inline]
    pub(crate) const fn budget_ref(&self) -> BudgetRef {
        self.budget
    }

    /// The bucket that the site has if it names no other.
    #[inline]
    pub(crate) const fn own_budget(&self) -> &'static Budget {
        &self.state.own
    }

    /// A number that stands for this site in derived idempotency keys.
    #[inline]
    pub(crate) const fn key(&self) -> u32 {
        self.key
    }

    /// The counters that are in force here: the process's, or those of an isolated test.
    pub(crate) fn state(&self) -> &'static SiteState {
        crate::isolation::state(self.state)
    }
}

/// FNV-1a over the name and the place, so that two sites of one name differ.
const fn place_hash(name: &str, file: &str, line: u32) -> u32 {
    const fn feed(mut hash: u32, bytes: &[u8]) -> u32 {
        let mut at = 0;
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
            at += 1;
        }
        hash
    }
    let hash = feed(feed(0x811c_9dc5, name.as_bytes()), file.as_bytes());
    feed(hash, &line.to_le_bytes())
}

/// What changes about a site: its counters, its switch and its own bucket.
#[derive(Debug)]
pub struct SiteState {
    own: Budget,
    off: AtomicBool,
    counters: [AtomicU64; Count::ALL],
    stops: [AtomicU64; StopReason::ALL.len()],
}

/// What is counted for each site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// Calls whose first attempt succeeded; only where successes are counted.
    AtOnce,
    /// Calls that succeeded after a retry.
    Recovered,
    /// Attempts that failed.
    Failures,
    /// Attempts that followed a failure.
    Retries,
    /// Failures that suppression kept from being retried by anyone.
    LostToNesting,
    /// Panics of hooks, contained.
    HookPanics,
    /// Calls that ended in a panic of the body.
    Panics,
}

impl Count {
    const ALL: usize = 7;
}

/// What the bucket of a site's own is called.
pub(crate) const OWN: &str = "(own)";

impl SiteState {
    /// All zero, switched on, with a full bucket.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            own: Budget::new(OWN),
            off: AtomicBool::new(false),
            counters: [const { AtomicU64::new(0) }; Count::ALL],
            stops: [const { AtomicU64::new(0) }; StopReason::ALL.len()],
        }
    }

    pub(crate) fn add(&self, count: Count) {
        self.counters[count as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn get(&self, count: Count) -> u64 {
        self.counters[count as usize].load(Ordering::Relaxed)
    }

    /// Counts a stop, and says whether it is the first one for this reason.
    pub(crate) fn stopped(&self, reason: StopReason) -> bool {
        self.stops[index(reason)].fetch_add(1, Ordering::Relaxed) == 0
    }

    pub(crate) fn stops(&self, reason: StopReason) -> u64 {
        self.stops[index(reason)].load(Ordering::Relaxed)
    }

    pub(crate) fn is_off(&self) -> bool {
        self.off.load(Ordering::Relaxed)
    }

    pub(crate) fn set_off(&self, off: bool) {
        self.off.store(off, Ordering::Relaxed);
    }
}

impl Default for SiteState {
    fn default() -> Self {
        Self::new()
    }
}

fn index(reason: StopReason) -> usize {
    reason as usize
}

/// A site that registered itself at link time.
#[derive(Debug)]
pub struct SiteEntry(pub &'static Site);

inventory::collect!(SiteEntry);

/// All sites of the process, in the order of their names and places.
pub(crate) fn all() -> Vec<&'static Site> {
    let mut sites: Vec<_> = inventory::iter::<SiteEntry>.into_iter().map(|entry| entry.0).collect();
    sites.sort_by_key(|site| (site.name, site.file, site.line));
    sites
}
