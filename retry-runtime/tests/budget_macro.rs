//! `budget!` in a crate with the strictest lints that users have.
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings, clippy::all, clippy::pedantic)]

use retry_runtime::__private::NamedBudget;
use retry_runtime::{__private::registry, Budget, budget};

/// The budget that answers to a name, if one does.
fn find(name: &str) -> Option<&'static Budget> {
    let registered = registry::snapshot().into_iter();
    registered.map(|entry| entry.holder).find(|budget| budget.name() == name)
}

budget! {
    /// What retries towards the order service are paid from.
    pub static ORDERS: Budget = Budget::new("macro-orders").burst(4);

    #[cfg(any())]
    static NEVER_COMPILED: Budget = Budget::new("macro-never").burst(5);
}

mod inner {
    retry_runtime::budget! {
        /// Visible in the crate.
        pub(crate) static SEARCH: retry_runtime::Budget =
            retry_runtime::Budget::sliding_window("macro-search");
    }
}

#[test]
fn several_statics_with_attributes_and_visibility_answer_to_their_names() {
    let orders = NamedBudget::new("macro-orders");
    let search = NamedBudget::new("macro-search");
    assert!(std::ptr::eq(orders.resolve(), &raw const ORDERS));
    assert!(std::ptr::eq(search.resolve(), &raw const inner::SEARCH));
}

#[test]
fn what_cfg_leaves_out_is_not_registered() {
    assert!(find("macro-never").is_none());
}

#[test]
fn a_static_in_a_function_answers_to_its_name() {
    budget! { static LOCAL: Budget = Budget::new("macro-local"); }
    assert!(std::ptr::eq(NamedBudget::new("macro-local").resolve(), &raw const LOCAL));
}

#[test]
fn a_static_in_a_generic_function_that_nobody_calls_answers_to_its_name() {
    #[expect(dead_code, reason = "never instantiated on purpose")]
    fn never_called<T: Default>() -> (T, &'static Budget) {
        budget! { static GENERIC: Budget = Budget::new("macro-generic").burst(6); }
        (T::default(), &GENERIC)
    }
    assert_eq!(NamedBudget::new("macro-generic").resolve().bound().burst(), Some(6.0));
}
