use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::{
    Policy,
    control::Value,
    site::{BudgetRef, SiteState},
};

static STATE: SiteState = SiteState::new();
static ORDERS: Budget = Budget::new("orders");

fn site(name: &'static str) -> Site {
    Site::new(name, "src/lib.rs", 7, 1, Policy::new(), &STATE).budget(BudgetRef::Static(&ORDERS))
}

/// Keys whose effect on a policy can be read back, each with two values.
const KEYS: [(&str, [&str; 2]); 4] = [
    ("base", ["1ms", "2ms"]),
    ("max", ["30s", "40s"]),
    ("min_remaining", ["3s", "4s"]),
    ("retries", ["on", "off"]),
];

#[derive(Clone, Debug)]
struct Said {
    layer: Layer,
    target: Target,
    keys: Vec<(usize, usize)>,
    expires: u64,
}

fn said() -> impl Strategy<Value = Said> {
    let target = prop_oneof![
        Just(Target::All),
        Just(Target::SitesOf("orders".into())),
        Just(Target::SitesOf("stock".into())),
        Just(Target::Site("fetch".into())),
        Just(Target::Site("fetch@src/lib.rs:7".into())),
        Just(Target::Site("fetch@src/lib.rs:8".into())),
        Just(Target::Site("store".into())),
        Just(Target::Budget("orders".into())),
    ];
    let keys = prop::collection::vec((0..KEYS.len(), 0..2_usize), 1..4);
    (prop::sample::select(&Layer::ALL[..]), target, keys, 0..20_u64)
        .prop_map(|(layer, target, keys, expires)| Said { layer, target, keys, expires })
}

fn entry(said: &Said) -> Entry {
    let mut item = Override::new(said.target.clone());
    for (key, value) in &said.keys {
        let (key, values) = KEYS[*key];
        if key == "retries" || said.target.is_of_sites() {
            item = item.set(key, values[*value]).expect("all of these are allowed");
        }
    }
    let expires = Moment::from_nanos(said.expires);
    Entry { layer: said.layer, item: Arc::new(item), expires, switch: false, over: false }
}

/// What is said about one key of `fetch`, looked for key by key: the last of the narrowest of the strongest.
fn reference(all: &[Said], key: &str, now: u64) -> Option<Value> {
    for layer in [Layer::Code, Layer::File, Layer::Environment] {
        let widths: [&[Target]; 3] = [
            &[Target::Site("fetch".into()), Target::Site("fetch@src/lib.rs:7".into())],
            &[Target::SitesOf("orders".into())],
            &[Target::All],
        ];
        for targets in widths {
            let mut about = all.iter().rev().filter(|said| {
                said.layer == layer && targets.contains(&said.target) && now < said.expires
            });
            let last = about.find_map(|said| {
                let set = said.keys.iter().rfind(|(known, _)| KEYS[*known].0 == key)?;
                Some(Value::from(KEYS[set.0].1[set.1]))
            });
            if last.is_some() {
                return last;
            }
        }
    }
    None
}

proptest! {
    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn the_strongest_of_the_strongest_layer_wins_key_by_key(
        all in prop::collection::vec(said(), 0..12),
        now in 0..20_u64,
    ) {
        let in_force = InForce::of(all.iter().map(entry), Moment::from_nanos(0));
        let site = site("fetch");
        let settings = in_force
            .settings(&site, Some("orders"), Moment::from_nanos(now))
            .unwrap_or(Settings::NONE);
        let time = |time: Option<Duration>| time.map(Value::from);
        let off = settings.retries.map(|on| Value::from(if on { "on" } else { "off" }));
        prop_assert_eq!(time(settings.base), reference(&all, "base", now));
        prop_assert_eq!(time(settings.max), reference(&all, "max", now));
        prop_assert_eq!(time(settings.min_remaining), reference(&all, "min_remaining", now));
        prop_assert_eq!(off, reference(&all, "retries", now));
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn a_site_is_off_by_its_own_flag_or_by_that_of_all(
        all in prop::collection::vec(said(), 0..12),
        now in 0..20_u64,
    ) {
        let in_force = InForce::of(all.iter().map(entry), Moment::from_nanos(now));
        let site = site("fetch");
        let flags =
            in_force.is_all_off() || in_force.is_site_off(&site, Moment::from_nanos(now));
        prop_assert_eq!(flags, reference(&all, "retries", now) == Some(Value::from("off")));
    }
}

#[test]
fn nothing_that_a_site_cannot_honour_reaches_it() {
    let said = Override::new(Target::All).set("attempt_timeout", "1s").unwrap();
    let said = said.set("attempts", 5).unwrap().set("base", "1s").unwrap();
    let in_force = InForce::of(
        [Entry::new(Layer::Code, said, Moment::from_nanos(0))].into_iter(),
        Moment::from_nanos(0),
    );
    let told = |site: Site| {
        let settings = in_force.settings(&site, None, Moment::from_nanos(0)).unwrap();
        (settings.attempt_timeout.is_some(), settings.attempts.is_some(), settings.base.is_some())
    };
    assert_eq!(told(site("plain")), (false, true, true));
    assert_eq!(told(site("timed").attempt_timeout(Duration::from_secs(9))), (true, true, true));
    assert_eq!(told(site("explained").times_out()), (true, true, true));
    assert_eq!(told(site("blocking").times_out().blocking()), (false, true, true));
    assert_eq!(told(site("single").times_out().single()), (true, false, true));
}

#[test]
fn a_name_is_answered_to_with_its_line_and_its_column() {
    let site = site("fetch");
    for (name, answers) in [
        ("fetch", true),
        ("fetch@src/lib.rs:7", true),
        ("fetch@src/lib.rs:7:1", true),
        ("fetch@src/lib.rs:7:2", false),
        ("fetch@src/lib.rs:71", false),
        ("fetch@src/lib.rs", false),
        ("fetch@lib.rs:7", false),
        ("fetch2", false),
        ("fetc", false),
        ("", false),
    ] {
        assert_eq!(site.answers_to(name), answers, "{name}");
    }
}
