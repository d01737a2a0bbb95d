use super::each_is_one_mistake;
use crate::scenario::tests::{SIMPLE, mistakes, wrong};

#[test]
fn an_unknown_key_names_the_nearest_and_all_that_there_are() {
    each_is_one_mistake(&[
        (
            &[("rate = 30.0", "rate = 30.0\nprocess = 2")],
            "clients.process",
            "process",
            &["did you mean `processes`?", "`callers`", "[clients]"],
        ),
        (
            &[("title", "titel")],
            "titel",
            "titel",
            &["of the scenario; did you mean `title`?", "`duration`"],
        ),
        (
            &[("timeout", "time_out")],
            "tier.time_out",
            "time_out",
            &["did you mean `timeout`?", "[[tier]]"],
        ),
        (&[("workers = 10", "workers = 10, que = 4")], "tier.server.que", "que", &["`queue`"]),
        (
            &[("share = 0.15", "share = 0.15\nstatus = 500")],
            "fault.status",
            "status",
            &["kind = \"loss\"", "`request`"],
        ),
        (
            &[("kind = \"loss\"\nshare = 0.15", "kind = \"stall\"\nshare = 0.1")],
            "fault.share",
            "share",
            &["kind = \"stall\""],
        ),
        (
            &[("name = \"naive\"", "name = \"naive\"\nbudget = 2")],
            "policy.budget",
            "budget",
            &["did you mean `budgets`?"],
        ),
        (
            &[("\"10ms\"", "{ mean = \"3ms\", exponential = \"2ms\" }")],
            "tier.server.service.mean",
            "mean",
            &["a time", "`median`"],
        ),
    ]);
}

#[test]
fn a_value_of_another_kind_says_what_is_wanted() {
    each_is_one_mistake(&[
        (
            &[("0.15", "\"2%\"")],
            "fault.share",
            "\"2%\"",
            &["a number, not a text: write `0.02`, without quotes"],
        ),
        (
            &[("0.15", "\"25/s\"")],
            "fault.share",
            "\"25/s\"",
            &["a number, not a text: write one from 0 to 1, such as `0.5`, without quotes"],
        ),
        (&[("\"60s\"", "60")], "duration", "60", &["a duration, not a whole number", "\"60s\""]),
        (&[("\"500ms\"", "0.5")], "tier.timeout", "0.5", &["\"0.5ms\" or \"0.5s\""]),
        (
            &[("30.0", "\"30\"")],
            "clients.rate",
            "\"30\"",
            &["a number, not a text", "without quotes"],
        ),
        (&[("= 20", "= 20.5")], "clients.processes", "20.5", &["a whole number"]),
        (
            &[("= 20", "= true")],
            "clients.processes",
            "true",
            &["a whole number, not true or false"],
        ),
        (&[("\"naive\"", "3")], "policy.name", "3", &["a text, not a whole number"]),
        (&[("{ workers = 10, service = \"10ms\" }", "10")], "tier.server", "10", &["a table"]),
        (
            &[("service = \"10ms\"", "service = \"10ms\", shed = 1")],
            "tier.server.shed",
            "1",
            &["`true` or `false`"],
        ),
        (&[("\"10ms\"", "3")], "tier.server.service", "3", &["a time", "exponential"]),
        (&[("\"60s\"", "1979-05-27")], "duration", "1979-05-27", &["not a date"]),
        (&[("\"60s\"", "\"60s\"\nwindow = \"30s\"")], "window", "\"30s\"", &["a list"]),
        (
            &[("\"60s\"", "\"60s\"\nwindow = [\"30s\"]")],
            "window",
            "[\"30s\"]",
            &["1 members", "two durations"],
        ),
        (&[("\"500ms\"", "\"500ms\"\ncalls = 3")], "tier.calls", "3", &["a list"]),
        (&[("\"500ms\"", "\"500ms\"\ncalls = [3]")], "tier.calls", "3", &["a tier's name"]),
    ]);
}

#[test]
fn durations_are_those_of_the_attribute() {
    each_is_one_mistake(&[
        (&[("\"60s\"", "\"60\"")], "duration", "\"60\"", &["no unit", "\"60s\""]),
        (&[("\"60s\"", "\"-60s\"")], "duration", "\"-60s\"", &["negative"]),
        (&[("\"60s\"", "\"0s\"")], "duration", "\"0s\"", &["cannot be zero"]),
        (&[("\"60s\"", "\"30s1m\"")], "duration", "\"30s1m\"", &["larger units go first"]),
        (&[("\"500ms\"", "\"40000d\"")], "tier.timeout", "\"40000d\"", &["a hundred years"]),
    ]);
}

#[test]
fn what_is_missing_is_said_with_its_meaning() {
    let all = mistakes("");
    let keys: Vec<&str> = all.iter().map(|mistake| mistake.key.as_str()).collect();
    assert_eq!(keys, ["duration", "clients", "tier", "policy"]);
    each_is_one_mistake(&[
        (&[("name = \"orders\"\n", "")], "tier.name", "[[tier]]", &["[[tier]] has no `name`"]),
        (&[("name = \"naive\"\n", "")], "policy.name", "[[policy]]", &["no `name`"]),
        (
            &[("retry = 'attempts = 4, idempotent'", "")],
            "policy.retry",
            "[[policy]]",
            &["no `retry`", "#[retry(…)]"],
        ),
        (
            &[("service = \"10ms\"", "")],
            "tier.server.service",
            "{ workers = 10,  }",
            &["no `service`"],
        ),
        (&[("rate = 30.0", "wave = {}")], "clients.wave.calls", "{}", &["no `calls`"]),
    ]);
}

#[test]
fn seeds_are_some_and_each_is_there_once() {
    let seeds = |text: &'static str| [("\"60s\"", text)];
    for (text, pointed, part) in [
        ("\"60s\"\nseeds = []", "[]", "0 seeds"),
        ("\"60s\"\nseeds = 0", "0", "from 1 to"),
        ("\"60s\"\nseeds = [1, 2, 1]", "1", "seed `1` comes twice"),
        ("\"60s\"\nseeds = \"2-1\"", "\"2-1\"", "smaller number first"),
        ("\"60s\"\nseeds = \"\"", "\"\"", "no seed"),
        ("\"60s\"\nseeds = 1.5", "1.5", "a number, a list of numbers or a range"),
        ("\"60s\"\nseeds = [1, -2]", "-2", "cannot be `-2`"),
    ] {
        let all = wrong(&seeds(text));
        assert_eq!(all.len(), 1, "{all:?}");
        let changed = SIMPLE.replacen("\"60s\"", text, 1);
        assert_eq!(&changed[all[0].range.clone()], pointed);
        assert!(all[0].key == "seeds" && all[0].message.contains(part), "{all:?}");
    }
}
