//! Closures.

use std::time::Duration;

use stormless::{Policy, Quantile, RetryExt};

use crate::{
    attribute::explain,
    observe::{Answer, Bodies, FORMS, Form, GUARD, SHEDS, of_error, of_result},
    row::{Row, Shape},
};

const LIMIT: Duration = Duration::from_millis(100);
const HEDGE: Duration = Duration::from_millis(30);

/// The call of a row, told what its shape is and ended as its form is. The limits on an attempt stand
/// apart, because what blocks has none.
macro_rules! shaped {
    (@timed $call:ident, $last:expr, $($end:tt)*) => {{
        let call = $call.attempt_timeout(LIMIT);
        if $last { call.last_attempt_untimed()$($end)* } else { call$($end)* }
    }};
    (@lending $call:ident, $last:expr, $($end:tt)*) => {
        shaped!(@timed $call, $last, $($end)*)
    };
    (@blocking $call:ident, $last:expr, $($end:tt)*) => {
        unreachable!("what runs on its thread is not cut: {:?}", ($call, $last))
    };
    (@hedged timed $call:ident, $($end:tt)*) => { $call.hedge(HEDGE)$($end)* };
    (@hedged $kind:tt $call:ident, $($end:tt)*) => {
        unreachable!("it runs one body at a time: {:?}", $call)
    };
    ($kind:tt $row:ident, $bodies:ident, $name:literal, $call:expr, $($end:tt)*) => {{
        let (row, bodies, call) = ($row, $bodies, $call.named($name));
        match row.shape {
            Shape::Paid => call.budget(&FORMS).deadline(row.deadline)$($end)*,
            Shape::Own => call.deadline(row.deadline)$($end)*,
            Shape::Named => call.budget("forms")$($end)*,
            Shape::Unpaid => call.no_budget()$($end)*,
            Shape::Timed | Shape::LastUntimed => {
                let call = call.budget(&FORMS).deadline(row.deadline);
                shaped!(@$kind call, row.shape == Shape::LastUntimed, $($end)*)
            }
            Shape::Guarded => call.budget(&FORMS).breaker(&GUARD)$($end)*,
            Shape::Answering => call.budget(&FORMS).classify_result(of_result)$($end)*,
            Shape::Classed => call.budget(&FORMS).classify(of_error)$($end)*,
            Shape::Keyed => call.budget(&FORMS).idempotency_key(bodies.order)$($end)*,
            Shape::Explained => call.explain().budget(&FORMS)$($end)*.map_err(explain),
            Shape::Uncut => call.budget(&FORMS).uncut_deadline(row.deadline)$($end)*,
            Shape::Hedged => {
                let call = call.budget(&FORMS);
                shaped!(@hedged $kind call, $($end)*)
            }
            Shape::Foreseen => {
                call.budget(&FORMS).deadline(row.deadline).expect(Quantile::P95)$($end)*
            }
            Shape::ByKey => call.budget_key(&FORMS, bodies.order)$($end)*,
            Shape::Shed => call.budget(&SHEDS).shed()$($end)*,
            Shape::Told => call.budget(&FORMS).on_retry(|event| bodies.tell(event))$($end)*,
            Shape::Harmless => call.budget(&FORMS)$($end)*,
        }
    }};
}

/// With what cannot be said after the policy.
fn policy(row: &Row) -> Policy {
    match row.shape {
        Shape::Harmless | Shape::Hedged => row.policy.idempotent_if(row.harmless),
        _ => row.policy,
    }
}

pub(crate) struct Run;

impl Form for Run {
    fn site(_: Shape) -> String {
        "forms.run".to_owned()
    }

    async fn call(row: &Row, bodies: &Bodies) -> Answer {
        let call = policy(row).run(async || bodies.body().await);
        shaped!(timed row, bodies, "forms.run", call, .await)
    }
}

pub(crate) struct Suffix;

impl Form for Suffix {
    fn site(_: Shape) -> String {
        "forms.suffix".to_owned()
    }

    async fn call(row: &Row, bodies: &Bodies) -> Answer {
        let call = (async || bodies.body().await).retry(policy(row));
        shaped!(timed row, bodies, "forms.suffix", call, .await)
    }
}

pub(crate) struct RunMut;

impl Form for RunMut {
    fn can(row: &Row) -> bool {
        row.shape != Shape::Hedged
    }

    fn site(_: Shape) -> String {
        "forms.run_mut".to_owned()
    }

    async fn call(row: &Row, bodies: &Bodies) -> Answer {
        let mut runs = Vec::new();
        let call = policy(row).run_mut(async || {
            runs.push(bodies);
            body_of(&mut runs).await
        });
        shaped!(lending row, bodies, "forms.run_mut", call, .call().await)
    }
}

/// What a closure lends to its attempt.
async fn body_of(runs: &mut [&Bodies]) -> Answer {
    runs[runs.len() - 1].body().await
}

pub(crate) struct RunBlocking;

impl Form for RunBlocking {
    const BLOCKING: bool = true;

    fn site(_: Shape) -> String {
        "forms.run_blocking".to_owned()
    }

    async fn call(row: &Row, bodies: &Bodies) -> Answer {
        let call = policy(row).run_blocking(|| bodies.blocking_body());
        shaped!(blocking row, bodies, "forms.run_blocking", call, .call())
    }
}
