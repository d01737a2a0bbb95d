use crate::scenario::{builtins, list};

#[test]
fn every_built_in_scenario_is_read() {
    for builtin in builtins() {
        if let Err(error) = builtin.scenario() {
            panic!("{error}");
        }
    }
    println!("{}", list());
}
