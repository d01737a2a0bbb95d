//! Files that appear all together or not at all.

use std::{fs, io, path::Path};

use storm_lab::output::{Whole, WholeError};

fn names(directory: &Path) -> Vec<String> {
    let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(directory).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn all_files_have_their_names_once_the_set_is_whole() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("b"), "old").unwrap();
    let mut whole = Whole::new();
    whole.add(&at("a"), b"one").unwrap();
    whole.write(&at("b"), |file| write!(file, "two")).unwrap();
    assert_eq!(
        fs::read_to_string(at("b")).unwrap(),
        "old",
        "nothing is replaced before all is written"
    );
    assert!(!at("a").exists());
    whole.commit().unwrap();
    assert_eq!(names(directory.path()), ["a", "b"]);
    assert_eq!(fs::read_to_string(at("a")).unwrap(), "one");
    assert_eq!(fs::read_to_string(at("b")).unwrap(), "two");
}

#[test]
fn a_failing_write_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("b"), "old").unwrap();
    let mut whole = Whole::new();
    whole.add(&at("a"), b"one").unwrap();
    let error = whole
        .write(&at("b"), |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no space"))
        })
        .unwrap_err();
    assert!(error.to_string().contains("no space; choose another place"), "{error}");
    drop(whole);
    assert_eq!(names(directory.path()), ["b"]);
    assert_eq!(fs::read_to_string(at("b")).unwrap(), "old");
}

#[test]
fn a_failing_rename_puts_back_what_was_there() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("a"), "old").unwrap();
    let mut whole = Whole::new();
    whole.add(&at("a"), b"new").unwrap();
    whole.add(&at("b"), b"new").unwrap();
    whole.add(&at("c"), b"new").unwrap();
    // In the way of the last one, and not empty: it cannot be replaced.
    fs::create_dir(at("c")).unwrap();
    fs::write(at("c").join("d"), "").unwrap();
    assert!(matches!(whole.commit(), Err(WholeError::Io { .. })));
    assert_eq!(names(directory.path()), ["a", "c"]);
    assert_eq!(fs::read_to_string(at("a")).unwrap(), "old");
}

#[test]
fn a_directory_is_made_and_goes_again_if_nothing_comes_into_it() {
    let directory = tempfile::tempdir().unwrap();
    let deep = directory.path().join("x/y");
    let mut whole = Whole::new();
    whole.directory(&deep).unwrap();
    assert!(deep.is_dir());
    drop(whole);
    assert!(names(directory.path()).is_empty());
    let mut whole = Whole::new();
    whole.directory(&deep).unwrap();
    whole.add(&deep.join("a"), b"").unwrap();
    whole.commit().unwrap();
    assert_eq!(names(&deep), ["a"]);
}

#[test]
fn what_cannot_be_written_is_known_before() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("file"), "").unwrap();
    let mut whole = Whole::new();
    assert!(matches!(whole.directory(&at("file").join("x")), Err(WholeError::Io { .. })));
    assert!(matches!(whole.file(directory.path()), Err(WholeError::Directory { .. })));
    assert!(whole.file(&at("file")).is_ok());
    let mut permissions = fs::metadata(at("file")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(at("file"), permissions).unwrap();
    let error = whole.file(&at("file")).unwrap_err();
    assert!(error.to_string().contains("read-only"), "{error}");
}

#[test]
fn one_file_under_two_spellings_is_one_file() {
    let directory = tempfile::tempdir().unwrap();
    let mut whole = Whole::new();
    whole.add(&directory.path().join("a"), b"one").unwrap();
    let again = whole.add(&directory.path().join("./a"), b"two");
    assert!(matches!(again, Err(WholeError::Twice { .. })));
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_devices_are_written_to() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("real"), "old").unwrap();
    std::os::unix::fs::symlink(at("real"), at("link")).unwrap();
    let mut whole = Whole::new();
    whole.add(&at("link"), b"new").unwrap();
    whole.add(Path::new("/dev/null"), b"nothing").unwrap();
    whole.commit().unwrap();
    assert!(at("link").is_symlink());
    assert_eq!(fs::read_to_string(at("real")).unwrap(), "new");
    assert!(!Path::new("/dev/null").is_file());
    assert_eq!(names(directory.path()), ["link", "real"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_what_is_not_there_yet_is_followed() {
    use std::os::unix::fs::symlink;

    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    // From one to the next, into a directory that has to be made, and relative as links mostly are.
    symlink("second", at("first")).unwrap();
    symlink("deep/real", at("second")).unwrap();
    let mut whole = Whole::new();
    whole.file(&at("first")).unwrap();
    assert!(matches!(whole.file(&at("deep/real")), Err(WholeError::Twice { .. })));
    whole.add(&at("first"), b"new").unwrap();
    whole.commit().unwrap();
    assert!(at("first").is_symlink() && at("second").is_symlink());
    assert_eq!(fs::read_to_string(at("deep/real")).unwrap(), "new");
    symlink("round", at("round")).unwrap();
    assert!(matches!(Whole::new().file(&at("round")), Err(WholeError::Io { .. })));
    assert_eq!(names(directory.path()), ["deep", "first", "round", "second"]);
}

#[test]
fn that_a_file_is_wanted_twice_is_known_before() {
    let directory = tempfile::tempdir().unwrap();
    let mut whole = Whole::new();
    whole.file(&directory.path().join("new/a")).unwrap();
    let again = whole.file(&directory.path().join("./new/../new/a"));
    assert!(matches!(again, Err(WholeError::Twice { .. })));
    whole.expect(&directory.path().join("new/b")).unwrap();
    assert!(matches!(whole.file(&directory.path().join("new/b")), Err(WholeError::Twice { .. })));
    assert!(whole.file(Path::new("")).unwrap_err().to_string().contains("it has no name"));
}
