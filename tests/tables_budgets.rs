//! What the table says about budgets: how full they are, and what brings the next retry.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, T, budget as row, ms};
use stormless::{Budget, NextRetry, budget, budgets, control, retry, testing::isolated};
use tokio::time::advance;

budget! {
    static BUCKET: Budget = Budget::new("next.bucket").burst(2).ratio(0.3);
    static DRY: Budget = Budget::new("next.dry").burst(2).ratio(0.0);
    static FLOOR: Budget = Budget::new("next.floor").burst(1).ratio(0.1).floor(1, Duration::from_secs(10));
    static WINDOW: Budget = Budget::sliding_window("next.window").window(Duration::from_secs(60)).min_samples(3);
    static SHARE: Budget = Budget::sliding_window("next.share").min_samples(1);
    static HALF: Budget = Budget::grpc_throttling("next.half", 4, 0.5);
    static FLIGHT: Budget = Budget::envoy("next.flight");
    static TRIAL: Budget = Budget::new("next.trial").burst(1).observe_only();
    static ABOVE: Budget = Budget::new("next.above");
    static BELOW: Budget = Budget::new("next.below").parent(&ABOVE);
}

macro_rules! functions {
    ($($name:ident $budget:ident)*) => {$(
        #[retry(attempts = 3, backoff = "none", budget = $budget)]
        async fn $name(dependency: &Dependency) -> Answer {
            dependency.answer()
        }
    )*};
}
functions!(bucket BUCKET dry DRY floor FLOOR window WINDOW share SHARE half HALF flight FLIGHT trial TRIAL below BELOW);

fn state(name: &str) -> (f64, f64, NextRetry) {
    let row = row(name);
    (row.balance(), row.capacity(), row.next_retry())
}

#[track_caller]
fn assert_state(name: &str, balance: f64, capacity: f64, next: NextRetry) {
    let (left, full, then) = state(name);
    assert!((left - balance).abs() < 1e-9, "{left}");
    assert!((full - capacity).abs() < 1e-9, "{full}");
    assert_eq!(then, next);
}

#[tokio::test(start_paused = true)]
async fn a_bucket_says_how_many_answers_it_waits_for_and_then_grants() {
    isolated(async {
        assert_state("next.bucket", 2.0, 2.0, NextRetry::Now);
        assert_eq!(bucket(&Dependency::dead()).await, Err(T));
        assert_state("next.bucket", 0.0, 2.0, NextRetry::Answers(4));
        for left in (0..4).rev() {
            assert_eq!(bucket(&Dependency::script([Ok(())])).await, Ok(()));
            let next = if left == 0 { NextRetry::Now } else { NextRetry::Answers(left) };
            assert_eq!(state("next.bucket").2, next);
        }
        // It keeps its word.
        let dependency = Dependency::dead();
        assert_eq!(bucket(&dependency).await, Err(T));
        assert_eq!(dependency.bodies(), 2);

        assert_eq!(dry(&Dependency::dead()).await, Err(T));
        assert_state("next.dry", 0.0, 2.0, NextRetry::Never);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_half_full_budget_counts_in_successes_too() {
    isolated(async {
        assert_state("next.half", 2.0, 2.0, NextRetry::Now);
        assert_eq!(half(&Dependency::dead()).await, Err(T));
        let NextRetry::Successes(needed) = state("next.half").2 else {
            panic!("{:?}", state("next.half"))
        };
        for left in (0..needed).rev() {
            assert_eq!(half(&Dependency::script([Ok(())])).await, Ok(()));
            let next = if left == 0 { NextRetry::Now } else { NextRetry::Successes(left) };
            assert_eq!(state("next.half").2, next);
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_floor_brings_retries_by_time_while_anything_succeeds() {
    isolated(async {
        assert_eq!(floor(&Dependency::script([Ok(())])).await, Ok(()));
        // One of the bucket's, and the one of this second.
        assert_eq!(floor(&Dependency::dead()).await, Err(T));
        let NextRetry::After(wait) = state("next.floor").2 else {
            panic!("{:?}", state("next.floor"))
        };
        assert!(wait > Duration::ZERO && wait <= ms(1_000), "{wait:?}");
        advance(wait).await;
        assert_eq!(state("next.floor").2, NextRetry::Now);
        // Nothing has succeeded for long: an answer brings the floor back.
        advance(Duration::from_secs(11)).await;
        assert_eq!(state("next.floor").2, NextRetry::Answers(1));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_window_says_when_it_has_moved_on() {
    isolated(async {
        assert_eq!(window(&Dependency::dead()).await, Err(T));
        assert_eq!(window(&Dependency::dead()).await, Err(T));
        let (balance, _, next) = state("next.window");
        let NextRetry::After(wait) = next else { panic!("{next:?}") };
        assert!(balance < 0.5 && wait <= Duration::from_secs(61), "{balance} {wait:?}");
        advance(wait.saturating_sub(ms(10))).await;
        assert_ne!(state("next.window").2, NextRetry::Now);
        advance(ms(10)).await;
        assert_eq!(state("next.window").2, NextRetry::Now);

        // A tenth of so few attempts is no retry, however long they wait.
        let dependency = Dependency::dead();
        assert_eq!(share(&dependency).await, Err(T));
        assert_eq!(dependency.bodies(), 1);
        assert_state("next.share", 0.0, 0.0, NextRetry::Traffic);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_others_say_what_holds_them_up() {
    isolated(async {
        assert_eq!(flight(&Dependency::dead()).await, Err(T));
        assert_state("next.flight", 3.0, 3.0, NextRetry::Now);
        assert_eq!(below(&Dependency::dead()).await, Err(T));
        assert_state("next.above", 8.0, 10.0, NextRetry::Now);
        assert_eq!(trial(&Dependency::dead()).await, Err(T));
        assert_eq!(state("next.trial").2, NextRetry::Now, "it refuses nothing");
        assert_eq!(
            (row("next.below").parent(), row("next.above").parent()),
            (Some("next.above"), None)
        );
        let words = [
            (NextRetry::Now, "now"),
            (NextRetry::Answers(1), "after 1 answered call"),
            (NextRetry::Successes(12), "after 12 calls that succeed"),
            (NextRetry::After(ms(1_500)), "in 1.5 s"),
            (NextRetry::Traffic, "with more calls"),
            (NextRetry::End, "when a retry under way ends"),
            (NextRetry::Never, "never"),
        ];
        for (next, said) in words {
            assert_eq!(next.to_string(), said);
        }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_table_for_many_processes_says_what_they_do_together() {
    isolated(async {
        let fleet = budgets().for_processes(12);
        let bound = fleet.get("next.bucket").expect("it is declared").bound();
        assert_eq!((bound.processes(), bound.burst()), (12, Some(24.0)));
        let alone = row("next.bucket").bound();
        assert!((bound.worst_amplification() - alone.worst_amplification()).abs() < 1e-9);
        assert!(fleet.to_string().contains("At most 24 retries at once in 12 processes (2 each)"));
        assert_eq!(
            budgets().for_processes(0).get("next.bucket").map(|row| row.bound().processes()),
            Some(1)
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_long_text_says_more_and_keeps_within_a_hundred_columns() {
    isolated(async {
        assert_eq!(bucket(&Dependency::dead()).await, Err(T));
        control::budget("next.dry").expect("it is declared").off();
        let text = format!("{:#}", budgets());
        let more = "0.0 of 2.0, next retry after 4 answered calls; token_bucket with `burst` 2 and `ratio` 0.3; \
                    used by tables_budgets::bucket";
        let flowing = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flowing.contains(more), "{text}");
        assert!(text.contains("next.dry OFF"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        let text = format!("{:#}", stormless::sites());
        let place = format!("tables_budgets::bucket ({}:", file!());
        assert!(text.contains(&place), "{text}");
        assert!(text.contains("\n  3 T (transient): 1 attempts_exhausted"), "{text}");
        // Names may be as long as they are.
        let (_table, details) = text.split_once("\n\n").expect("there is more than the table");
        assert!(details.lines().all(|line| line.chars().count() <= 100), "{text}");
    })
    .await;
}
