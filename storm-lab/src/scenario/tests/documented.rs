use super::SIMPLE;
use crate::scenario::{keys::SECTIONS, read};

const GUIDE: &str = include_str!("../../../scenarios/README.md");
const DOCS: &str = include_str!("../mod.rs");

#[test]
fn every_key_is_explained_in_the_guide_and_in_the_documentation() {
    for section in SECTIONS {
        for key in section.keys() {
            let default = if key.default.is_empty() { "–" } else { key.default };
            let row = format!("| `{}` | {} | {default} | {} |", key.name, key.value, key.meaning);
            assert!(GUIDE.contains(&row), "scenarios/README.md lacks: {row}");
            assert!(DOCS.contains(&format!("//! {row}")), "scenario/mod.rs lacks: //! {row}");
        }
    }
}

#[test]
fn every_scenario_in_the_guide_is_read() {
    let blocks: Vec<&str> = GUIDE
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .filter(|block| block.contains("duration ="))
        .collect();
    assert!(blocks.len() >= 2);
    for block in blocks {
        if let Err(error) = read("guide", block) {
            panic!("{error}");
        }
    }
}

#[test]
fn the_simple_scenario_is_the_guide_s_and_fits_on_a_screen() {
    assert!(GUIDE.contains(SIMPLE.trim()));
    assert!(SIMPLE.trim().lines().count() <= 25);
}
