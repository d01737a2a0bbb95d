use super::{
    super::{right, wrong},
    each_is_one_mistake,
};
use crate::scenario::{Scenario, affordable};

#[test]
fn what_would_take_days_or_more_memory_than_there_is_is_refused() {
    each_is_one_mistake(&[
        (
            &[("= 20", "= 2_000_000"), ("30.0", "1000")],
            "duration",
            "duration",
            &["18 days", "smaller `rate`"],
        ),
        (
            &[("= 20", "= 4_000_000_000"), ("30.0", "1e-9")],
            "clients",
            "clients",
            &["4000 GB", "fewer `processes`"],
        ),
        (
            &[("rate = 30.0", "wave = { calls = 4_000_000_000 }")],
            "clients",
            "clients",
            &["2000 GB"],
        ),
        (
            &[("\"60s\"", "\"1000d\""), ("30.0", "1e-9")],
            "duration",
            "duration",
            &["the results of 6 simulations"],
        ),
        (
            &[
                ("rate = 30.0", "callers = 1"),
                ("server = { workers = 10, service = \"10ms\" }", ""),
            ],
            "clients",
            "clients",
            &["calls never end"],
        ),
        (
            &[("= 20", "= 100_000"), ("30.0", "1e-6"), ("[clients]", "seeds = 1000\n[clients]")],
            "clients",
            "clients",
            &["those of 2000 simulations come to about 52 GB", "fewer `seeds`"],
        ),
        (
            &[("30.0", "1_000_000")],
            "clients",
            "clients",
            &["waits before servers", "about 2", "a `queue`"],
        ),
        (
            &[("rate = 30.0", "callers = 1_000"), ("500ms", "10us"), ("10ms", "1000s")],
            "duration",
            "duration",
            &["days on one core"],
        ),
        (
            &[
                ("30.0", "300.0"),
                (
                    "attempts = 4, idempotent",
                    "attempts = 1_000_000, backoff = \"none\", budget = none, idempotent",
                ),
            ],
            "duration",
            "duration",
            &["days on one core", "fewer `attempts`"],
        ),
        (
            &[(
                "'attempts = 4, idempotent'",
                "'attempts = 1_000_001, backoff = \"none\", budget = none'",
            )],
            "policy.retry",
            "'attempts = 1_000_001, backoff = \"none\", budget = none'",
            &["1000001 times and without a wait", "fewer `attempts`"],
        ),
        (
            &[(
                "attempts = 4, idempotent",
                "attempts = \"unlimited\", backoff = \"none\", budget = none, deadline = none, inner = \"allow\"",
            )],
            "policy.retry",
            "'attempts = \"unlimited\", backoff = \"none\", budget = none, deadline = none, inner = \"allow\"'",
            &["without end and without a wait"],
        ),
    ]);
}

#[test]
fn more_calls_at_once_than_any_service_makes_are_refused() {
    let server = "server = { workers = 10, service = \"10ms\" }";
    let chain = |first: &str, second: &str| {
        let below = |name: &str, times: &str| {
            format!(
                "calls = {{ tier = \"{name}\", {times} }}\n[[tier]]\nname = \"{name}\"\nlatency = \"1ms\"\n"
            )
        };
        format!("{}{}{server}", below("b", first), below("c", second))
    };
    let fault = ("share = 0.15", "share = 0.15\ntier = \"c\"");
    let (wide, deep) = (
        chain("times = 1_001, parallel = true", "times = 1"),
        chain("times = 40, parallel = true", "times = 26, parallel = true"),
    );
    each_is_one_mistake(&[
        (&[(server, &wide), fault], "tier.calls.times", "1_001", &["1001 calls of `b` at once"]),
        (
            &[(server, &deep), fault],
            "tier.calls.times",
            "26",
            &["1040 calls of `c` at once", "smaller `times`"],
        ),
    ]);
    // Those on a way down multiply in memory too.
    let (waves, deep) = (
        ("rate = 30.0", "wave = { calls = 100_000 }"),
        chain("times = 40, parallel = true", "times = 25, parallel = true"),
    );
    each_is_one_mistake(&[(&[waves, (server, &deep), fault], "clients", "clients", &["50 GB"])]);
    for allowed in [
        chain("times = 1_000, parallel = true", "times = 1"),
        chain("times = 40, parallel = true", "times = 25, parallel = true"),
        chain("times = 1_000", "times = 1_000, parallel = true"),
    ] {
        assert_eq!(
            wrong(&[("= 20", "= 1"), ("30.0", "0.1"), (server, &allowed), fault]),
            [],
            "{allowed}"
        );
    }
}

#[test]
fn more_faults_than_a_request_can_name_are_refused() {
    let fault = "[[fault]]\nkind = \"stall\"\nfor = \"1ms\"\n";
    let first = "[[fault]]\nkind = \"loss\"\nshare = 0.15\n";
    let many = |count: usize| wrong(&[(first, &fault.repeat(count))]);
    assert_eq!(many(65_534), []);
    let all = many(65_535);
    let [mistake] = all.as_slice() else { panic!("{}", all.len()) };
    assert_eq!(mistake.key, "fault");
    assert!(mistake.message.contains("at most 65534"), "{mistake:?}");
}

#[test]
fn a_queue_that_ends_does_not_pile_up() {
    let queue = ("workers = 10", "workers = 10, queue = 1000");
    assert_eq!(wrong(&[("30.0", "1_000_000"), queue]), []);
}

#[test]
fn seeds_from_elsewhere_are_held_against_the_same_limits() {
    let scenario = right(&[("= 20", "= 10_000"), ("30.0", "0.001")]);
    let with = |seeds: u64| Scenario { seeds: (0..seeds).collect(), ..scenario.clone() };
    assert_eq!(affordable([&scenario, &with(2_000)]), Ok(()));
    let message = affordable([&with(10_000)]).unwrap_err();
    assert!(message.starts_with("`test`: ") && message.contains("fewer `seeds`"), "{message}");
    // Each by itself would do.
    let message = affordable([&with(2_000), &with(2_000)]).unwrap_err();
    assert!(message.contains("these 2 scenarios") && message.contains("fewer seeds"), "{message}");
}
