//! Overrides in the environment: `config::environment_from`.

use std::ffi::OsString;

use retry_runtime::{config, control, testing::isolated_sync};

use crate::{documents, still};

const RETRIES: &str = "STORMLESS_RETRIES";
const OVERRIDES: &str = "STORMLESS_OVERRIDES";

/// The most variables that are read, and their most bytes.
const VARIABLES: usize = 16;
const BYTES: usize = 4 * 1_024;

/// The input is an environment, `NAME=value` with a NUL between one and the next, as the system has it.
///
/// - A second read says the same, and in whichever order the variables stand; those that are empty, or not ours, might as well not
///   be there.
/// - What is put into force is all in force; where something is refused nothing is, and a variable is named.
/// - A document that stands alone is taken as one that stands in a file.
/// - Each variable that begins as ours do and is none has a remark.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    if bytes.len() > BYTES {
        return;
    }
    let mut variables: Vec<(String, OsString)> = Vec::new();
    for (name, value) in bytes.split(|byte| *byte == 0).filter_map(variable).take(VARIABLES) {
        // A process has each of them once.
        if variables.iter().all(|(known, _)| *known != name) {
            variables.push((name, value));
        }
    }
    still::run(async {
        let read = read(&variables);
        let reversed: Vec<_> = variables.iter().rev().cloned().collect();
        assert_same(&read, &self::read(&reversed));
        let said = variables.iter().filter(|(_, value)| !value.is_empty());
        let said: Vec<_> =
            said.filter(|(name, _)| [RETRIES, OVERRIDES].contains(&&**name)).cloned().collect();
        outcome(&variables, &said, &read);
        alone(&said);
    });
}

fn variable(bytes: &[u8]) -> Option<(String, OsString)> {
    let equals = bytes.iter().position(|byte| *byte == b'=')?;
    let name = std::str::from_utf8(&bytes[..equals]).ok()?;
    let value = &bytes[equals + 1..];
    #[cfg(unix)]
    let value = std::os::unix::ffi::OsStringExt::from_vec(value.to_vec());
    #[cfg(not(unix))]
    let value = String::from_utf8_lossy(value).into_owned().into();
    Some((name.to_owned(), value))
}

/// What came of it, what is in force then, and the remarks.
type Read = (Result<usize, config::Faults>, Vec<String>, Vec<String>);

fn read(variables: &[(String, OsString)]) -> Read {
    isolated_sync(|| {
        let applied = config::environment_from(variables.iter().cloned());
        let table = control::overrides();
        let in_force = table.iter().map(|row| row.target().to_string()).collect();
        match applied {
            Ok(applied) => {
                let remarks = applied.remarks.iter().map(ToString::to_string).collect();
                (Ok(applied.overrides), in_force, remarks)
            }
            Err(faults) => (Err(faults), in_force, Vec::new()),
        }
    })
}

fn assert_same(one: &Read, other: &Read) {
    assert_eq!(one, other);
}

fn outcome(variables: &[(String, OsString)], said: &[(String, OsString)], read: &Read) {
    let (applied, in_force, remarks) = read;
    match applied {
        Ok(count) => {
            assert_eq!(in_force.len(), *count);
            let of_documents = |remark: &&String| remark.starts_with(OVERRIDES);
            let documents = remarks.iter().filter(of_documents).count();
            let known = [RETRIES, OVERRIDES, "STORMLESS_CONFIG", "STORMLESS_CONFIG_OPTIONAL"];
            let ours = variables.iter().map(|(name, _)| name.as_str());
            let unknown =
                ours.filter(|name| name.starts_with("STORMLESS_") && !known.contains(name));
            // One whose name goes on from that of a variable is told apart by the remark itself.
            let unknown: Vec<&str> = unknown.collect();
            let long = unknown.iter().filter(|name| name.starts_with(OVERRIDES)).count();
            assert_eq!(remarks.len() - (documents - long), unknown.len(), "{remarks:?}");
        }
        Err(faults) => {
            assert!(in_force.is_empty(), "{in_force:?} of what was refused");
            for fault in faults.iter() {
                assert!(said.iter().any(|(name, _)| name == fault.origin()), "{fault}");
            }
        }
    }
    let (alone, in_force_alone, _) = self::read(said);
    assert_eq!((&alone, &in_force_alone), (applied, in_force), "others have a say");
}

/// A document is one wherever it stands, and the switch is one.
fn alone(said: &[(String, OsString)]) {
    for (name, value) in said {
        let one = [(name.clone(), value.clone())];
        let (applied, ..) = read(&one);
        let Some(text) = value.to_str() else {
            assert!(applied.is_err());
            continue;
        };
        if name == RETRIES {
            let one = control::Override::new(control::Target::All).set("retries", text);
            assert_eq!(applied.is_ok(), one.is_ok(), "{applied:?}");
            continue;
        }
        let document = isolated_sync(|| {
            config::parse(OVERRIDES, text)
                .and_then(|document| document.apply(control::Layer::Environment))
        });
        assert_eq!(applied, document.map(|applied| applied.overrides));
        if let Err(faults) = applied {
            documents::refused(&faults, OVERRIDES, text);
        }
    }
}
