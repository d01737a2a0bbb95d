//! When a service is well again.

use std::time::Duration;

use super::{Recovery, Series};
use crate::scenario::Window;

/// So many buckets in a row must be well.
const IN_A_ROW: usize = 5;
/// Each of them must have this share of the success before the trigger.
const EACH: f64 = 0.93;
/// All of them together this one.
const TOGETHER: f64 = 0.97;

/// How long after the trigger's end the first of five seconds in a row begins in each of which the share of calls
/// that succeed is at least 93 % of what it was before the trigger, and in all five together 97 %. Calls count
/// where they begin.
pub fn recovery(
    series: &Series,
    trigger: Option<Window>,
    warm: Duration,
    end: Duration,
) -> Recovery {
    let Some(trigger) = trigger else { return Recovery::NoTrigger };
    let second = Duration::from_secs(1);
    let sums = |counts: &[u32], window| Series::buckets(counts, window, second);
    let before = Window { from: warm.min(trigger.from), to: trigger.from };
    let usual = share(
        sums(&series.succeeded, before).iter().sum(),
        sums(&series.calls, before).iter().sum(),
    );
    let Some(usual) = usual else { return Recovery::NoTrigger };
    let after = Window { from: trigger.to, to: end };
    let (calls, succeeded) = (sums(&series.calls, after), sums(&series.succeeded, after));
    let well = |from: usize| {
        let range = from..from + IN_A_ROW;
        let each = range
            .clone()
            .all(|at| share(succeeded[at], calls[at]).is_none_or(|share| share >= EACH * usual));
        let (sum, all) = (succeeded[range.clone()].iter().sum(), calls[range].iter().sum());
        each && share(sum, all).is_none_or(|share| share >= TOGETHER * usual)
    };
    let whole = calls.len().saturating_sub(usize::from(after.length().subsec_nanos() != 0));
    (0..(whole + 1).saturating_sub(IN_A_ROW))
        .find(|from| well(*from))
        .map_or(Recovery::Never, |from| {
            Recovery::After(second * u32::try_from(from).unwrap_or(u32::MAX))
        })
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
