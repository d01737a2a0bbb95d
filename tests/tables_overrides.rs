//! What the tables and the page say about overrides: which are in force, what was declared, who said so,
//! why, until when, and which reach nobody.

#[path = "support/bodies.rs"]
mod bodies;
#[path = "support/html.rs"]
mod html;

use std::time::Duration;

use bodies::{Answer, Dependency, budget as budget_row, site};
use html::{Node, parse};
use stormless::{
    Breaker, Budget, LongestCall, Retryable, breaker, breakers, budget, budgets, config,
    control::{self, Layer, Override, Overrides, Target},
    observe, report_page, retry, sites,
    testing::isolated,
};
use tokio::time::advance;

budget! { static ORDERS: Budget = Budget::new("shown.orders").burst(10).ratio(0.1); }
breaker! { static GUARD: Breaker = Breaker::new("shown.guard").consecutive(3); }

#[derive(Debug, Retryable)]
enum Refused {
    #[retryable(transient)]
    Down,
    #[retryable(breaker_open)]
    Open,
}

#[retry(budget = ORDERS, max = "20s", idempotent, attempt_timeout = "1s", name = "shown.fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(attempts = 1, budget = none, breaker = GUARD, name = "shown.single")]
async fn single(down: bool) -> Result<(), Refused> {
    if down { Err(Refused::Down) } else { Ok(()) }
}

const HOUR: Duration = Duration::from_secs(3_600);

fn about(target: Target) -> Override {
    Override::new(target)
}

fn orders() -> Target {
    Target::SitesOf("shown.orders".into())
}

fn effects(name: &str) -> Vec<String> {
    site(name).overrides().iter().map(ToString::to_string).collect()
}

fn problems(page: &Node) -> Vec<(String, String, String)> {
    let of = |node: &Node| {
        let name = |key: &str| node.attribute(key).unwrap_or_default().to_owned();
        (name("data-problem"), name("data-subject"), node.text())
    };
    page.id("problems").named("li").into_iter().map(of).collect()
}

fn subjects(problems: &[(String, String, String)]) -> Vec<(&str, &str)> {
    problems.iter().map(|(what, subject, _)| (what.as_str(), subject.as_str())).collect()
}

#[tokio::test(start_paused = true)]
async fn a_row_says_which_override_each_of_its_keys_goes_by() {
    isolated(async {
        assert_eq!(effects("shown.fetch"), [""; 0]);
        let mut file = Overrides::new();
        file.push(about(Target::All).set("base", "100ms").unwrap().set("max", "9s").unwrap());
        control::apply(Layer::File, file).unwrap();
        let code = about(orders()).set("attempts", 2).unwrap().set("base", "1s").unwrap();
        control::set(code.note("INC-4711").expires_in(HOUR)).unwrap();
        assert_eq!(
            effects("shown.fetch"),
            [
                "attempts = 2, base = \"1s\" (layer `code`, sites of budget `shown.orders`; INC-4711; 1h left)",
                "max = \"9s\" (layer `file`, all sites)",
            ]
        );
        assert_eq!(
            effects("shown.single"),
            ["base = \"100ms\", max = \"9s\" (layer `file`, all sites)"]
        );
        let row = site("shown.fetch");
        assert_eq!(
            row.policy_in_words(),
            "2 attempts (declared: 3 attempts), full_jitter 1s to 9s (declared: full_jitter 50ms to \
             20s), idempotent, attempt_timeout 1s"
        );
        assert_eq!(row.policy_in_force().max_attempts(), Some(2));
        assert_eq!(row.policy().max_attempts(), Some(3), "the attribute stays what it is");
        let LongestCall::Bounded { time, .. } = row.longest_call() else { panic!("bounded") };
        assert_eq!(time, Duration::from_secs(3));
        assert!(sites().to_string().contains("2 (declared 3)"), "{}", sites());

        advance(HOUR).await;
        assert_eq!(
            effects("shown.fetch"),
            ["base = \"100ms\", max = \"9s\" (layer `file`, all sites)"]
        );
        assert_eq!(site("shown.fetch").policy_in_force().max_attempts(), Some(3));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn numbers_in_force_stand_beside_those_that_were_declared() {
    isolated(async {
        let burst = about(Target::Budget("shown.orders".into())).set("burst", 2).unwrap();
        control::set(burst.note("half")).unwrap();
        let guard = about(Target::Breaker("shown.guard".into()));
        control::set(guard.set("open_for", "1m").unwrap()).unwrap();
        let row = budget_row("shown.orders");
        assert_eq!(row.settings().to_string(), "`burst` 2 and `ratio` 0.1");
        assert_eq!(row.declared_settings().to_string(), "`burst` 10 and `ratio` 0.1");
        assert_eq!(
            row.overrides()[0].to_string(),
            "burst = 2 (layer `code`, budget `shown.orders`; half)"
        );
        let text = format!("{:#}", budgets());
        assert!(text.contains("shown.orders OVERRIDDEN"), "{text}");
        assert!(text.contains("`burst` 2 and `ratio` 0.1 (declared: `burst` 10"), "{text}");
        let table = breakers();
        let row = table.get("shown.guard").expect("it is declared");
        assert_eq!(row.overrides()[0].settings(), "open_for = \"1m\"");
        assert_ne!(row.settings(), row.declared_settings());
        assert!(table.to_string().contains("shown.guard OVERRIDDEN"), "{table}");

        let page = parse(&report_page());
        let cell = |key: &str, name: &str, column: &str| page.with(key, name)[0].cell(column);
        let budget = cell("data-budget", "shown.orders", "budget");
        assert!(budget.contains("overridden") && budget.contains("half"), "{budget}");
        assert!(budget.contains("declared: `burst` 10"), "{budget}");
        assert!(cell("data-breaker", "shown.guard", "breaker").contains("overridden"));
        control::clear(&Target::Budget("shown.orders".into()));
        control::clear(&Target::Breaker("shown.guard".into()));
        assert!(!budgets().to_string().contains("OVERRIDDEN"));
        assert!(!breakers().to_string().contains("OVERRIDDEN"));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_page_begins_with_what_is_overridden() {
    isolated(async {
        let page = parse(&report_page());
        assert!(page.with("id", "overrides").is_empty() && problems(&page).is_empty());

        let evil = "<script>alert('1')</script> & \"why\"";
        let some = about(orders()).set("attempts", 2).unwrap().note(evil).expires_in(HOUR);
        control::set(some).unwrap();
        let mut file = Overrides::new();
        file.push(about(Target::Site("shown.fetsh".into())).set("attempts", 1).unwrap());
        control::apply(Layer::File, file).unwrap();
        let html = report_page();
        assert_eq!(html.matches("<script>").count(), 1, "only the page's own");
        let page = parse(&html);
        let rows = page.id("overrides").named("tbody")[0].named("tr");
        let shown: Vec<[String; 6]> = rows
            .iter()
            .map(|row| {
                ["target", "settings", "note", "expires_in", "layer", "sites"]
                    .map(|column| row.cell(column))
            })
            .collect();
        assert_eq!(
            shown,
            [
                [
                    "sites of budget `shown.orders`",
                    "attempts = 2",
                    evil,
                    "1h",
                    "code",
                    "shown.fetch"
                ],
                [
                    "site `shown.fetsh` matches nothing",
                    "attempts = 1",
                    "-",
                    "never",
                    "file",
                    "WAITS: did you mean `shown.fetch`?"
                ],
            ]
            .map(|row| row.map(str::to_owned))
        );
        assert_eq!(rows[0].attribute("data-layer"), Some("code"));
        let site = page.with("data-site", "shown.fetch")[0].cell("site");
        assert!(site.contains("overridden2 attempts (declared: 3 attempts)"), "{site}");
        assert!(site.contains(evil), "{site}");
        // Above the tables about what happens.
        assert!(html.find("id=\"overrides\"") < html.find("id=\"budgets\""));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_is_off_or_amiss_is_a_problem_with_its_reason() {
    isolated(async {
        control::all().because("INC-4712").off_for(HOUR);
        control::budget("shown.orders").unwrap().because("INC-4713").off();
        let mut file = Overrides::new();
        file.push(about(Target::Budget("shown.order".into())).set("retries", "off").unwrap());
        file.push(about(Target::All).set("attempt_timeout", "2s").unwrap());
        control::apply(Layer::File, file).unwrap();
        config::environment_from([("STORMLESS_RETRIES", "never")]).unwrap_err();
        single(true).await.unwrap_err();
        let page = parse(&report_page());
        let told = problems(&page);
        assert_eq!(
            subjects(&told),
            [
                ("off", "all functions"),
                ("off", "shown.orders"),
                ("refused", "layer `environment`"),
                ("unmatched", "budget `shown.order`"),
            ]
        );
        for (problem, said) in told.iter().zip([
            "switched off everywhere: layer `code`, all sites; INC-4712; 1h left",
            "switched off: layer `code`, budget `shown.orders`; INC-4713",
            "STORMLESS_RETRIES: all sites: `retries = \"never\"`: ",
            "the layer `file` overrides what is not there: did you mean `shown.orders`?",
        ]) {
            assert!(problem.2.contains(said), "{}", problem.2);
        }
        assert_eq!(page.id("status").text(), "4 problems");

        // One function is excepted, and so is named by nobody.
        control::set(about(Target::Site("shown.single".into())).set("retries", "on").unwrap())
            .unwrap();
        let told = problems(&parse(&report_page()));
        assert!(told[0].2.contains("but for what is excepted"), "{}", told[0].2);
        assert!(subjects(&told).contains(&("off", "shown.fetch")));
        assert!(!subjects(&told).contains(&("off", "shown.single")));

        control::shutdown();
        let told = problems(&parse(&report_page()));
        assert_eq!(
            subjects(&told)[..2],
            [("shutting-down", "all functions"), ("off", "all functions")]
        );
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_refused_document_is_told_until_its_layer_says_something_else() {
    isolated(async {
        let refused = |variables: [(&'static str, &'static str); 1]| {
            config::environment_from(variables).unwrap_err();
        };
        refused([("STORMLESS_OVERRIDES", "[all]\natempts = 1\nbase = 5\n")]);
        let table = control::overrides();
        let (layer, why) = table.refused().next().expect("it was refused");
        assert_eq!((layer, why.lines().count()), (Layer::Environment, 2));
        let text = table.to_string();
        assert!(
            text.starts_with("nothing is overridden\n\nREFUSED, the layer `environment` "),
            "{text}"
        );
        refused([("STORMLESS_RETRIES", "never")]);
        assert_eq!(control::overrides().refused().len(), 1, "the last one");
        config::environment_from([("STORMLESS_RETRIES", "off")]).unwrap();
        assert_eq!(control::overrides().refused().len(), 0);
        // Who sends one has the answer.
        let faults = config::parse("request", "[site.nobody]\nattempts = 1\n").unwrap().set();
        faults.unwrap_err();
        assert_eq!(control::overrides().refused().len(), 0);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_mended_is_no_problem_any_more() {
    isolated(async {
        let path =
            std::env::temp_dir().join(format!("stormless-shown-{}.toml", std::process::id()));
        let write = |text: &str| std::fs::write(&path, text).expect("it can be written");
        write("[all]\nattempts = 2\n");
        let watch = config::Watcher::new(&path).every(HOUR).start().unwrap();
        let told = || subjects_of_now();
        assert_eq!(told(), [""; 0]);
        write("[all]\nattempts = 0\n");
        watch.look().unwrap_err();
        assert_eq!(told(), ["refused"]);
        write("[all]\nattempts = 2\n");
        watch.look().unwrap();
        assert_eq!(told(), [""; 0]);
        write("[all\n");
        watch.look().unwrap_err();
        assert_eq!(
            (told(), site("shown.fetch").overrides().len()),
            (vec!["refused".to_owned()], 1)
        );
        drop(watch);
        assert_eq!((told(), site("shown.fetch").overrides().len()), (vec![], 0));
        std::fs::remove_file(&path).expect("it is there");
    })
    .await;
}

fn subjects_of_now() -> Vec<String> {
    problems(&parse(&report_page())).into_iter().map(|(what, ..)| what).collect()
}

#[tokio::test(start_paused = true)]
async fn what_observers_miss_is_a_problem_of_theirs() {
    isolated(async {
        let observing = observe(|_| panic!("an observer's own"));
        fetch(&Dependency::script([Ok(())])).await.unwrap();
        observing.flush();
        let told = problems(&parse(&report_page()));
        assert_eq!(subjects(&told), [("hook", "observers")]);
        assert!(told[0].2.ends_with(&format!("panics of theirs: {}", observing.panics())));
        drop(observing);

        // It waits for this thread, so that its queue fills.
        let (gate, waits) = std::sync::mpsc::channel::<()>();
        let observing = observe(move |_| {
            let _released = waits.recv();
        });
        while observing.dropped() == 0 {
            fetch(&Dependency::script([Ok(())])).await.unwrap();
        }
        let told = problems(&parse(&report_page()));
        assert_eq!(subjects(&told), [("missed", "observers")]);
        drop(gate);
        drop(observing);
        assert_eq!(subjects_of_now(), [""; 0]);
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_contradicts_something_since_is_a_problem_and_what_cannot_be_honoured_is_none() {
    isolated(async {
        control::set(about(Target::All).set("attempts", 5).unwrap()).unwrap();
        assert_eq!(subjects_of_now(), [""; 0]);
        assert_eq!((effects("shown.single"), effects("shown.fetch").len()), (vec![], 1));

        let mut file = Overrides::new();
        let single = Target::Site("shown.fetch".into());
        file.push(about(single).set("base", "30s").unwrap());
        control::set(about(orders()).set("max", "1m").unwrap().expires_in(HOUR)).unwrap();
        control::apply(Layer::File, file).unwrap();
        assert_eq!(subjects_of_now(), [""; 0]);
        advance(HOUR).await;
        let told = problems(&parse(&report_page()));
        assert_eq!(subjects(&told), [("contradicts", "site `shown.fetch`")]);
        assert!(told[0].2.contains("`shown.fetch` does without its `base`"), "{}", told[0].2);
        assert_eq!(effects("shown.fetch"), ["attempts = 5 (layer `code`, all sites)"]);
    })
    .await;
}
