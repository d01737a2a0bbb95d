//! What the reader must know beside the figures.

use crate::outcome::Outcome;

/// A remark that one or more seeds have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub text: String,
    /// The seeds that have it.
    pub seeds: Vec<u64>,
}

impl Note {
    /// The same remark once, in the order in which they come first.
    pub(super) fn group(outcomes: &[&Outcome]) -> Vec<Self> {
        let mut notes: Vec<Self> = Vec::new();
        for outcome in outcomes {
            for text in &outcome.notes {
                match notes.iter_mut().find(|note| note.text == *text) {
                    Some(note) if note.seeds.contains(&outcome.seed) => {}
                    Some(note) => note.seeds.push(outcome.seed),
                    None => notes.push(Self { text: text.clone(), seeds: vec![outcome.seed] }),
                }
            }
        }
        notes
    }
}
