//! Figures and series for other programs.

mod measured;
mod shape;

use std::{
    io::{self, Write},
    time::Duration,
};

use self::shape::{
    Document, FigureJson, Figures, LatencyJson, NoteJson, Number, OutcomeJson, PolicyJson,
    ScenarioJson, SeriesJson, SpreadJson, TierJson, TierRowJson,
};
use super::Finished;
use crate::{
    outcome::{Outcome, Recovery, Series, TierOutcome},
    scenario::Window,
    summary::{Measure, Note, Row, Spread, TierRow, Unit, Value},
};

/// The schema's version: it changes where a field's meaning or place does, not where fields are added.
pub const VERSION: u32 = 1;

/// Writes one JSON document and a newline.
///
/// ```json
/// {
///   "version": 1,
///   "complete": true,
///   "scenarios": [{
///     "name": "L2", "title": "…", "about": "…", "complete": true,
///     "duration_s": 180, "window_s": [90, 180], "trigger_s": [90, 95],
///     "watched_tier": "api", "first_policy": "naive",
///     "policies": [{
///       "name": "ratio", "seeds": [1, 2],
///       "figures": {
///         "peak_1s_retries_per_s": {
///           "value": { "median": 280, "low": 270, "high": 290, "seeds": 2 },
///           "ratio": { "median": 0.06, "low": 0.057, "high": 0.062, "seeds": 2 }
///         }
///       },
///       "tiers": [{ "name": "api", "attempts_per_call": {}, "utilisation_percent": {}, "wasted_percent": {},
///                   "granted_retries": {}, "refused_retries": {} }],
///       "stops": { "budget_exhausted": {} },
///       "notes": [{ "text": "…", "seeds": [1] }],
///       "outcomes": [{
///         "seed": 1,
///         "figures": { "peak_1s_retries_per_s": 270, "recovery_s": "never" },
///         "tiers": [{ "name": "api", "calls": 1, "attempts": 1, "arrived": 1, "served": 1, "wasted": 0,
///                     "utilisation_percent": 31.2, "granted_retries": 0, "refused_retries": 0 }],
///         "stops": { "budget_exhausted": 3 }, "notes": [], "events": 1234, "most_concurrent": 56,
///         "latency_ms": { "succeeded": { "count": 1, "mean": 10.1, "p1": 9.8, "p50": 10.1, "p100": 10.4 }, "all": {} },
///         "series": { "step_s": 0.01, "calls": [], "succeeded": [], "attempts": [], "retries": [], "offered": [],
///                     "served": [], "budget_step_s": 1, "budget": [] }
///       }]
///     }],
///     "failures": ["…"],
///     "measured": {
///       "asked_s": 60, "seen_s": 60, "troubles": [],
///       "policies": [{
///         "name": "success",
///         "server": { "processes": 1, "cpu_percent": 21.4, "memory_mib": 6.2, "cpu_percent_by_second": [20.1] },
///         "clients": { "processes": 4, "cpu_percent": 8.9, "memory_mib": 9.1, "cpu_percent_by_second": [8.7] },
///         "requests": { "arrived": 1, "served": 1, "wasted": 0, "lost": 0, "unanswered": 0, "failed": 0, "refused": 0 },
///         "calls_failed": 0, "calls_unfinished": 0, "failed_attempts": { "_OTHER": 3 },
///         "phases": [{ "name": "steady", "window_s": [0, 12], "calls": 1, "success_percent": 100,
///                      "attempts_per_call": 1, "peak_1s_retries_per_s": 0, "served_in_time_per_s": 160,
///                      "server_cpu_percent": 20.1, "clients_cpu_percent": 8.7 }]
///       }]
///     }
///   }]
/// }
/// ```
///
/// `measured` is there only where an experiment was made rather than a simulation. CPU time is in percent of one core,
/// of all processes together; memory is the most that one of them had resident; both are `null` where the system does
/// not say.
///
/// `figures` has every measure of [`Measure::ALL`] under its key, which names the unit; `ratio` is what is divided by
/// the first policy's figure of the same seed, and `null` for the first policy itself. A figure is a number, `null`
/// where it is undefined, and `"never"` where a recovery did not come; `"no trigger"` where there was nothing to
/// recover from. Spreads count in `seeds` over how many seeds the figure was defined. Numbers are rounded as in the
/// tables. `amplification`, `utilisation_percent` and the series `offered` and `served` are about the `watched_tier`,
/// which is `null` where one row is changed; peaks, and `granted_retries` and `refused_retries` of `figures`, are about
/// all tiers together. Series count in steps from the start of the simulation and end with the last step that is not zero;
/// `budget` is the mean level of the entry tier's budgets, from 0 to 1.
///
/// # Errors
/// Those of the writer.
pub fn json(finished: &[&Finished], to: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        version: VERSION,
        complete: finished.iter().all(|scenario| scenario.results.complete),
        scenarios: finished.iter().copied().map(scenario).collect(),
    };
    serde_json::to_writer(&mut *to, &document)?;
    to.write_all(b"\n")
}

fn scenario(finished: &Finished) -> ScenarioJson<'_> {
    let Finished { results, summary, .. } = finished;
    let scenario = &results.scenario;
    let policy = |row| policy(finished, row);
    ScenarioJson {
        name: &scenario.name,
        title: &scenario.title,
        about: &scenario.about,
        complete: results.complete,
        duration_s: scenario.duration.as_secs_f64(),
        window_s: seconds(scenario.window),
        trigger_s: scenario.trigger().map(seconds),
        watched_tier: scenario.watched().map(|tier| tier.name.as_str()),
        first_policy: &summary.first,
        policies: summary.rows.iter().map(policy).collect(),
        failures: results.failures.iter().map(ToString::to_string).collect(),
        measured: finished.measured.as_ref().map(measured::json),
    }
}

fn seconds(window: Window) -> [f64; 2] {
    [window.from.as_secs_f64(), window.to.as_secs_f64()]
}

fn policy<'a>(finished: &'a Finished, row: &'a Row) -> PolicyJson<'a> {
    let figure = |(measure, figure): (Measure, crate::summary::Figure)| {
        let value = spread(figure.value, measure.unit());
        (
            measure.key(),
            FigureJson { value, ratio: figure.ratio.map(|ratio| spread(ratio, Unit::Ratio)) },
        )
    };
    let of = |outcome: &&'a Outcome| outcome.policy == row.policy;
    let note = |note: &'a Note| NoteJson { text: &note.text, seeds: &note.seeds };
    PolicyJson {
        name: &row.policy,
        seeds: &row.seeds,
        figures: Figures(row.figures().map(figure).collect()),
        tiers: row.tiers.iter().map(tier_row).collect(),
        stops: row
            .stops
            .iter()
            .map(|(label, count)| (*label, spread(*count, Unit::Count)))
            .collect(),
        notes: row.notes.iter().map(note).collect(),
        outcomes: finished
            .results
            .outcomes
            .iter()
            .filter(of)
            .map(|one| outcome(finished, one))
            .collect(),
    }
}

fn spread(spread: Spread, unit: Unit) -> SpreadJson {
    let number = |value| Number::of(value, unit);
    SpreadJson {
        median: number(spread.median),
        low: number(spread.low),
        high: number(spread.high),
        seeds: spread.count,
    }
}

fn tier_row(tier: &TierRow) -> TierRowJson<'_> {
    TierRowJson {
        name: &tier.name,
        attempts_per_call: spread(tier.attempts, Unit::PerCall),
        utilisation_percent: spread(tier.utilisation, Unit::Share),
        wasted_percent: spread(tier.wasted, Unit::Share),
        granted_retries: spread(tier.granted, Unit::Count),
        refused_retries: spread(tier.refused, Unit::Count),
    }
}

fn outcome<'a>(finished: &Finished, outcome: &'a Outcome) -> OutcomeJson<'a> {
    let scenario = &finished.results.scenario;
    let figure = |measure: &Measure| {
        let number = match (measure, outcome.recovery) {
            (Measure::Recovery, Recovery::NoTrigger) => Number(None, Some("no trigger")),
            _ => Number::of(measure.of(scenario, outcome), measure.unit()),
        };
        (measure.key(), number)
    };
    OutcomeJson {
        seed: outcome.seed,
        figures: Figures(Measure::ALL.iter().map(figure).collect()),
        tiers: outcome.tiers.iter().map(tier).collect(),
        stops: &outcome.stops,
        notes: &outcome.notes,
        events: outcome.events,
        most_concurrent: outcome.most_concurrent,
        latency_ms: LatencyJson {
            succeeded: latency(&outcome.latency),
            all: latency(&outcome.latency_all),
        },
        series: series(&outcome.series),
    }
}

fn tier(tier: &TierOutcome) -> TierJson<'_> {
    TierJson {
        name: &tier.name,
        calls: tier.calls,
        attempts: tier.attempts,
        arrived: tier.arrived,
        served: tier.served,
        wasted: tier.wasted,
        utilisation_percent: Number::of(Value::number(tier.utilisation), Unit::Share),
        granted_retries: tier.granted,
        refused_retries: tier.refused,
    }
}

/// `count`, `mean`, and percentiles from `p1` to `p100`, which is the longest.
fn latency(histogram: &hdrhistogram::Histogram<u64>) -> Figures<Number> {
    const PERCENTILES: [(&str, f64); 11] = [
        ("p1", 0.01),
        ("p5", 0.05),
        ("p10", 0.1),
        ("p25", 0.25),
        ("p50", 0.5),
        ("p75", 0.75),
        ("p90", 0.9),
        ("p95", 0.95),
        ("p99", 0.99),
        ("p99.9", 0.999),
        ("p100", 1.0),
    ];
    let millis = |micros: Value| match histogram.len() {
        0 => Number(None, None),
        _ => Number::of(micros.over(Value::Number(1e3)), Unit::Millis),
    };
    let percentile = |quantile| millis(Value::count(histogram.value_at_quantile(quantile)));
    let count = ("count", Number::of(Value::count(histogram.len()), Unit::Count));
    let mean = ("mean", millis(Value::number(histogram.mean())));
    let percentiles = PERCENTILES.iter().map(|(name, quantile)| (*name, percentile(*quantile)));
    Figures([count, mean].into_iter().chain(percentiles).collect())
}

fn series(series: &Series) -> SeriesJson<'_> {
    let level = |level: &f32| Number::of(Value::number(f64::from(*level)), Unit::Ratio);
    let levels = |levels: &Vec<f32>| levels.iter().map(level).collect::<Vec<_>>();
    SeriesJson {
        step_s: Series::STEP.as_secs_f64(),
        calls: &series.calls,
        succeeded: &series.succeeded,
        attempts: &series.attempts,
        retries: &series.retries,
        offered: &series.offered,
        served: &series.served,
        budget_step_s: Duration::from_secs(1).as_secs_f64(),
        budget: levels(&series.budget),
        inner_budgets: series.inner_budgets.iter().map(levels).collect(),
    }
}
