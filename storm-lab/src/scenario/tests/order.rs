use super::{SIMPLE, mistakes, right, wrong};
use crate::scenario::{Scenario, Topology, Work};

/// The simple scenario with other tiers, and faults and policies that name none.
fn with(tiers: &str) -> String {
    let (before, rest) = SIMPLE.split_once("[[tier]]").unwrap();
    let (_, after) = rest.split_once("[[policy]]").unwrap();
    format!("{before}{tiers}\n[[policy]]{after}")
}

fn topology(scenario: &Scenario) -> &Topology {
    match &scenario.work {
        Work::Services(topology) => topology,
        Work::Row(_) => panic!("no services"),
    }
}

#[test]
fn a_tier_comes_before_what_it_calls_whatever_the_order_in_the_file() {
    let text = with(
        "[[tier]]\nname = \"db\"\n[[tier]]\nname = \"cache\"\ncalls = \"db\"\n\
         [[tier]]\nname = \"web\"\ncalls = [\"cache\", { tier = \"db\", times = 3, parallel = true, apart = true }]\n\
         [[fault]]\nkind = \"stall\"\ntier = \"db\"",
    );
    let scenario = crate::scenario::read("test", &text).unwrap();
    let Topology { tiers, faults, .. } = topology(&scenario);
    let names: Vec<&str> = tiers.iter().map(|tier| tier.name.as_str()).collect();
    assert_eq!(names, ["web", "cache", "db"]);
    let edges: Vec<(usize, u32, bool, bool)> = tiers[0]
        .calls
        .iter()
        .map(|edge| (edge.tier, edge.times, edge.parallel, edge.apart))
        .collect();
    assert_eq!(edges, [(1, 1, false, false), (2, 3, true, true)]);
    assert_eq!(tiers[1].calls[0].tier, 2);
    assert_eq!(faults[0].tier, 2);
}

#[test]
fn tiers_that_need_no_other_order_keep_that_of_the_file() {
    let text = with(
        "[[tier]]\nname = \"web\"\ncalls = [\"b\", \"a\"]\n[[tier]]\nname = \"a\"\n[[tier]]\nname = \"b\"",
    );
    let scenario = crate::scenario::read("test", &text).unwrap();
    let names: Vec<&str> =
        topology(&scenario).tiers.iter().map(|tier| tier.name.as_str()).collect();
    assert_eq!(names, ["web", "a", "b"]);
}

#[test]
fn a_circle_is_named() {
    for (tiers, circle) in [
        ("[[tier]]\nname = \"a\"\ncalls = \"a\"", "`a` → `a`"),
        (
            "[[tier]]\nname = \"a\"\ncalls = \"b\"\n[[tier]]\nname = \"b\"\ncalls = \"a\"",
            "`a` → `b` → `a`",
        ),
        (
            "[[tier]]\nname = \"web\"\ncalls = \"a\"\n[[tier]]\nname = \"a\"\ncalls = \"b\"\n\
             [[tier]]\nname = \"b\"\ncalls = \"c\"\n[[tier]]\nname = \"c\"\ncalls = [\"d\", \"a\"]\n[[tier]]\nname = \"d\"",
            "`a` → `b` → `c` → `a`",
        ),
    ] {
        let all = mistakes(&with(tiers));
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0].key, "tier.name");
        assert!(all[0].message.contains(circle), "{circle}: {all:?}");
    }
}

#[test]
fn tiers_that_nobody_reaches_or_that_do_not_exist_or_share_a_name_are_mistakes() {
    for (tiers, key, parts) in [
        (
            "[[tier]]\nname = \"web\"\n[[tier]]\nname = \"db\"",
            "tier.name",
            &["nobody calls `db`", "clients call `web`"][..],
        ),
        (
            "[[tier]]\nname = \"web\"\ncalls = [\"dbs\"]\n[[tier]]\nname = \"db\"",
            "tier.calls",
            &["no tier `dbs`; did you mean `db`?"],
        ),
        (
            "[[tier]]\nname = \"web\"\ncalls = { tier = \"x\" }",
            "tier.calls.tier",
            &["no tier `x`", "write one of `web`"],
        ),
        ("[[tier]]\nname = \"web\"\ncalls = { times = 2 }", "tier.calls.tier", &["no `tier`"]),
        (
            "[[tier]]\nname = \"a\"\ncalls = \"b\"\n[[tier]]\nname = \"b\"\n[[tier]]\nname = \"b\"",
            "tier.name",
            &["a second tier is called `b`"],
        ),
    ] {
        let all = mistakes(&with(tiers));
        let found = all.iter().find(|mistake| {
            mistake.key == key && parts.iter().all(|part| mistake.message.contains(part))
        });
        assert!(found.is_some(), "{tiers}: {all:?}");
    }
    let all = wrong(&[("[[tier]]", "[[tiers]]")]);
    assert!(
        all.iter()
            .any(|mistake| mistake.key == "tiers"
                && mistake.message.contains("did you mean `tier`?")),
        "{all:?}"
    );
    assert!(
        mistakes(&format!("tier = []\n{}", with("")))
            .iter()
            .any(|mistake| mistake.message.contains("there is no tier"))
    );
    let many: Vec<String> = (0..101).map(|at| format!("[[tier]]\nname = \"t{at}\"")).collect();
    assert!(
        mistakes(&with(&many.join("\n")))
            .iter()
            .any(|mistake| mistake.message.contains("at most 100"))
    );
}

#[test]
fn a_single_table_does_where_there_may_be_several() {
    let scenario = right(&[("[[tier]]", "[tier]"), ("[[fault]]", "[fault]")]);
    assert_eq!(topology(&scenario).faults.len(), 1);
}

#[test]
fn the_tier_of_the_trigger_is_watched_or_else_that_of_the_first_fault_or_the_last_one() {
    let watched = |top: &str, faults: &str| {
        let tiers = "[[tier]]\nname = \"c\"\n[[tier]]\nname = \"a\"\ncalls = [\"b\", \"c\"]\n[[tier]]\nname = \"b\"\n";
        let scenario =
            crate::scenario::read("test", &(top.to_owned() + &with(&format!("{tiers}{faults}"))));
        scenario.unwrap().watched_of_several().map(str::to_owned).unwrap()
    };
    let fault = |tier: &str, when: &str| {
        format!("[[fault]]\nkind = \"stall\"\ntier = \"{tier}\"\n{when}\n")
    };
    let (always, later) = ("", "at = \"5s\"\nfor = \"1s\"");
    assert_eq!(watched("", ""), "b", "the last one: c was written first");
    assert_eq!(watched("", &fault("a", always)), "a");
    assert_eq!(watched("", &(fault("a", always) + &fault("c", later))), "c");
    assert_eq!(watched("watch = \"b\"\n", &fault("c", later)), "b");
}
