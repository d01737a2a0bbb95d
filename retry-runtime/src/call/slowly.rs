//! How a call begins where somebody observes or traces it, where an override says something that matters from the
//! beginning, or where it is the first that this budget pays for.

use crate::{
    Budget, Moment, Policy, clock,
    context::{Ambient, CallNumber},
    control, event,
    site::Site,
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
        let patch = if control::changes_begins() {
            let now = clock::now();
            control::expire(now);
            let pays = (payer.id != 0).then_some(payer.budget);
            control::patch(site, pays, now).map(|patch| (patch, now))
        } else {
            None
        };
        let mut call = match patch {
            None => Self::assemble(outer, number, site, policy, payer, given_deadline),
            Some((patch, now)) => {
                let deadline = patch.deadline().map(|time| now.after(time)).or(given_deadline);
                let policy = patch.policy(policy);
                let mut call = Self::assemble(outer, number, site, &policy, payer, deadline);
                // So that it asks, at the first wait of each attempt, how long that may take.
                if patch.attempt_timeout().is_some() && call.ambient.deadline == Moment::NEVER {
                    call.ambient.deadline = Moment::UNREACHED;
                }
                call
            }
        };
        if event::wants_calls() {
            call.trace();
        }
        if call.is_told() {
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
        if let Some((budget, id)) = Self::named(site, given).map(Budget::lead) {
            Self { budget, id }
        } else {
            FREE.lead();
            Self::NOBODY
        }
    }
}
