//! What experiments have besides, in the page.

use std::fmt::Write;

use super::tables::{CLOSE, cell, open, text};
use crate::{
    measured::{Cost, Measured, PhaseFigures},
    plots::{escaped, swatch},
    summary::{Spread, Unit, Value},
};

/// What processes used, and the figures by phase.
pub(super) fn tables(page: &mut String, measured: &Measured) {
    for trouble in &measured.troubles {
        let _ = writeln!(page, "<p class=\"failed\">{}</p>", escaped(trouble));
    }
    used(page, measured);
    became(page, measured);
    phases(page, measured);
}

fn used(page: &mut String, measured: &Measured) {
    page.push_str(
        "<h3>What the processes used</h3>\n<p class=\"soft\">CPU time is of all processes of a kind together: 100 % \
         is one core. Memory is the most that one of them had resident.</p>\n",
    );
    open(page, "used", "what processes used, by policy");
    page.push_str(
        "<thead><tr><th scope=\"col\">policy</th><th scope=\"col\">server CPU, %</th><th scope=\"col\">clients CPU, %</th>\
         <th scope=\"col\">server memory, MiB</th><th scope=\"col\">client memory, MiB</th></tr></thead>\n<tbody>\n",
    );
    let first = measured.costs.first();
    for (place, cost) in measured.costs.iter().enumerate() {
        let name = escaped(&cost.policy);
        let mark = swatch(place);
        let _ = write!(page, "<tr data-policy=\"{name}\"><th scope=\"row\">{mark} {name}</th>");
        let cores = Value::known(cost.server.cores);
        let base = first.filter(|_| place > 0).map(|first| Value::known(first.server.cores));
        let ratio = base.map(|base| one(cores.over(base)));
        cell(page, "server_cpu_percent", &one(cores), Unit::Share, ratio);
        let cores = Value::known(cost.clients.cores);
        cell(page, "clients_cpu_percent", &one(cores), Unit::Share, None);
        let (server, client) = (cost.server.peak_kib, cost.clients.peak_kib);
        cell(page, "server_memory_mib", &one(Value::mib(server)), Unit::Mib, None);
        cell(page, "client_memory_mib", &one(Value::mib(client)), Unit::Mib, None);
        page.push_str("</tr>\n");
    }
    page.push_str(CLOSE);
}

/// What became of requests and of calls, and how attempts failed.
fn became(page: &mut String, measured: &Measured) {
    page.push_str("<h3>What became of requests and calls</h3>\n");
    open(page, "became", "what became of requests and calls, by policy");
    page.push_str(
        "<thead><tr><th scope=\"col\">policy</th><th scope=\"col\">requests that arrived</th><th scope=\"col\">served</th>\
         <th scope=\"col\">served in vain</th><th scope=\"col\">requests lost</th><th scope=\"col\">answers lost</th>\
         <th scope=\"col\">503 in the outage</th><th scope=\"col\">503, queue full</th>\
         <th scope=\"col\">calls that failed</th><th scope=\"col\">calls unfinished</th></tr></thead>\n<tbody>\n",
    );
    for (place, cost) in measured.costs.iter().enumerate() {
        let name = escaped(&cost.policy);
        let mark = swatch(place);
        let _ = write!(page, "<tr data-policy=\"{name}\"><th scope=\"row\">{mark} {name}</th>");
        let requests = &cost.requests;
        for (name, count) in [
            ("arrived", requests.arrived),
            ("served", requests.served),
            ("wasted", requests.wasted),
            ("lost", requests.lost),
            ("unanswered", requests.unanswered),
            ("outage_503", requests.failed),
            ("queue_full_503", requests.refused),
            ("failed_calls", cost.failed),
            ("unfinished_calls", cost.unfinished),
        ] {
            cell(page, name, &one(Value::count(count)), Unit::Count, None);
        }
        page.push_str("</tr>\n");
    }
    page.push_str(CLOSE);
    let with = measured.costs.iter().filter(|cost| !cost.failures.is_empty());
    let lines: Vec<String> = with.map(failed_attempts).collect();
    if !lines.is_empty() {
        let _ = writeln!(page, "<ul class=\"failures\">\n{}</ul>", lines.concat());
    }
}

fn failed_attempts(cost: &Cost) -> String {
    let failures = cost.failures.iter().map(|(label, count)| {
        format!("{} {}", escaped(label), text(Value::count(*count), Unit::Count))
    });
    let (policy, failures) = (escaped(&cost.policy), failures.collect::<Vec<_>>().join(", "));
    format!(
        "<li data-policy=\"{policy}\"><strong>{policy}:</strong> failed attempts: {failures}</li>\n"
    )
}

fn phases(page: &mut String, measured: &Measured) {
    page.push_str("<h3>Phase by phase</h3>\n");
    open(page, "phases", "figures by policy and phase");
    page.push_str(
        "<thead><tr><th scope=\"col\">policy</th><th scope=\"col\">phase</th><th scope=\"col\">from–to, s</th>\
         <th scope=\"col\">calls</th><th scope=\"col\">success, %</th><th scope=\"col\">attempts per call</th>\
         <th scope=\"col\">peak retries/s, 1\u{a0}s</th><th scope=\"col\">served in time, /s</th>\
         <th scope=\"col\">server CPU, %</th><th scope=\"col\">clients CPU, %</th></tr></thead>\n<tbody>\n",
    );
    for (place, cost) in measured.costs.iter().enumerate() {
        for phase in cost.phases.iter().chain(&cost.whole) {
            let (policy, name) = (escaped(&cost.policy), escaped(&phase.name));
            let (from, to) = (phase.window.from.as_secs_f64(), phase.window.to.as_secs_f64());
            let mark = swatch(place);
            let _ = write!(
                page,
                "<tr data-policy=\"{policy}\" data-phase=\"{name}\"><th scope=\"row\">{mark} {policy}</th>\
                 <td>{name}</td><td>{from:.1}–{to:.1}</td>"
            );
            for (name, value, unit) in figures(phase) {
                cell(page, name, &one(value), unit, None);
            }
            page.push_str("</tr>\n");
        }
    }
    page.push_str(CLOSE);
}

fn figures(phase: &PhaseFigures) -> [(&'static str, Value, Unit); 7] {
    [
        ("calls", Value::count(phase.calls), Unit::Count),
        ("success_percent", Value::known(phase.success), Unit::Share),
        ("attempts_per_call", Value::known(phase.attempts_per_call), Unit::PerCall),
        ("peak_1s_retries_per_s", Value::number(phase.peak_1s), Unit::PerSecond),
        ("served_in_time_per_s", Value::number(phase.goodput), Unit::PerSecond),
        ("server_cpu_percent", Value::known(phase.server_cores), Unit::Share),
        ("clients_cpu_percent", Value::known(phase.clients_cores), Unit::Share),
    ]
}

fn one(value: Value) -> Spread {
    Spread::of([value])
}
