//! Numbers as people read them.

use std::fmt;

/// A number that is not negative, to four significant digits, rounded up: bounds must not be
/// understated.
pub(super) struct Figure(pub(super) f64);

/// Written out: powers and logarithms may be off by a little, on some platforms more than on others.
const SCALES: [f64; 9] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
const FINEST: f64 = 1e9;

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if value <= 0.0 {
            return f.write_str("0");
        }
        let scale = SCALES.into_iter().find(|scale| value * scale >= 1_000.0).unwrap_or(FINEST);
        // The small share taken off keeps 1.1, which is held as 1.1000000000000001, at 1.1.
        write!(f, "{}", (value * scale - 1e-6).ceil() / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::Figure;

    #[test]
    fn figures_are_short_and_never_understate() {
        for (value, text) in [
            (0.0, "0"),
            (0.1, "0.1"),
            (1.0 + 0.1, "1.1"),
            (1.0 / 0.9, "1.112"),
            (10.0, "10"),
            (1000.0 / 3.0, "333.4"),
            (0.000_01, "0.00001"),
            (4_294_967_295.0, "4294967295"),
        ] {
            assert_eq!(Figure(value).to_string(), text);
        }
    }
}
