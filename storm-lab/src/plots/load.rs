//! Offered and served load over time: a panel for each policy, all with the same axes.

use super::{
    Plot,
    data::{Compared, bucket, by_policy, end, over_seeds, rates, span},
    scale::{Scale, grouped},
    sheet::{BELOW, Names, Sample, Sheet, labels_of},
    style::LIMIT,
    time::{self, Zones},
};
use crate::{
    outcome::{Outcome, Series},
    scenario::Scenario,
};

/// What the watched tier's server can serve at most, a second.
fn capacity(scenario: &Scenario) -> Option<(String, f64)> {
    let tier = scenario.watched()?;
    let server = tier.server.as_ref()?;
    let capacity = f64::from(server.workers) / server.service.mean().as_secs_f64();
    capacity.is_finite().then(|| (tier.name.clone(), capacity))
}

/// `None` where nothing was offered.
pub(super) fn plot(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Plot> {
    let policies = by_policy(scenario, outcomes);
    let end = end(scenario, outcomes);
    let width = bucket(end, 300);
    let curves = |policy: &Compared<'_>, which: fn(&Series) -> &Vec<u32>| {
        let rates = |outcome: &&Outcome| rates(which(&outcome.series), end, width);
        over_seeds(&policy.outcomes.iter().map(rates).collect::<Vec<_>>())
    };
    let drawn: Vec<_> = policies
        .iter()
        .map(|policy| {
            (curves(policy, |series| &series.offered), curves(policy, |series| &series.served))
        })
        .collect();
    let all = drawn.iter().flat_map(|(offered, served)| offered.iter().chain(served));
    let most = all.map(|range| range.high).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let capacity = capacity(scenario);
    let seen = capacity.as_ref().filter(|(_, limit)| *limit <= 2.5 * most);

    let seeds = policies.iter().map(|policy| policy.outcomes.len()).max().unwrap_or(0);
    let over = if seeds > 1 {
        format!("; median of {seeds} seeds, their range shaded")
    } else {
        String::new()
    };
    let title = format!("{}: offered and served load", scenario.name);
    let at = scenario.watched_of_several().map_or_else(String::new, |tier| format!(" at {tier}"));
    let how = format!("Requests per second{at}, in buckets of {}{over}.", span(width));
    let mut sheet = Sheet::new(&title, &[&scenario.title, &how]);
    let mut legend = vec![
        (Sample::AnyLine, "offered (line)".to_owned()),
        (Sample::AnyArea, "served in time (filled)".to_owned()),
    ];
    if let Some((tier, limit)) = &capacity {
        let beyond = if seen.is_some() { "" } else { ", above what is drawn" };
        legend
            .push((Sample::Limit, format!("capacity of {tier}: {}/s{beyond}", grouped(*limit, 0))));
    }
    let zones = Zones::of(scenario, outcomes, end);
    legend.extend(zones.legend());
    sheet.legend(&legend);

    let (columns, height) = match policies.len() {
        1 => (1, 260.0),
        2 => (1, 180.0),
        3 => (1, 140.0),
        _ => (2, 130.0),
    };
    let top = seen.map_or(most, |(_, limit)| most.max(*limit));
    let labels = labels_of(&Scale::from_zero(top, 1.0, 0.0, 4));
    let cells = sheet.cells(policies.len(), columns, height, labels, 28.0);
    for (at, (policy, area)) in policies.iter().zip(&cells).enumerate() {
        let x = time::axis(*area, end);
        let y = Scale::from_zero(top, area.top + area.height, area.top, 4);
        zones.shade(&mut sheet.svg, *area, &x);
        let names = Names {
            x: (at + columns >= policies.len()).then_some(time::NAME),
            y: Some("requests/s"),
        };
        sheet.axes(*area, &x, &y, names);
        sheet.heading(*area, Some(policy.style), policy.name);
        let (offered, served) = &drawn[at];
        let middle: Vec<f64> = served.iter().map(|range| range.middle).collect();
        let mut ground = time::stairs(&middle, width, &x, &y);
        if let (Some(first), Some(last)) = (ground.first().copied(), ground.last().copied()) {
            ground.extend([(last.0, y.at(0.0)), (first.0, y.at(0.0))]);
        }
        sheet.svg.polygon(&ground, &policy.style.fill(0.4));
        if seeds > 1 {
            sheet.svg.polygon(&time::around(offered, width, &x, &y), &policy.style.fill(0.25));
        }
        let line = time::curve(offered.iter().map(|range| range.middle), width, &x, &y);
        sheet.svg.polyline(&line, &policy.style.plain(1.8));
        if let Some((_, limit)) = seen {
            let (from, to) = x.ends();
            sheet.svg.line((from, y.at(*limit)), (to, y.at(*limit)), LIMIT);
        }
    }
    sheet.top = cells.last().map_or(sheet.top, |area| area.top + area.height + BELOW);
    Some(Plot {
        name: "load",
        reading: "A line above the capacity is work that cannot be done; a gap between the line and the filled area is \
                  work that was asked for and not done in time. A policy is good if the gap closes soon after the \
                  trigger.",
        svg: sheet.finish(&title),
        title,
    })
}
