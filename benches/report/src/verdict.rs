//! What the figures are held to.

/// One target: what it asks, what was measured, and whether that is enough.
pub fn verdict(target: &str, measured: &str, met: bool) -> String {
    format!("{} {target}: {measured}", if met { "met   " } else { "MISSED" })
}

/// One target that a single figure is held to; nothing that was not measured is met or missed.
pub fn held(target: &str, measured: f64, enough: impl FnOnce(f64) -> bool) -> String {
    if measured.is_finite() {
        verdict(target, &figure(measured), enough(measured))
    } else {
        format!("open   {target}: {}", figure(measured))
    }
}

/// A figure as the tables show it.
pub fn figure(measured: f64) -> String {
    if measured.is_finite() { format!("{measured:.2}") } else { "not measured".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_not_measured_is_met_or_missed() {
        assert_eq!(held("fast", 1.0, |figure| figure < 2.0), "met    fast: 1.00");
        assert_eq!(held("fast", 3.0, |figure| figure < 2.0), "MISSED fast: 3.00");
        assert_eq!(held("fast", f64::NAN, |figure| figure < 2.0), "open   fast: not measured");
    }
}
