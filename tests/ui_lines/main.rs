//! Every misuse of `tests/ui` has exactly the errors that it marks, each at the line of its mark.
//!
//! trybuild compares what the compiler says with what it said before; whether that is what it should
//! say is written in the case itself, at the end of the line where the error belongs:
//!
//! ```text
//! #[retry(attempts = 0)] //~ ERROR `attempts` is 0
//! ```
//!
//! The text is part of the message, or of a label at the place where the message says little, as in
//! "mismatched types". One line may have several marks. An error at the name of the
//! attribute, which tells the user least, must be marked as one: `//~ ERROR @attribute a second`.

mod case;
mod marks;
mod said;

use std::{
    fs,
    path::{Path, PathBuf},
};

use case::offences;

#[test]
fn each_misuse_has_exactly_its_errors_each_at_its_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut cases = 0;
    let mut found = Vec::new();
    for topic in entries(&root.join("tests/ui")) {
        for file in entries(&topic) {
            let name = file.strip_prefix(root).expect("it lies in the package");
            let name = name.to_str().expect("its name is text").replace('\\', "/");
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => {
                    cases += 1;
                    let source = read(&file).expect("it was just listed");
                    match read(&file.with_extension("stderr")) {
                        Some(said) => found.extend(offences(&name, &source, &said)),
                        None => found.push(format!("{name}: nobody knows what the compiler says")),
                    }
                }
                Some("stderr") if file.with_extension("rs").exists() => {}
                _ => found.push(format!("{name}: belongs to no case")),
            }
        }
    }
    assert!(found.is_empty(), "{} offences:\n{}", found.len(), found.join("\n"));
    assert!(cases > 100, "{cases} cases");
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    let mut entries: Vec<_> =
        entries.map(|entry| entry.expect("the directory can be read").path()).collect();
    entries.sort();
    entries
}

fn read(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok()
}
