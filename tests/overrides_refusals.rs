//! What is refused, and what is not: of many sites, of names that appeared later, of many overrides.

#[path = "support/bodies.rs"]
mod bodies;

use std::time::Duration;

use bodies::{Answer, Dependency, Failure, T, TooLate};
use stormless::{
    Breaker, Budget, Cut, Policy, Verify, breaker, breakers, budget,
    control::{self, Fault, Layer, Override, OverrideErrors, OverrideRow, Overrides, Target},
    retry, sites,
    testing::isolated,
};
use tokio::time::advance;

budget! {
    static ORDERS: Budget = Budget::new("refused.orders");
    static SINGLES: Budget = Budget::new("refused.singles");
    static MIXED: Budget = Budget::new("refused.mixed");
}
breaker! { static SHARED: Breaker = Breaker::new("refused.shared").consecutive(5); }

const fn refused(_: Cut) -> Failure {
    TooLate
}

#[retry(base = "1s", max = "20s", budget = ORDERS, breaker = SHARED, cut_error = refused, name = "refused.fetch")]
async fn fetch(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(max = "1h", budget = ORDERS, breaker = SHARED, cut_error = refused, name = "refused.store")]
async fn store(dependency: &Dependency) -> Answer {
    dependency.answer()
}

#[retry(deadline = "2s", uncut, budget = none, name = "refused.short")]
async fn short(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// Can have an `attempt_timeout`, and no loop.
#[retry(attempts = 1, attempt_timeout = "1s", budget = MIXED, name = "refused.timed")]
async fn timed(dependency: &Dependency) -> Answer {
    dependency.answer()
}

// Can have a loop, and no `attempt_timeout`.
#[retry(budget = MIXED, name = "refused.looped")]
async fn looped() -> Result<(), std::io::Error> {
    Ok(())
}

macro_rules! singles {
    ($($function:ident $name:literal)*) => {$(
        #[retry(attempts = 1, budget = SINGLES, name = $name)]
        async fn $function(dependency: &Dependency) -> Answer {
            dependency.answer()
        }
    )*};
}

singles! {
    a "refused.single.a" b "refused.single.b" c "refused.single.c" d "refused.single.d"
    e "refused.single.e" f "refused.single.f" g "refused.single.g"
}

const MINUTE: Duration = Duration::from_secs(60);

fn about(target: Target) -> Override {
    Override::new(target)
}

fn at(name: &str) -> Target {
    Target::Site(name.into())
}

fn file(all: &[&Override]) -> Result<(), OverrideErrors> {
    control::apply(Layer::File, all.iter().copied().cloned().collect())
}

fn left_out() -> Vec<(String, &'static str)> {
    let all = control::overrides();
    let of = |row: &OverrideRow| -> Vec<_> {
        row.left_out().map(|(site, key, _)| (site.to_owned(), key)).collect()
    };
    all.iter().flat_map(of).collect()
}

#[tokio::test(start_paused = true)]
async fn an_override_of_many_sites_is_honoured_where_it_makes_sense() {
    isolated(async {
        let well = Dependency::always(Ok(()));
        assert!(fetch(&well).await.is_ok() && store(&well).await.is_ok());
        let orders = || Target::SitesOf("refused.orders".into());
        control::set(about(orders()).set("base", "30s").unwrap()).expect("one of two can");
        assert_eq!(left_out(), [("refused.fetch".to_owned(), "base")]);
        let base = |name| sites().get(name).unwrap().policy_in_words();
        assert!(base("refused.store").contains("30s"), "{}", base("refused.store"));
        assert!(!base("refused.fetch").contains("30s"), "{}", base("refused.fetch"));
        // None of them can.
        let error = control::set(about(orders()).set("base", "2h").unwrap()).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("`refused.fetch`") && error.contains("`refused.store`"), "{error}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn each_key_is_refused_only_where_no_site_can_honour_it() {
    isolated(async {
        let well = Dependency::always(Ok(()));
        assert!(timed(&well).await.is_ok() && looped().await.is_ok());
        let mixed = about(Target::SitesOf("refused.mixed".into())).set("attempts", 4).unwrap();
        control::set(mixed.set("attempt_timeout", "3s").unwrap()).expect("each key has a site");
        let expected = [("refused.looped", "attempt_timeout"), ("refused.timed", "attempts")];
        assert_eq!(left_out(), expected.map(|(site, key)| (site.to_owned(), key)));
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn an_error_names_the_first_sites_and_counts_the_others() {
    isolated(async {
        let well = Dependency::always(Ok(()));
        assert!(a(&well).await.is_ok() && b(&well).await.is_ok() && c(&well).await.is_ok());
        assert!(d(&well).await.is_ok() && e(&well).await.is_ok() && f(&well).await.is_ok());
        assert!(g(&well).await.is_ok());
        let more = about(Target::SitesOf("refused.singles".into())).set("attempts", 2).unwrap();
        let error = control::set(more).unwrap_err();
        let Fault::CannotHonour { sites, .. } = error.iter().next().unwrap().fault() else {
            panic!("{error}");
        };
        assert_eq!(sites.len(), 7);
        assert!(error.to_string().contains("` and 2 others cannot honour it: "), "{error}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_document_can_be_edited_beside_what_a_later_name_cannot_honour() {
    isolated(async {
        let cut = about(at("refused.late")).set("attempt_timeout", "1s").unwrap();
        file(&[&cut]).expect("it waits for its name");
        let run = Policy::new().run(async || Err::<(), _>(T)).named("refused.late");
        run.no_budget().await.unwrap_err();
        assert_eq!(left_out(), [("refused.late".to_owned(), "attempt_timeout")]);
        let edited = cut.note("INC-4711").set("attempts", 2).unwrap();
        file(&[&edited]).expect("what it cannot honour was there before");
        assert_eq!(left_out(), [("refused.late".to_owned(), "attempt_timeout")]);
        let worse = edited.set("attempt_timeout", "2s").unwrap();
        file(&[&worse]).expect_err("that is new");
    })
    .await;
}

// A site's deadline of 2 s; what allowed more than that is over.
#[tokio::test(start_paused = true)]
async fn a_switch_is_never_refused_on_account_of_other_settings() {
    isolated(async {
        let long = about(at("refused.short")).set("deadline", "10s").unwrap();
        control::set(long.set("max", "40s").unwrap().expires_in(MINUTE)).unwrap();
        let stays = about(at("refused.short")).set("min_remaining", "5s").unwrap();
        let stays = stays.set("base", "30s").unwrap();
        file(&[&stays]).unwrap();
        advance(60 * MINUTE).await;
        let dead = Dependency::dead();
        assert_eq!(short(&dead).await, Err(T));
        assert!(dead.bodies() > 0, "the body runs");
        let problems = left_out();
        assert!(problems.contains(&("refused.short".to_owned(), "min_remaining")), "{problems:?}");
        for target in [Target::All, at("refused.short")] {
            control::set(about(target).set("retries", "off").unwrap()).unwrap();
        }
        let off = about(Target::All).set("retries", "off").unwrap();
        control::apply(Layer::Environment, [off].into_iter().collect()).unwrap();

        // What a switch takes away with it may have been what another one depended on.
        file(&[]).unwrap();
        let both = about(at("refused.fetch")).set("max", "1h").unwrap();
        control::set(both).unwrap();
        control::set(about(Target::All).set("base", "40s").unwrap()).unwrap();
        control::set(about(at("refused.fetch")).set("retries", "off").unwrap()).unwrap();
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_contradicts_itself_is_refused_before_anybody_has_the_name() {
    isolated(async {
        let late = || about(at("refused.never"));
        let waits = late().set("base", "10s").unwrap().set("max", "1s").unwrap();
        let error = file(&[&waits]).unwrap_err().to_string();
        assert!(error.contains("`base` (10s) is above `max` (1s)"), "{error}");
        for key in ["min_remaining", "time_per_attempt"] {
            let waits = late().set("deadline", "2s").unwrap().set(key, "3s").unwrap();
            let error = file(&[&waits]).unwrap_err().to_string();
            assert!(
                error.contains("leaves nothing of the override's own `deadline` (2s)"),
                "{error}"
            );
        }
        file(&[&late().set("base", "1s").unwrap().set("max", "1s").unwrap()]).unwrap();
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_document_of_too_many_overrides_is_refused_and_says_so() {
    isolated(async {
        let of = |count: usize| -> Overrides {
            let one = |number| about(at(&format!("refused.of.{number}"))).set("attempts", 2);
            (0..count).map(|number| one(number).unwrap()).collect()
        };
        control::apply(Layer::File, of(Overrides::MOST)).unwrap();
        assert_eq!(control::overrides().len(), Overrides::MOST);
        let error = control::apply(Layer::File, of(Overrides::MOST + 1)).unwrap_err().to_string();
        assert!(error.contains("there are 1001 overrides, and at most 1000"), "{error}");
        assert_eq!(control::overrides().len(), Overrides::MOST);
        control::all().off();
        assert!(control::all().is_off());
        control::all().on();
    })
    .await;
}

#[test]
fn a_near_miss_of_a_kind_is_refused_and_a_label_is_not() {
    let stop = |words: [&str; 1]| about(Target::All).set("stop", words);
    let error = stop(["transiant"]).unwrap_err().to_string();
    assert!(error.contains("did you mean \"transient\"?"), "{error}");
    assert!(stop(["Timeout"]).is_ok() && stop(["E4711"]).is_ok(), "variants may be named so");
}

#[tokio::test(start_paused = true)]
async fn labels_that_no_failure_has_carried_are_noted() {
    isolated(async {
        let dead = Dependency::dead();
        assert_eq!(store(&dead).await, Err(T));
        let table = sites();
        let row = table.get("refused.store").unwrap();
        let seen = row.errors()[0].label().to_owned();
        let stop = vec![seen.clone(), "NeverSeen".to_owned()];
        control::set(about(Target::All).set("stop", stop).unwrap()).unwrap();
        let notes: Vec<String> = match Verify::new().run() {
            Ok(notes) => notes.iter().map(ToString::to_string).collect(),
            Err(error) => error.notes().iter().map(ToString::to_string).collect(),
        };
        let labels: Vec<_> = notes.iter().filter(|note| note.contains("the label")).collect();
        assert_eq!(
            labels,
            ["no failure has carried the label `NeverSeen` so far, which an override of all sites in the layer `code` stops"]
        );
    })
    .await;
}

#[test]
fn a_number_that_is_too_large_hears_of_the_upper_bound() {
    let burst = |number: i64| {
        let set = about(Target::Budget("refused.orders".into())).set("burst", number);
        set.unwrap_err().to_string()
    };
    assert!(burst(5_000_000_000).ends_with("from 1 to 4294967295"), "{}", burst(5_000_000_000));
    assert!(burst(0).ends_with("of at least 1"), "{}", burst(0));
}

#[tokio::test(start_paused = true)]
async fn the_longer_of_two_switches_stays() {
    isolated(async {
        let ms = Duration::from_millis;
        control::all().because("mine").off();
        control::all().because("theirs").off_for(ms(50));
        advance(ms(100)).await;
        assert!(control::all().is_off());
        assert_eq!(control::overrides().iter().next().unwrap().note(), Some("mine"));
        control::all().on();
        assert!(!control::all().is_off());
        control::all().off_for(ms(50));
        control::all().because("theirs").off_for(ms(500));
        advance(ms(100)).await;
        assert!(control::all().is_off());
        assert_eq!(control::overrides().len(), 1);
        advance(ms(400)).await;
        assert!(!control::all().is_off());
    })
    .await;
}

// R145
#[tokio::test(start_paused = true)]
async fn what_is_overridden_twice_at_run_time_shows_the_newest_once() {
    isolated(async {
        let well = Dependency::always(Ok(()));
        assert!(fetch(&well).await.is_ok() && store(&well).await.is_ok());
        let shared = || Target::Breaker("refused.shared".into());
        for (attempts, consecutive) in [(4, 7), (6, 9)] {
            control::set(about(at("refused.fetch")).set("attempts", attempts).unwrap()).unwrap();
            control::set(about(shared()).set("consecutive", consecutive).unwrap()).unwrap();
        }
        let said: Vec<String> = control::overrides()
            .iter()
            .map(|row| format!("{}: {} ({})", row.target(), row.settings(), row.sites().join(", ")))
            .collect();
        assert_eq!(
            said,
            [
                "site `refused.fetch`: attempts = 6 (refused.fetch)",
                "breaker `refused.shared`: consecutive = 9 (refused.fetch, refused.store)",
            ]
        );
        let (table, breakers) = (sites(), breakers());
        assert_eq!(table.iter().filter(|row| row.name() == "refused.fetch").count(), 1);
        let row = table.get("refused.fetch").unwrap();
        assert_eq!(row.policy_in_force().max_attempts(), Some(6));
        assert_eq!(row.overrides().len(), 1);
        let named = breakers.iter().filter(|row| row.name() == "refused.shared");
        let consecutive: Vec<_> = named.map(|row| row.settings().consecutive).collect();
        assert_eq!(consecutive, [Some(9)]);
        assert!(SHARED.state() == stormless::BreakerState::Closed);
    })
    .await;
}
