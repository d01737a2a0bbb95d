//! The page that can be mailed, as text.

mod made_up;

use std::time::Duration;

use made_up::{outcomes, scenario};
use storm_lab::{
    measured::{Cost, Measured, PhaseFigures, Requests},
    report::{Section, html},
    scenario::{Fault, FaultKind, Scenario, Window, Work},
    summary::Summary,
};

/// The page of four policies, the last of which has all signs that mean something to a page.
fn page(complete: bool) -> String {
    let scenario = scenario(
        &["naive", "full jitter", "ratio", "a<b> & \"c\" 'd' </script>"],
        &["edge", "store"],
    );
    let outcomes = outcomes(&scenario);
    let summary = Summary::of(&scenario, &outcomes);
    let section = Section {
        scenario: &scenario,
        outcomes: &outcomes,
        summary: &summary,
        failures: &[],
        complete,
        measured: None,
    };
    html(&[section], None)
}

#[test]
fn the_page_is_whole_and_needs_nothing_else() {
    let page = page(true);
    // Addresses are names of namespaces, places in the page, and no icon.
    let places = ["src=", "@import", "url(", "href=\"http", "<iframe", "<object", "onload"];
    assert!(places.iter().all(|place| !page.contains(place)));
    assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());
    for part in [
        "<title>L2: A stall of five seconds",
        "50 processes with 30 calls a second each, at random moments: 1,500 calls a second together.",
        "store: 54 workers that take 10 ms for a request (5,400 a second); clients give an attempt up after 500 ms.",
        "From 90 s to 95 s, at store: requests are held, and arrive together when it ends.",
        "title = &quot;&lt;b&gt;&quot;\n[[policy]]\nname = &quot;a&amp;b&quot;",
        "the budget of `&lt;orders&gt;` &amp; Co was inactive: 12 of 20 samples",
        "<code id=\"command\">storm-lab run L2 --seeds 1,2,3</code>",
        concat!("storm-lab ", env!("CARGO_PKG_VERSION")),
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn signs_of_names_mean_nothing_in_the_page() {
    let page = page(true);
    // The block of data is the only script, and ends once.
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    assert!(!page.contains("a<b>"));
    assert!(
        page.contains("data-policy=\"a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; &lt;/script&gt;\"")
    );
}

#[test]
fn what_is_partial_says_so_first() {
    assert!(!page(true).contains("class=\"partial\""));
    let page = page(false);
    let (banner, table) = (page.find("class=\"partial\""), page.find("<table"));
    assert!(banner.is_some() && banner < table);
    assert!(page.contains("12 of 12 simulations were finished"));
    assert!(page.contains("\"complete\":false"));
}

#[test]
fn the_same_outcomes_give_the_same_page() {
    assert_eq!(page(true), page(true));
}

#[test]
fn several_scenarios_are_one_page_with_its_contents() {
    let (first, mut second) =
        (scenario(&["naive"], &["store"]), scenario(&["naive", "ratio"], &["store"]));
    second.name = "it's mine.toml".to_owned();
    let (made, more) = (outcomes(&first), outcomes(&second));
    let (summary, other) = (Summary::of(&first, &made), Summary::of(&second, &more));
    let whole = |scenario, outcomes, summary| Section {
        scenario,
        outcomes,
        summary,
        failures: &[],
        complete: true,
        measured: None,
    };
    let page = html(&[whole(&first, &made, &summary), whole(&second, &more, &other)], None);
    assert!(page.contains("<a href=\"#scenario-2\">it&#39;s mine.toml: A stall"));
    assert!(page.contains("<section id=\"scenario-2\" data-scenario=\"it&#39;s mine.toml\""));
    assert!(page.contains(r"storm-lab run L2 &#39;it&#39;\&#39;&#39;s mine.toml&#39;"));
}

fn page_of(scenario: &Scenario, measured: Option<&Measured>) -> String {
    let outcomes = outcomes(scenario);
    let summary = Summary::of(scenario, &outcomes);
    let section = Section {
        scenario,
        outcomes: &outcomes,
        summary: &summary,
        failures: &[],
        complete: true,
        measured,
    };
    html(&[section], None)
}

#[test]
fn a_fault_without_an_end_lasts_to_the_end() {
    let mut scenario = scenario(&["naive"], &["store"]);
    let end = scenario.duration;
    let Work::Services(topology) = &mut scenario.work else { panic!("services") };
    let at = |from, to| Fault {
        tier: 0,
        window: Window { from: Duration::from_secs(from), to },
        kind: FaultKind::Stall,
    };
    topology.faults = vec![
        at(0, Window::NEVER),
        at(0, end),
        at(20, Window::NEVER),
        at(30, end),
        at(0, Duration::from_secs(2)),
    ];
    let page = page_of(&scenario, None);
    let lines: Vec<_> = page.lines().filter(|line| line.contains("requests are held")).collect();
    for (line, when) in lines.iter().zip([
        "All the time",
        "All the time",
        "From 20 s to the end",
        "From 30 s to the end",
        "From 0 s to 2 s",
    ]) {
        assert!(line.starts_with(&format!("<li>{when}, at store: ")), "{line}");
    }
    assert_eq!(lines.len(), 5);
    assert!(!page.contains("52,560,000"));
}

#[test]
fn what_is_asked_first_stands_first() {
    let page = page(true);
    let (head, _) = page.split_once("<details>").expect("there are details");
    let place = |heading: &str| head.find(&format!("\">{heading}")).expect("a column");
    let order = [
        "success,\u{a0}%",
        "attempts per call",
        "recovery,\u{a0}s",
        "peak retries/s, 10\u{a0}ms",
        "peak retries/s, 1\u{a0}s",
        "p50,\u{a0}ms",
        "p99,\u{a0}ms",
        "utilisation",
        "retries granted",
        "calls</th>",
    ];
    assert!(order.map(place).is_sorted(), "{:?}", order.map(place));
}

#[test]
fn what_was_measured_besides_is_as_whole_as_in_a_terminal() {
    let scenario = scenario(&["naive"], &["server"]);
    let phase = |name: &str, calls| PhaseFigures {
        name: name.to_owned(),
        window: Window { from: Duration::ZERO, to: Duration::from_secs(4) },
        calls,
        success: Some(0.5),
        attempts_per_call: Some(2.0),
        peak_1s: 3.0,
        goodput: 4.0,
        server_cores: None,
        clients_cores: None,
    };
    let cost = Cost {
        policy: "naive".to_owned(),
        requests: Requests {
            arrived: 9_001,
            served: 9_002,
            wasted: 9_003,
            lost: 9_004,
            unanswered: 9_005,
            failed: 9_006,
            refused: 9_007,
        },
        failed: 9_008,
        unfinished: 9_009,
        failures: [("http_503".to_owned(), 1_234), ("<timeout>".to_owned(), 5)].into(),
        phases: vec![phase("steady", 17), phase("stall", 18)],
        whole: Some(phase("all", 35)),
        ..Cost::default()
    };
    let measured = Measured { costs: vec![cost], ..Measured::default() };
    let page = page_of(&scenario, Some(&measured));
    for (at, name) in [
        "arrived",
        "served",
        "wasted",
        "lost",
        "unanswered",
        "outage_503",
        "queue_full_503",
        "failed_calls",
        "unfinished_calls",
    ]
    .into_iter()
    .enumerate()
    {
        let cell = format!("data-measure=\"{name}\" data-value=\"{}\"", 9_001 + at);
        assert!(page.contains(&cell), "{cell}");
    }
    assert!(page.contains("failed attempts: &lt;timeout&gt; 5, http_503 1,234"));
    let all = page.split("data-phase=\"all\"").nth(1).expect("a row for all phases");
    assert!(all.split("</tr>").next().is_some_and(|row| row.contains("data-value=\"35\"")));
}
