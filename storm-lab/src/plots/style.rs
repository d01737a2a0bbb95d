//! How a policy looks, the same in every plot, and told apart without colours too.

use super::svg::{Svg, short};

/// Distinct for colour-blind readers, on white and on dark paper (after Okabe and Ito, the two light ones darkened).
const COLOURS: [&str; 6] = ["#d55e00", "#0072b2", "#009e73", "#b0579a", "#a67c00", "#3d9ad1"];
const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];
const MARKERS: [Marker; 6] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Cross,
    Marker::Point,
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    Point,
}

/// The look of one policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Style {
    colour: usize,
    dash: &'static str,
    marker: Marker,
}

impl Style {
    /// Of the policy at this place of the scenario; 12 differ even in grey.
    pub(super) const fn of(place: usize) -> Self {
        let colour = place % COLOURS.len();
        let marker = MARKERS[(place + place / COLOURS.len()) % MARKERS.len()];
        Self { colour, dash: DASHES[place % DASHES.len()], marker }
    }

    /// As attributes of a line.
    pub(super) fn stroke(&self, width: f64) -> String {
        let colour = COLOURS[self.colour];
        let dash = match self.dash {
            "" => String::new(),
            dash => format!(r#" stroke-dasharray="{dash}""#),
        };
        format!(r#"class="s{}" stroke="{colour}" stroke-width="{width}"{dash}"#, self.colour)
    }

    /// The same without dashes.
    pub(super) fn plain(&self, width: f64) -> String {
        let colour = COLOURS[self.colour];
        format!(r#"class="s{}" stroke="{colour}" stroke-width="{width}""#, self.colour)
    }

    /// As attributes of an area.
    pub(super) fn fill(&self, opacity: f64) -> String {
        let colour = COLOURS[self.colour];
        format!(r#"class="f{}" fill="{colour}" fill-opacity="{opacity}""#, self.colour)
    }

    /// Its marker.
    pub(super) fn mark(&self, svg: &mut Svg, (x, y): (f64, f64)) {
        let class = self.colour;
        let fill = COLOURS[self.colour];
        let at = |dx: f64, dy: f64| format!("{},{}", short(x + dx), short(y + dy));
        let shape = |points: &[String]| {
            let points = points.join(" ");
            format!(r#"<polygon points="{points}" class="f{class}" fill="{fill}"/>"#)
        };
        let element = match self.marker {
            Marker::Circle => {
                let [left, top] = [x, y].map(short);
                format!(
                    r#"<circle cx="{left}" cy="{top}" r="3.6" class="f{class}" fill="{fill}"/>"#
                )
            }
            Marker::Square => shape(&[at(-3.2, -3.2), at(3.2, -3.2), at(3.2, 3.2), at(-3.2, 3.2)]),
            Marker::Triangle => shape(&[at(0.0, -4.2), at(4.2, 3.4), at(-4.2, 3.4)]),
            Marker::Diamond => shape(&[at(0.0, -4.8), at(4.0, 0.0), at(0.0, 4.8), at(-4.0, 0.0)]),
            Marker::Point => shape(&[at(0.0, 4.2), at(4.2, -3.4), at(-4.2, -3.4)]),
            Marker::Cross => {
                let corners = [at(-3.4, -3.4), at(3.4, 3.4), at(-3.4, 3.4), at(3.4, -3.4)];
                format!(
                    r#"<path d="M{}L{}M{}L{}" fill="none" class="s{class}" stroke="{fill}" stroke-width="2.2"/>"#,
                    corners[0], corners[1], corners[2], corners[3]
                )
            }
        };
        svg.raw(&element);
    }

    /// Its marker some way along a line, each policy's at other places, so that lines that coincide are seen; not
    /// where the line lies on the `ground`.
    pub(super) fn marks(
        &self,
        svg: &mut Svg,
        line: &[(f64, f64)],
        ground: Option<f64>,
        turn: Turn,
    ) {
        const APART: f64 = 132.0;
        let Some(first) = line.first() else { return };
        let flat = |y: f64| ground.is_some_and(|ground| (y - ground).abs() < 1.0);
        #[expect(clippy::cast_precision_loss, reason = "a few policies")]
        let mut next = first.0 + APART * (turn.at as f64 + 0.5) / turn.of.max(1) as f64;
        let mut marked = false;
        for pair in line.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            while to.0 > from.0 && next <= to.0 {
                let share = ((next - from.0) / (to.0 - from.0)).clamp(0.0, 1.0);
                let y = from.1 + share * (to.1 - from.1);
                if flat(y) {
                    next += 3.0;
                } else {
                    self.mark(svg, (next, y));
                    marked = true;
                    next += APART;
                }
            }
        }
        // What is too short for that is marked at its highest.
        let top = line
            .iter()
            .filter(|point| !flat(point.1))
            .min_by(|one, other| one.1.total_cmp(&other.1));
        if let Some(top) = top.filter(|_| !marked) {
            self.mark(svg, *top);
        }
    }
}

/// Whose turn it is, of how many.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    pub(super) at: usize,
    pub(super) of: usize,
}

/// The marker of the policy at this place, to stand beside its name in a page.
pub(crate) fn swatch(place: usize) -> String {
    let mut svg = Svg::default();
    Style::of(place).mark(&mut svg, (7.0, 7.0));
    format!(
        r#"<svg class="swatch" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">{}</svg>"#,
        svg.bare()
    )
}

/// Rules for a dark page: the same hues, lighter.
pub(crate) const DARK: &str = "\
.paper{fill:#16181d}.ink{fill:#e6edf3}.soft{fill:#9da7b1}.grid{stroke:#2d333b}.axis{stroke:#6e7681}\
.limit{stroke:#e6edf3}.zone{fill:#8b949e}\
.s0{stroke:#f08a3c}.f0{fill:#f08a3c}.s1{stroke:#5aa9e6}.f1{fill:#5aa9e6}.s2{stroke:#2fc79a}.f2{fill:#2fc79a}\
.s3{stroke:#d98cc6}.f3{fill:#d98cc6}.s4{stroke:#d9b23c}.f4{fill:#d9b23c}.s5{stroke:#8fd0f5}.f5{fill:#8fd0f5}";

/// How a limit is drawn, such as a server's capacity.
pub(super) const LIMIT: &str =
    r##"class="limit" stroke="#1b1f24" stroke-width="1.4" stroke-dasharray="3 3""##;

/// How the time of a fault is shaded.
pub(super) const ZONE: &str = r##"class="zone" fill="#6e7781" fill-opacity=".22""##;
