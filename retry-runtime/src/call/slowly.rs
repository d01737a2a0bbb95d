//! How a call begins where somebody observes it, where an override says something that matters from the
//! beginning, or where it is the first that this budget pays for.

use crate::{
    Budget, Moment, Policy, clock,
    context::{Ambient, CallNumber},
    event,
    site::{BudgetRef, Site},
};

use super::{Call, FREE, Phase, begin::Payer};

impl Call {
    /// [`within`](Self::within), where one word does not say that there is nothing to ask.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_slowly(
        outer: Ambient,
        number: CallNumber,
        site: &'static Site,
        policy: &Policy,
        given_budget: Option<&'static Budget>,
        given_deadline: Option<Moment>,
    ) -> Self {
        let payer = Payer::find(site, given_budget);
        let mut call = Self::assemble(outer, number, site, policy, payer, given_deadline);
        if event::is_wanted() {
            call.tell_call(clock::now());
            // So that the start of its first attempt is not passed over, as it is elsewhere.
            if call.phase == Phase::Polling {
                call.phase = Phase::Fresh;
            }
        }
        call
    }
}

impl Payer {
    /// Asks who pays, and lets the next call know if nobody needs to be asked again.
    fn find(site: &'static Site, given: Option<&'static Budget>) -> Self {
        let named = match site.budget_ref() {
            _ if given.is_some() => given,
            BudgetRef::Own => Some(site.own_budget()),
            BudgetRef::Static(budget) => Some(budget),
            BudgetRef::Named(name) => Some(name.found()),
            BudgetRef::None | BudgetRef::Given => None,
        };
        match named.map(Budget::find_lead) {
            Some((budget, id)) => Self { budget, id },
            None => {
                FREE.find_lead();
                Self::NOBODY
            }
        }
    }
}
