//! The rules, scenario by scenario.

use super::{
    Bound::{AtLeast, AtMost, Never, Within},
    Verdict,
    bound::Bound,
    runs::{
        Figure, Runs, amplification, attempts, beyond_first, failures, last_success, p95, peak_1ms,
        peak_1s, peak_10ms, recovery, says_inactive, success, too_early, utilisation,
    },
};

const CALLS: &str = "attempts per call";
const OK: &str = "success";
const PEAK_S: &str = "peak retries in 1 s";
const PEAK_MS: &str = "peak retries in 10 ms";
const WELL: &str = "recovery, s";

/// 15 % of four attempts: (1 − .15⁴) / (1 − .15) = 1.1759 attempts, 1 − .15⁴ = 99.949 % success.
pub(super) fn loss(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.each("naive", CALLS, amplification, Bound::around(1.176, 0.006)),
        runs.each("naive", OK, success, Bound::around(0.9995, 0.0002)),
        runs.each("full jitter", CALLS, amplification, Bound::around(1.176, 0.006)),
        runs.ratio("ratio", PEAK_S, peak_1s, AtMost(0.70)),
        runs.each("ratio", CALLS, amplification, AtMost(1.103)),
        runs.each("ratio", OK, success, Within(0.930, 0.938)),
        runs.ratio("success", PEAK_S, peak_1s, AtMost(0.60)),
        runs.each("success", OK, success, Within(0.925, 0.935)),
    ]
}

pub(super) fn loss_of_many(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.ratio("ratio", PEAK_S, peak_1s, Within(0.90, 1.10)),
        runs.each("ratio", "says that the budget was inactive", says_inactive, AtLeast(1.0)),
    ]
}

pub(super) fn collapse(runs: &Runs<'_>) -> Vec<Verdict> {
    let mut all = vec![
        runs.each("naive", CALLS, amplification, AtLeast(3.9)),
        runs.each("naive", OK, success, AtMost(0.0005)),
        runs.each("naive", WELL, recovery, Never),
        runs.each("naive", PEAK_S, peak_1s, Bound::around(4_700.0, 200.0)),
        runs.each("naive", "utilisation", utilisation, Bound::around(0.94, 0.01)),
        runs.ratio("full jitter", PEAK_S, peak_1s, Within(0.95, 1.05)),
        runs.each("full jitter", WELL, recovery, Never),
    ];
    for budget in ["ratio", "success"] {
        all.push(runs.ratio(budget, PEAK_S, peak_1s, AtMost(0.06)));
        all.push(runs.ratio(budget, CALLS, amplification, AtMost(0.29)));
        all.push(runs.ratio(budget, "utilisation", utilisation, AtMost(0.33)));
        all.push(runs.each(budget, WELL, recovery, AtMost(5.0)));
    }
    all
}

pub(super) fn wave(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.each("naive", "retries in one millisecond", peak_1ms, Bound::around(100.0, 0.0)),
        runs.ratio("full jitter", PEAK_MS, peak_10ms, AtMost(0.10)),
        runs.ratio("800-1,600 ms", PEAK_MS, peak_10ms, AtMost(0.10)),
        runs.ratio("equal jitter", PEAK_MS, peak_10ms, AtMost(0.12)),
        runs.ratio("full jitter", "peak retries in 1 s, which hides it", peak_1s, AtLeast(0.95)),
    ]
}

pub(super) fn dead(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.each("naive", CALLS, amplification, Bound::around(4.0, 0.01)),
        runs.ratio("ratio", CALLS, amplification, AtMost(0.31)),
        runs.ratio("success", CALLS, amplification, AtMost(0.26)),
        runs.ratio("success", PEAK_S, peak_1s, AtMost(0.15)),
    ]
}

const LEAF: &str = "leaf attempts per call";

pub(super) fn chain(runs: &Runs<'_>) -> Vec<Verdict> {
    let mut all = vec![
        runs.each("naive", LEAF, amplification, Bound::around(27.0, 1.0)),
        runs.ratio("suppression", LEAF, amplification, AtMost(0.115)),
    ];
    for budget in ["ratio", "success", "ratio, suppression", "success, suppression"] {
        all.push(runs.ratio(budget, LEAF, amplification, AtMost(0.040)));
    }
    all
}

pub(super) fn onset(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.ratio("ratio", LEAF, amplification, AtMost(0.085)),
        runs.ratio("ratio, suppression", LEAF, amplification, AtMost(0.055)),
        runs.ratio("success, suppression", LEAF, amplification, AtMost(0.045)),
    ]
}

pub(super) fn blackout(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.each("naive", "failures", failures, Within(0.28, 0.52)),
        runs.ratio("full jitter", "failures", failures, AtMost(0.20)),
        runs.ratio("full jitter", PEAK_MS, peak_10ms, AtMost(0.50)),
        runs.ratio("full jitter", "p95", p95, AtMost(0.75)),
        runs.ratio("full jitter", "peak retries in 1 s, which rises", peak_1s, Within(1.3, 1.6)),
    ]
}

/// The means of Amazon's own program, a hundred clients and a hundred runs.
const CONTENTION: [(&str, f64); 5] = [
    ("none", 2_423.0),
    ("exponential", 1_850.0),
    ("equal jitter", 812.0),
    ("full jitter", 796.0),
    ("decorrelated jitter", 1_008.0),
];

pub(super) fn contention(runs: &Runs<'_>) -> Vec<Verdict> {
    let of_means = |one: &str, other: &str, what: &str, figure: Figure, bound| Verdict {
        what: format!("{one} / {other}: {what}, of the means"),
        bound,
        observed: vec![runs.mean(one, figure) / runs.mean(other, figure)],
    };
    let mut all = vec![
        of_means("full jitter", "exponential", "calls", attempts, AtMost(0.47)),
        of_means("full jitter", "exponential", "time", last_success, AtMost(0.10)),
        of_means("decorrelated jitter", "full jitter", "calls", attempts, AtLeast(1.15)),
    ];
    all.extend(CONTENTION.map(|(policy, mean)| Verdict {
        what: format!("{policy}: calls, mean"),
        bound: Within(mean * 0.97, mean * 1.03),
        observed: vec![runs.mean(policy, attempts)],
    }));
    all
}

pub(super) fn metastable_280(runs: &Runs<'_>) -> Vec<Verdict> {
    let mut all = vec![
        runs.each("naive", CALLS, amplification, AtLeast(1.98)),
        runs.each("naive", OK, success, AtMost(0.0005)),
        runs.each("no retry", WELL, recovery, Within(98.0, 141.0)),
        runs.over("success", "no retry", WELL, recovery, AtMost(1.05)),
    ];
    for stuck in ["naive", "ratio", "per request"] {
        all.push(runs.each(stuck, WELL, recovery, Never));
    }
    all
}

pub(super) fn metastable_240(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.median("ratio", WELL, recovery, Within(76.0, 87.0)),
        // The same range, and a second for where the buckets of one begin.
        runs.each("ratio", WELL, recovery, Within(75.0, 88.0)),
        runs.over("success", "no retry", WELL, recovery, AtMost(1.05)),
    ]
}

pub(super) fn metastable_140(runs: &Runs<'_>) -> Vec<Verdict> {
    let longer =
        runs.pairs("success", "no retry").map(|(one, other)| recovery(one) - recovery(other));
    vec![
        runs.each("naive", WELL, recovery, Within(86.0, 137.0)),
        Verdict {
            what: "success − no retry: recovery, s".to_owned(),
            bound: AtMost(2.0),
            observed: longer.collect(),
        },
    ]
}

pub(super) fn shedding(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.each("success", WELL, recovery, AtMost(2.0)),
        runs.each("success", OK, success, AtLeast(0.98)),
    ]
}

pub(super) fn hint(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.each("naive", "retries in one millisecond", peak_1ms, AtLeast(51.0)),
        runs.ratio("hint honoured", PEAK_MS, peak_10ms, AtMost(0.10)),
        runs.each("hint honoured", "earlier than asked, s", too_early, AtMost(0.0)),
    ]
}

pub(super) fn foreign(runs: &Runs<'_>) -> Vec<Verdict> {
    let inner = "inner budget";
    // What production itself says about the budget, for that many processes and what was answered.
    let stated = |answered: u64| {
        let (name, spec) = runs.policy(inner)?.budgets.first()?;
        spec.build(name.clone()).bound().for_processes(runs.processes()).retries(answered)
    };
    let most = runs
        .of(inner)
        .map(|outcome| beyond_first(outcome) - stated(outcome.succeeded).unwrap_or(f64::NAN));
    vec![
        Verdict {
            what: format!("{inner}: requests beyond the first, less the bound that it states"),
            bound: AtMost(0.0),
            observed: most.collect(),
        },
        runs.over(
            "outer budgets alone",
            inner,
            "requests beyond the first",
            beyond_first,
            Bound::around(20.0, 1.0),
        ),
    ]
}

pub(super) fn pages(runs: &Runs<'_>) -> Vec<Verdict> {
    vec![
        runs.each(
            "the loop repeats",
            "requests per call, 3 × 73",
            amplification,
            Bound::around(219.0, 0.01),
        ),
        runs.each(
            "the page repeats",
            "requests per call, 72 + 3",
            amplification,
            Bound::around(75.0, 0.01),
        ),
    ]
}
