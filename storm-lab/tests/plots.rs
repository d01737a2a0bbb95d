//! Plots: what they show, that they show it always in the same way, and that nothing is too odd for them.

mod made_up;

use std::{fs, path::Path, thread, time::Duration};

use made_up::{Chance, nothing, outcomes, scenario, wave};
use resvg::tiny_skia::Pixmap;
use storm_lab::{
    outcome::{Outcome, TierOutcome},
    plots::{self, Plot},
    scenario::{Contention, Distribution, Fault, FaultKind, Scenario, Window, Work},
};

const TWELVE: [&str; 12] = [
    "naive",
    "full jitter",
    "ratio 10 % per 60 s",
    "success budget",
    "equal jitter + success budget",
    "decorrelated",
    "gRPC throttling",
    "AWS standard 2026",
    "breaker & budget",
    "hedged <p95>",
    "no retry",
    "deadline 2 s, suppression",
];

fn named<'a>(plots: &'a [Plot], name: &str) -> &'a Plot {
    plots
        .iter()
        .find(|plot| plot.name == name)
        .unwrap_or_else(|| panic!("there is no plot `{name}`"))
}

fn names(plots: &[Plot]) -> Vec<&str> {
    plots.iter().map(|plot| plot.name).collect()
}

/// The texts of a plot, one a line.
fn texts(plot: &Plot) -> Vec<&str> {
    let lines = plot.svg.lines().filter(|line| line.starts_with("<text"));
    lines
        .filter_map(|line| line.strip_suffix("</text>")?.split_once('>').map(|(_, text)| text))
        .collect()
}

#[test]
fn each_plot_says_of_what_it_is_in_which_units() {
    let scenario = scenario(&TWELVE[..4], &["edge", "orders", "store"]);
    let plots = plots::all(&scenario, &outcomes(&scenario));
    assert_eq!(names(&plots), ["load", "retries", "budget", "latency", "amplification"]);
    for plot in &plots {
        assert!(plot.title.starts_with("L2: "), "{}", plot.title);
        assert!(
            texts(plot).contains(&plot.title.as_str())
                && texts(plot).contains(&scenario.title.as_str())
        );
        for policy in &TWELVE[..4] {
            assert!(
                texts(plot).iter().any(|text| text.starts_with(policy)),
                "{policy} in {}",
                plot.name
            );
        }
        // What is looked at by whoever changes a plot.
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(plot.name).with_extension("svg");
        fs::write(file, &plot.svg).expect("the directory can be written to");
    }
    let has = |name: &str, text: &str| {
        let plot = named(&plots, name);
        assert!(texts(plot).contains(&text), "`{text}` in {name}: {:?}", texts(plot));
    };
    has("load", "requests/s");
    has("load", "capacity of store: 5,400/s");
    has("load", "store: stall at 90 s, for 5 s");
    has("budget", "tier edge");
    has("retries", "retries/s");
    has("retries", "time since the start (s)");
    has("budget", "budget level (% of full)");
    has("budget", "naive: no budget");
    has("latency", "time (ms)");
    has("latency", "timeout of an attempt: 500 ms");
    has("latency", "naive: no call succeeded");
    has("latency", "99.9");
    has("amplification", "attempts per logical call");
    has("amplification", "tier store");
    has("amplification", "27.1× (27.0–27.1)");
}

fn fault(tier: usize, kind: FaultKind, from: u64, to: Duration) -> Fault {
    Fault { tier, window: Window { from: Duration::from_secs(from), to }, kind }
}

#[test]
fn all_that_goes_wrong_is_shaded_and_named_where_it_begins_or_ends() {
    let mut scenario = scenario(&TWELVE[..3], &["edge", "store"]);
    let Work::Services(topology) = &mut scenario.work else { panic!("services") };
    let loss = || FaultKind::Loss { request: 0.1, response: 0.0 };
    let slow = || FaultKind::Slow { factor: 2.0 };
    let seconds = Duration::from_secs;
    topology.faults.extend([
        fault(0, loss(), 20, seconds(30)),
        // All the time, to the end, and after it.
        fault(0, slow(), 0, Window::NEVER),
        fault(1, slow(), 150, Window::NEVER),
        fault(1, loss(), 500, seconds(600)),
        fault(0, FaultKind::Page { number: 2 }, 10, seconds(11)),
        fault(0, FaultKind::Page { number: 3 }, 20, seconds(21)),
        fault(0, FaultKind::Page { number: 4 }, 40, seconds(41)),
    ]);
    let plots = plots::all(&scenario, &outcomes(&scenario));
    // As many as there are panels, and in the legend.
    for (name, panels) in [("load", 3), ("retries", 2), ("budget", 1)] {
        let plot = named(&plots, name);
        let wanted = [
            "edge: failing page from 10 s on, 3 times",
            "edge: loss at 20 s, for 10 s",
            "store: stall at 90 s, for 5 s",
            "store: slow-down from 150 s to the end",
        ];
        let found: Vec<_> = texts(plot).into_iter().filter(|text| wanted.contains(text)).collect();
        assert_eq!(found, wanted, "{name}: {:?}", texts(plot));
        assert!(texts(plot).iter().all(|text| !text.starts_with("edge: slow-down")));
        let zones = plot.svg.matches("fill-opacity=\".22\"").count();
        assert_eq!(zones, wanted.len() + 6 * panels, "{name}");
    }
}

#[test]
fn where_there_is_one_tier_faults_do_not_name_it() {
    let scenario = scenario(&TWELVE[..3], &["store"]);
    let plots = plots::all(&scenario, &outcomes(&scenario));
    assert!(texts(named(&plots, "load")).contains(&"stall at 90 s, for 5 s"));
    assert!(!texts(named(&plots, "budget")).contains(&"tier store"));
}

#[test]
fn each_tier_with_budgets_has_a_panel_and_those_that_share_one_have_it_together() {
    let scenario = scenario(&TWELVE[..2], &["edge", "orders", "stock", "store"]);
    let mut outcomes = outcomes(&scenario);
    for outcome in &mut outcomes {
        let own = vec![0.5; 180];
        outcome.series.budget.clear();
        outcome.series.inner_budgets = vec![own.clone(), vec![1.0; 180], own];
    }
    let plots = plots::all(&scenario, &outcomes);
    let texts = texts(named(&plots, "budget"));
    let tiers: Vec<_> = texts.iter().filter(|text| text.starts_with("tier")).collect();
    assert_eq!(tiers, [&"tiers orders, store", &"tier stock"], "{texts:?}");
    assert_eq!(texts.iter().filter(|text| **text == "budget level (% of full)").count(), 2);
}

/// The number of an attribute.
fn number(element: &str, name: &str) -> f64 {
    let value = element.split(&format!(" {name}=\"")).nth(1).expect("the attribute is there");
    value.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
}

#[test]
fn names_of_tiers_are_whole_and_no_bar_s_label_is_struck_through() {
    let tier = "checkout of the shop in three countries";
    let mut scenario = scenario(&["a", "b"], &[tier]);
    scenario.seeds.truncate(1);
    for attempts in [0, 100, 700, 930, 990, 1_000, 1_010] {
        let mut outcomes = outcomes(&scenario);
        for outcome in &mut outcomes {
            outcome.calls = 1_000;
            outcome.tiers[0].attempts = attempts;
        }
        outcomes[1].tiers[0].attempts = 1_300;
        let plots = plots::all(&scenario, &outcomes);
        let plot = named(&plots, "amplification");
        assert!(texts(plot).contains(&format!("tier {tier}").as_str()), "{:?}", texts(plot));
        let limits: Vec<_> = plot
            .svg
            .lines()
            .filter(|line| line.contains("class=\"limit\"") && line.contains("dasharray"))
            .collect();
        // In the legend, and through the bars.
        let [_, limit] = limits.as_slice() else { panic!("{limits:?}") };
        let limit = number(limit, "x1");
        let labels: Vec<_> = plot.svg.lines().filter(|line| line.ends_with("×</text>")).collect();
        assert_eq!(labels.len(), 2);
        for label in labels {
            let from = number(label, "x");
            // Digits, the point and × are at least so wide.
            let to = from + 6.0 * 5.0;
            assert!(to < limit || from > limit, "{attempts}: {from}–{to} at {limit}");
        }
    }
}

#[test]
fn the_peak_of_a_wave_is_seen_in_narrow_buckets_and_not_in_wide_ones() {
    let (scenario, outcomes) = wave();
    let plots = plots::all(&scenario, &outcomes);
    let texts = texts(named(&plots, "retries"));
    assert!(texts.contains(&"buckets of 10 ms: at most 10,000/s"), "{texts:?}");
    assert!(texts.contains(&"buckets of 1 s: at most 100/s"), "{texts:?}");
}

#[test]
fn the_same_outcomes_give_the_same_bytes_on_any_thread() {
    let scenario = scenario(&TWELVE, &["edge", "store"]);
    let outcomes = outcomes(&scenario);
    let draw =
        || plots::all(&scenario, &outcomes).into_iter().map(|plot| plot.svg).collect::<Vec<_>>();
    let first = draw();
    let others = thread::scope(|scope| {
        [scope.spawn(draw), scope.spawn(draw)].map(|one| one.join().expect("it ends"))
    });
    assert!(others.iter().all(|other| *other == first));
    // Small enough to be mailed.
    assert!(
        first.iter().all(|svg| svg.len() < 200_000),
        "{:?}",
        first.iter().map(String::len).collect::<Vec<_>>()
    );
}

#[test]
fn a_policy_looks_the_same_where_others_are_missing() {
    let scenario = scenario(&TWELVE[..4], &["store"]);
    let all = outcomes(&scenario);
    let some: Vec<Outcome> =
        all.iter().filter(|outcome| outcome.policy == "success budget").cloned().collect();
    for plot in plots::all(&scenario, &some) {
        assert!(plot.svg.contains("\"s3\"") || plot.svg.contains("\"f3\""), "{}", plot.name);
        let others = ["s0", "f0", "s1", "f1", "s2", "f2"];
        assert!(
            others.iter().all(|class| !plot.svg.contains(&format!("\"{class}\""))),
            "{}",
            plot.name
        );
    }
}

#[test]
fn what_would_be_empty_is_left_out() {
    let scenario = scenario(&["naive"], &["store"]);
    assert_eq!(names(&plots::all(&scenario, &[])), [""; 0]);
    assert_eq!(names(&plots::all(&scenario, &[nothing(&scenario, "naive", 1)])), [""; 0]);
    // The naive policy has no budget.
    let plots = plots::all(&scenario, &outcomes(&scenario));
    assert_eq!(names(&plots), ["load", "retries", "latency", "amplification"]);
}

#[test]
fn contention_is_drawn_as_attempts_and_time() {
    let mut scenario = scenario(&["none", "full jitter"], &["row"]);
    let latency = Distribution::Fixed(Duration::from_millis(10));
    scenario.work = Work::Row(Contention { clients: 100, latency });
    let outcomes = [("none", 2_423, 4_000_000), ("full jitter", 796, 1_000_000)].map(
        |(name, attempts, micros)| {
            let mut made = nothing(&scenario, name, 1);
            made.calls = 100;
            made.tiers.push(TierOutcome { attempts, ..TierOutcome::default() });
            made.latency_all.saturating_record(micros);
            made
        },
    );
    let plots = plots::all(&scenario, &outcomes);
    assert_eq!(names(&plots), ["latency", "contention"]);
    let texts = texts(named(&plots, "contention"));
    assert!(texts.contains(&"2,423") && texts.contains(&"796"), "{texts:?}");
    assert!(texts.iter().any(|text| text.starts_with("4.0") && text.ends_with(" s")), "{texts:?}");
}

/// Where two texts or a text and the edge would collide is for the test in a browser; here, that there is a drawing.
fn is_a_drawing(plot: &Plot) {
    let options = resvg::usvg::Options::default();
    let tree = resvg::usvg::Tree::from_str(&plot.svg, &options);
    let size = tree.unwrap_or_else(|fault| panic!("{}: {fault}", plot.name)).size();
    assert!((size.width() - 800.0).abs() < 0.1 && size.height() > 100.0, "{}: {size:?}", plot.name);
    for wrong in ["NaN", "inf"] {
        assert!(!plot.svg.contains(wrong), "{wrong} in {}", plot.name);
    }
}

#[test]
fn names_are_texts_whatever_signs_they_have() {
    let odd = "a<b> & \"c\" 'd' \u{0}\u{7}\u{fffe} ]]> <!-- ü 日本 🦀";
    let long = "a very long name ".repeat(40);
    let mut scenario = scenario(&[odd, &long, "", "third"], &[odd]);
    odd.clone_into(&mut scenario.name);
    scenario.title = long.clone() + odd;
    for plot in plots::all(&scenario, &outcomes(&scenario)) {
        is_a_drawing(&plot);
        assert!(plot.svg.contains("a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"), "{}", plot.name);
    }
}

fn odd_times(mut scenario: Scenario, seconds: f64, policies: usize) -> (Scenario, Vec<Outcome>) {
    scenario.duration = Duration::from_secs_f64(seconds);
    scenario.window = Window { from: Duration::ZERO, to: scenario.duration };
    let mut chance = Chance::new(3);
    let outcomes = (0..policies).map(|at| {
        let mut made = nothing(&scenario, TWELVE[at], 1);
        made.series.offered = (0..50).map(|_| chance.about(3.0)).collect();
        made.series.retries.push(u32::MAX);
        made.series.budget = vec![f32::NAN, 0.5, f32::INFINITY, -1.0];
        made.calls = 1;
        made.latency.saturating_record(0);
        made.latency_all.saturating_record(u64::MAX);
        made.tiers.push(TierOutcome { attempts: u64::MAX, ..TierOutcome::default() });
        made
    });
    let outcomes = outcomes.collect();
    (scenario, outcomes)
}

#[test]
fn no_figures_are_too_odd_to_be_drawn() {
    for seconds in [1e-9, 0.004, 0.01, 1.0, 59.999, 7_300.0] {
        for policies in [1, 3, 12] {
            let scenario = scenario(&TWELVE[..1], &["store", "other"]);
            let (scenario, outcomes) = odd_times(scenario, seconds, policies);
            let plots = plots::all(&scenario, &outcomes);
            assert_eq!(plots.len(), 5, "{seconds} s: {:?}", names(&plots));
            plots.iter().for_each(is_a_drawing);
        }
    }
}

#[test]
fn the_picture_has_its_texts_without_a_font_of_the_machine() {
    let scenario = scenario(&["naive"], &["store"]);
    let plots = plots::all(&scenario, &outcomes(&scenario));
    let png = named(&plots, "amplification").png().expect("it can be drawn");
    let pixels = Pixmap::decode_png(&png).expect("it is a PNG");
    assert_eq!(pixels.width(), 1_600);
    // The line of the title, and beside it.
    let dark = |from: u32, to: u32| {
        let ink = |x: u32, y: u32| pixels.pixel(x, y).is_some_and(|pixel| pixel.red() < 90);
        (36..60).map(|y| (from..to).filter(|x| ink(*x, y)).count()).sum::<usize>()
    };
    assert!(dark(32, 400) > 500, "{} dark pixels", dark(32, 400));
    assert_eq!(dark(900, 1_568), 0);
}

#[test]
fn of_very_many_policies_the_first_are_drawn_and_the_picture_says_so() {
    let many: Vec<String> = (0..plots::MOST + 5).map(|at| format!("policy-{at}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let scenario = scenario(&many, &["api"]);
    let plots = plots::all(&scenario, &outcomes(&scenario));
    assert!(names(&plots).iter().all(|name| plots::NAMES.contains(name)));
    for plot in &plots {
        let all = texts(plot).join("\n");
        assert!(all.contains("only the first 20 of 25 policies are drawn"), "{}: {all}", plot.name);
        assert!(!all.contains("policy-20"), "{}", plot.name);
    }
    assert!(texts(named(&plots, "retries")).contains(&"policy-19"));
}
