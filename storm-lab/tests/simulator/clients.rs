//! Who calls when, and what a client makes of a hint.

use storm_lab::outcome::Outcome;

use crate::{ONCE, assert_took, ms, number, read, run, simulate, steps};

#[test]
fn callers_call_again_when_they_have_thought() {
    // 100 ms of service and 400 ms of thought: at 0 s, 0.5 s, … 9.5 s.
    let world = "duration = \"10s\"\n[clients]\nprocesses = 2\ncallers = 3\nthink = \"400ms\"\n\
        [[tier]]\nname = \"orders\"\nserver = { workers = 6, service = \"100ms\" }\n";
    let outcome = run(world, ONCE);
    assert_eq!((outcome.calls, outcome.succeeded, outcome.most_concurrent), (120, 120, 6));
    let all: Vec<usize> = (0..20).flat_map(|round| [round * 50; 6]).collect();
    assert_eq!(steps(&outcome.series.calls), all);
    // With one worker for all: a caller waits for the other five, and never thinks.
    let busy = world.replace("workers = 6", "workers = 1").replace("400ms", "0s");
    assert_eq!(run(&busy, ONCE).calls, 6 + 99, "one begins with each end before 10 s");
}

#[test]
fn a_caller_stays_in_its_process() {
    // Each process's budget is its two retries, and each caller spends those of its own.
    let world = "duration = \"10s\"\n[clients]\nprocesses = 50\ncallers = 1\nthink = \"4s\"\n\
        [[tier]]\nname = \"orders\"\n[[fault]]\nkind = \"outage\"\n\
        [[policy]]\nname = \"tried\"\nretry = 'backoff = \"none\", attempts = 2'\nown_budget = { burst = 2, ratio = 0.1 }\n";
    let outcome = simulate(&read(world), 1);
    assert_eq!((outcome.calls, outcome.tiers[0].attempts), (150, 150 + 100));
    assert_eq!((outcome.tiers[0].granted, outcome.tiers[0].refused), (100, 50));
}

#[test]
fn callers_that_are_refused_at_once_do_not_call_without_end() {
    for tier in [
        "server = { workers = 1, service = \"10ms\" }",
        "latency = \"1ms\"\nserver = { workers = 1, service = \"1ms\", queue = 0 }",
    ] {
        let world = format!(
            "duration = \"1s\"\n[clients]\ncallers = 3\n[[tier]]\nname = \"orders\"\n{tier}\n[[fault]]\nkind = \"outage\"\n"
        );
        let breaker = run(&world, r#"attempts = 1, breaker = "orders""#);
        assert!((1_500..=3_000).contains(&breaker.calls), "{}", breaker.calls);
    }
    let world = "duration = \"1s\"\n[clients]\ncallers = 3\n[[tier]]\nname = \"orders\"\nserver = { workers = 1, service = \"10ms\" }\n\
        [[fault]]\nkind = \"outage\"\n";
    assert_eq!(run(world, ONCE).calls, 3_000, "each millisecond");
}

#[test]
fn a_wave_comes_when_it_is_said_and_within_its_time() {
    let world = |wave: &str| {
        let world =
            format!("duration = \"10s\"\n[clients]\nwave = {wave}\n[[tier]]\nname = \"orders\"\n");
        steps(&run(&world, ONCE).series.calls)
    };
    assert_eq!(
        world(r#"[{ calls = 3, at = "2s" }, { calls = 2, at = "1s" }]"#),
        [100, 100, 200, 200, 200]
    );
    let spread = world(r#"{ calls = 1_000, at = "2s", within = "1s" }"#);
    assert_eq!(spread.len(), 1_000);
    assert!(spread.iter().all(|step| (200..300).contains(step)));
    // The mean of a thousand even draws from 0 to 1, within five of its standard deviations.
    let mean = spread.iter().map(|step| number(*step as u64)).sum::<f64>() / 1_000.0;
    assert!((mean - 249.5).abs() < 5.0 * 100.0 / (12.0 * 1_000.0_f64).sqrt(), "{mean}");
}

#[test]
fn calls_come_at_their_rate_and_independently() {
    let world =
        "duration = \"100s\"\n[clients]\nprocesses = 20\nrate = 5.0\n[[tier]]\nname = \"orders\"\n";
    let outcome = run(world, ONCE);
    // Poisson: the variance is the mean, of the whole and of each second.
    assert!((number(outcome.calls) - 10_000.0).abs() < 5.0 * 100.0, "{}", outcome.calls);
    let seconds =
        storm_lab::outcome::Series::buckets(&outcome.series.calls, outcome.window, ms(1_000));
    let mean = number(outcome.calls) / 100.0;
    let variance = seconds.iter().map(|count| (number(*count) - mean).powi(2)).sum::<f64>() / 99.0;
    // Its standard deviation over a hundred seconds is √(2/99).
    assert!((variance / mean - 1.0).abs() < 5.0 * (2.0 / 99.0_f64).sqrt(), "{variance} {mean}");
}

/// Told at 0.1 s to come back in a second, by what works again from 0.5 s.
fn hinted(hints: &str) -> Outcome {
    let text = format!(
        "duration = \"10s\"\n[clients]\nwave = {{ calls = 1, at = \"100ms\" }}\n[[tier]]\nname = \"orders\"\n\
         [[fault]]\nkind = \"outage\"\nstatus = 429\nretry_after = \"1s\"\nfor = \"500ms\"\n\
         [[policy]]\nname = \"tried\"\nretry = 'backoff = \"fixed\", base = \"100ms\", attempts = 3, budget = none'\n\
         hints = \"{hints}\"\n"
    );
    simulate(&read(&text), 1)
}

#[test]
fn a_hint_is_honoured_slept_or_ignored() {
    let outcome = hinted("ignored");
    assert_eq!(outcome.first_retry, Some(ms(200)));
    assert_eq!((outcome.succeeded, outcome.tiers[0].attempts), (0, 3));
    assert_took(&outcome, 200);
    let outcome = hinted("slept");
    assert_eq!(outcome.first_retry, Some(ms(1_200)), "the sleep, and then the backoff");
    assert_eq!((outcome.succeeded, outcome.tiers[0].attempts), (1, 2));
    let outcome = hinted("honoured");
    let first = outcome.first_retry.unwrap();
    assert!(first >= ms(1_100) && first <= ms(1_350), "{first:?}");
    assert_eq!((outcome.succeeded, outcome.tiers[0].attempts), (1, 2));
}

#[test]
fn the_level_of_budgets_is_looked_at_once_a_second() {
    let world = "duration = \"10s\"\nwindow = [\"4s\", \"10s\"]\n[clients]\nrate = 20.0\n[[tier]]\nname = \"orders\"\n\
        [[fault]]\nkind = \"outage\"\nat = \"6.5s\"\n";
    let outcome = run(world, r#"backoff = "none", attempts = 2"#);
    assert_eq!(outcome.series.budget.len(), 11, "from the start to the end");
    assert!(
        outcome.series.budget[..7].iter().all(|level| *level == 1.0),
        "{:?}",
        outcome.series.budget
    );
    assert!(outcome.series.budget[10] < 0.1);
}

#[test]
fn the_level_of_budgets_is_known_at_each_tier() {
    let text = "duration = \"10s\"\n[clients]\nrate = 20.0\n[[tier]]\nname = \"front\"\ncalls = \"orders\"\n\
        [[tier]]\nname = \"orders\"\n[[fault]]\nkind = \"outage\"\ntier = \"orders\"\nat = \"6.5s\"\n\
        [[policy]]\nname = \"tried\"\nretry = 'backoff = \"none\", attempts = 1, budget = none'\n\
        tiers = { orders = 'backoff = \"none\", attempts = 2, budget = \"kept\"' }\n\
        budgets = { kept = { burst = 10, ratio = 0.1 } }\n";
    let series = simulate(&read(text), 1).series;
    assert!(series.budget.is_empty());
    let [orders] = series.inner_budgets.as_slice() else { panic!("{:?}", series.inner_budgets) };
    assert_eq!(orders.len(), 11, "from the start to the end");
    assert!(orders[..7].iter().all(|level| *level == 1.0) && orders[10] < 0.1, "{orders:?}");
}

#[test]
fn what_ends_in_the_first_moment_is_counted() {
    let world = "duration = \"10s\"\n[clients]\ncallers = 4\nthink = \"60s\"\n[[tier]]\nname = \"orders\"\n[[fault]]\nkind = \"outage\"\n";
    let outcome = run(world, r#"backoff = "none", attempts = 2"#);
    assert_eq!((outcome.calls, outcome.tiers[0].granted), (4, 4));
    assert_eq!(outcome.stops.get("attempts_exhausted"), Some(&4));
}
