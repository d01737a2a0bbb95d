//! A scenario in words.

use std::{fmt::Write, time::Duration};

use crate::{
    plots::{brief, escaped, grouped, span, swatch},
    scenario::{
        Clients, Contention, Distribution, Fault, FaultKind, Hints, Scenario, Server, Tier,
        Topology, Wave, Window, Work,
    },
};

fn time(distribution: &Distribution) -> String {
    match distribution {
        Distribution::Fixed(time) => span(*time),
        Distribution::Exponential(mean) => format!("exponential with mean {}", span(*mean)),
        Distribution::Uniform(from, to) => format!("evenly {} to {}", span(*from), span(*to)),
        Distribution::Normal { mean, deviation } => {
            format!("normal, {} ± {}", span(*mean), span(*deviation))
        }
        Distribution::LogNormal { median, p99 } => {
            format!("log-normal with median {} and p99 {}", span(*median), span(*p99))
        }
    }
}

fn many(count: u32, one: &str, several: &str) -> String {
    format!("{} {}", grouped(f64::from(count), 0), if count == 1 { one } else { several })
}

fn percent(share: f64) -> String {
    format!("{} %", brief(share * 100.0))
}

/// A list of who calls, what is called, and what goes wrong.
pub(super) fn scenario(page: &mut String, scenario: &Scenario) {
    let mut lines = Vec::new();
    match &scenario.work {
        Work::Services(topology) => {
            lines.extend(clients(&topology.clients));
            lines.extend(topology.tiers.iter().map(|one| tier(topology, one)));
            lines.extend(topology.faults.iter().map(|one| fault(scenario, topology, one)));
        }
        Work::Row(row) => lines.push(contention(row)),
    }
    lines.push(format!(
        "Calls keep coming for {}; those that begin in {} are counted.",
        span(scenario.duration),
        scenario.window
    ));
    page.push_str("<ul class=\"words\">\n");
    for line in lines {
        let _ = writeln!(page, "<li>{}</li>", escaped(&line));
    }
    page.push_str("</ul>\n");
}

fn clients(clients: &Clients) -> Vec<String> {
    let processes = many(clients.processes, "process", "processes");
    let mut lines = Vec::new();
    if clients.rate > 0.0 {
        let all = f64::from(clients.processes) * clients.rate;
        lines.push(format!(
            "{processes} with {} calls a second each, at random moments: {} calls a second together.",
            brief(clients.rate),
            brief(all)
        ));
    }
    if clients.callers > 0 {
        lines.push(format!(
            "{processes} with {} each, who call again after their last call has ended and a pause of {}.",
            many(clients.callers, "caller", "callers"),
            time(&clients.think)
        ));
    }
    let wave = |wave: &Wave| {
        let within = if wave.within.is_zero() {
            "in one instant".to_owned()
        } else {
            format!("within {}", span(wave.within))
        };
        format!("{} {within}, at {}.", many(wave.calls, "call", "calls"), span(wave.at))
    };
    lines.extend(clients.waves.iter().map(wave));
    lines
}

fn tier(topology: &Topology, tier: &Tier) -> String {
    let mut line = format!(
        "{}: {}",
        tier.name,
        tier.server.as_ref().map_or_else(|| "answers at once".to_owned(), server)
    );
    if tier.latency != Distribution::ZERO {
        let _ = write!(line, "; one way over the network: {}", time(&tier.latency));
    }
    if let Some(timeout) = tier.timeout {
        let _ = write!(line, "; clients give an attempt up after {}", span(timeout));
    }
    if tier.sites > 1 {
        let _ = write!(line, "; called by {}", many(tier.sites, "function", "functions"));
    }
    for edge in &tier.calls {
        let callee = topology.tiers.get(edge.tier).map_or("", |callee| callee.name.as_str());
        let times = match edge.times {
            1 => String::new(),
            times => {
                format!(", {times} times{}", if edge.parallel { " at once" } else { " in a row" })
            }
        };
        let apart = if edge.apart { ", which does not know of the attempt" } else { "" };
        let _ = write!(line, "; then calls {callee}{times}{apart}");
    }
    line + "."
}

fn server(server: &Server) -> String {
    let mut line = format!(
        "{} that take {} for a request",
        many(server.workers, "worker", "workers"),
        time(&server.service)
    );
    let capacity = f64::from(server.workers) / server.service.mean().as_secs_f64();
    if capacity.is_finite() {
        let _ = write!(line, " ({} a second)", brief(capacity));
    }
    if let Some(queue) = server.queue {
        let _ = write!(line, ", a queue of {}", grouped(f64::from(queue), 0));
    }
    if server.shed {
        line += ", dropping what nobody waits for any more";
    }
    if server.endpoints > 1 {
        let _ = write!(line, ", at {} endpoints", server.endpoints);
    }
    line
}

fn fault(scenario: &Scenario, topology: &Topology, fault: &Fault) -> String {
    let tier = topology.tiers.get(fault.tier).map_or("", |tier| tier.name.as_str());
    let asks = |wait: Option<Duration>| {
        wait.map(|wait| format!(", with Retry-After: {}", span(wait))).unwrap_or_default()
    };
    let what = match &fault.kind {
        FaultKind::Loss { request, response } => format!(
            "{} of the requests and {} of the responses are lost",
            percent(*request),
            percent(*response)
        ),
        FaultKind::Stall => "requests are held, and arrive together when it ends".to_owned(),
        FaultKind::Outage { status, after, retry_after, share } => {
            let who = if *share < 1.0 {
                percent(*share) + " of the requests are"
            } else {
                "requests are".to_owned()
            };
            let soon = if *after == Distribution::ZERO {
                "at once".to_owned()
            } else {
                format!("after {}", time(after))
            };
            format!("{who} answered with {status} {soon}{}", asks(*retry_after))
        }
        FaultKind::Slow { factor } => format!("serving takes {} times as long", brief(*factor)),
        FaultKind::Endpoints { down } => {
            format!("{} answer with 503", many(*down, "endpoint", "endpoints"))
        }
        FaultKind::Throttle { limit, retry_after } => {
            format!(
                "requests above {} a second are answered with 429{}",
                brief(*limit),
                asks(*retry_after)
            )
        }
        FaultKind::Page { number } => {
            format!("the calls of an attempt fail from number {number} on")
        }
    };
    format!("{}, at {tier}: {what}.", when(fault.window, scenario.duration))
}

/// What is not over when calls stop coming goes on to the end, wherever its own end is.
fn when(window: Window, duration: Duration) -> String {
    let from = span(window.from);
    match (window.from.is_zero(), window.to >= duration) {
        (true, true) => "All the time".to_owned(),
        (false, true) => format!("From {from} to the end"),
        (_, false) => format!("From {from} to {}", span(window.to)),
    }
}

fn contention(row: &Contention) -> String {
    format!(
        "{} that change one row: read, then write; a write fails if another one came between. One way over the \
         network: {}.",
        many(row.clients, "client", "clients"),
        time(&row.latency)
    )
}

/// The policies as they are written.
pub(super) fn policies(page: &mut String, scenario: &Scenario) {
    page.push_str(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"policies\"><table class=\"policies\">\n\
         <thead><tr><th scope=\"col\">policy</th><th scope=\"col\" style=\"text-align:left\">as in the attribute</th></tr></thead>\n<tbody>\n",
    );
    for (place, policy) in scenario.policies.iter().enumerate() {
        let name = escaped(&policy.name);
        let _ = write!(
            page,
            "<tr data-policy=\"{name}\"><th scope=\"row\">{} {name}</th><td class=\"text\"><code>{}</code>",
            swatch(place),
            escaped(&policy.attribute.text)
        );
        let Work::Services(topology) = &scenario.work else {
            page.push_str("</td></tr>\n");
            continue;
        };
        for (at, attribute) in &policy.tiers {
            let tier = topology.tiers.get(*at).map_or("", |tier| tier.name.as_str());
            let _ =
                write!(page, "<br>{}: <code>{}</code>", escaped(tier), escaped(&attribute.text));
        }
        match policy.hints {
            Hints::Honoured => {}
            Hints::Slept => {
                page.push_str("<br>sleeps as long as <code>Retry-After</code> says, by itself");
            }
            Hints::Ignored => page.push_str("<br>does not look at <code>Retry-After</code>"),
        }
        page.push_str("</td></tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}
