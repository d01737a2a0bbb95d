//! The schedule, drawn from production's own decisions.

use std::time::Duration;

use retry_runtime::{
    Classification, Decision, Facts, Generator, Machine, Moment, Nesting, Policy, Purse, Situation,
    Uniform,
};

use super::{DRAWS, ROWS, Row, SEED, Spread, due::Due};

/// Retries beyond this are not looked at one by one.
const MOST_RETRIES: u32 = 100;

pub(super) struct Drawn {
    pub(super) rows: Vec<Row>,
    pub(super) cut: Option<f64>,
    /// The share of calls in which an attempt starts with less time to the deadline than it takes.
    pub(super) cramped: Option<f64>,
    pub(super) due: Due,
}

/// Calls whose attempts all fail after this time, with a budget that pays for everything.
pub(super) fn draw(policy: &Policy, attempt: Duration, deadline: Option<Duration>) -> Drawn {
    let retries = policy.max_attempts().map_or(u32::MAX, |attempts| attempts - 1);
    let shown = retries.min(ROWS) as usize;
    let mut columns = vec![Column::default(); shown];
    let endless = Call { policy, attempt, deadline: Moment::NEVER, most: retries.min(ROWS) };
    for number in 0..DRAWS {
        endless.make(&mut Generator::seeded(SEED, number), |row, delay, start| {
            columns[row].delays.push(delay);
            columns[row].starts.push(start);
        });
    }
    let mut reached = vec![0_u64; shown];
    let (mut cut, mut cramped) = (0, 0);
    let (mut times, mut known) = (Vec::new(), None);
    let end = deadline.map_or(Moment::NEVER, |deadline| Moment::from_nanos(0).after(deadline));
    // Unlimited attempts have no last one that could be reached.
    let most = policy.max_attempts().map_or(ROWS, |_| retries.min(MOST_RETRIES));
    let ending = Call { policy, attempt, deadline: end, most };
    for number in 0..DRAWS {
        let mut last = Duration::ZERO;
        let made = ending.make(&mut Generator::seeded(SEED, number), |row, delay, start| {
            reached.iter_mut().skip(row).take(1).for_each(|count| *count += 1);
            times.push(start.saturating_sub(delay));
            last = start;
        });
        cut += u64::from(made < ending.most || policy.max_attempts().is_none());
        let ends = last.saturating_add(attempt);
        cramped += u64::from(deadline.is_some_and(|deadline| ends > deadline));
        if made == most && most < retries {
            known = Some(known.map_or(ends, |known: Duration| known.min(ends)));
        }
    }
    let (mut least, mut most) = (Vec::new(), Vec::new());
    endless.make(&mut Lowest, |_, delay, start| least.push((delay, start)));
    endless.make(&mut Highest, |_, delay, start| most.push((delay, start)));
    let extremes = least.into_iter().zip(most);
    let rows =
        columns.into_iter().zip(extremes).zip(1..).map(|((mut column, (least, most)), retry)| {
            Row {
                attempt: retry + 1,
                cap: policy.strategy().cap(&policy.steps(), retry - 1),
                delay: spread(&mut column.delays, least.0, most.0),
                start: spread(&mut column.starts, least.1, most.1),
                in_time: deadline
                    .and_then(|_| reached.get(retry as usize - 1))
                    .map(|count| share(*count)),
            }
        });
    Drawn {
        rows: rows.collect(),
        cut: deadline.map(|_| share(cut)),
        cramped: deadline.map(|_| share(cramped)),
        due: Due::of(times, known, attempt),
    }
}

#[derive(Clone, Default)]
struct Column {
    delays: Vec<Duration>,
    starts: Vec<Duration>,
}

struct Call<'a> {
    policy: &'a Policy,
    attempt: Duration,
    deadline: Moment,
    most: u32,
}

impl Call<'_> {
    /// How many retries are made; `seen` is told each one's place, its delay and when it starts.
    fn make(
        &self,
        random: &mut dyn Uniform,
        mut seen: impl FnMut(usize, Duration, Duration),
    ) -> u32 {
        let origin = Moment::from_nanos(0);
        let allowed = self.policy.attempts_within(origin.until(self.deadline));
        let facts = Facts { classification: Classification::transient(), label: "_OTHER" };
        let mut machine = Machine::new();
        let mut now = origin;
        for retry in 0..self.most {
            now = now.after(self.attempt);
            let situation = Situation {
                policy: self.policy,
                attempt: retry + 1,
                allowed,
                now,
                deadline: self.deadline,
                off: false,
                nesting: Nesting::Free,
                expected: Duration::ZERO,
                breaker_open: false,
            };
            let Decision::Retry(delay) = machine.decide(&facts, &situation, random, &mut Free)
            else {
                return retry;
            };
            now = now.after(delay);
            seen(retry as usize, delay, Duration::from_nanos(now.as_nanos()));
        }
        self.most
    }
}

/// Pays for everything.
struct Free;

impl Purse for Free {
    fn withdraw(&mut self, _cost: u32) -> bool {
        true
    }
}

struct Lowest;

impl Uniform for Lowest {
    fn up_to(&mut self, _top: u64) -> u64 {
        0
    }
}

struct Highest;

impl Uniform for Highest {
    fn up_to(&mut self, top: u64) -> u64 {
        top
    }
}

/// By the nearest rank: the smallest of the drawn that so many of them do not exceed.
fn spread(drawn: &mut [Duration], least: Duration, most: Duration) -> Spread {
    drawn.sort_unstable();
    let at = |percent: usize| {
        let rank = (drawn.len() * percent).div_ceil(100).max(1);
        drawn.get(rank - 1).copied().unwrap_or_default()
    };
    Spread { least, p5: at(5), p50: at(50), p95: at(95), most }
}

#[expect(clippy::cast_precision_loss, reason = "at most as many as were drawn")]
fn share(count: u64) -> f64 {
    count as f64 / DRAWS as f64
}

/// All delays at their longest, and all attempts; from the hundredth retry on each delay counts as the longest of
/// all.
pub(super) fn worst_total(policy: &Policy, attempt: Duration) -> Option<Duration> {
    let attempts = policy.max_attempts()?;
    let (retries, mut delays) = (attempts - 1, Duration::ZERO);
    let single = retries.min(MOST_RETRIES);
    let call = Call { policy, attempt: Duration::ZERO, deadline: Moment::NEVER, most: single };
    call.make(&mut Highest, |_, delay, _| delays = delays.saturating_add(delay));
    let last = policy.strategy().cap(&policy.steps(), retries);
    let rest = last.saturating_mul(retries - single);
    Some(attempt.saturating_mul(attempts).saturating_add(delays).saturating_add(rest))
}
