//! A file of overrides that is watched: what a change of it changes, and what does not.
#![cfg(all(feature = "toml-1", feature = "testing"))]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use retry_runtime::{
    Budget, What, budget,
    config::{Applied, ConfigFileError, Look, Remark, Watch, Watcher, parse, watch},
    control::{self, Layer},
    testing::{self, isolated},
};

/// A directory that is gone afterwards.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("stormless-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("retries.toml")
    }

    /// Replaces the file as a whole, as editors and deployments do.
    fn replace(&self, content: impl AsRef<[u8]>) {
        let beside = self.0.join("retries.toml.new");
        fs::write(&beside, content).unwrap();
        fs::rename(beside, self.file()).unwrap();
    }

    fn watch(content: &str) -> (Self, Watch) {
        let directory = Self::new();
        directory.replace(content);
        let watch = Watcher::new(directory.file()).every(Duration::MAX).start();
        (directory, watch.unwrap())
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is in force.
fn said() -> Vec<String> {
    let overrides = control::overrides();
    overrides
        .iter()
        .map(|row| format!("{}: {}: {}", row.layer(), row.target(), row.settings()))
        .collect()
}

fn attempts(attempts: u32) -> String {
    format!("[all]\nattempts = {attempts}\n")
}

fn in_force(attempts: u32) -> [String; 1] {
    [format!("file: all sites: attempts = {attempts}")]
}

fn changed(look: &Look) -> usize {
    match look {
        Look::Applied(Applied { overrides, .. }) => *overrides,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_file_is_in_force_from_the_first_look_and_follows_each_change() {
    isolated(async {
        let (directory, watch) = Directory::watch(&attempts(2));
        assert_eq!(said(), in_force(2));
        assert_eq!(watch.look().unwrap(), Look::Unchanged);

        directory.replace(attempts(4));
        assert_eq!(said(), in_force(2));
        assert_eq!(changed(&watch.look().unwrap()), 1);
        assert_eq!(said(), in_force(4));

        directory.replace("");
        assert_eq!(changed(&watch.look().unwrap()), 0);
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

#[tokio::test]
async fn a_bad_file_changes_nothing_and_says_why() {
    isolated(async {
        let (directory, watch) = Directory::watch(&attempts(2));
        directory.replace("[all]\nattempts = 3\n[site.x]\nbase = 1\nfactor = 0\n");
        let error = watch.look().unwrap_err().to_string();
        let lines: Vec<&str> = error.lines().collect();
        let path = directory.file().display().to_string();
        assert!(lines[0].starts_with(&format!("{path}:4:8: site `x`: `base = 1`: ")), "{error}");
        assert!(lines[1].starts_with(&format!("{path}:5:10: site `x`: `factor = 0`: ")), "{error}");
        assert_eq!((lines.len(), said()), (2, in_force(2).to_vec()));
        assert_eq!(watch.fault().unwrap().to_string(), error);

        // It says what is in force, so that there is nothing to change, and nothing wrong any longer.
        directory.replace(attempts(2));
        assert_eq!(watch.look().unwrap(), Look::Unchanged);
        assert!(watch.fault().is_none());
    })
    .await;
}

#[tokio::test]
async fn half_a_file_that_is_no_document_changes_nothing() {
    isolated(async {
        let (directory, watch) = Directory::watch(&attempts(2));
        // Written in place, and read between two writes.
        fs::write(directory.file(), "[all]\nattempts = 4\n[site.\"orders::fe").unwrap();
        assert!(matches!(watch.look(), Err(ConfigFileError::Faulty(_))));
        assert_eq!(said(), in_force(2));
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn the_swap_of_a_link_is_a_change() {
    use std::os::unix::fs::symlink;

    isolated(async {
        // As a ConfigMap is mounted: the file is a link into `..data`, which is a link to a directory.
        let directory = Directory::new();
        let version = |number: u32| {
            let version = directory.0.join(format!("..{number}"));
            fs::create_dir(&version).unwrap();
            fs::write(version.join("retries.toml"), attempts(number)).unwrap();
            let link = directory.0.join("..data_tmp");
            symlink(Path::new(&format!("..{number}")), &link).unwrap();
            fs::rename(link, directory.0.join("..data")).unwrap();
        };
        version(2);
        symlink(Path::new("..data/retries.toml"), directory.file()).unwrap();
        let watch = watch(directory.file()).unwrap();
        assert_eq!(said(), in_force(2));
        version(3);
        fs::remove_dir_all(directory.0.join("..2")).unwrap();
        assert_eq!(changed(&watch.look().unwrap()), 1);
        assert_eq!(said(), in_force(3));
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_not_there_is_an_error_unless_it_is_optional() {
    isolated(async {
        let directory = Directory::new();
        let missing = watch(directory.file()).unwrap_err();
        assert!(matches!(missing, ConfigFileError::Unreadable { .. }), "{missing}");

        let optional = Watcher::new(directory.file()).every(Duration::MAX).optional();
        let watch = optional.start().unwrap();
        assert_eq!((watch.look().unwrap(), watch.fault().is_none()), (Look::Unchanged, true));
        directory.replace(attempts(2));
        assert_eq!(changed(&watch.look().unwrap()), 1);
        assert_eq!(said(), in_force(2));
    })
    .await;
}

#[tokio::test]
async fn a_file_that_goes_away_leaves_what_it_said() {
    isolated(async {
        let (directory, watch) = Directory::watch(&attempts(2));
        fs::remove_file(directory.file()).unwrap();
        assert!(matches!(watch.look(), Err(ConfigFileError::Unreadable { .. })));
        assert_eq!(said(), in_force(2));
        assert!(watch.fault().is_some());
        directory.replace(attempts(2));
        assert_eq!((watch.look().unwrap(), watch.fault().is_none()), (Look::Unchanged, true));
    })
    .await;
}

#[tokio::test]
async fn what_is_no_text_or_too_long_or_no_file_is_refused() {
    isolated(async {
        let (directory, watch) = Directory::watch(&attempts(2));
        directory.replace(b"# caf\xc3\xa9\n# caf\xe9\n");
        let error = watch.look().unwrap_err().to_string();
        assert!(
            error.ends_with(":2:6: this is not UTF-8: save the file in that encoding"),
            "{error}"
        );

        directory.replace(format!("{}#{}", attempts(3), "x".repeat(2 * 1024 * 1024)));
        let error = watch.look().unwrap_err();
        assert!(matches!(error, ConfigFileError::TooLarge { limit: 1_048_576, .. }), "{error}");
        // As long as it may be.
        let head = format!("{}#", attempts(3));
        directory.replace(format!("{head}{}", "x".repeat(1_048_576 - head.len())));
        assert_eq!(changed(&watch.look().unwrap()), 1);

        fs::remove_file(directory.file()).unwrap();
        fs::create_dir(directory.file()).unwrap();
        assert!(matches!(watch.look(), Err(ConfigFileError::NotAFile { .. })));
        assert_eq!(said(), in_force(3));
    })
    .await;
}

// Whoever opened the pipe would wait for a writer that never comes.
#[cfg(unix)]
#[tokio::test]
async fn a_pipe_is_not_waited_for() {
    isolated(async {
        let directory = Directory::new();
        let made = std::process::Command::new("mkfifo").arg(directory.file()).status();
        assert!(made.unwrap().success());
        assert!(matches!(watch(directory.file()), Err(ConfigFileError::NotAFile { .. })));
    })
    .await;
}

#[tokio::test]
async fn whoever_watches_no_longer_takes_its_overrides_along() {
    isolated(async {
        let (directory, watch) = Directory::watch(&attempts(2));
        drop(watch);
        assert_eq!(said(), [""; 0]);
        let (_other, watch) = Directory::watch(&attempts(3));
        watch.detach();
        assert_eq!(said(), in_force(3));
        drop(directory);
    })
    .await;
}

#[tokio::test]
async fn one_file_is_watched_at_a_time() {
    isolated(async {
        let (directory, watching) = Directory::watch(&attempts(2));
        let second = Directory::new();
        second.replace(attempts(3));
        match watch(second.file()) {
            Err(ConfigFileError::Watched { path }) => assert_eq!(path, directory.file()),
            other => panic!("{other:?}"),
        }
        assert_eq!(said(), in_force(2));
        drop(watching);
        let _second = watch(second.file()).unwrap();
        assert_eq!(said(), in_force(3));
    })
    .await;
}

#[tokio::test]
async fn a_file_that_is_refused_at_the_start_takes_nothing_away() {
    isolated(async {
        let own = parse("a store", "[all]\nattempts = 7").unwrap();
        own.apply(Layer::File).unwrap();
        let directory = Directory::new();
        directory.replace("nonsense");
        assert!(matches!(watch(directory.file()), Err(ConfigFileError::Faulty(_))));
        assert_eq!(said(), in_force(7));
    })
    .await;
}

#[tokio::test]
async fn observers_hear_of_a_fault_once_and_of_its_end() {
    isolated(async {
        let (directory, watch) = Directory::watch(&attempts(2));
        let events = testing::events();
        directory.replace("[all]\nattempts = 0\n");
        watch.look().unwrap_err();
        watch.look().unwrap_err();
        directory.replace("[all]\nattempts = 2\nbase = 1\n");
        watch.look().unwrap_err();
        directory.replace(attempts(2));
        watch.look().unwrap();
        watch.look().unwrap();
        drop(watch);
        let path = directory.file().display().to_string();
        let heard: Vec<String> = events
            .take()
            .iter()
            .map(|event| match event.what() {
                What::Overrides(change) => change.to_string(),
                other => panic!("{other:?}"),
            })
            .collect();
        let [first, second, mended, ended] = &heard[..] else { panic!("{heard:#?}") };
        let refused = format!("the layer `file` stays as it is: {path}");
        assert!(
            first.starts_with(&format!("{refused}:2:12: all sites: `attempts = 0`: ")),
            "{first}"
        );
        assert!(second.starts_with(&format!("{refused}:3:8: all sites: `base = 1`: ")), "{second}");
        assert_eq!(*mended, format!("{path}: this is what the layer `file` says again"));
        assert_eq!(ended, "the layer `file` says something else: 0 overrides");
    })
    .await;
}

/// The one test of the thread itself: it waits for what it has seen, and no longer.
#[tokio::test]
async fn the_thread_looks_by_itself_and_for_the_test_that_started_it() {
    let directory = Directory::new();
    directory.replace(attempts(2));
    isolated(async {
        // None at all is taken for the shortest there is.
        let _watch = Watcher::new(directory.file()).every(Duration::ZERO).start().unwrap();
        directory.replace(attempts(3));
        let begun = Instant::now();
        while said() != in_force(3) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", said());
            std::thread::yield_now();
        }
        isolated(async { assert_eq!(said(), [""; 0]) }).await;
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn what_has_expired_does_not_come_back_with_the_next_look() {
    isolated(async {
        let (directory, watch) = Directory::watch("[all]\nattempts = 2\nfor = \"30m\"\n");
        tokio::time::advance(Duration::from_secs(1_799)).await;
        assert_eq!(said(), in_force(2));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!((watch.look().unwrap(), said()), (Look::Unchanged, Vec::new()));
        // Nor with a change elsewhere in the file.
        directory.replace("[all]\nattempts = 2\nfor = \"30m\"\n# and a remark");
        watch.look().unwrap();
        assert_eq!(said(), [""; 0]);
    })
    .await;
}

budget! { static STOCK: Budget = Budget::new("config.stock"); }

#[tokio::test]
async fn a_document_that_is_set_leaves_other_targets_alone() {
    isolated(async {
        let set = |text: &str| parse("a request", text).unwrap().set();
        set("[all]\nattempts = 2\n[budget.\"config.stock\".sites]\nattempts = 3\n").unwrap();
        set("[all]\nbase = \"1s\"\n").unwrap();
        let wanted = [
            "code: all sites: base = \"1s\"",
            "code: sites of budget `config.stock`: attempts = 3",
        ];
        assert_eq!(said(), wanted);
        // All or nothing.
        let faults = set("[all]\nattempts = 5\n[site.nobody]\nattempts = 1\n").unwrap_err();
        let faults = faults.to_string();
        assert!(faults.starts_with("a request:3:7: site `nobody`: there is no site"), "{faults}");
        assert_eq!(said(), wanted);
    })
    .await;
}

#[tokio::test]
async fn what_somebody_else_puts_in_the_place_of_the_file_is_noticed() {
    isolated(async {
        let other = |attempts: u32| {
            let document = parse("a store", &format!("[all]\nattempts = {attempts}")).unwrap();
            document.apply(Layer::File).unwrap();
        };
        let (_directory, watch) = Directory::watch(&attempts(2));
        other(7);
        assert_eq!((changed(&watch.look().unwrap()), said()), (1, in_force(2).to_vec()));
        assert_eq!(watch.look().unwrap(), Look::Unchanged);

        other(8);
        drop(watch);
        assert_eq!(said(), in_force(8), "it is not the file's to take away");
    })
    .await;
}

#[tokio::test]
async fn a_lenient_watch_goes_on_until_the_file_is_good() {
    isolated(async {
        let directory = Directory::new();
        let lenient = || Watcher::new(directory.file()).every(Duration::MAX).lenient();
        let watch = lenient().start().unwrap();
        assert!(matches!(watch.fault(), Some(ConfigFileError::Unreadable { .. })));
        directory.replace("[all]\nattempts = 0\n");
        watch.look().unwrap_err();
        let refused = || control::overrides().refused().len();
        assert!(matches!(watch.fault(), Some(ConfigFileError::Faulty(_))));
        assert_eq!(refused(), 1);
        directory.replace(attempts(2));
        assert_eq!((changed(&watch.look().unwrap()), refused()), (1, 0));
        assert!(watch.fault().is_none());
        drop(watch);

        directory.replace("nonsense");
        let watch = lenient().start().unwrap();
        assert_eq!(refused(), 1);
        drop(watch);
        assert_eq!(refused(), 0, "nobody reads that file any longer");
    })
    .await;
}

#[tokio::test]
async fn an_optional_file_that_was_wrong_and_is_gone_is_wrong_no_longer() {
    isolated(async {
        let directory = Directory::new();
        let optional = Watcher::new(directory.file()).every(Duration::MAX).optional();
        let watch = optional.start().unwrap();
        directory.replace("nonsense");
        watch.look().unwrap_err();
        fs::remove_file(directory.file()).unwrap();
        assert_eq!((watch.look().unwrap(), watch.fault().is_none()), (Look::Unchanged, true));
        assert_eq!(control::overrides().refused().len(), 0);
    })
    .await;
}

#[tokio::test]
async fn a_watch_has_the_remarks_about_what_is_in_force() {
    isolated(async {
        let (directory, watch) =
            Directory::watch("[all]\nattempts = 2\nexpires = 2020-01-01T00:00:00Z\n");
        assert!(matches!(watch.remarks()[..], [Remark::Expired { line: 1, .. }]));
        directory.replace(attempts(2));
        watch.look().unwrap();
        assert_eq!(watch.remarks(), []);
    })
    .await;
}
