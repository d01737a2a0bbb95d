use std::{sync::OnceLock, time::Instant};

/// Whether the standard library's sleep works.
pub(crate) const CAN_BLOCK: bool = true;

/// For how long the process's own clock has run.
pub(crate) fn elapsed() -> std::time::Duration {
    origin().elapsed()
}

/// Where it counts from.
pub(crate) fn origin() -> Instant {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    *ORIGIN.get_or_init(Instant::now)
}

/// The date, if it is known.
#[cfg(any(feature = "http-1", feature = "toml-1"))]
#[expect(clippy::unnecessary_wraps, reason = "there are platforms without a calendar")]
pub(crate) fn date() -> Option<std::time::SystemTime> {
    Some(std::time::SystemTime::now())
}

/// What is random besides the keys of the standard library's hash maps, which are.
pub(crate) const fn entropy() -> [u64; 2] {
    [0; 2]
}
