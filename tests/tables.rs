//! The table of functions, word for word.

#[path = "support/bodies.rs"]
mod bodies;

use bodies::{Answer, Dependency, P, PE, T, TM, site};
use stormless::{
    Budget, Note, Policy, Warning, budget, control, retry, sites, testing::isolated, verify,
    warnings,
};

budget! { static STOCK: Budget = Budget::new("stock").burst(2); }

#[retry(attempts = 3, backoff = "none", name = "cart")]
async fn cart(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(
    attempts = "unlimited",
    backoff = "none",
    deadline = none,
    budget = "stock",
    inner = "suppress",
    name = "stock"
)]
async fn stock(dependency: &Dependency) -> Answer {
    dependency.answer()
}

trait Slow {
    const POLICY: Policy;
}

struct Twice;

impl Slow for Twice {
    const POLICY: Policy = Policy::new().attempts(2);
}

#[retry(policy = S::POLICY, backoff = "none", budget = none, name = "typed")]
async fn typed<S: Slow>(_: S, dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 2, backoff = "none", budget = none)]
async fn outer(dependency: &Dependency) -> Answer {
    cart(dependency).await.map_err(|_| P)
}

async fn some_calls() {
    control::count_successes(true);
    assert_eq!(cart(&Dependency::script([Err(T), Ok(())])).await, Ok(()));
    assert_eq!(cart(&Dependency::always(Err(TM))).await, Err(TM));
    assert_eq!(cart(&Dependency::dead()).await, Err(T));
    assert_eq!(outer(&Dependency::dead()).await, Err(P));
    assert_eq!(stock(&Dependency::dead()).await, Err(T));
    assert_eq!(stock(&Dependency::always(Err(PE))).await, Err(PE));
    assert_eq!(typed(Twice, &Dependency::dead()).await, Err(T));
    assert_eq!(typed(Twice, &Dependency::always(Ok(()))).await, Ok(()));
    control::site("typed").expect("it is linked").off();
}

#[tokio::test(start_paused = true)]
async fn the_table_of_functions_says_what_happened_to_each() {
    isolated(async {
        some_calls().await;
        let under_the_last_column = format!("\n{:67}", "");
        assert_eq!(
            sites().to_string().replace(&under_the_last_column, "\n> "),
            "site           max attempts  budget  failures  retries  recovered  stopped\n\
             cart           3             (own)   6         3        1          \
             1 maybe_executed,\n\
             > 1 attempts_exhausted, 1 nested,\n\
             > 1 lost_to_nesting\n\
             stock          unlimited     stock   4         2        0          \
             1 permanent, 1 budget_exhausted\n\
             tables::outer  2             -       1         0        0          1 permanent\n\
             typed          varies        -       2         1        0          \
             1 attempts_exhausted, OFF\n\n\
             `cart` stopped at a failure that may have been carried out: add `idempotent` if a repeat is \
             harmless\n\
             a failure of `cart` was retried neither by it nor by `tables::outer` around it: annotate one \
             of the\n  two, or give `cart` `nested = \"independent\"`"
        );
        assert_eq!((site("typed").calls(), site("cart").calls()), (2, 4));
        assert_eq!(site("cart").policy().max_attempts(), Some(3));
        assert_eq!((site("cart").budget(), site("typed").budget()), (Some("(own)"), None));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_function_that_was_never_called_is_listed() {
    isolated(async {
        let names: Vec<String> = sites().iter().map(stormless::SiteRow::name).collect();
        assert_eq!(names, ["cart", "stock", "tables::outer", "typed"]);
        assert!(sites().iter().all(|row| row.calls() == 0 && row.attempts() == 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn warnings_are_kept_once_each_and_are_notes_of_the_verification() {
    isolated(async {
        assert_eq!(verify(), Ok(vec![]));
        some_calls().await;
        some_calls().await;
        let kept = [
            Warning::MaybeExecuted { site: "cart" },
            Warning::LostToNesting { site: "cart", outer: "tables::outer" },
        ];
        assert_eq!(warnings(), kept);
        assert_eq!(
            kept[0].to_string(),
            "`cart` stopped at a failure that may have been carried out: add `idempotent` if a \
             repeat is harmless"
        );
        assert_eq!(verify(), Ok(kept.map(Note::Warning).to_vec()));
        assert_eq!(STOCK.name(), "stock");
    })
    .await;
}
