//! Plots of what policies did: SVG with texts as text, and the same as PNG. The same outcomes give the same bytes.
//!
//! A policy has the same colour, dashes and marker in every plot. What would be empty is left out.

mod amplification;
mod bars;
mod budget;
mod contention;
mod data;
mod font;
mod latency;
mod load;
mod png;
mod retries;
mod scale;
mod sheet;
mod style;
mod svg;
mod time;

pub use png::PngError;
pub(crate) use {
    data::span,
    scale::{brief, grouped},
    style::{DARK, swatch},
    svg::escaped,
};

use crate::{outcome::Outcome, scenario::Scenario};

/// What plots are called, in the order in which they are read.
pub const NAMES: [&str; 6] =
    ["load", "retries", "budget", "latency", "amplification", "contention"];

/// One picture.
#[derive(Clone, Debug)]
pub struct Plot {
    /// For file names: one of [`NAMES`].
    pub name: &'static str,
    /// What it shows, of which scenario.
    pub title: String,
    /// How to read it.
    pub reading: &'static str,
    /// 800 pixels wide, on white paper.
    pub svg: String,
}

impl Plot {
    /// The same in pixels, 1,600 of them wide.
    ///
    /// # Errors
    ///
    /// Memory for that many pixels is not to be had.
    pub fn png(&self) -> Result<Vec<u8>, PngError> {
        png::png(&self.svg)
    }
}

/// So many policies are drawn: more can neither be told apart nor be held in memory as pictures.
pub const MOST: usize = 20;

/// All that have something to show, in the order in which they are read; of many policies the first [`MOST`], with a
/// remark below the title.
pub fn all(scenario: &Scenario, outcomes: &[Outcome]) -> Vec<Plot> {
    let drawn = data::first(scenario, outcomes, MOST);
    let (scenario, outcomes) =
        drawn.as_ref().map_or((scenario, outcomes), |(scenario, outcomes)| (scenario, outcomes));
    let plots = [
        load::plot,
        retries::plot,
        budget::plot,
        latency::plot,
        amplification::plot,
        contention::plot,
    ];
    plots.into_iter().filter_map(|plot| plot(scenario, outcomes)).collect()
}
