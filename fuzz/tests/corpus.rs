//! What has been found stays found: every input of the corpus is tried again, without libFuzzer.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// The most files of a target, and the most bytes of them together: whoever clones the repository has them all.
const FILES: usize = 100;
const BYTES: u64 = 100 * 1_024;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn inputs(target: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(corpus().join(target)).unwrap_or_else(|error| panic!("{target}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_input_of_the_corpus_holds() {
    let mut failed = Vec::new();
    for (target, check) in fuzz::TARGETS {
        // Neither is in a corpus, and each body takes them.
        check(b"");
        check(b"\xff\0\n");
        for file in inputs(target) {
            let bytes = fs::read(&file).unwrap();
            if std::panic::catch_unwind(|| check(&bytes)).is_err() {
                failed.push(file);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_target_has_a_corpus_that_is_small() {
    for (target, _) in fuzz::TARGETS {
        let files = inputs(target);
        assert!((1..=FILES).contains(&files.len()), "{target}: {} files", files.len());
        let bytes: u64 = files.iter().map(|file| fs::metadata(file).unwrap().len()).sum();
        assert!(bytes <= BYTES, "{target}: {bytes} bytes");
    }
}

#[test]
fn every_body_has_a_target_and_the_other_way_round() {
    let names = |directory: PathBuf| -> BTreeSet<String> {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    let bodies: BTreeSet<_> = fuzz::TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(corpus().with_file_name("fuzz_targets")), bodies);
    assert_eq!(names(corpus()), bodies);
}
