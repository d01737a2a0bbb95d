//! What a budget promises, as a text for whoever is on call.

use std::fmt::{self, Formatter};
use std::time::Duration;

use super::figure::Figure;
use super::{Bound, BudgetOptions, BudgetSettings, Earning};

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let options = self.settings.options();
        if options.observe_only {
            f.write_str("Nothing is refused, because this budget only observes. Otherwise: ")?;
        }
        match self.settings {
            BudgetSettings::TokenBucket { ratio, .. } | BudgetSettings::HalfFull { ratio, .. } => {
                self.write_bucket(f, ratio)?;
            }
            BudgetSettings::SlidingWindow { ratio, window, min_samples, .. } => {
                self.write_window(f, ratio, window, min_samples)?;
            }
            BudgetSettings::ExpiringDeposits { ratio, window, .. } => {
                self.write_deposits(f, ratio, window)?;
            }
            BudgetSettings::Concurrency { ratio, min_concurrency, .. } => {
                self.write_concurrency(f, ratio, min_concurrency)?;
            }
        }
        self.write_options(f, &options)?;
        f.write_str(
            " Not covered: first attempts, what an enclosing call repeats beside its last failed \
             call, calls with `budget = none`, ",
        )?;
        if self.processes() == 1 {
            f.write_str("other processes")?;
        } else {
            write!(f, "processes beyond these {}", self.processes())?;
        }
        f.write_str(", and retries inside drivers.")
    }
}

impl Bound {
    fn write_bucket(&self, f: &mut Formatter<'_>, ratio: f64) -> fmt::Result {
        let options = self.settings.options();
        let each = self.settings.at_once().unwrap_or(0.0);
        let (all, ratio) = (Figure(each * f64::from(self.processes())), Figure(ratio));
        let (one, many, none) = if options.earning == Earning::Answers {
            ("answered call", "answered calls", "nothing is answered")
        } else {
            ("call that succeeds", "calls that succeed", "nothing succeeds")
        };
        write!(f, "At most {all} retries at once")?;
        self.write_each(f, &Figure(each))?;
        write!(f, ", then {ratio} of a retry for each {one}")?;
        if options.gives_back() {
            f.write_str(", or its last retry back")?;
        }
        let steady = self.settings.steady();
        write!(
            f,
            ": retries never exceed {all} + {} x {many}. In the long run that is at most {} attempts \
             per call, and while {none} there are none once the {all} are spent.",
            Figure(steady),
            Figure(1.0 + steady)
        )
    }

    fn write_window(
        &self,
        f: &mut Formatter<'_>,
        ratio: f64,
        window: Duration,
        min_samples: u32,
    ) -> fmt::Result {
        write!(
            f,
            "When one is granted, retries are at most {} % of the attempts of the last {window:?}, \
             answered or not",
            Figure(ratio * 100.0)
        )?;
        if min_samples > 1 {
            write!(
                f,
                ", except that up to {} in that time",
                u64::from(min_samples - 1) * u64::from(self.processes())
            )?;
            self.write_each(f, &(min_samples - 1))?;
            write!(f, " are let through while there are fewer than {min_samples} attempts")?;
            if self.processes() > 1 {
                f.write_str(" in a process")?;
            }
        }
        write!(
            f,
            ". Where the share applies that is at most {} attempts per call, and the retries go on \
             while nothing is answered.",
            Figure(1.0 + self.settings.steady())
        )
    }

    fn write_deposits(&self, f: &mut Formatter<'_>, ratio: f64, window: Duration) -> fmt::Result {
        let by_requests = self.settings.options().earning == Earning::Requests;
        let deposits = if by_requests { "calls, answered or not" } else { "calls that succeeded" };
        let each = self.exempt() / u64::from(self.processes());
        write!(
            f,
            "When one is granted, retries of the last {window:?} are at most {}",
            self.exempt()
        )?;
        self.write_each(f, &each)?;
        write!(f, " + {} x {deposits}, of that time.", Figure(ratio))?;
        let goes_on = match (by_requests, each) {
            (true, _) => " They go on while nothing is answered.",
            (false, 0) => "",
            (false, _) => " The first part goes on while nothing is answered.",
        };
        f.write_str(goes_on)
    }

    fn write_concurrency(&self, f: &mut Formatter<'_>, ratio: f64, least: u32) -> fmt::Result {
        write!(
            f,
            "At any time at most {} % of the calls under way are retrying, but always {}",
            Figure(ratio * 100.0),
            u64::from(least) * u64::from(self.processes())
        )?;
        self.write_each(f, &least)?;
        f.write_str(
            ". Retries that fail at once follow one another without end, so nothing but `attempts` \
             limits the attempts per call, and the retries go on while nothing is answered.",
        )
    }

    fn write_options(&self, f: &mut Formatter<'_>, options: &BudgetOptions) -> fmt::Result {
        if let Some((per_second, silence)) = options.floor {
            write!(
                f,
                " Besides, up to {} retries a second",
                u64::from(per_second) * u64::from(self.processes())
            )?;
            self.write_each(f, &per_second)?;
            write!(
                f,
                " are always granted, while anything succeeded within the last {silence:?}."
            )?;
        }
        if let Some(share) = options.per_call {
            let percent = Figure(share * 100.0);
            write!(f, " One call takes at most {percent} % of the balance, or one retry.")?;
        }
        if let Some(parent) = options.parent {
            write!(f, " Each retry is paid by `{parent}` too.")?;
        }
        if let Some(multiplier) = options.shed {
            write!(
                f,
                " First attempts are shed once there are more than {} for each that is accepted.",
                Figure(multiplier)
            )?;
        }
        Ok(())
    }

    fn write_each(&self, f: &mut Formatter<'_>, each: &dyn fmt::Display) -> fmt::Result {
        if self.processes() > 1 {
            write!(f, " in {} processes ({each} each)", self.processes())?;
        }
        Ok(())
    }
}
