//! Retries by time, in narrow and in wide buckets: the width decides what is seen.

use std::time::Duration;

use super::{
    Plot,
    data::{Compared, by_policy, end, rates},
    scale::{Scale, grouped},
    sheet::{Area, BELOW, Names, Sample, Sheet, labels_of},
    style::Turn,
    time::{self, Zones},
};
use crate::{
    outcome::{Outcome, Series},
    scenario::Scenario,
};

const SECOND: Duration = Duration::from_secs(1);
/// So many policies are told apart in one panel.
const TOGETHER: usize = 4;

/// What is drawn of one policy: retries a second, in both widths.
struct Rates {
    narrow: Vec<f64>,
    wide: Vec<f64>,
}

struct Drawing<'a> {
    policies: Vec<Compared<'a>>,
    rates: Vec<Rates>,
    end: Duration,
    zones: Zones,
    sheet: Sheet,
}

/// `None` where nothing was retried.
pub(super) fn plot(scenario: &Scenario, outcomes: &[Outcome]) -> Option<Plot> {
    let policies = by_policy(scenario, outcomes);
    let end = end(scenario, outcomes);
    let rates: Vec<_> = policies
        .iter()
        .map(|policy| {
            let of = |width| {
                policy.outcomes.first().map(|first| rates(&first.series.retries, end, width))
            };
            Rates {
                narrow: of(Series::STEP).unwrap_or_default(),
                wide: of(SECOND).unwrap_or_default(),
            }
        })
        .collect();
    if rates.iter().all(|rates| most(&rates.narrow) <= 0.0) {
        return None;
    }
    let title = format!("{}: retries, in buckets of 10 ms and of 1 s", scenario.name);
    let seed =
        policies.first().and_then(|policy| policy.outcomes.first()).map_or(0, |first| first.seed);
    // The panels have about so many pixels.
    let crowded = rates.iter().any(|rates| rates.narrow.len() > 600);
    let pixels = if crowded {
        "; where many buckets share a pixel, from the least to the most of them"
    } else {
        ""
    };
    let how = format!("Retries that begin, per second, at all tiers, with seed {seed}{pixels}.");
    let sheet = Sheet::new(&title, &[&scenario.title, &how]);
    let zones = Zones::of(scenario, outcomes, end);
    let mut drawing = Drawing { policies, rates, end, zones, sheet };
    if drawing.policies.len() <= TOGETHER {
        drawing.together();
    } else {
        drawing.apart();
    }
    Some(Plot {
        name: "retries",
        reading: "The same retries are shown twice. A wave that comes back within one millisecond is a spike in buckets \
                  of 10 ms and nothing at all in buckets of 1 s: the bucket's width decides what a plot shows, so \
                  compare peaks only at the same width.",
        svg: drawing.sheet.finish(&title),
        title,
    })
}

fn most(rates: &[f64]) -> f64 {
    rates.iter().copied().fold(0.0, f64::max)
}

impl Drawing<'_> {
    fn most(&self, which: fn(&Rates) -> &Vec<f64>) -> f64 {
        self.rates.iter().map(|rates| most(which(rates))).fold(0.0, f64::max)
    }

    /// All policies in one panel for each width, one above the other.
    fn together(&mut self) {
        let mut legend: Vec<_> = self
            .policies
            .iter()
            .map(|policy| (Sample::Line(policy.style), policy.name.to_owned()))
            .collect();
        legend.extend(self.zones.legend());
        self.sheet.legend(&legend);
        let (narrow, wide) = (self.most(|rates| &rates.narrow), self.most(|rates| &rates.wide));
        let labels = [narrow, wide].map(|most| labels_of(&Scale::from_zero(most, 1.0, 0.0, 4)));
        let cells = self.sheet.cells(2, 1, 170.0, labels[0].max(labels[1]), 30.0);
        self.panel(
            cells[0],
            &format!("buckets of 10 ms: at most {}/s", grouped(narrow, 0)),
            narrow,
            None,
        );
        let text = format!("buckets of 1 s: at most {}/s", grouped(wide, 0));
        self.panel(cells[1], &text, wide, Some(time::NAME));
        for at in 0..self.policies.len() {
            let style = self.policies[at].style;
            let turn = Turn { at, of: self.policies.len() };
            let (x, y) = self.scales(cells[0], narrow);
            let (upper, lower) = time::envelope(&self.rates[at].narrow, Series::STEP, &x, &y);
            let around: Vec<_> = upper.iter().chain(lower.iter().rev()).copied().collect();
            self.sheet.svg.polygon(&around, &style.fill(0.22));
            for part in time::above_ground(&upper, y.at(0.0)) {
                self.sheet.svg.polyline(part, &style.plain(0.9));
            }
            style.marks(&mut self.sheet.svg, &upper, Some(y.at(0.0)), turn);
            let (x, y) = self.scales(cells[1], wide);
            let (upper, _) = time::envelope(&self.rates[at].wide, SECOND, &x, &y);
            for part in time::above_ground(&upper, y.at(0.0)) {
                self.sheet.svg.polyline(part, &style.stroke(1.8));
            }
            style.marks(&mut self.sheet.svg, &upper, Some(y.at(0.0)), turn);
        }
        self.sheet.top = cells[1].top + cells[1].height + BELOW;
    }

    /// A panel for each policy, with both widths in it.
    fn apart(&mut self) {
        let mut legend = vec![
            (Sample::AnyArea, "buckets of 10 ms (filled)".to_owned()),
            (Sample::AnyLine, "buckets of 1 s (line)".to_owned()),
        ];
        legend.extend(self.zones.legend());
        self.sheet.legend(&legend);
        let narrow = self.most(|rates| &rates.narrow);
        let labels = labels_of(&Scale::from_zero(narrow, 1.0, 0.0, 4));
        let count = self.policies.len();
        let cells = self.sheet.cells(count, 2, 130.0, labels, 28.0);
        for (at, area) in cells.iter().enumerate() {
            let style = self.policies[at].style;
            let (x, y) = self.scales(*area, narrow);
            self.zones.shade(&mut self.sheet.svg, *area, &x);
            let names = Names { x: (at + 2 >= count).then_some(time::NAME), y: Some("retries/s") };
            self.sheet.axes(*area, &x, &y, names);
            self.sheet.heading(*area, Some(style), self.policies[at].name);
            let (upper, lower) = time::envelope(&self.rates[at].narrow, Series::STEP, &x, &y);
            let around: Vec<_> = upper.iter().chain(lower.iter().rev()).copied().collect();
            self.sheet.svg.polygon(&around, &style.fill(0.4));
            let (upper, _) = time::envelope(&self.rates[at].wide, SECOND, &x, &y);
            for part in time::above_ground(&upper, y.at(0.0)) {
                self.sheet.svg.polyline(part, &style.plain(1.8));
            }
        }
        self.sheet.top = cells.last().map_or(self.sheet.top, |area| area.top + area.height + BELOW);
    }

    fn scales(&self, area: Area, most: f64) -> (Scale, Scale) {
        let y = Scale::from_zero(most, area.top + area.height, area.top, 4);
        (time::axis(area, self.end), y)
    }

    fn panel(&mut self, area: Area, text: &str, most: f64, name: Option<&str>) {
        let (x, y) = self.scales(area, most);
        self.zones.shade(&mut self.sheet.svg, area, &x);
        self.sheet.axes(area, &x, &y, Names { x: name, y: Some("retries/s") });
        self.sheet.heading(area, None, text);
    }
}
