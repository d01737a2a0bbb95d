//! Scenarios in files.

use std::{fs::File, io, io::Read as _, path::Path};

use super::{Scenario, ScenarioError, reader};

/// No scenario is longer, in bytes.
const MOST: u64 = 1 << 20;

/// Reads the scenario in a file. It is called after the file, without directory and extension.
///
/// # Errors
///
/// That the file cannot be read, or all that is wrong with it.
pub fn read_file(path: &Path) -> Result<Scenario, ScenarioError> {
    let unreadable = |error| ScenarioError::Unreadable { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MOST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MOST {
        return Err(ScenarioError::TooLong { path: path.to_owned(), most: MOST });
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].split(|byte| *byte == b'\n').count();
        unreadable(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("line {line} is no UTF-8, byte {at} of the file"),
        ))
    })?;
    let name =
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    read_as(&path.to_string_lossy(), &name, &text)
}

/// Reads a scenario from its text. `name` is what it is called, and what mistakes call the text.
///
/// # Errors
///
/// All that is wrong with it.
pub fn read(name: &str, text: &str) -> Result<Scenario, ScenarioError> {
    read_as(name, name, text)
}

pub(super) fn read_as(label: &str, name: &str, text: &str) -> Result<Scenario, ScenarioError> {
    // A name goes into headings and file names.
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    let name = if name.trim().is_empty() { "scenario" } else { name.as_str() };
    let scenario = reader::scenario(label, name, text).map_err(ScenarioError::Mistakes)?;
    Ok(Scenario { source: text.to_owned(), ..scenario })
}
