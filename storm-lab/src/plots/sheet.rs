//! What plots have in common: title, legend, and panels with axes.

use super::{
    font::{fitted, lines, width},
    scale::Scale,
    style::{LIMIT, Style, ZONE},
    svg::{Anchor, Ink, Svg, WIDTH},
};

/// Left and right of everything.
pub(super) const MARGIN: f64 = 16.0;
/// Of most texts.
pub(super) const SMALL: f64 = 12.0;
/// Right of a panel, for the half of the last label that stands out.
const OUTSIDE: f64 = 26.0;
/// Between panels side by side.
const GAP: f64 = 14.0;
const TITLE: f64 = 17.0;
const SAMPLE: f64 = 30.0;

/// What a legend shows beside a text.
#[derive(Clone, Copy)]
pub(super) enum Sample {
    /// A policy's line.
    Line(Style),
    /// A policy's marker alone, where the colour is what counts.
    Mark(Style),
    /// Any line.
    AnyLine,
    /// Any area.
    AnyArea,
    /// A limit.
    Limit,
    /// The time of a fault.
    Zone,
}

/// A drawing that grows downwards.
pub(super) struct Sheet {
    pub(super) svg: Svg,
    /// Where there is room again.
    pub(super) top: f64,
}

/// Where something is drawn over axes.
#[derive(Clone, Copy)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Left of it, for what is written there.
    labels: f64,
}

/// What is written along axes; `None`: neither name nor numbers.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) x: Option<&'a str>,
    pub(super) y: Option<&'a str>,
}

impl Sheet {
    /// A title, and lines below it.
    pub(super) fn new(title: &str, below: &[&str]) -> Self {
        let mut sheet = Self { svg: Svg::default(), top: 30.0 };
        let room = WIDTH - 2.0 * MARGIN;
        let title = fitted(title, TITLE, room);
        sheet.svg.text((MARGIN, sheet.top), TITLE, Anchor::Start, Ink::Strong, &title);
        for line in below.iter().flat_map(|text| lines(text, SMALL, room)) {
            sheet.top += 18.0;
            sheet.svg.text((MARGIN, sheet.top), SMALL, Anchor::Start, Ink::Soft, &line);
        }
        sheet.top += 12.0;
        sheet
    }

    /// What is what, in as many rows as it takes.
    pub(super) fn legend(&mut self, entries: &[(Sample, String)]) {
        let mut left = MARGIN;
        self.top += 12.0;
        for (sample, text) in entries {
            let text = fitted(text, SMALL, 420.0);
            let wide = SAMPLE + 6.0 + width(&text, SMALL);
            if left > MARGIN && left + wide > WIDTH - MARGIN {
                left = MARGIN;
                self.top += 19.0;
            }
            self.sample(*sample, (left, self.top - 4.0));
            let at = (left + SAMPLE + 6.0, self.top);
            self.svg.text(at, SMALL, Anchor::Start, Ink::Strong, &text);
            left += wide + 20.0;
        }
        self.top += 12.0;
    }

    fn sample(&mut self, sample: Sample, (x, y): (f64, f64)) {
        let ends = ((x, y), (x + SAMPLE, y));
        let middle = (x + SAMPLE / 2.0, y);
        match sample {
            Sample::Line(style) => {
                self.svg.line(ends.0, ends.1, &style.stroke(2.0));
                style.mark(&mut self.svg, middle);
            }
            Sample::Mark(style) => style.mark(&mut self.svg, middle),
            Sample::AnyLine => {
                let ink = r##"class="axis" stroke="#6e7781" stroke-width="2""##;
                self.svg.line(ends.0, ends.1, ink);
            }
            Sample::AnyArea => {
                let ink = r##"class="zone" fill="#6e7781" fill-opacity=".45""##;
                self.svg.rect((x, y - 5.0), (SAMPLE, 10.0), ink);
            }
            Sample::Limit => self.svg.line(ends.0, ends.1, LIMIT),
            Sample::Zone => self.svg.rect((x, y - 6.0), (SAMPLE, 12.0), ZONE),
        }
    }

    /// Side by side, in rows: for each of `count` where its panel is. `labels` is the room that numbers and the
    /// name at the left need, `heading` the room above each.
    pub(super) fn cells(
        &self,
        count: usize,
        columns: usize,
        height: f64,
        labels: f64,
        heading: f64,
    ) -> Vec<Area> {
        #[expect(clippy::cast_precision_loss, reason = "a few panels")]
        let cell = |at: usize| {
            let whole = (WIDTH - MARGIN - OUTSIDE + GAP) / columns as f64;
            Area {
                left: MARGIN + (at % columns) as f64 * whole + labels,
                top: self.top + heading + (at / columns) as f64 * (height + heading + 12.0),
                width: whole - labels - GAP,
                height,
                labels,
            }
        };
        (0..count).map(cell).collect()
    }

    /// Grid, axes, their numbers and names.
    pub(super) fn axes(&mut self, area: Area, x: &Scale, y: &Scale, names: Names<'_>) {
        let grid = r##"class="grid" stroke="#dde2e7" stroke-width="1""##;
        let axis = r##"class="axis" stroke="#6e7781" stroke-width="1""##;
        let (right, bottom) = (area.left + area.width, area.top + area.height);
        for (value, text) in &y.ticks {
            let at = y.at(*value);
            self.svg.line((area.left, at), (right, at), grid);
            if names.y.is_some() {
                self.svg.text((area.left - 6.0, at + 4.0), 11.0, Anchor::End, Ink::Soft, text);
            }
        }
        for (value, text) in &x.ticks {
            let at = x.at(*value);
            self.svg.line((at, bottom), (at, bottom + 4.0), axis);
            if names.x.is_some() {
                self.svg.text((at, bottom + 16.0), 11.0, Anchor::Middle, Ink::Soft, text);
            }
        }
        self.svg.line((area.left, bottom), (right, bottom), axis);
        if let Some(name) = names.y {
            let name = fitted(name, 11.0, area.height + 24.0);
            let at = (area.left - area.labels + 12.0, area.top + area.height / 2.0);
            self.svg.upright(at, 11.0, &name);
        }
        if let Some(name) = names.x {
            let at = (area.left + area.width / 2.0, bottom + 33.0);
            self.svg.text(at, 11.0, Anchor::Middle, Ink::Soft, name);
        }
    }

    /// Above a panel: whose it is.
    pub(super) fn heading(&mut self, area: Area, style: Option<Style>, text: &str) {
        let at = (area.left, area.top - 8.0);
        let indent = style.map_or(0.0, |style| {
            style.mark(&mut self.svg, (at.0 + 6.0, at.1 - 4.0));
            16.0
        });
        let text = fitted(text, SMALL, area.width - indent);
        self.svg.text((at.0 + indent, at.1), SMALL, Anchor::Start, Ink::Strong, &text);
    }

    /// The whole drawing.
    pub(super) fn finish(self, what: &str) -> String {
        self.svg.finish(self.top + MARGIN, what)
    }
}

/// The room that an axis at the left needs for its numbers and its name.
pub(super) fn labels_of(y: &Scale) -> f64 {
    y.ticks.iter().map(|(_, text)| width(text, 11.0)).fold(0.0, f64::max) + 28.0
}

/// Below a panel with numbers and a name.
pub(super) const BELOW: f64 = 36.0;
