//! A list that grows and never shrinks, and that is read without a lock.

use std::sync::OnceLock;

/// Each link is written once, so that whoever finds it sees all of it. Of two who add at once one is first,
/// and the other one looks at what it added and goes on behind it.
#[derive(Debug)]
pub(crate) struct Chain<T>(OnceLock<Box<Link<T>>>);

#[derive(Debug)]
struct Link<T> {
    value: T,
    next: Chain<T>,
}

impl<T> Chain<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        let links = std::iter::successors(self.0.get(), |link| link.next.0.get());
        links.map(|link| &link.value)
    }

    /// [`find_or_add`](Self::find_or_add) for a list of at most so many; `None` where it is full.
    pub(crate) fn find_or_add_within(
        &self,
        most: usize,
        wanted: impl Fn(&T) -> bool,
        make: impl Fn() -> T,
    ) -> Option<&T> {
        let mut chain = self;
        for _ in 0..most {
            let link = chain.0.get_or_init(|| Box::new(Link { value: make(), next: Self::new() }));
            if wanted(&link.value) {
                return Some(&link.value);
            }
            chain = &link.next;
        }
        None
    }

    /// The first that is wanted, or a new one at the end; what `make` makes is wanted.
    pub(crate) fn find_or_add(&self, wanted: impl Fn(&T) -> bool, make: impl Fn() -> T) -> &T {
        let mut chain = self;
        loop {
            let link = chain.0.get_or_init(|| Box::new(Link { value: make(), next: Self::new() }));
            if wanted(&link.value) {
                return &link.value;
            }
            chain = &link.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::Chain;

    #[test]
    fn what_is_there_is_found_and_what_is_not_is_added_once() {
        let chain = Chain::new();
        for number in [3, 1, 3, 2, 1] {
            assert_eq!(*chain.find_or_add(|known| *known == number, || number), number);
        }
        assert_eq!(chain.iter().copied().collect::<Vec<_>>(), [3, 1, 2]);
    }

    #[test]
    fn what_does_not_fit_is_not_added_and_what_is_there_is_still_found() {
        let chain = Chain::new();
        let find =
            |wanted: i32| chain.find_or_add_within(2, |known| *known == wanted, || wanted).copied();
        assert_eq!([3, 1, 2, 1, 3].map(find), [Some(3), Some(1), None, Some(1), Some(3)]);
        assert_eq!(chain.iter().count(), 2);
    }

    #[test]
    fn threads_that_add_at_once_find_one_and_the_same() {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let chain: Chain<usize> = Chain::new();
        let chain = &chain;
        let found: Vec<Vec<usize>> = std::thread::scope(|threads| {
            let one = |from: usize| {
                move || {
                    let wanted = (0..20).map(|step| (from + step) % 20);
                    let find = |number| {
                        let found = chain.find_or_add(
                            |known| *known == number,
                            || {
                                MADE.fetch_add(1, Ordering::Relaxed);
                                number
                            },
                        );
                        std::ptr::from_ref(found).addr()
                    };
                    let mut found: Vec<_> = wanted.map(find).collect();
                    found.rotate_right(from % 20);
                    found
                }
            };
            let handles: Vec<_> = (0..4).map(|at| threads.spawn(one(at * 5))).collect();
            handles.into_iter().map(|handle| handle.join().unwrap()).collect()
        });
        assert!(found.iter().all(|of_one| *of_one == found[0]), "{found:?}");
        assert_eq!((MADE.load(Ordering::Relaxed), chain.iter().count()), (20, 20));
    }
}
