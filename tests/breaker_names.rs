//! Breakers that functions name, called or not.

use stormless::{
    Breaker, Note, Problem, Retryable, StopReason, breaker, breakers, report, retry, sites, verify,
};

#[derive(Debug, Retryable)]
enum Failure {
    #[retryable(transient)]
    Down,
    #[retryable(breaker_open)]
    Refused,
}

breaker! {
    static ORDERS: Breaker = Breaker::new("names-orders");
    static UNUSED: Breaker = Breaker::new("names-unused");
}

static PLAIN: Breaker = Breaker::new("names-plain").consecutive(1);

#[retry(breaker = "names-orders", name = "names.by_name")]
async fn by_name() -> Result<(), Failure> {
    Err(Failure::Down)
}

#[retry(breaker = ORDERS, name = "names.by_path")]
async fn by_path() -> Result<(), Failure> {
    Err(Failure::Down)
}

#[retry(breaker = "names-ordres", name = "names.misspelt")]
async fn misspelt() -> Result<(), Failure> {
    Err(Failure::Down)
}

#[retry(breaker = PLAIN, attempts = 2, name = "names.plain")]
async fn plain() -> Result<(), Failure> {
    Err(Failure::Down)
}

/// A function that is never called is linked all the same, if something names it.
fn link() {
    drop((by_name(), by_path(), misspelt(), plain()));
}

#[test]
fn verify_knows_the_functions_behind_a_breaker_before_any_was_called() {
    link();
    let error = verify().unwrap_err();
    let problems: Vec<String> = error
        .problems()
        .iter()
        .filter(|problem| matches!(problem, Problem::ImplicitBreaker { .. }))
        .map(ToString::to_string)
        .collect();
    let wanted = "the breaker `names-ordres` is declared nowhere: did you mean `names-orders`? (used by names.misspelt)";
    assert_eq!(problems, [wanted]);
    let unused: Vec<&Note> =
        error.notes().iter().filter(|note| matches!(note, Note::UnusedBreaker { .. })).collect();
    assert_eq!(unused, [&Note::UnusedBreaker { name: "names-unused".to_owned() }]);
}

#[test]
fn the_tables_show_who_asks_which() {
    link();
    let breakers = breakers();
    let names = |name: &str| {
        let mut sites = breakers.get(name).unwrap().sites().to_vec();
        sites.sort_unstable();
        sites
    };
    assert_eq!(names("names-orders"), ["names.by_name", "names.by_path"]);
    assert_eq!(names("names-plain"), ["names.plain"]);
    assert!(!breakers.get("names-plain").unwrap().is_implicit());
    assert!(breakers.get("names-ordres").unwrap().is_implicit());
    assert_eq!(sites().get("names.by_path").unwrap().breaker(), Some("names-orders"));
    assert!(UNUSED.check().is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_static_without_the_macro_works_and_is_in_the_table() {
    let (result, calls) = report(plain()).await;
    assert!(matches!(result, Err(Failure::Down)));
    assert_eq!((calls[0].attempts(), calls[0].reason()), (1, Some(StopReason::BreakerOpen)));
    assert!(matches!(plain().await, Err(Failure::Refused)));
    assert_eq!(breakers().get("names-plain").unwrap().stats().opened, 1);
}
