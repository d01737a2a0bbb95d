//! Attempts that could not be cut are counted, once each; those that were are not.

#[path = "support/script.rs"]
mod script;

use script::{Bare, Failure, Outcome, Script, ms, secs};
use stormless::{LongestCall, SiteRow, deadline::within, retry, sites, testing::isolated};

#[retry(budget = none, attempts = 2, backoff = "none", name = "cut.can")]
async fn can_say(script: &Script) -> Outcome {
    script.body().await
}

#[retry(budget = none, attempts = 2, backoff = "none", name = "cut.cannot")]
async fn cannot_say(script: &Script<Bare>) -> Outcome<Bare> {
    script.body().await
}

#[retry(budget = none, deadline = "1s", uncut, name = "cut.uncut")]
async fn accepts_it(script: &Script<Bare>) -> Outcome<Bare> {
    script.body().await
}

#[retry(budget = none, idempotent, hedge = "100ms", deadline = "1s", uncut, name = "cut.hedged")]
async fn hedged(script: &Script<Bare>) -> Outcome<Bare> {
    script.body().await
}

#[retry(budget = none, deadline = "1s", name = "cut.cuts")]
async fn cuts(script: &Script) -> Outcome {
    script.body().await
}

#[retry(deadline = "2s", uncut, attempts = 1, budget = none, name = "cut.opens")]
async fn opens(script: &Script<Bare>) -> Outcome<Bare> {
    cannot_say(script).await
}

#[retry(budget = none, backoff = "fixed", base = "100ms", max_retry_after = "100ms", attempt_timeout = "1s")]
async fn timed(script: &Script) -> Outcome {
    script.body().await
}

fn uncut(name: &str) -> u64 {
    sites().get(name).map(SiteRow::uncut).expect("it is linked")
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_goes_on_past_a_deadline_is_counted_once() {
    isolated(async {
        let slow = || Script::new([Err(Bare)]).taking(secs(5));
        // Nobody cuts: whoever opened it does.
        assert_eq!(accepts_it(&slow()).await, Err(Bare));
        assert_eq!(uncut("cut.uncut"), 1);
        assert_eq!(accepts_it(&Script::new([Ok(())]).taking(ms(1))).await, Ok(()));
        assert_eq!(uncut("cut.uncut"), 1);
        assert_eq!(accepts_it(&slow()).await, Err(Bare));
        assert_eq!(uncut("cut.uncut"), 2);
        let text = sites().to_string();
        assert!(text.contains("2 uncut"), "{text}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_is_cut_is_not_counted() {
    isolated(async {
        assert_eq!(cuts(&Script::hanging()).await, Err(Failure::Late));
        let script = Script::hanging();
        assert_eq!(within(secs(2), can_say(&script)).await.unwrap(), Err(Failure::Late));
        assert_eq!((uncut("cut.cuts"), uncut("cut.can")), (0, 0));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn attempts_beside_one_another_go_on_together_and_are_counted_as_one() {
    isolated(async {
        let slow = Script::new([Err(Bare), Err(Bare), Err(Bare)]).taking(secs(5));
        assert_eq!(hedged(&slow).await, Err(Bare));
        assert_eq!(uncut("cut.hedged"), 1);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_inherited_deadline_that_cannot_be_expressed_is_counted_at_the_inner_function() {
    isolated(async {
        let script = Script::new([Err(Bare)]).taking(secs(5));
        assert_eq!(opens(&script).await, Err(Bare));
        assert_eq!(uncut("cut.cannot"), 1);
        assert_eq!(uncut("cut.opens"), 1, "it went on as well");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_longest_call_is_that_of_the_attribute() {
    let script = Script::new([Ok(())]);
    assert_eq!(timed(&script).await, Ok(()));
    let longest = |name: &str| sites().get(name).map(SiteRow::longest_call).expect("it is linked");
    let LongestCall::Bounded { time, with_hints, .. } = longest("tables_cut::timed") else {
        panic!("it has a limit")
    };
    assert_eq!((time, with_hints), (ms(3_200), ms(3_400)));
    assert_eq!(longest("cut.cuts").to_string(), "1s");
    assert!(longest("cut.can").to_string().starts_with("unbounded: "));
}
