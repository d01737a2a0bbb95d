//! What the assertions of `testing` say when they fail: what was expected, and what was observed.

#[path = "support/failing.rs"]
mod failing;

use std::{
    collections::BTreeMap,
    io::{Error, ErrorKind::ConnectionRefused},
    time::Duration,
};

use failing::message;
use stormless::{
    Backoff, Policy,
    testing::{Script, isolated, schedule},
};

const BASE: Duration = Duration::from_millis(100);
const POLICY: Policy = Policy::new().backoff(Backoff::Fixed).base(BASE);

const OBSERVED: &str = "\
call  site    attempt  started  outcome                         then
1     orders  1        0ns      connection_refused (transient)  retry in 100ms
1     orders  2        100ms    ok                              -
";

/// The message of each assertion about a call of two attempts, by its name.
async fn messages() -> BTreeMap<&'static str, Vec<String>> {
    isolated(async {
        let schedule = schedule();
        let server =
            Script::new([Err(Error::from(ConnectionRefused)), Ok(7), Ok(8)]).named("orders");
        let answer = POLICY.run(async || server.next().await).no_budget().named("orders").await;
        assert_eq!(answer.expect("the second attempt succeeds"), 7);

        let amplification =
            [1.9, f64::NAN].map(|most| message(|| schedule.assert_amplification(most)));
        let delays = [vec![BASE / 2], vec![], vec![BASE; 2]]
            .map(|expected| message(|| schedule.assert_delays(expected)));
        let tables =
            ["", "call  site"].map(|expected| message(|| schedule.assert_schedule(expected)));
        BTreeMap::from([
            ("Schedule::assert_amplification", amplification.to_vec()),
            ("Schedule::assert_delays", delays.to_vec()),
            ("Schedule::assert_schedule", tables.to_vec()),
            ("Script::assert_used_up", vec![message(|| server.assert_used_up())]),
        ])
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn an_assertion_that_fails_shows_what_was_expected_and_what_was_observed() {
    let said = messages().await;
    let of = |name: &str| said[name].iter().map(String::as_str).collect::<Vec<_>>();

    let amplification = |most: &str| {
        format!("expected an amplification of at most {most}, observed 2.000:\n{OBSERVED}")
    };
    assert_eq!(of("Schedule::assert_amplification"), [amplification("1.9"), amplification("NaN")]);

    let delays = |rows: &[[&str; 4]]| {
        let lines = rows.iter().map(|[delay, expected, observed, verdict]| {
            format!("{delay:5}  {expected:8}  {observed:8}  {verdict}")
        });
        let head = "the delays are others than expected:\ndelay  expected  observed  verdict";
        format!("{head}\n{}\nobserved:\n{OBSERVED}", lines.collect::<Vec<_>>().join("\n"))
    };
    let trimmed = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    };
    let expected = [
        delays(&[["1", "50ms", "100ms", "WRONG"]]),
        delays(&[["1", "none", "100ms", "WRONG"]]),
        delays(&[["1", "100ms", "100ms", "as expected"], ["2", "100ms", "none", "WRONG"]]),
    ];
    for (said, expected) in of("Schedule::assert_delays").into_iter().zip(&expected) {
        assert_eq!(trimmed(said), trimmed(expected), "\n{said}");
    }

    let table = |expected: &str| {
        format!(
            "the schedule is another one than expected.\nexpected:\n{expected}\nobserved:\n{OBSERVED}"
        )
    };
    let expected = [table(""), table("call  site")];
    for (said, expected) in of("Schedule::assert_schedule").into_iter().zip(&expected) {
        assert_eq!(trimmed(said), trimmed(expected), "\n{said}");
    }

    let [said] = of("Script::assert_used_up")[..] else { unreachable!("there is one") };
    assert!(said.starts_with("the script `orders` (made at "), "{said}");
    let counts = " of 3 outcomes is not used up: 1 left";
    assert!(said.ends_with(counts), "{said}");
}

/// One that is added without a message here would go unseen.
#[tokio::test(start_paused = true)]
async fn no_assertion_is_left_out() {
    let surface = include_str!("public_api/retry-runtime.txt");
    let mut public: Vec<String> = surface
        .lines()
        .filter_map(|line| line.split_once("retry_runtime::testing::")?.1.split_once("::assert_"))
        .map(|(owner, rest)| {
            // Without the parameters of either: `Script<O>`, `assert_delays<D: …>(…)`.
            let plain = |text: &str| text.split(['<', '(']).next().unwrap_or_default().to_owned();
            format!("{}::assert_{}", plain(owner), plain(rest))
        })
        .collect();
    public.sort_unstable();
    assert_eq!(public, messages().await.into_keys().collect::<Vec<_>>());
}
