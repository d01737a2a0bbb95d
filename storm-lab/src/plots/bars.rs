//! Bars in groups, lying, with what they mean at their ends.

use super::{
    data::{Compared, Range},
    font::{fitted, width},
    scale::{Scale, decimals, grouped},
    sheet::{BELOW, MARGIN, SMALL, Sheet},
    style::LIMIT,
    svg::{Anchor, Ink, WIDTH},
};

const THICK: f64 = 15.0;
const APART: f64 = 21.0;
const HEAD: f64 = 24.0;
const BETWEEN: f64 = 12.0;

/// Bars that belong together, one for each policy.
pub(super) struct Group {
    pub(super) name: String,
    /// In the order of the policies; `None`: no bar, but a dash.
    pub(super) bars: Vec<Option<Range>>,
    /// A line through the group.
    pub(super) reference: Option<f64>,
}

/// Draws them; all groups share the axis.
pub(super) fn draw(
    sheet: &mut Sheet,
    policies: &[Compared<'_>],
    groups: &[Group],
    axis: &str,
    unit: &str,
) {
    let bars = || groups.iter().flat_map(|group| group.bars.iter().flatten());
    let references = groups.iter().filter_map(|group| group.reference);
    let most = bars().map(|bar| bar.high).chain(references).fold(0.0, f64::max);
    let names =
        policies.iter().map(|policy| width(policy.name, SMALL)).fold(40.0, f64::max).min(230.0);
    let values = bars().map(|bar| width(&value(bar, unit), 11.0)).fold(0.0, f64::max);
    let left = MARGIN + 18.0 + names + 10.0;
    let x = Scale::from_zero(most, left, WIDTH - MARGIN - values - 14.0, 6);
    #[expect(clippy::cast_precision_loss, reason = "a few policies")]
    let tall = HEAD + policies.len() as f64 * APART + BETWEEN;
    #[expect(clippy::cast_precision_loss, reason = "a few tiers")]
    let bottom = sheet.top + tall * groups.len() as f64;
    for (at, text) in &x.ticks {
        sheet.svg.text((x.at(*at), bottom + 16.0), 11.0, Anchor::Middle, Ink::Soft, text);
    }
    for group in groups {
        let top = sheet.top + HEAD;
        grid(sheet, &x, (top, sheet.top + tall));
        let name = fitted(&group.name, SMALL, WIDTH - 2.0 * MARGIN);
        sheet.svg.text((MARGIN, top - 7.0), SMALL, Anchor::Start, Ink::Soft, &name);
        let mut middle = top + APART / 2.0;
        for (policy, bar) in policies.iter().zip(&group.bars) {
            policy.style.mark(&mut sheet.svg, (MARGIN + 8.0, middle));
            let name = fitted(policy.name, SMALL, names);
            sheet.svg.text((MARGIN + 18.0, middle + 4.0), SMALL, Anchor::Start, Ink::Strong, &name);
            row(sheet, policy, bar.as_ref(), (&x, middle), (group.reference, unit));
            middle += APART;
        }
        if let Some(reference) = group.reference {
            let at = x.at(reference);
            sheet.svg.line((at, top), (at, middle - APART / 2.0), LIMIT);
        }
        sheet.top += tall;
    }
    let axis_line = r##"class="axis" stroke="#6e7781" stroke-width="1""##;
    let (from, to) = x.ends();
    sheet.svg.line((from, bottom), (to, bottom), axis_line);
    sheet.svg.text((f64::midpoint(from, to), bottom + 33.0), 11.0, Anchor::Middle, Ink::Soft, axis);
    sheet.top = bottom + BELOW;
}

/// Below the group's name, which may be longer than what is left of the bars.
fn grid(sheet: &mut Sheet, x: &Scale, (top, bottom): (f64, f64)) {
    let grid = r##"class="grid" stroke="#dde2e7" stroke-width="1""##;
    for (value, _) in &x.ticks {
        let at = x.at(*value);
        sheet.svg.line((at, top), (at, bottom), grid);
    }
}

/// Where a text that would stand there is not struck through by the line: there, or behind it.
fn beside(reference: Option<f64>, x: &Scale, from: f64, text: &str) -> f64 {
    const APART: f64 = 4.0;
    let Some(line) = reference.map(|reference| x.at(reference)) else { return from };
    let struck = from < line + APART && from + width(text, 11.0) > line - APART;
    if struck { line + APART + 2.0 } else { from }
}

fn row(
    sheet: &mut Sheet,
    policy: &Compared<'_>,
    bar: Option<&Range>,
    (x, middle): (&Scale, f64),
    (reference, unit): (Option<f64>, &str),
) {
    let (from, _) = x.ends();
    let Some(bar) = bar else {
        let at = (beside(reference, x, from + 6.0, "–"), middle + 4.0);
        sheet.svg.text(at, 11.0, Anchor::Start, Ink::Soft, "–");
        return;
    };
    let to = x.at(bar.middle);
    let wide = (to - from).max(1.0);
    sheet.svg.rect((from, middle - THICK / 2.0), (wide, THICK), &policy.style.fill(0.8));
    let (low, high) = (x.at(bar.low), x.at(bar.high));
    if high - low > 5.0 {
        let whisker = r##"class="limit" stroke="#1b1f24" stroke-width="1.4""##;
        sheet.svg.line((low, middle), (high, middle), whisker);
        for end in [low, high] {
            sheet.svg.line((end, middle - 3.5), (end, middle + 3.5), whisker);
        }
    }
    let text = value(bar, unit);
    let at = (beside(reference, x, high.max(to) + 6.0, &text), middle + 4.0);
    sheet.svg.text(at, 11.0, Anchor::Start, Ink::Soft, &text);
}

fn value(bar: &Range, unit: &str) -> String {
    let decimals = decimals(bar.middle);
    let [low, middle, high] = [bar.low, bar.middle, bar.high].map(|value| grouped(value, decimals));
    let range = if low == high { String::new() } else { format!(" ({low}–{high})") };
    format!("{middle}{unit}{range}")
}
