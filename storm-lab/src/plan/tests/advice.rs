use super::*;

#[test]
fn attempts_that_can_never_start_are_told() {
    let exact = r#"backoff = "exponential", attempts = 5"#;
    let late = plan(exact, None, &within(200));
    assert_eq!(
        late.rows.iter().map(|row| row.in_time.unwrap()).collect::<Vec<_>>(),
        [1.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(late.cut, Some(1.0));
    assert_eq!(
        late.warnings[0],
        "attempts 4 to 5 never start before the deadline of 200ms: write `attempts = 3`, shorter delays, or a longer deadline"
    );
    // 380 ms is not before 380 ms.
    assert!(plan(exact, None, &within(380)).warnings[0].starts_with("attempts 4 to 5"));
    assert!(plan(exact, None, &within(381)).warnings[0].starts_with("attempt 5 never starts"));
    let reached = plan(exact, None, &within(791));
    assert_eq!(reached.cut, Some(0.0));
    assert!(!reached.warnings.iter().any(|warning| warning.contains("never")), "{reached}");
    let least = plan(&format!("{exact}, min_remaining = \"2ms\""), None, &within(381));
    assert!(least.warnings[0].starts_with("attempts 4 to 5"), "{least}");
    let divided = plan(&format!("{exact}, time_per_attempt = \"400ms\""), None, &within(1_000));
    assert!(divided.warnings[0].starts_with("attempts 3 to 5"), "{divided}");
    let endless = r#"attempts = "unlimited", backoff = "fixed", base = "1s", budget = none, inner = "allow", deadline = "3s""#;
    assert!(plan(endless, None, &AROUND).warnings[0].starts_with("attempt 4 and all later ones"));
}

#[test]
fn a_deadline_before_the_first_retries_median_is_told() {
    let policy = r#"base = "400ms", attempts = 2"#;
    let tight = plan(policy, None, &within(150));
    assert_eq!(
        tight.warnings[0],
        "half of the first retries would start later than 207ms, and the deadline is 150ms: write a shorter `base` or a longer deadline"
    );
    assert!(!plan(policy, None, &within(250)).warnings.iter().any(|text| text.contains("half of")));
    let none = plan(r#"min_remaining = "100ms""#, None, &within(100));
    assert!(none.warnings[0].contains("leaves no time for a first attempt"), "{none}");
}

#[test]
fn the_budget_says_what_all_processes_may_do() {
    let plan = plan(ORDERS, Some("burst=10,ratio=0.1"), &AROUND);
    let bound = plan.bound.unwrap();
    assert_eq!((bound.burst(), bound.processes()), (Some(200.0), 20));
    assert!((plan.worst_amplification - 1.1).abs() < 1e-9);
    // Of 300 calls a second the first attempts fail after 10 ms, and the second ones U(0, 50) + 10 ms later: after
    // t = 39.6 ms, t - 10 ms and (t - 20 ms)^2 / 100 ms come to the 33 ms in which ten calls begin.
    assert_eq!(plan.ridden_out.map(time).as_deref(), Some("39.6ms"));
    assert_eq!(plan.warnings, [""; 0]);
    let spent = "at 300 calls a second a total failure uses up the burst of budget \"orders\" in 39.6ms, sooner than one call goes through its schedule (96ms).";
    assert!(plan.notes.iter().any(|note| note.starts_with(spent)), "{plan}");
    let enough = self::plan(ORDERS, Some("burst=58"), &AROUND);
    assert!(enough.warnings.is_empty() && enough.notes.is_empty(), "{enough}");
}

#[test]
fn a_blackout_is_held_against_the_schedule_and_the_burst() {
    let with = |policy: &str, budget, blackout| {
        let around = Circumstances { blackout: Some(ms(blackout)), ..AROUND };
        plan(policy, Some(budget), &around)
    };
    let short = with(ORDERS, "burst=10", 60);
    assert_eq!(
        short.warnings,
        [
            "at 300 calls a second a total failure uses up the burst of budget \"orders\" in 39.6ms, and the blackout lasts 60ms: `burst=20` would pay for all of it"
        ]
    );
    assert_eq!(short.burst_needed, Some(20.0));
    assert!(!short.to_string().contains("--blackout"), "{short}");
    let paid = with(ORDERS, "burst=20", 60);
    assert_eq!((&paid.warnings, &paid.notes), (&Vec::new(), &Vec::new()));
    assert!(paid.to_string().contains("every retry is paid for during all of 60ms"), "{paid}");
    // The last attempt starts after 170 ms at the latest.
    assert!(with(ORDERS, "burst=10000", 170).warnings.is_empty());
    assert!(with(ORDERS, "burst=10000", 171).warnings[0].starts_with(
        "a blackout of 171ms outlasts every call: no attempt starts later than 170ms after its call, so calls that begin in its first 1ms fail"
    ));
    let cut = with(&format!("{ORDERS}, deadline = \"80ms\""), "burst=10000", 171);
    assert!(cut.warnings.iter().any(|text| text.contains("later than 80ms")), "{cut}");
    // Nothing pays for nothing: the schedule alone decides.
    assert!(with("budget = none, idempotent", "", 60).warnings.is_empty());
}

#[test]
fn no_retry_is_asked_for_before_an_attempt_has_failed() {
    let slow = |policy: &str, blackout| {
        let attempt = Some(ms(2_000));
        let around = Circumstances { attempt, blackout, deadline: None, ..AROUND };
        plan(policy, Some("burst=10"), &around)
    };
    // 10 of 300 calls a second have begun 33 ms after the first.
    let fixed = r#"attempts = 3, backoff = "none", idempotent"#;
    assert_eq!(slow(fixed, None).ridden_out, Some(Duration::from_nanos(2_033_333_333)));
    let over = slow(fixed, Some(ms(1_000)));
    assert_eq!((over.burst_needed, over.asked_after), (Some(0.0), Some(300.0)));
    assert!(!over.to_string().contains("burst of"), "{over}");
    assert!(
        over.to_string().replace("\n               ", " ").contains(
            "no retry is asked for during 1s; attempts that begin in it and fail after it ask each process for 300 more"
        ),
        "{over}"
    );
    // An attempt timeout ends attempts earlier.
    let cut = slow(&format!("{fixed}, attempt_timeout = \"500ms\""), Some(ms(1_000)));
    assert_eq!((cut.burst_needed, cut.asked_after), (Some(150.0), Some(300.0)));
    // What the deadline prevents is not asked for: at 2 s it is over.
    let ended = slow(&format!("{fixed}, deadline = \"2s\""), Some(ms(9_000)));
    assert_eq!((ended.burst_needed, ended.ridden_out), (Some(0.0), None));
    // Of unlimited attempts the first 20 retries are known.
    let endless = r#"attempts = "unlimited", backoff = "none", budget = "a", inner = "allow", deadline = none"#;
    assert_eq!(slow(endless, Some(ms(42_000))).burst_needed, Some(300.0 * 420.0));
    assert_eq!(slow(endless, Some(ms(42_001))).burst_needed, None);
}

#[test]
fn attempts_that_cannot_end_before_the_deadline_are_told() {
    let text = |policy: &str, deadline| {
        let around = Circumstances { attempt: Some(ms(800)), ..within(deadline) };
        let all = plan(policy, None, &around).warnings;
        all.into_iter().find(|text| text.contains("left that it takes"))
    };
    // They start at 0, 850 and 1,750 ms.
    let exact = r#"backoff = "exponential", attempts = 3"#;
    assert_eq!(
        text(exact, 2_000).unwrap(),
        "in 100 % of calls whose attempts all fail the last one to start has less than the 800ms left that it takes to fail, as the deadline is 2s: write a `min_remaining`, a shorter `attempt_timeout`, fewer `attempts`, or a longer deadline"
    );
    assert_eq!(text(exact, 2_550), None);
    assert!(text(exact, 2_549).is_some());
    assert_eq!(text(&format!("{exact}, min_remaining = \"800ms\""), 2_000), None);
    assert!(
        text(exact, 700).unwrap().ends_with("a shorter `attempt_timeout` or a longer deadline")
    );
    // U(0, 100) before the second of two, and 50 ms too few for half of them.
    let drawn = text(r#"attempts = 2, base = "100ms""#, 1_650).unwrap();
    assert!(drawn.starts_with("in 5") || drawn.starts_with("in 49"), "{drawn}");
    assert_eq!(text(r#"attempts = 2, base = "100ms""#, 1_699), None);
}

#[test]
fn attempts_for_which_no_burst_pays_are_told() {
    let warning = |policy: &str, budget| {
        let all = plan(policy, Some(budget), &AROUND).warnings;
        all.into_iter().find(|text| text.starts_with("while nothing is answered"))
    };
    assert_eq!(
        warning("attempts = 5", "burst=2").unwrap(),
        "while nothing is answered, attempts 4 to 5 never start: the burst of a process pays for 2 retries: write `attempts = 3` or a larger `burst`"
    );
    assert!(
        warning("attempts = 3", "burst=1")
            .unwrap()
            .contains("attempt 3 never starts: the burst of a process pays for 1 retry:")
    );
    let endless = r#"attempts = "unlimited", budget = "a", inner = "allow", deadline = none"#;
    assert!(
        warning(endless, "burst=10").unwrap().contains("attempt 12 and all later ones never start")
    );
    assert_eq!(warning("attempts = 5", "burst=4"), None);
    // These come by time.
    assert_eq!(warning("attempts = 30", "kind=envoy"), None);
}

#[test]
fn amplification_is_never_above_the_attempts() {
    let worst = |policy, budget| plan(policy, budget, &AROUND).worst_amplification;
    assert!((worst("attempts = 2, budget = none", None) - 2.0).abs() < 1e-9);
    assert!((worst("attempts = 3", Some("ratio=7")) - 3.0).abs() < 1e-9);
    let endless = r#"attempts = "unlimited", budget = none, inner = "allow", deadline = none"#;
    assert!(worst(endless, None).is_infinite());
    assert_eq!(plan(endless, None, &AROUND).worst_total, None);
}

#[test]
fn the_capacity_is_compared_with_the_load_the_steady_state_and_the_burst() {
    let with = |policy: &str, budget, capacity| {
        let around = Circumstances { capacity: Some(capacity), rps: 10.0, ..AROUND };
        let all = plan(policy, budget, &around).warnings;
        all.into_iter().filter(|warning| warning.contains("capacity")).collect::<Vec<_>>()
    };
    assert_eq!(
        with("", None, 200.0),
        [
            "first attempts alone come to 200 a second, and the capacity is 200: no policy makes up for that"
        ]
    );
    assert_eq!(
        with("", None, 210.0),
        [
            "in the long run there may be 220 attempts a second, and the capacity is 210: write a smaller `ratio`, or fewer `attempts`",
            "20 processes may send 200 retries at once, which takes 20 s of what the capacity of 210 leaves beside 200 a second: write a smaller `burst`"
        ]
    );
    assert!(with("", None, 400.0).is_empty());
    assert_eq!(
        with("budget = none", None, 400.0),
        [
            "in the long run there may be 600 attempts a second, and the capacity is 400: write a `budget`"
        ]
    );
    // 19 of 20 processes a minute escape the ratio, which allows more than that: 200 / 9 a second.
    assert!(with("", Some("kind=window"), 222.0)[0].contains("222.22 attempts"));
    // With ten times less traffic it is the other way round.
    assert!(with("", Some("kind=window,window=1s"), 500.0)[0].contains("580 attempts"));
}

#[test]
fn what_is_good_to_know_is_noted() {
    let notes = |policy, budget, around| plan(policy, budget, around).notes.join("\n");
    assert!(notes("", None, &AROUND).contains("without `idempotent` timeouts are never retried"));
    let calm = Circumstances { rps: 10.0, ..AROUND };
    assert_eq!(notes("idempotent", None, &calm), "");
    assert!(
        notes(ORDERS, None, &AROUND)
            .contains("budget \"orders\": it is taken for the default bucket")
    );
    assert_eq!(notes(ORDERS, Some(""), &calm), "");
    assert!(notes("budget = none", None, &AROUND).contains("nothing limits the retries"));
    assert!(notes("budget = none", Some(""), &AROUND).contains("pays for nothing"));
    let unknown = Circumstances { attempt: None, ..AROUND };
    assert!(notes("idempotent", None, &unknown).contains("taken to fail at once"));
    assert!(notes("idempotent, breaker = \"x\"", None, &AROUND).contains("breaker"));
    assert_eq!(notes("attempts = 1", None, &unknown), "with one attempt there are no retries");
}
