//! SVG as text: small, and the same bytes for the same drawing.

use std::fmt::Write;

/// The width of every plot, in pixels.
pub(super) const WIDTH: f64 = 800.0;

/// Wide enough a stand-in everywhere: what Verdana and DejaVu need, others do not exceed.
const FONTS: &str = "DejaVu Sans,Verdana,sans-serif";

/// Where a text stands relative to its point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

impl Anchor {
    const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// What a page may colour anew, by its class, for readers who prefer dark pages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Titles and names.
    Strong,
    /// Everything else that is read.
    Soft,
}

impl Ink {
    const fn attributes(self) -> &'static str {
        match self {
            Self::Strong => r##"class="ink" fill="#1b1f24""##,
            Self::Soft => r##"class="soft" fill="#57606a""##,
        }
    }
}

/// A drawing that grows.
#[derive(Default)]
pub(super) struct Svg {
    body: String,
}

impl Svg {
    /// A text of one line; `y` is the line that it stands on.
    pub(super) fn text(&mut self, at: (f64, f64), size: f64, anchor: Anchor, ink: Ink, text: &str) {
        let (x, y) = at;
        self.label(&format!(r#"x="{}" y="{}""#, short(x), short(y)), size, anchor, ink, text);
    }

    /// A text that is read from below, with its middle there.
    pub(super) fn upright(&mut self, (x, y): (f64, f64), size: f64, text: &str) {
        let place = format!(r#"transform="translate({} {})rotate(-90)""#, short(x), short(y));
        self.label(&place, size, Anchor::Middle, Ink::Soft, text);
    }

    fn label(&mut self, place: &str, size: f64, anchor: Anchor, ink: Ink, text: &str) {
        let anchor = match anchor {
            Anchor::Start => String::new(),
            other => format!(r#" text-anchor="{}""#, other.name()),
        };
        let (size, ink, text) = (short(size), ink.attributes(), escaped(text));
        self.raw(&format!(r#"<text {place} font-size="{size}"{anchor} {ink}>{text}</text>"#));
    }

    /// A line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), attributes: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(short);
        self.raw(&format!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {attributes}/>"#));
    }

    /// A box.
    pub(super) fn rect(&mut self, at: (f64, f64), size: (f64, f64), attributes: &str) {
        let [x, y, w, h] = [at.0, at.1, size.0, size.1].map(short);
        self.raw(&format!(r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" {attributes}/>"#));
    }

    /// A line through points; nothing without any.
    pub(super) fn polyline(&mut self, points: &[(f64, f64)], attributes: &str) {
        if !points.is_empty() {
            let points = list(points);
            self.raw(&format!(
                r#"<polyline points="{points}" fill="none" stroke-linejoin="round" {attributes}/>"#
            ));
        }
    }

    /// What points enclose; nothing without any.
    pub(super) fn polygon(&mut self, points: &[(f64, f64)], attributes: &str) {
        if !points.is_empty() {
            let points = list(points);
            self.raw(&format!(r#"<polygon points="{points}" {attributes}/>"#));
        }
    }

    /// An element as it is.
    pub(super) fn raw(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// The elements alone.
    pub(super) fn bare(&self) -> &str {
        self.body.trim_end()
    }

    /// The whole drawing; `what` is for those who cannot see it.
    pub(super) fn finish(self, height: f64, what: &str) -> String {
        let (width, height, what) = (short(WIDTH), short(height), escaped(what));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" role=\"img\" aria-label=\"{what}\">\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

fn list(points: &[(f64, f64)]) -> String {
    let mut text = String::with_capacity(points.len() * 10);
    for (x, y) in points {
        let _ = write!(text, "{},{} ", short(*x), short(*y));
    }
    text.pop();
    text
}

/// A coordinate with one decimal, and none where it is 0.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    match text.strip_suffix(".0").unwrap_or(&text) {
        "-0" => "0".to_owned(),
        short => short.to_owned(),
    }
}

/// A text as it may stand in XML and HTML, in elements and in attributes; signs that XML does not know are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(sign),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other if other.is_control() => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}
