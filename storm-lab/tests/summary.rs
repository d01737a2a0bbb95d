//! Figures of made-up outcomes, worked out by hand.

mod common;

use common::{outcome, results, scenario, seconds};
use storm_lab::{
    outcome::Recovery,
    summary::{Measure, Note, Spread, Summary, Unit, Value},
};

fn spread(median: f64, low: f64, high: f64, count: usize) -> Spread {
    Spread {
        median: Value::Number(median),
        low: Value::Number(low),
        high: Value::Number(high),
        count,
    }
}

#[test]
fn each_figure_is_the_median_and_the_range_over_seeds() {
    let results = results();
    let summary = Summary::of(&results.scenario, &results.outcomes);
    let naive = summary.row("naive").unwrap();
    assert_eq!(summary.first, "naive");
    assert_eq!(naive.seeds, [1, 2, 3]);
    let of = |measure| naive.figure(measure).value;
    assert_eq!(of(Measure::Calls), spread(1_000.0, 1_000.0, 1_000.0, 3));
    // A tenth of 2,000, 2,500 and 3,000 retries in one step, a hundredfold as a rate.
    assert_eq!(of(Measure::Peak10Ms), spread(25_000.0, 20_000.0, 30_000.0, 3));
    assert_eq!(of(Measure::Peak1S), spread(2_500.0, 2_000.0, 3_000.0, 3));
    assert_eq!(of(Measure::Amplification), spread(3.5, 3.0, 4.0, 3));
    assert_eq!(of(Measure::Success), spread(0.5, 0.4, 0.6, 3));
    assert_eq!(of(Measure::Failure), spread(0.5, 0.4, 0.6, 3));
    assert_eq!(of(Measure::P50), spread(50.015, 50.015, 50.015, 3));
    assert_eq!(of(Measure::Utilisation), spread(0.5, 0.5, 0.5, 3));
    assert_eq!(of(Measure::Granted), spread(2_500.0, 2_000.0, 3_000.0, 3));
    assert_eq!(of(Measure::Refused), spread(7.0, 7.0, 7.0, 3));
    assert_eq!(naive.stops["attempts_exhausted"], spread(500.0, 400.0, 600.0, 3));
    assert_eq!(naive.figure(Measure::Amplification).ratio, None, "nothing is divided by itself");
}

#[test]
fn each_seed_is_divided_by_the_same_seed_of_the_first_policy() {
    let results = results();
    let summary = Summary::of(&results.scenario, &results.outcomes);
    let ratio = |measure| summary.row("ratio").unwrap().figure(measure).ratio.unwrap();
    // 1.1/3, 1/4, 1.05/3.5: not the ratio of the medians, which would be 1.05/3.5 as well, but the median of these.
    assert_eq!(ratio(Measure::Amplification), spread(1.05 / 3.5, 0.25, 1.1 / 3.0, 3));
    assert_eq!(ratio(Measure::Success), spread(0.9 / 0.5, 0.95 / 0.6, 1.0 / 0.4, 3));
    // 2/9, 1/never, 0/4.
    assert_eq!(ratio(Measure::Recovery), spread(1.0 / 9.0, 0.0, 2.0 / 9.0, 2));
}

#[test]
fn never_comes_after_every_time() {
    let results = results();
    let summary = Summary::of(&results.scenario, &results.outcomes);
    let recovery = summary.row("naive").unwrap().figure(Measure::Recovery).value;
    assert_eq!(recovery.median, Value::Number(9.0));
    assert_eq!(recovery.low, Value::Number(4.0));
    assert_eq!(recovery.high, Value::Never);
    // Of an even number, one of the two in the middle is enough.
    let even = Spread::of([Value::Never, Value::Number(1.0), Value::Undefined]);
    assert_eq!((even.median, even.count), (Value::Never, 2));
    assert_eq!(Spread::of([Value::Number(1.0), Value::Number(4.0)]).median, Value::Number(2.5));
    assert_eq!(Spread::of([Value::Undefined]), Spread::UNDEFINED);
}

#[test]
fn what_cannot_be_divided_is_undefined() {
    let scenario = scenario(&["naive", "none"], &[1]);
    let mut none = outcome("none", 1, 0, 1_000, Recovery::NoTrigger);
    none.calls = 0;
    let outcomes = [outcome("naive", 1, 0, 1_000, Recovery::Never), none];
    let summary = Summary::of(&scenario, &outcomes);
    let row = summary.row("none").unwrap();
    for measure in [
        Measure::Success,
        Measure::Failure,
        Measure::Amplification,
        Measure::P99,
        Measure::Recovery,
    ] {
        assert_eq!(row.figure(measure).value, Spread::UNDEFINED, "{measure:?}");
    }
    // No retries in either: zero by zero.
    assert_eq!(row.figure(Measure::Peak1S).value, spread(0.0, 0.0, 0.0, 1));
    assert_eq!(row.figure(Measure::Peak1S).ratio, Some(Spread::UNDEFINED));
    assert_eq!(Value::number(f64::NAN), Value::Undefined);
    assert_eq!(Value::Never.over(Value::Never), Value::Undefined);
}

#[test]
fn tiers_are_counted_for_each_call_of_the_clients() {
    let results = results();
    let summary = Summary::of(&results.scenario, &results.outcomes);
    let tiers = &summary.row("naive").unwrap().tiers;
    assert_eq!(tiers[0].name, "front");
    assert_eq!(tiers[0].attempts, spread(1.0, 1.0, 1.0, 3));
    assert_eq!(tiers[0].utilisation, Spread::UNDEFINED, "it has no server");
    assert_eq!(tiers[1].attempts, spread(3.5, 3.0, 4.0, 3));
    assert_eq!(tiers[1].wasted, spread(0.25, 0.25, 0.25, 3));
}

#[test]
fn a_seed_without_its_first_policy_has_figures_but_no_ratio() {
    let mut results = results();
    results.outcomes.retain(|outcome| outcome.policy == "ratio" || outcome.seed == 3);
    let summary = Summary::of(&results.scenario, &results.outcomes);
    let figure = summary.row("ratio").unwrap().figure(Measure::Amplification);
    assert_eq!(figure.value.count, 3);
    assert_eq!(figure.ratio, Some(spread(0.3, 0.3, 0.3, 1)));
    results.outcomes.clear();
    let summary = Summary::of(&results.scenario, &results.outcomes);
    assert_eq!(summary.rows.len(), 2, "what was not finished is seen");
    assert_eq!(summary.rows[1].figure(Measure::Calls).value, Spread::UNDEFINED);
}

#[test]
fn the_same_remark_of_several_seeds_is_one() {
    let scenario = scenario(&["naive"], &[1, 2]);
    let with = |seed, notes: &[&str]| {
        let mut outcome = outcome("naive", seed, 1, 1_000, seconds(1));
        outcome.notes = notes.iter().map(|note| (*note).to_owned()).collect();
        outcome
    };
    let outcomes = [with(1, &["a", "b"]), with(2, &["b"])];
    let notes = &Summary::of(&scenario, &outcomes).rows[0].notes;
    let note = |text: &str, seeds: &[u64]| Note { text: text.to_owned(), seeds: seeds.to_vec() };
    assert_eq!(notes, &[note("a", &[1]), note("b", &[1, 2])]);
}

#[test]
fn numbers_are_rounded_in_one_way() {
    assert_eq!(Unit::Count.text(1_234_567.4), "1,234,567");
    assert_eq!(Unit::PerSecond.text(999.5), "1,000");
    assert_eq!(Unit::Share.text(0.999_54), "99.95");
    assert_eq!(Unit::Ratio.text(0.06), "0.060");
    assert_eq!(Unit::Millis.text(1_234.56), "1,234.6");
    assert_eq!(Unit::Millis.text(-1_234.56), "-1,234.6");
    assert!((Unit::Share.shown(0.999_54) - 99.95).abs() < 1e-9);
}
