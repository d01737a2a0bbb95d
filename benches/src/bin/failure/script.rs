//! Bodies that fail as they are told.

use std::sync::atomic::{AtomicU64, Ordering};

use benches::work::Down;

/// What becomes of the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scenario {
    /// The first attempt fails, the second succeeds.
    Once,
    /// Two attempts fail, the third succeeds.
    Twice,
    /// The first attempt fails, and there is nothing left to pay a retry from.
    Refused,
    /// The first attempt fails in a way that is not worth a retry.
    Permanent,
}

impl Scenario {
    pub(crate) const ALL: [Self; 4] = [Self::Once, Self::Twice, Self::Refused, Self::Permanent];

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Once => "One failed attempt, then a success",
            Self::Twice => "Two failed attempts, then a success",
            Self::Refused => "A failed attempt, and an exhausted budget",
            Self::Permanent => "A failed attempt that is not worth a retry",
        }
    }

    /// What a process is told that watches this scenario alone.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Twice => "twice",
            Self::Refused => "refused",
            Self::Permanent => "permanent",
        }
    }

    /// Makes the bodies follow it from the next one on.
    pub(crate) fn set(self) {
        let failures = match self {
            Self::Once => 1,
            Self::Twice => 2,
            Self::Refused => DEAD,
            Self::Permanent => PERMANENT,
        };
        FAILURES.store(failures, Ordering::Relaxed);
        BODIES.store(0, Ordering::Relaxed);
    }
}

const DEAD: u64 = u64::MAX;
const PERMANENT: u64 = u64::MAX - 1;

/// So many fail in a row.
static FAILURES: AtomicU64 = AtomicU64::new(0);
/// So many have run.
static BODIES: AtomicU64 = AtomicU64::new(0);

/// The body that every subject wraps, out of line like a real one.
#[inline(never)]
pub(crate) fn scripted(input: u64) -> Result<u64, Down> {
    match FAILURES.load(Ordering::Relaxed) {
        DEAD => Err(Down::Transient),
        PERMANENT => Err(Down::Permanent),
        failures => {
            let body = BODIES.fetch_add(1, Ordering::Relaxed);
            if body % (failures + 1) < failures { Err(Down::Transient) } else { Ok(input) }
        }
    }
}
