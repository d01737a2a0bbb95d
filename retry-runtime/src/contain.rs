//! What users pass, and what subscribers and recorders do, is kept away from calls.

use std::{
    any::Any,
    cell::Cell,
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    thread::LocalKey,
};

/// Runs what may panic; `None` if it did. A panic's payload may panic as well where it is dropped, and goes
/// no further either.
pub(crate) fn contained<T>(run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).map_err(discard).ok()
}

/// [`contained`], with this mark set meanwhile.
pub(crate) fn contained_within<T>(
    mark: &'static LocalKey<Cell<bool>>,
    run: impl FnOnce() -> T,
) -> Option<T> {
    let outside = mark.replace(true);
    let ended = contained(run);
    mark.set(outside);
    ended
}

#[cold]
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(another) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        // Its drop may panic again, and so on without an end.
        mem::forget(another);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{panic_any, resume_unwind};

    use super::*;

    thread_local! {
        static MARK: Cell<bool> = const { Cell::new(false) };
    }

    struct Bomb(u32);

    impl Drop for Bomb {
        fn drop(&mut self) {
            if let Some(left) = self.0.checked_sub(1) {
                resume_unwind(Box::new(Self(left)));
            }
        }
    }

    #[cfg_attr(miri, ignore = "a payload that panics is leaked on purpose")]
    #[test]
    fn a_payload_that_panics_goes_no_further() {
        for bombs in [0, 1, 2, 1_000] {
            assert_eq!(contained(|| -> u8 { resume_unwind(Box::new(Bomb(bombs))) }), None);
        }
        assert_eq!(contained(|| -> u8 { panic_any(Bomb(1)) }), None);
        assert_eq!(contained(|| 7), Some(7));
    }

    #[cfg_attr(miri, ignore = "a payload that panics is leaked on purpose")]
    #[test]
    fn the_mark_is_set_meanwhile_and_taken_back_after_a_panic() {
        assert_eq!(contained_within(&MARK, || MARK.get()), Some(true));
        assert!(!MARK.get());
        let nested = || contained_within(&MARK, || -> u8 { resume_unwind(Box::new(Bomb(1))) });
        assert_eq!(contained_within(&MARK, || (nested(), MARK.get())), Some((None, true)));
        assert!(!MARK.get());
    }
}
