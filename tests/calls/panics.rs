//! Panics of bodies pass through and free everything; panics of hooks are contained and kept.

use std::{
    panic::AssertUnwindSafe,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::bodies::{Answer, Dependency, Numbered, T, assert_balance, budget as row, ms, site};
use futures_util::FutureExt;
use stormless::{
    Budget, Note, Outcome, RetryEvent, StopReason, Warning, budget, current, report, retry,
    testing::isolated, verify, warnings,
};

budget! { static PANICS: Budget = Budget::new("panics").burst(10).ratio(0.1); }

#[retry(attempts = 3, backoff = "fixed", base = "1s", budget = PANICS, name = "panicking")]
async fn panicking(panics_on: u32) -> Answer {
    let number = current().expect("an attempt is running").number();
    assert_ne!(number, panics_on, "on purpose");
    if number < 3 { Err(T) } else { Ok(()) }
}

// R121
#[tokio::test(start_paused = true)]
async fn a_panic_in_the_body_passes_through_and_frees_everything() {
    isolated(async {
        let (caught, calls) = report(AssertUnwindSafe(panicking(2)).catch_unwind()).await;
        let message = caught.expect_err("the body panics");
        let message = message.downcast_ref::<String>().expect("a formatted message");
        assert!(message.contains("on purpose"), "{message}");
        assert_eq!((calls[0].outcome(), calls[0].attempts()), (Outcome::Panicked, 2));

        // The retry that had started is spent, nothing is earned, and nothing is given back.
        assert_balance("panics", 9.0);
        assert_eq!(row("panics").stats().given_back, 0);
        assert!(current().is_none());
        assert_eq!((site("panicking").calls(), site("panicking").retries()), (1, 1));

        assert_eq!(panicking(0).await, Ok(()), "the next call works");
        assert_balance("panics", 9.0 - 2.0 + 0.1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_the_first_attempt_takes_nothing() {
    isolated(async {
        let caught = AssertUnwindSafe(panicking(1)).catch_unwind().await;
        assert!(caught.is_err());
        assert_balance("panics", 10.0);
        assert_eq!((site("panicking").calls(), site("panicking").retries()), (1, 0));
        assert_eq!(site("panicking").stops(StopReason::Cancelled), 0);
    })
    .await;
}

#[retry(
    attempts = 3,
    backoff = "fixed",
    base = "1s",
    budget = PANICS,
    name = "hooked",
    on_retry = |event| hook(event, seen)
)]
async fn hooked(dependency: &Dependency, seen: &AtomicU32) -> Answer {
    dependency.answer()
}

fn hook(event: &RetryEvent<'_, crate::bodies::Failure>, seen: &AtomicU32) {
    assert_eq!((event.site(), event.delay()), ("hooked", ms(1_000)));
    assert_eq!(event.error(), Some(&Numbered(event.attempt())));
    assert!(seen.fetch_add(1, Ordering::Relaxed) > 0, "on purpose");
}

// R123
#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_is_contained_and_kept() {
    isolated(async {
        let (script, seen) =
            (Dependency::script([Err(Numbered(1)), Err(Numbered(2)), Ok(())]), AtomicU32::new(0));
        assert_eq!(hooked(&script, &seen).await, Ok(()), "the call's result is unchanged");
        assert_eq!(script.starts(), [0, 1_000, 2_000]);
        assert_eq!(seen.into_inner(), 2, "the hook is still asked after its panic");
        assert_balance("panics", 10.0 - 2.0 + 0.1);

        assert_eq!(site("hooked").hook_panics(), 1);
        let warning = Warning::HookPanicked { site: "hooked", hook: "on_retry" };
        assert_eq!(warning.to_string(), "the hook `on_retry` of `hooked` panicked");
        assert_eq!(warnings(), std::slice::from_ref(&warning));
        let mut notes = verify().expect("a hook is nothing to fail for");
        notes.retain(|note| matches!(note, Note::Warning(_)));
        assert_eq!(notes, [Note::Warning(warning)]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_each_time_is_counted_each_time_and_kept_once() {
    isolated(async {
        for call in 1..=3 {
            let script = Dependency::script([Err(Numbered(1)), Ok(())]);
            assert_eq!(hooked(&script, &AtomicU32::new(0)).await, Ok(()));
            assert_eq!((site("hooked").hook_panics(), warnings().len()), (call, 1));
        }
    })
    .await;
}
