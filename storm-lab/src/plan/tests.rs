mod advice;

use super::figures::{number, percent, time};
use super::*;
use crate::attribute;

const ORDERS: &str = r#"backoff = "full_jitter", base = "50ms", max = "1s", attempts = 3, budget = "orders", idempotent"#;

const AROUND: Circumstances = Circumstances {
    rps: 300.0,
    processes: 20,
    capacity: None,
    attempt: Some(Duration::from_millis(10)),
    deadline: None,
    blackout: None,
};

fn ms(length: u64) -> Duration {
    Duration::from_millis(length)
}

fn plan(policy: &str, budget: Option<&str>, around: &Circumstances) -> Plan {
    let attribute = attribute::read(policy).unwrap_or_else(|mistakes| panic!("{mistakes}"));
    let budget = budget.map(|text| BudgetSpec::read(text).unwrap());
    Plan::of(&attribute, budget.as_ref(), around)
}

fn within(deadline: u64) -> Circumstances {
    Circumstances { deadline: Some(ms(deadline)), ..AROUND }
}

fn always(length: u64) -> Spread {
    let length = ms(length);
    Spread { least: length, p5: length, p50: length, p95: length, most: length }
}

#[test]
fn without_jitter_the_schedule_is_exact() {
    let plan =
        plan(r#"backoff = "exponential", attempts = 5, attempt_timeout = "20ms""#, None, &AROUND);
    let rows: Vec<_> =
        plan.rows.iter().map(|row| (row.attempt, row.cap, row.delay, row.start)).collect();
    assert_eq!(
        rows,
        [
            (2, ms(50), always(50), always(60)),
            (3, ms(100), always(100), always(170)),
            (4, ms(200), always(200), always(380)),
            (5, ms(400), always(400), always(790)),
        ]
    );
    // Five attempts as long as their timeout.
    assert_eq!(plan.worst_total, Some(ms(5 * 20 + 750)));
    assert_eq!((plan.deadline, plan.cut), (None, None));
}

#[test]
fn with_jitter_the_edges_are_exact_and_the_rest_is_as_drawn() {
    let plan = plan(ORDERS, None, &AROUND);
    let [first, second] = plan.rows.as_slice() else { panic!("{plan}") };
    assert_eq!((first.cap, second.cap), (ms(50), ms(100)));
    let spread = |least, p5, p50, p95, most| Spread {
        least: ms(least),
        p5: ms(p5),
        p50: ms(p50),
        p95: ms(p95),
        most: ms(most),
    };
    // U(0, 50) and U(0, 100) ms, rounded up to milliseconds.
    assert_eq!(first.delay, spread(0, 3, 25, 48, 50));
    assert_eq!(second.delay, spread(0, 5, 51, 95, 100));
    assert_eq!(first.start, spread(10, 13, 35, 58, 60));
    assert_eq!((second.start.least, second.start.most), (ms(20), ms(170)));
    assert_eq!(plan.worst_total, Some(ms(180)));
}

#[test]
fn delays_that_go_by_the_last_one_have_their_own_edges() {
    let plan = plan(r#"backoff = "decorrelated_jitter", base = "50ms", max = "1s""#, None, &AROUND);
    let [first, second] = plan.rows.as_slice() else { panic!("{plan}") };
    assert_eq!((first.delay.least, first.delay.most, first.cap), (ms(50), ms(150), ms(150)));
    assert_eq!((second.delay.least, second.delay.most, second.cap), (ms(50), ms(450), ms(450)));
}

#[test]
fn the_share_that_a_deadline_cuts_is_that_of_the_delays_beyond_it() {
    let around = Circumstances { attempt: None, ..within(50) };
    let plan = plan(r#"attempts = 2, base = "100ms""#, None, &around);
    let cut = plan.cut.unwrap();
    // An attempt starts before the deadline after at most 49 ms of U(0, 100).
    assert!((cut - 0.51).abs() < 0.015, "{cut}");
    assert_eq!(plan.rows[0].in_time, Some(1.0 - cut));
}

#[test]
fn the_earlier_deadline_holds() {
    let own = r#"deadline = "1s", attempts = 2"#;
    assert_eq!(plan(own, None, &within(500)).deadline, Some(ms(500)));
    assert_eq!(plan(own, None, &within(5_000)).deadline, Some(ms(1_000)));
    assert_eq!(plan("deadline = none", None, &within(500)).deadline, Some(ms(500)));
}

#[test]
fn the_plan_is_shown_as_a_table_with_bars() {
    let policy = r#"base = "50ms", max = "1s", budget = "orders", idempotent"#;
    let shown =
        plan(policy, Some("burst=100"), &Circumstances { processes: 1, ..within(100) }).to_string();
    let (above, budget) = shown.split_once("promise        ").unwrap();
    assert_eq!(
        above,
        "\
policy         base = \"50ms\", max = \"1s\", budget = \"orders\", idempotent
budget         burst=100
assumed        300 calls a second in one process, attempts fail after 10ms, callers' deadline of
               100ms

schedule of a call whose attempts all fail (10,000 drawn, seed 1; least and most are exact)
                                delay before it                  starts at
attempt     cap   least   p5   p50   p95   most     p5   p50    p95   most   in time
2          50ms       0  3ms  25ms  48ms   50ms   13ms  35ms   58ms   60ms     100 %
3         100ms       0  5ms  51ms  95ms  100ms   44ms  96ms  149ms  170ms    53.1 %

         delay: \u{2500} all, \u{2501} p5 to p95, \u{2503} p50
2        \u{2500}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2503}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2500}
3        \u{2500}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2503}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2501}\u{2500}\u{2500}
         0                                  100ms

longest call   180ms, if no deadline ends it: delays at their longest, attempts of 10ms each
deadline       100ms, which cuts 46.9 % of these calls: it keeps them from their last attempt
amplification  at most 1.1 attempts per call in the long run, and 3 if nothing limited them
load           300 calls a second, and at most 330 attempts a second in the long run
blackout       every retry is paid for during the first 239ms without an answer
"
    );
    assert!(budget.starts_with("At most 100 retries at once, then 0.1 of a retry"), "{budget}");
    assert!(
        plan("attempts = 1", None, &AROUND)
            .to_string()
            .contains("attempts fail after 10ms\n\nlongest call   10ms")
    );
    let defaults = plan("", None, &AROUND).to_string();
    assert!(defaults.starts_with(
        "policy         (all defaults)\nbudget         burst=10,ratio=0.1 (the default)\n"
    ));
}

#[test]
fn long_schedules_are_cut_and_bounded() {
    let many = plan(
        r#"attempts = 100_000, backoff = "fixed", base = "1s""#,
        None,
        &Circumstances { attempt: None, ..AROUND },
    );
    assert_eq!(many.rows.len(), 20);
    assert_eq!(many.worst_total, Some(Duration::from_secs(99_999)));
    assert!(many.to_string().contains("\nand so on\n"));
    let still = plan(r#"backoff = "none""#, None, &AROUND).to_string();
    assert!(!still.contains("delay: "), "{still}");
}

#[test]
fn no_circumstances_make_it_panic() {
    let policies = [
        "",
        "attempts = 4294967295, max = \"18446744073709551615s\", base = \"18446744073709551615s\"",
        r#"attempts = "unlimited", budget = "a", inner = "allow", deadline = none"#,
        "attempt_timeout = \"18446744073709551615s\", deadline = \"1ns\"",
    ];
    for (rps, capacity, length) in [
        (f64::NAN, f64::NAN, Duration::MAX),
        (f64::INFINITY, f64::INFINITY, Duration::ZERO),
        (-1.0, -1.0, Duration::MAX),
        (f64::MAX, 1e-300, Duration::ZERO),
    ] {
        let around = Circumstances {
            rps,
            processes: 0,
            capacity: Some(capacity),
            attempt: Some(length),
            deadline: Some(length),
            blackout: Some(length),
        };
        for policy in policies {
            assert!(plan(policy, Some("kind=envoy"), &around).to_string().contains("longest call"));
        }
    }
}

#[test]
fn figures_have_three_digits_and_their_unit() {
    let nanos = Duration::from_nanos;
    for (length, text) in [
        (nanos(0), "0"),
        (nanos(7), "7ns"),
        (nanos(16_666_666), "16.7ms"),
        (nanos(999_499_999), "999ms"),
        (nanos(999_500_000), "1s"),
        (nanos(999_600), "1ms"),
        (ms(1_005), "1.01s"),
        (ms(1_500), "1.5s"),
        (ms(12_340), "12.3s"),
        (ms(99_999), "100s"),
        (ms(119_000), "119s"),
        (ms(120_000), "2m"),
        (Duration::from_secs(7_199), "120m"),
        (Duration::from_secs(86_400), "24h"),
        (Duration::MAX, "213503982334601d"),
    ] {
        assert_eq!(time(length), text);
    }
    assert_eq!(
        [0.0, 0.0004, 0.5, 0.99991, 1.0].map(percent),
        ["0 %", "< 0.1 %", "50.0 %", "> 99.9 %", "100 %"]
    );
    assert_eq!(
        [1.0, 1.1, 2.0 / 3.0, 12_300.5, 1e300, f64::INFINITY].map(number),
        ["1", "1.1", "0.67", "12,300.5", "1e300", "any number of"]
    );
}
