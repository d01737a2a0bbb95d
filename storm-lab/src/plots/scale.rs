//! From quantities to pixels, and where an axis has its ticks.

/// A number with its thousands apart: 4,700.
pub(crate) fn grouped(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let (whole, rest) = match text.split_once('.') {
        Some((whole, rest)) => (whole, format!(".{rest}")),
        None => (text.as_str(), String::new()),
    };
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("-", digits));
    let mut apart = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            apart.push(',');
        }
        apart.push(digit);
    }
    format!("{sign}{apart}{rest}")
}

/// How many decimals three digits ask for.
pub(super) fn decimals(number: f64) -> usize {
    match number.abs() {
        size if size >= 99.95 || size == 0.0 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 => 2,
        _ => 3,
    }
}

/// A number with three digits or so, and without decimals that say nothing.
pub(crate) fn brief(number: f64) -> String {
    let text = grouped(number, decimals(number));
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// An axis: what it shows, where, and its ticks.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    from: f64,
    to: f64,
    /// Values and how they are written.
    pub(super) ticks: Vec<(f64, String)>,
}

impl Scale {
    /// From zero to a round number at or above `most`, with about so many ticks.
    pub(super) fn from_zero(most: f64, from: f64, to: f64, about: u32) -> Self {
        let most = sane(most).max(f64::MIN_POSITIVE * 1e20);
        let step = step(most, about);
        let high = (most / step - 1e-9).ceil().max(1.0) * step;
        Self::linear(high, step, from, to)
    }

    /// From zero to exactly `end`.
    pub(super) fn until(end: f64, from: f64, to: f64, about: u32) -> Self {
        let end = sane(end).max(1e-3);
        Self::linear(end, step(end, about), from, to)
    }

    fn linear(high: f64, step: f64, from: f64, to: f64) -> Self {
        let decimals = places(step);
        let mut ticks = Vec::new();
        let mut at = 0_u32;
        while f64::from(at) * step <= high * (1.0 + 1e-9) {
            let value = f64::from(at) * step;
            ticks.push((value, grouped(value, decimals)));
            at += 1;
        }
        Self { low: 0.0, high, log: false, from, to, ticks }
    }

    /// Logarithmic, from a round number at or below `least` to one at or above `most`.
    pub(super) fn logarithmic(least: f64, most: f64, from: f64, to: f64) -> Self {
        let least = sane(least).clamp(1e-6, 1e15);
        let most = sane(most).clamp(least, 1e15);
        let (first, last) = (least.log10().floor(), (most.log10() - 1e-9).floor());
        let all: Vec<f64> = powers(first, last + 1.0)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powf(power)))
            .collect();
        let low = all.iter().copied().rfind(|tick| *tick <= least * 1.000_001).unwrap_or(least);
        let high = all.iter().copied().find(|tick| *tick >= most * 0.999_999 && *tick > low);
        let high = high.unwrap_or(low * 10.0);
        let decades = (high / low).log10();
        let shown = all.iter().copied().filter(|tick| {
            let power = tick.log10();
            let whole = (power - power.round()).abs() < 1e-6;
            *tick >= low * 0.999_999 && *tick <= high * 1.000_001 && (whole || decades <= 3.0)
        });
        let ticks = shown.map(|tick| (tick, brief(tick))).collect();
        Self { low, high, log: true, from, to, ticks }
    }

    /// The pixel of a value, never outside of the axis.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        self.from + share * (self.to - self.from)
    }

    /// Whether a value is on it.
    pub(super) fn has(&self, value: f64) -> bool {
        value >= self.low * 0.999_999 && value <= self.high * 1.000_001
    }

    /// Where it begins and ends, in pixels.
    pub(super) const fn ends(&self) -> (f64, f64) {
        (self.from, self.to)
    }
}

fn sane(number: f64) -> f64 {
    if number.is_finite() { number.clamp(0.0, 1e15) } else { 0.0 }
}

fn powers(first: f64, last: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(first), move |power| (*power < last).then_some(power + 1.0))
}

/// 1, 2 or 5 times a power of ten, so that there are about so many steps, and at most one and a half more.
fn step(most: f64, about: u32) -> f64 {
    let raw = most / (f64::from(about.max(1)) + 1.5);
    let power = 10_f64.powf(raw.log10().floor());
    let digit = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= raw * 0.999_999);
    digit.unwrap_or(10.0) * power
}

fn places(step: f64) -> usize {
    (0..12)
        .find(|places| 10_f64.powi(*places) * step >= 0.999_999)
        .map_or(0, |places| usize::try_from(places).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_and_not_too_many() {
        let axis = |most| Scale::from_zero(most, 0.0, 100.0, 4);
        assert_eq!(texts(&axis(6_790.0)), ["0", "2,000", "4,000", "6,000", "8,000"]);
        assert_eq!(texts(&axis(100.0)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(&axis(0.3)), ["0.0", "0.1", "0.2", "0.3"]);
        for most in [0.0, 1e-12, 0.07, 1.0, 99.0, 1e9, f64::NAN, f64::INFINITY, -3.0] {
            let axis = axis(most);
            assert!((2..=7).contains(&axis.ticks.len()), "{most}: {:?}", axis.ticks);
            assert!(axis.at(most).is_finite());
        }
    }

    #[test]
    fn a_logarithmic_axis_is_as_long_as_it_must_be() {
        let axis = |least, most| Scale::logarithmic(least, most, 0.0, 100.0);
        assert_eq!(texts(&axis(12.0, 480.0)), ["10", "20", "50", "100", "200", "500"]);
        assert_eq!(texts(&axis(0.5, 40_000.0)), ["1", "10", "100", "1,000", "10,000"]);
        let decade = axis(10.0, 1_000.0);
        assert!((decade.at(100.0) - 50.0).abs() < 1e-9);
        for (least, most) in [(0.0, 0.0), (5.0, 5.0), (f64::NAN, 1.0), (9.0, 2.0), (1e-9, 1e300)] {
            let axis = axis(least, most);
            assert!(axis.ticks.len() >= 2, "{least} to {most}: {:?}", axis.ticks);
            assert!((0.0..=100.0).contains(&axis.at(least)) && axis.at(0.0) == 0.0);
        }
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(
            ["0", "999", "4,700", "-1,234,567"],
            [0.0, 999.0, 4_700.0, -1_234_567.0].map(|n| grouped(n, 0))
        );
        assert_eq!(["1,234.5", "0.05"], [grouped(1_234.5, 1), grouped(0.05, 2)]);
        assert_eq!(
            ["27.1", "1.18", "0.065", "300", "0"],
            [27.1, 1.176, 0.065, 300.2, 0.0].map(brief)
        );
    }
}
