//! Names that somebody makes up take no memory without bound. In a process of its own, whose table it fills.

#[path = "support/script.rs"]
mod script;

use script::{Failure, Outcome, Script, T, ms};
use stormless::{Backoff, Policy, RetryError, Retryable, sites, testing::isolated};

const POLICY: Policy = Policy::new().attempts(2).base(ms(1)).max(ms(1)).backoff(Backoff::Fixed);
const MOST: usize = 4_096;

async fn fails() -> Outcome {
    T
}

#[tokio::test(start_paused = true)]
async fn names_beyond_the_most_share_a_row_and_their_calls_are_as_right_as_others() {
    isolated(async {
        let early = POLICY.run(fails).named("bound.early").no_budget();
        assert_eq!(early.await, T);
        for number in 0..MOST + 100 {
            let name: &'static str = format!("bound.{number}").leak();
            assert_eq!(POLICY.run(fails).named(name).no_budget().await, T);
        }
        let made_up = |name: &&str| name.starts_with("bound.");
        let all = sites();
        let bare: Vec<String> = all.iter().map(stormless::SiteRow::name).collect();
        assert_eq!(bare.iter().map(String::as_str).filter(made_up).count(), MOST);
        let others = all.get("(other closures)").expect("they have a row");
        assert_eq!((others.failures(), others.retries()), (202, 101));

        // What is known is found, also by a text that was not there before.
        for _ in 0..2 {
            let again: &'static str = String::from("bound.7").leak();
            assert_eq!(POLICY.run(fails).named(again).no_budget().await, T);
        }
        assert_eq!(sites().get("bound.7").unwrap().failures(), 6);
        assert_eq!(sites().get("(other closures)").unwrap().failures(), 202);

        let script = Script::<Failure>::new([T, T]);
        let call = POLICY.run(async || script.body().await).named("bound.late").explain();
        let error: RetryError<Failure> = call.await.unwrap_err();
        assert_eq!((error.attempts(), error.label()), (2, "Unavailable"));
    })
    .await;
}
