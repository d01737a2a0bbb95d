//! Names that nobody declared, and declarations that differ, are told to whoever listens.
//!
//! Apart from the tests that print tables, which look up every name there is.

#[path = "support/bodies.rs"]
mod bodies;
#[path = "support/listening.rs"]
mod listening;

use bodies::{Answer, Dependency, T};
use listening::listening;
use stormless::{
    Breaker, Budget, Warning, What, retry,
    testing::{events, isolated},
    warnings,
};

#[retry(backoff = "none", budget = "paymnts", breaker = "ordrs", cut_error = |_| T, name = "misspelt")]
async fn misspelt(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[tokio::test(start_paused = true)]
async fn a_misspelt_name_is_told_once_where_it_is_used_first() {
    isolated(async {
        let told = events();
        for _ in 0..2 {
            assert!(misspelt(&Dependency::script([Ok(())])).await.is_ok());
        }
        let told = told.take();
        let warned = told.iter().filter_map(|event| match event.what() {
            What::Warned(warning) => Some(Warning::clone(warning)),
            _ => None,
        });
        let mut warned: Vec<_> = warned.collect();
        warned.sort_by_key(ToString::to_string);
        let (budget, breaker) = ("paymnts".to_owned(), "ordrs".to_owned());
        let wanted = [
            Warning::ImplicitBreaker { name: breaker },
            Warning::ImplicitBudget { name: budget.clone() },
        ];
        assert_eq!(warned, wanted);
        for one in wanted {
            assert_eq!(warnings().iter().filter(|kept| **kept == one).count(), 1);
        }
        let (late, by_late) = listening();
        assert_eq!(by_late(&late).len(), 2, "who comes later hears of it too");
        Budget::dynamic(budget).declare().unwrap();
        let (late, by_late) = listening();
        let told = by_late(&late);
        assert_eq!(told.len(), 1, "it is declared by now: {told:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn declarations_that_differ_are_told_once_for_each_that_is_refused() {
    isolated(async {
        let (observing, told) = listening();
        for burst in [5, 7, 7, 3, 5] {
            let _differs = Budget::dynamic("warnings.twice").burst(burst).declare();
            let _differs = Breaker::declare(Breaker::new("warnings.twice").consecutive(burst));
        }
        let told = told(&observing);
        let of = |kind: &str| told.iter().filter(|text| text.starts_with(kind)).count();
        assert_eq!((of("the budget `warnings.twice`"), of("the breaker")), (2, 2), "{told:?}");
        assert_eq!(told.len(), 4, "{told:?}");
    })
    .await;
}
