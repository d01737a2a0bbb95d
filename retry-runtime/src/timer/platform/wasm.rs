/// Whether the standard library's sleep works: with threads there is somebody to wake this one.
pub(crate) const CAN_BLOCK: bool = cfg!(target_feature = "atomics");

/// For how long the process's own clock has run.
#[cfg(feature = "gloo-timers-0-4")]
pub(crate) fn elapsed() -> std::time::Duration {
    use std::sync::OnceLock;
    use web_time::Instant;

    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    ORIGIN.get_or_init(Instant::now).elapsed()
}

/// There is none: to whoever installed no timer, time stands still.
#[cfg(not(feature = "gloo-timers-0-4"))]
pub(crate) const fn elapsed() -> std::time::Duration {
    std::time::Duration::ZERO
}

/// The date, if it is known.
#[cfg(all(any(feature = "http-1", feature = "toml-1"), feature = "gloo-timers-0-4"))]
#[expect(clippy::unnecessary_wraps, reason = "there are builds without a calendar")]
pub(crate) fn date() -> Option<std::time::SystemTime> {
    use web_time::web::SystemTimeExt;

    Some(web_time::SystemTime::now().to_std())
}

/// The date, if it is known.
#[cfg(all(any(feature = "http-1", feature = "toml-1"), not(feature = "gloo-timers-0-4")))]
pub(crate) const fn date() -> Option<std::time::SystemTime> {
    None
}

/// What is random besides the keys of the standard library's hash maps: those are the addresses of two
/// variables here, the same in each tab and after each start, so that all clients would come back in step
/// and draw the same idempotency keys.
pub(crate) fn entropy() -> [u64; 2] {
    #[cfg(feature = "gloo-timers-0-4")]
    {
        let mut bytes = [0; 16];
        // A browser without it is none that runs wasm; then there is still the time.
        if getrandom::fill(&mut bytes).is_ok() {
            let drawn = u128::from_le_bytes(bytes);
            #[expect(clippy::cast_possible_truncation, reason = "one half each")]
            return [drawn as u64, (drawn >> 64) as u64];
        }
    }
    [super::super::now().as_nanos(), 0]
}
