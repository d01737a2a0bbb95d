//! Every interleaving of finding, declaring and switching off a budget:
//! `RUSTFLAGS="--cfg stormless_loom" cargo test -p retry-runtime --test loom_succession --release`
#![cfg(stormless_loom)]

mod sync {
    pub(crate) use loom::sync::atomic::{AtomicBool, AtomicU32, Ordering, fence};

    /// The standard library's, as far as it orders memory: what is read had been written before.
    #[derive(Debug)]
    pub(crate) struct OnceLock<T> {
        value: std::sync::OnceLock<T>,
        set: AtomicBool,
    }

    impl<T> OnceLock<T> {
        pub(crate) fn new() -> Self {
            Self { value: std::sync::OnceLock::new(), set: AtomicBool::new(false) }
        }

        pub(crate) fn get(&self) -> Option<&T> {
            self.set.load(Ordering::Acquire).then(|| self.value.get()).flatten()
        }

        pub(crate) fn set(&self, value: T) -> Result<(), T> {
            self.value.set(value)?;
            self.set.store(true, Ordering::Release);
            Ok(())
        }
    }
}
#[path = "../src/names/succession.rs"]
mod succession;

use loom::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU32, Ordering},
};
use loom::thread;
use succession::Succession;

/// A budget, as far as it has a place among others.
struct Budget {
    id: u32,
    place: Succession<Budget>,
}

fn budget(id: u32) -> &'static Budget {
    let place = Succession::new(AtomicU32::new(0), sync::OnceLock::new(), AtomicBool::new(false));
    Box::leak(Box::new(Budget { id, place }))
}

/// The budget that a call gets: `Budget::known_lead`, and then `find_lead` with the registry's lock.
fn find(known: &'static Budget, registry: &Mutex<()>) -> u32 {
    if let Some(id) = known.place.lead() {
        return id;
    }
    let mut latest = known;
    while let Some(next) = latest.place.successor() {
        latest = next;
    }
    if std::ptr::eq(latest, known) {
        let _registry = registry.lock().unwrap();
        known.place.publish(known.id);
    }
    latest.id
}

/// `Entry::supersede`.
fn declare(old: &'static Budget, new: &'static Budget, registry: &Mutex<()>) {
    let _registry = registry.lock().unwrap();
    if old.place.hand_over(new) == Some(true) {
        new.place.set_off(true);
    }
}

/// `Budget::set_off`.
fn switch_off(budget: &'static Budget) {
    let mut next = Some(budget);
    while let Some(budget) = next {
        budget.place.set_off(true);
        next = budget.place.successor();
    }
}

#[test]
fn a_declaration_takes_effect_on_the_next_call_whoever_was_finding_the_old_one() {
    loom::model(|| {
        let (old, new, registry) = (budget(1), budget(2), Arc::new(Mutex::new(())));
        let finding = {
            let registry = registry.clone();
            thread::spawn(move || find(old, &registry))
        };
        declare(old, new, &registry);
        // The next call of whoever declared it.
        assert_eq!(find(old, &registry), 2);
        assert!((1..=2).contains(&finding.join().unwrap()));
        assert_eq!(find(old, &registry), 2);
        assert_eq!(old.place.lead(), None);
    });
}

#[test]
fn a_call_that_hears_of_a_declaration_gets_the_new_budget() {
    loom::model(|| {
        let (old, new, registry) = (budget(1), budget(2), Arc::new(Mutex::new(())));
        let declared = Arc::new(AtomicBool::new(false));
        find(old, &registry);
        let declaring = {
            let (registry, declared) = (registry.clone(), declared.clone());
            thread::spawn(move || {
                declare(old, new, &registry);
                declared.store(true, Ordering::Release);
            })
        };
        let heard = declared.load(Ordering::Acquire);
        let found = find(old, &registry);
        assert!(!heard || found == 2);
        declaring.join().unwrap();
    });
}

#[test]
fn two_who_find_a_budget_at_once_agree() {
    loom::model(|| {
        let (only, registry) = (budget(1), Arc::new(Mutex::new(())));
        let other = {
            let registry = registry.clone();
            thread::spawn(move || find(only, &registry))
        };
        assert_eq!(find(only, &registry), 1);
        assert_eq!(other.join().unwrap(), 1);
        assert_eq!(only.place.lead(), Some(1));
    });
}

#[test]
fn a_switch_that_is_thrown_while_another_budget_takes_over_reaches_it() {
    loom::model(|| {
        let (old, new, registry) = (budget(1), budget(2), Arc::new(Mutex::new(())));
        let switching = thread::spawn(move || switch_off(old));
        declare(old, new, &registry);
        switching.join().unwrap();
        assert!(old.place.is_off() && new.place.is_off());
    });
}

/// `find`, where somebody may want to hear of every beginning: whether the call asked.
fn asks(budget: &'static Budget, wanted: &AtomicBool, registry: &Mutex<()>) -> bool {
    if budget.place.lead().is_some() {
        return false;
    }
    let _registry = registry.lock().unwrap();
    if !wanted.load(Ordering::Relaxed) {
        budget.place.publish(budget.id);
    }
    true
}

/// `watch::want`.
fn want(budget: &'static Budget, wanted: &AtomicBool, registry: &Mutex<()>) {
    let _registry = registry.lock().unwrap();
    wanted.store(true, Ordering::Relaxed);
    budget.place.unpublish();
}

#[test]
fn once_somebody_wants_to_hear_of_beginnings_every_call_asks() {
    loom::model(|| {
        let (only, registry) = (budget(1), Arc::new(Mutex::new(())));
        let wanted = Arc::new(AtomicBool::new(false));
        let beginning = {
            let (registry, wanted) = (registry.clone(), wanted.clone());
            thread::spawn(move || asks(only, &wanted, &registry))
        };
        want(only, &wanted, &registry);
        // The next call of whoever wanted it, whoever else was finding the budget meanwhile.
        assert!(asks(only, &wanted, &registry));
        beginning.join().unwrap();
        assert!(asks(only, &wanted, &registry));
        assert_eq!(only.place.lead(), None);
    });
}
