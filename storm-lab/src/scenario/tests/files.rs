use std::{fs, path::PathBuf};

use super::SIMPLE;
use crate::scenario::{ScenarioError, read_file};

/// A file in a directory of this test's own, which is removed at the end.
struct Written(PathBuf);

impl Written {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let directory =
            std::env::temp_dir().join(format!("storm-lab-{}-{name}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("orders at noon.toml");
        fs::write(&path, bytes).unwrap();
        Self(path)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        if let Some(directory) = self.0.parent() {
            let _ = fs::remove_dir_all(directory);
        }
    }
}

#[test]
fn a_scenario_is_called_after_its_file_and_mistakes_name_the_path() {
    let good = Written::new("good", SIMPLE.as_bytes());
    assert_eq!(read_file(&good.0).unwrap().name, "orders at noon");
    let bad = Written::new("bad", SIMPLE.replace("30.0", "-1").as_bytes());
    let error = read_file(&bad.0).unwrap_err().to_string();
    let start = format!("{}:7:8: `rate` cannot be `-1`", bad.0.display());
    assert!(error.starts_with(&start), "{error}");
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_remedy() {
    let missing = std::env::temp_dir().join("storm-lab-there-is-no-such-file.toml");
    let error = read_file(&missing).unwrap_err();
    assert!(matches!(error, ScenarioError::Unreadable { .. }));
    let message = error.to_string();
    assert!(
        message.contains("no-such-file.toml") && message.contains("storm-lab list"),
        "{message}"
    );
    let directory = read_file(&std::env::temp_dir()).unwrap_err();
    assert!(matches!(directory, ScenarioError::Unreadable { .. }), "{directory}");
}

#[test]
fn a_file_that_is_no_text_says_where() {
    let file = Written::new("binary", b"title = \"x\"\nabout = \"\xff\"\n");
    let message = read_file(&file.0).unwrap_err().to_string();
    assert!(message.contains("line 2 is no UTF-8, byte 21"), "{message}");
}

#[test]
fn a_file_without_end_is_not_read_to_its_end() {
    let file = Written::new("long", &vec![b'#'; (1 << 20) + 1]);
    let error = read_file(&file.0).unwrap_err();
    assert!(matches!(error, ScenarioError::TooLong { .. }), "{error}");
}
