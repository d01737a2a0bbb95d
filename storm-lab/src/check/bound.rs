//! One rule, and whether it holds.

use std::fmt;

/// What a figure has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
    /// From one to the other.
    Within(f64, f64),
    /// Infinite, as the recovery that never comes.
    Never,
}

impl Bound {
    /// So far around a figure.
    pub(super) const fn around(middle: f64, width: f64) -> Self {
        Self::Within(middle - width, middle + width)
    }

    /// Whether a figure is as it has to be. What is no number is not.
    pub fn holds(self, figure: f64) -> bool {
        match self {
            Self::AtMost(most) => figure <= most,
            Self::AtLeast(least) => figure >= least,
            Self::Within(least, most) => figure >= least && figure <= most,
            Self::Never => figure == f64::INFINITY,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::AtMost(most) => write!(f, "≤ {}", Short(most)),
            Self::AtLeast(least) => write!(f, "≥ {}", Short(least)),
            Self::Within(least, most) => write!(f, "{} – {}", Short(least), Short(most)),
            Self::Never => f.write_str("never"),
        }
    }
}

/// A figure with as many digits as tell.
pub(super) struct Short(pub(super) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figure = self.0;
        if figure == f64::INFINITY {
            return f.write_str("never");
        }
        let decimals = match figure.abs() {
            size if size >= 100.0 => 0,
            size if size >= 10.0 => 1,
            _ => 4,
        };
        let text = format!("{figure:.decimals$}");
        let text = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            &text
        };
        f.write_str(text)
    }
}

/// A rule, and what was observed.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What is looked at, such as `naive: attempts per call`.
    pub what: String,
    /// What it has to be.
    pub bound: Bound,
    /// What it was, for each seed or as one figure.
    pub observed: Vec<f64>,
}

impl Verdict {
    /// Whether it holds for all that was observed, and something was.
    pub fn passes(&self) -> bool {
        !self.observed.is_empty() && self.observed.iter().all(|figure| self.bound.holds(*figure))
    }

    /// The observed figures: one, or the lowest and the highest.
    pub fn range(&self) -> String {
        let least = self.observed.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.observed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (least, most) = (Short(least).to_string(), Short(most).to_string());
        match self.observed.len() {
            0 => "nothing".to_owned(),
            _ if least == most => least,
            _ => format!("{least} – {most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_holds_for_every_seed_or_not_at_all() {
        let verdict = |observed: &[f64]| Verdict {
            what: String::new(),
            bound: Bound::around(27.0, 1.0),
            observed: observed.to_vec(),
        };
        assert!(verdict(&[26.0, 28.0]).passes());
        assert!(!verdict(&[26.0, 28.1]).passes());
        assert!(!verdict(&[f64::NAN]).passes());
        assert!(!verdict(&[]).passes(), "nothing was looked at");
        assert_eq!(verdict(&[26.125, 28.0]).range(), "26.1 – 28");
        assert_eq!(verdict(&[f64::INFINITY]).range(), "never");
        assert_eq!(Bound::around(1.176, 0.006).to_string(), "1.17 – 1.182");
    }

    #[test]
    fn never_is_no_time() {
        assert!(Bound::Never.holds(f64::INFINITY) && !Bound::Never.holds(1e9));
        assert!(!Bound::AtMost(5.0).holds(f64::INFINITY));
    }
}
