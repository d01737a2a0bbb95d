//! What the table of simulations does not show: figures by phase, and what processes cost.

use std::{fmt::Write, time::Duration};

use super::{Arm, Report, progress::Cpu};
use crate::scenario::Window;

/// A line for each policy and phase, ratios to the first policy, and what became of requests.
pub fn table(report: &Report) -> String {
    let mut text = String::new();
    if !report.complete {
        line(
            &mut text,
            format_args!("PARTIAL: {:.1} s of it were seen", report.length.as_secs_f64()),
        );
    }
    line(
        &mut text,
        format_args!(
            "{:<12}{:<10}{:>12}{:>9}{:>10}{:>12}{:>11}{:>12}{:>13}{:>14}",
            "policy",
            "phase",
            "from–to, s",
            "calls/s",
            "success,",
            "attempts",
            "retries/s,",
            "served in",
            "server CPU,",
            "clients CPU,"
        ),
    );
    line(
        &mut text,
        format_args!(
            "{:<12}{:<10}{:>12}{:>9}{:>10}{:>12}{:>11}{:>12}{:>13}{:>14}",
            "", "", "", "", "%", "per call", "peak 1 s", "time, /s", "% of a core", "% of a core"
        ),
    );
    for arm in &report.arms {
        for phase in report.phases() {
            by_phase(&mut text, arm, phase.name, phase.window);
        }
    }
    ratios(&mut text, report);
    for arm in &report.arms {
        details(&mut text, arm);
    }
    for trouble in &report.troubles {
        line(&mut text, format_args!("trouble: {trouble}"));
    }
    text
}

fn by_phase(text: &mut String, arm: &Arm, name: &str, window: Window) {
    let optional = |value: Option<f64>, digits: usize| {
        value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
    };
    let seconds = |time: Duration| time.as_secs_f64();
    let calls: u64 = crate::outcome::Series::buckets(
        &arm.outcome.series.calls,
        window,
        window.length().max(Duration::from_millis(10)),
    )
    .into_iter()
    .sum();
    #[expect(clippy::cast_precision_loss, reason = "calls of minutes")]
    let rate = calls as f64 / seconds(window.length());
    line(
        text,
        format_args!(
            "{:<12}{name:<10}{:>12}{rate:>9.0}{:>10}{:>12}{:>11.0}{:>12.0}{:>13}{:>12}",
            arm.function.name(),
            format!("{:.1}–{:.1}", seconds(window.from), seconds(window.to)),
            optional(arm.success_in(window).map(|share| share * 100.0), 2),
            optional(arm.amplification_in(window), 3),
            arm.peak_1s_in(window),
            arm.goodput_in(window),
            Cpu(arm.server.share(window)).to_string(),
            Cpu(arm.clients.share(window)).to_string(),
        ),
    );
}

fn ratios(text: &mut String, report: &Report) {
    let Some((first, others)) = report.arms.split_first() else { return };
    let all = Window { from: Duration::ZERO, to: report.length };
    let divided = |part: f64, whole: f64| {
        if whole > 0.0 { format!("{:.2}", part / whole) } else { "-".to_owned() }
    };
    for arm in others {
        let cpu = match (arm.server.share(all), first.server.share(all)) {
            (Some(part), Some(whole)) => divided(part, whole),
            _ => "n/a".to_owned(),
        };
        line(
            text,
            format_args!(
                "\n{} / {}: attempts per call {}, peak retries of 1 s {}, of 10 ms {}, success {}, server CPU {cpu}",
                arm.function,
                first.function,
                divided(arm.outcome.amplification(), first.outcome.amplification()),
                divided(arm.outcome.peak_1s(), first.outcome.peak_1s()),
                divided(arm.outcome.peak_10ms(), first.outcome.peak_10ms()),
                divided(arm.outcome.success(), first.outcome.success()),
            ),
        );
        for phase in report.phases() {
            let of = |arm: &Arm| arm.amplification_in(phase.window).unwrap_or(0.0);
            let cpu = match (arm.server.share(phase.window), first.server.share(phase.window)) {
                (Some(part), Some(whole)) => divided(part, whole),
                _ => "n/a".to_owned(),
            };
            line(
                text,
                format_args!(
                    "  {:<10}attempts per call {}, peak retries of 1 s {}, server CPU {cpu}",
                    phase.name,
                    divided(of(arm), of(first)),
                    divided(arm.peak_1s_in(phase.window), first.peak_1s_in(phase.window)),
                ),
            );
        }
    }
}

fn details(text: &mut String, arm: &Arm) {
    let list = |counts: Vec<(&str, u64)>| {
        let words: Vec<String> =
            counts.iter().map(|(label, count)| format!("{label} {count}")).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(", ") }
    };
    let peak = |kib: Option<u64>| {
        kib.map_or_else(|| "n/a".to_owned(), |kib| format!("{} MiB", kib.div_ceil(1_024)))
    };
    let served = &arm.served;
    line(
        text,
        format_args!(
            "\n{}: calls failed {}, unfinished {}; failed attempts: {}; stops: {}\n  \
         server: requests {}, served {} (nobody waited any more for {}), lost {}, answers lost {}, 503 in the outage \
         {}, 503 because the queue was full {}; peak memory {}, each client at most {}",
            arm.function,
            arm.failed(),
            arm.unfinished(),
            list(arm.failures.iter().map(|(label, count)| (label.as_str(), *count)).collect()),
            list(arm.outcome.stops.iter().map(|(label, count)| (*label, *count)).collect()),
            served.arrived,
            served.served,
            served.wasted,
            served.lost,
            served.unanswered,
            served.failed,
            served.refused,
            peak(arm.server.peak_kib()),
            peak(arm.clients.peak_kib()),
        ),
    );
    arm.outcome.notes.iter().for_each(|note| line(text, format_args!("  note: {note}")));
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{words}");
}
