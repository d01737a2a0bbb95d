//! Switches: overrides of the key `retries` alone, thrown at once.

use std::time::Duration;

use super::{Override, Target, names, names::UnknownName};
use crate::{Budget, isolation, site::Site};

/// A switch for retries. Throwing it twice is throwing it once, for the longer of the two times: who throws
/// it for a minute does not end what another threw for good. To shorten a time, switch [on](Self::on) first.
///
/// It is an override of the key `retries` in the layer `code`, and shown as such by
/// [`overrides`](super::overrides).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::control;
/// use std::time::Duration;
///
/// let switch = control::all().because("INC-4711");
/// switch.off_for(Duration::from_secs(15 * 60));
/// assert!(switch.is_off());
/// switch.on();
/// assert!(!switch.is_off());
/// ```
#[derive(Debug)]
#[must_use = "a switch does nothing until it is thrown"]
pub struct Switch {
    target: Target,
    reach: Reach,
    note: Option<String>,
}

#[derive(Debug)]
enum Reach {
    All,
    Budget(&'static Budget),
    Sites(Vec<&'static Site>),
}

impl Switch {
    /// Why, for whoever reads the table: an incident's number, a name.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control;
    ///
    /// control::all().because("INC-4711").off();
    /// assert_eq!(control::overrides().iter().next().unwrap().note(), Some("INC-4711"));
    /// ```
    pub fn because(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// No retries from here on.
    pub fn off(&self) {
        self.throw(None);
    }

    /// No retries for so long, or for longer if it was thrown for longer. A time of zero changes nothing.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::control;
    /// use std::time::Duration;
    ///
    /// control::all().off_for(Duration::from_secs(15 * 60));
    /// assert!(control::overrides().iter().next().unwrap().expires_in().is_some());
    /// ```
    pub fn off_for(&self, time: Duration) {
        if !time.is_zero() {
            self.throw(Some(time));
        }
    }

    fn throw(&self, time: Option<Duration>) {
        let item = Override::switched_off(self.target.clone(), self.note.clone(), time);
        isolation::overrides(|store| store.switch_off(item));
    }

    /// Retries again, as far as it is for the program to say: what the environment or a file switches off
    /// stays off, and so does everything after [`shutdown`](super::shutdown).
    pub fn on(&self) {
        isolation::overrides(|store| store.clear(&self.target, true));
    }

    /// Whether retries are off, whoever switched them off.
    #[must_use]
    pub fn is_off(&self) -> bool {
        super::expire_now();
        match &self.reach {
            Reach::All => isolation::is_off(),
            Reach::Budget(budget) => budget.is_off(),
            Reach::Sites(sites) => sites.iter().all(|site| site.state().is_off()),
        }
    }
}

/// The switch for all retries of the process.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::control;
///
/// control::all().because("INC-4711").off_for(Duration::from_secs(15 * 60));
/// assert!(control::all().is_off());
/// println!("{}", control::overrides());
/// control::all().on();
/// assert!(!control::all().is_off());
/// ```
pub const fn all() -> Switch {
    Switch { target: Target::All, reach: Reach::All, note: None }
}

/// The switch for the retries that a budget pays for.
///
/// # Errors
///
/// If no budget of this name is declared or in use.
///
/// ```standalone_crate
/// # use retry_runtime as stormless;
/// use stormless::{Budget, budget, control};
///
/// budget! { static ORDERS: Budget = Budget::new("orders"); }
///
/// control::budget("orders")?.because("INC-4711").off();
/// assert!(ORDERS.is_off());
/// assert!(control::budget("oders").is_err());
/// # Ok::<(), control::UnknownName>(())
/// ```
pub fn budget(name: &str) -> Result<Switch, UnknownName> {
    let reach = Reach::Budget(names::budget(name)?.holder);
    Ok(Switch { target: Target::Budget(name.to_owned()), reach, note: None })
}

/// The switch for one annotated function, by its name, or by `name@file:line` where several share one,
/// or with `:column` too where that is not enough. It throws all functions that have the name and the
/// place: those that one call of a macro generates have both in common.
///
/// # Errors
///
/// If no site has this name, or several have it at different places.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Policy, control, sites};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), control::UnknownName> {
/// Policy::new().run(async || Ok::<_, std::io::Error>(())).named("fetch").await.unwrap();
/// control::site("fetch")?.off();
/// assert!(sites().get("fetch").unwrap().is_off());
/// assert!(control::site("fetsch").is_err());
/// # Ok(())
/// # }
/// ```
pub fn site(name: &str) -> Result<Switch, UnknownName> {
    let reach = Reach::Sites(names::sites(name)?);
    Ok(Switch { target: Target::Site(name.to_owned()), reach, note: None })
}
