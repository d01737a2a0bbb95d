//! What the figures are held to.

/// One target: what it asks, what was measured, and whether that is enough.
pub fn verdict(target: &str, measured: &str, met: bool) -> String {
    format!("{} {target}: {measured}", if met { "met   " } else { "MISSED" })
}
