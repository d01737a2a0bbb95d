use crate::scenario::{Work, builtin, builtins, find, list, unknown, unknown_builtin};

#[test]
fn every_built_in_scenario_is_read_and_says_what_it_teaches() {
    for builtin in builtins() {
        let scenario = builtin.scenario().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scenario.name, builtin.name);
        assert!(scenario.title != builtin.name && scenario.about.len() > 100, "{}", builtin.name);
        let compares = scenario.policies.len() >= 2;
        assert!(compares || builtin.lab == "large", "{}", builtin.name);
    }
}

#[test]
fn every_scenario_of_the_lab_is_there_and_every_part_is_named_after_it() {
    let mut labs: Vec<&str> = builtins().iter().map(|builtin| builtin.lab).collect();
    labs.dedup();
    assert_eq!(labs, ["L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8", "L9", "L10", "large"]);
    for builtin in builtins() {
        let rest = builtin.name.strip_prefix(builtin.lab);
        assert!(
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')),
            "{}",
            builtin.name
        );
    }
}

#[test]
fn their_capacities_and_loads_are_the_lab_s() {
    for (name, capacity, load) in [
        ("L1", 6_300.0, 1_500.0),
        ("L1-many", 6_300.0, 1_500.0),
        ("L2", 5_400.0, 1_500.0),
        ("L4", 1_000.0, 500.0),
        ("L5", 400.0, 200.0),
        ("L8-280", 300.0, 280.0),
        ("L8-240", 300.0, 240.0),
        ("L8-140", 300.0, 140.0),
        ("L8-shed", 300.0, 280.0),
    ] {
        let scenario = builtin(name).unwrap().scenario().unwrap();
        let Work::Services(topology) = scenario.work else { panic!("{name}") };
        let server = topology.tiers.last().unwrap().server.as_ref().unwrap();
        let rate = f64::from(server.workers) / server.service.mean().as_secs_f64();
        assert!((rate - capacity).abs() < 1e-6, "{name}: {rate}");
        let calls = f64::from(topology.clients.processes) * topology.clients.rate;
        assert!((calls - load).abs() < 1e-6, "{name}: {calls}");
    }
}

#[test]
fn a_name_finds_its_scenario_and_a_number_all_its_parts() {
    let names = |name| find(name).iter().map(|builtin| builtin.name).collect::<Vec<_>>();
    assert_eq!(names("L2"), ["L2"]);
    assert_eq!(names("l8"), ["L8-280", "L8-240", "L8-140", "L8-shed"]);
    assert_eq!(names("l8-SHED"), ["L8-shed"]);
    assert_eq!(names("L10"), ["L10-outage", "L10-page"]);
    assert!(names("L11").is_empty() && names("").is_empty());
}

#[test]
fn an_unknown_name_is_told_the_nearest() {
    assert!(unknown("L8-shad").contains("did you mean `L8-shed`?"));
    assert!(unknown("storm").contains("`storm-lab list`"));
    assert!(unknown("storm").contains("write the path of a file, or"));
    assert!(!unknown("\u{1b}[31m").contains('\u{1b}'));
    let no_file = unknown_builtin("l2.toml");
    assert!(!no_file.contains("path of a file"), "{no_file}");
    assert!(no_file.ends_with("files are taken by `storm-lab run` alone"), "{no_file}");
}

#[test]
fn the_list_has_a_line_for_each() {
    let list = list();
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), builtins().len() + 1);
    let l2 = lines.iter().find(|line| line.starts_with("L2 ")).unwrap();
    assert!(l2.contains(" 4 ") && l2.contains("1-6") && l2.contains("Collapse"), "{l2}");
}
