//! The annotated functions of the process.

use crate::{
    Budget, Policy, StopReason, breaker, clock,
    control::{Effect, effect},
    isolation,
    site::{self, BudgetRef, Count, OWN, Site},
};

use super::{
    ErrorRow, LongestCall, Outcomes, errors,
    rows::readable_rows,
    rules::Rules,
    words::{self, Word},
};

/// One annotated function. From [`sites`].
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, SiteRow, StopReason, sites};
/// use std::io;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// let refused = async || Err::<(), _>(io::Error::from(io::ErrorKind::ConnectionRefused));
/// let _error = Policy::new().run(refused).named("fetch").await;
///
/// let table = sites();
/// let row: &SiteRow = table.get("fetch").unwrap();
/// // What it is.
/// assert_eq!(row.name(), "fetch");
/// assert!(row.place().0.ends_with(".rs") || row.place().1 > 0);
/// assert_eq!(row.policy().max_attempts(), row.policy_in_force().max_attempts());
/// println!("{}; {}", row.policy_in_words(), row.longest_call());
/// assert_eq!((row.budget(), row.breaker()), (Some("(own)"), None));
/// assert!(!row.is_off() && !row.varies() && !row.blocks_runtime());
/// // What it did.
/// assert_eq!((row.calls(), row.attempts(), row.failures(), row.retries()), (1, 3, 3, 2));
/// assert_eq!((row.recovered(), row.stops(StopReason::AttemptsExhausted)), (0, 1));
/// assert_eq!((row.hedges(), row.uncut(), row.lost_to_nesting()), (0, 0, 0));
/// assert_eq!((row.panics(), row.hook_panics()), (0, 0));
/// assert_eq!((row.errors().len(), row.outcomes().calls()), (1, 1));
/// assert_eq!(row.own_balance(), Some(8.0));
/// assert!(!row.counts_successes() && row.overrides().is_empty());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SiteRow {
    pub(super) site: &'static Site,
    label: String,
}

impl SiteRow {
    /// Its name; with `@file:line` where several functions share one, and with `:column` where those
    /// stand in one line.
    #[must_use]
    pub fn name(&self) -> String {
        self.label.clone()
    }

    /// Its name without its place.
    pub(crate) const fn bare_name(&self) -> &'static str {
        self.site.name()
    }

    /// The file and the line of its attribute, or where the closure is run.
    #[must_use]
    pub const fn place(&self) -> (&'static str, u32) {
        self.site.place()
    }

    /// What it goes by, in words: `3 attempts, full_jitter 50ms to 20s, idempotent`. Where an override changes
    /// what the attribute says, both stand there: `2 attempts (declared: 3 attempts)`.
    #[must_use]
    pub fn policy_in_words(&self) -> String {
        words::join(&self.words())
    }

    pub(super) fn words(&self) -> Vec<Word> {
        words::words(self.site, &Rules::in_force(self.site), &self.overrides())
    }

    /// The overrides that change anything about it, the strongest first, each with what it changes here.
    ///
    /// ```standalone_crate
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, control::{self, Override, Target}, sites};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
    /// let gentle = Override::new(Target::All).set("attempts", 2).unwrap().note("INC-4711");
    /// control::set(gentle).unwrap();
    /// let table = sites();
    /// let said = &table.get("fetch").unwrap().overrides()[0];
    /// assert_eq!(said.to_string(), "attempts = 2 (layer `code`, all sites; INC-4711)");
    /// # }
    /// ```
    #[must_use]
    pub fn overrides(&self) -> Vec<Effect> {
        effect::of_site(self.site)
    }

    /// Whether the policy is another for each type, or for each call.
    #[must_use]
    pub fn varies(&self) -> bool {
        self.site.varies()
    }

    /// The longest that one of its calls can take.
    #[must_use]
    pub fn longest_call(&self) -> LongestCall {
        LongestCall::of(self.site, &Rules::in_force(self.site))
    }

    /// The policy in force: the attribute's, with what is overridden.
    pub fn policy_in_force(&self) -> Policy {
        Rules::in_force(self.site).policy
    }

    /// The policy in its attribute.
    pub const fn policy(&self) -> Policy {
        *self.site.policy()
    }

    /// The name of the budget that pays for its retries: `(own)` for a bucket of the function's own; `None` for
    /// `budget = none` and for budgets that are expressions.
    #[must_use]
    pub fn budget(&self) -> Option<&'static str> {
        match self.site.budget_ref() {
            BudgetRef::Own => Some(OWN),
            BudgetRef::Static(budget) => Some(budget.name()),
            BudgetRef::Named(name) => Some(name.name()),
            BudgetRef::None | BudgetRef::Given => None,
        }
    }

    /// The retries that are left in the bucket of its own, if that pays for them.
    #[must_use]
    pub fn own_balance(&self) -> Option<f64> {
        let own = matches!(self.site.budget_ref(), BudgetRef::Own);
        own.then(|| isolation::own(self.site.own_budget()).balance_at(clock::now()))
    }

    /// The most that the bucket of its own holds.
    pub(super) fn own_capacity(&self) -> f64 {
        isolation::own(self.site.own_budget()).capacity(clock::now())
    }

    /// The name of the breaker that its attempts ask; `None` for a function without one.
    #[must_use]
    pub fn breaker(&self) -> Option<&'static str> {
        breaker::used_by(self.site)
    }

    /// The budget that never sheds, though the function says `shed`.
    pub(crate) fn sheds_nothing(&self) -> Option<&'static Budget> {
        let budget = self.site.named_budget().filter(|_| self.site.is_shedding())?;
        (!budget.may_shed_upwards()).then_some(budget)
    }

    fn count(&self, count: Count) -> u64 {
        self.site.state().get(count)
    }

    /// Whether calls that succeed at once are counted here and now. While they are not, [`calls`](Self::calls),
    /// [`attempts`](Self::attempts) and the successes among the [`outcomes`](Self::outcomes) lack them, and tables
    /// show none of the three.
    #[must_use]
    #[allow(clippy::unused_self)] // A property of the row, as far as its readers are concerned.
    pub fn counts_successes(&self) -> bool {
        isolation::counting()
    }

    /// Calls that have ended: those that failed, recovered, were dropped or panicked, and those that
    /// succeeded at once while [`count_successes`](crate::control::count_successes) was on.
    #[must_use]
    pub fn calls(&self) -> u64 {
        let stopped: u64 = StopReason::ALL.iter().map(|reason| self.stops(*reason)).sum();
        stopped
            + self.count(Count::Recovered)
            + self.count(Count::AtOnce)
            + self.count(Count::Panics)
    }

    /// How those calls ended.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        let failure_after_retry = self.count(Count::FailedAfterRetry);
        let stopped: u64 = StopReason::ALL.iter().map(|reason| self.stops(*reason)).sum();
        Outcomes {
            success: self.count(Count::AtOnce),
            success_after_retry: self.count(Count::Recovered),
            failure: (stopped + self.panics()).saturating_sub(failure_after_retry),
            failure_after_retry,
        }
    }

    /// What failed and why calls stopped then, the most frequent first.
    #[must_use]
    pub fn errors(&self) -> Vec<ErrorRow> {
        errors::of(self.site.state())
    }

    /// Attempts that went on when their timeout or the deadline had passed, because the error type cannot
    /// express that they were cut.
    #[must_use]
    pub fn uncut(&self) -> u64 {
        self.count(Count::Uncut)
    }

    /// Attempts that ended in a result, with the same reservation about successes at once.
    #[must_use]
    pub fn attempts(&self) -> u64 {
        self.failures() + self.count(Count::Recovered) + self.count(Count::AtOnce)
    }

    /// Attempts that failed.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.count(Count::Failures)
    }

    /// Retries that started, hedges among them.
    #[must_use]
    pub fn retries(&self) -> u64 {
        self.count(Count::Retries)
    }

    /// Hedges: attempts that were started beside one that was slow.
    #[must_use]
    pub fn hedges(&self) -> u64 {
        self.count(Count::Hedges)
    }

    /// Calls that succeeded after a retry.
    #[must_use]
    pub fn recovered(&self) -> u64 {
        self.count(Count::Recovered)
    }

    /// Calls that stopped for this reason. For `BudgetExhausted` these are the refused retries.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::{Policy, StopReason, sites};
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
    /// assert_eq!(sites().get("fetch").unwrap().stops(StopReason::BudgetExhausted), 0);
    /// # }
    /// ```
    #[must_use]
    pub fn stops(&self, reason: StopReason) -> u64 {
        self.site.state().stops(reason)
    }

    /// Failures that neither this function nor the one around it retried.
    #[must_use]
    pub fn lost_to_nesting(&self) -> u64 {
        self.count(Count::LostToNesting)
    }

    /// Calls that ended in a panic of the body.
    #[must_use]
    pub fn panics(&self) -> u64 {
        self.count(Count::Panics)
    }

    /// Panics of its hooks, contained.
    #[must_use]
    pub fn hook_panics(&self) -> u64 {
        self.count(Count::HookPanics)
    }

    /// Whether it starts attempts beside slow ones.
    pub(super) const fn is_hedging(&self) -> bool {
        self.site.hedges().is_some()
    }

    /// Whether it is a `blocking` function that was called inside an async runtime, where its waits hold
    /// up all tasks of the thread.
    #[must_use]
    pub fn blocks_runtime(&self) -> bool {
        self.site.state().blocks()
    }

    /// Whether its retries are switched off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        crate::control::expire_now();
        self.site.state().is_off()
    }
}

/// All annotated functions that are linked into the process, by name. Its `Display` is a table, and the
/// warnings about functions under it; `{:#}` says more about each: its policy, its place, the longest that
/// a call can take, and what failed.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, Sites, sites};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
/// let table: Sites = sites();
/// assert_eq!(table.iter().len(), 1);
/// println!("{table:#}");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Sites(Vec<SiteRow>);

/// The annotated functions of the process, called or not, and the closures that were run.
///
/// Functions are listed from link time, where the platform runs constructors before `main`: Linux, macOS,
/// the BSDs, Windows and most others do. A WebAssembly module that is no command, because its host calls
/// into it many times, has to call `__wasm_call_ctors` once at its start; without it the table is empty
/// until then, and so are those of budgets and breakers. Functions of a crate that is linked but never
/// named in code are missing everywhere.
///
/// ```
/// # use retry_runtime as stormless;
/// println!("{}", stormless::sites());
/// ```
#[must_use]
pub fn sites() -> Sites {
    let all = site::all();
    let labels = site::labels(&all);
    Sites(all.into_iter().zip(labels).map(|(site, label)| SiteRow { site, label }).collect())
}

readable_rows!(Sites, SiteRow);
