//! At which level what becomes of overrides is recorded, and that whoever records it may look at it.

#[path = "support/spans.rs"]
mod spans;

use std::{
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, Weak},
    time::Duration,
};

use spans::{Log, subscribed};
use stormless::{
    config::{self, Watch, Watcher},
    control::{self, Layer, Override, Overrides, Target},
    testing::isolated,
};
use tracing::Level;
use tracing_subscriber::layer::{Context, Layer as Subscribing, SubscriberExt};

fn all(attempts: u32) -> Override {
    Override::new(Target::All).set("attempts", attempts).unwrap()
}

/// What was recorded since the last time, by level and beginning.
fn assert_recorded(log: &Log, seen: &mut usize, wanted: &[(Level, &str)]) {
    let events = log.events();
    let new = &events[*seen..];
    assert_eq!(new.len(), wanted.len(), "{new:#?}");
    for (event, (level, begins)) in new.iter().zip(wanted) {
        assert_eq!(event.level, *level, "{event:?}");
        assert!(event.message.starts_with(begins), "{event:?}");
    }
    *seen = events.len();
}

#[tokio::test(start_paused = true)]
async fn what_somebody_meant_and_is_not_in_force_is_a_warning_and_all_else_is_not() {
    isolated(async {
        let (log, _subscribed) = subscribed();
        let mut seen = 0;
        let (info, warn) = (Level::INFO, Level::WARN);

        control::set(all(2).expires_in(Duration::from_secs(60))).unwrap();
        assert_recorded(&log, &mut seen, &[(info, "the layer `code` overrides all sites")]);
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(control::overrides().is_empty());
        assert_recorded(&log, &mut seen, &[(info, "an override of the layer `code` is over")]);
        control::set(all(3)).unwrap();
        assert!(control::clear(&Target::All));
        let cleared = "the layer `code` says nothing about all sites";
        let set = "the layer `code` overrides";
        assert_recorded(&log, &mut seen, &[(info, set), (info, cleared)]);

        let nobody = Override::new(Target::Site("nobody".to_owned())).set("attempts", 1).unwrap();
        control::set(nobody.clone()).unwrap_err();
        assert_recorded(&log, &mut seen, &[(warn, "overrides of the layer `code` were refused")]);
        control::apply(Layer::File, [nobody].into_iter().collect()).unwrap();
        let applied = "the layer `file` says something else: 1 overrides";
        let waits = "an override of the layer `file` waits for site `nobody`";
        assert_recorded(&log, &mut seen, &[(info, applied), (warn, waits)]);
        control::apply(Layer::File, Overrides::new()).unwrap();
        assert_recorded(&log, &mut seen, &[(info, "the layer `file` says something else: 0")]);

        let file = File::new("[all]\nattempts = 2\nexpires = 2020-01-01T00:00:00Z\n");
        let watch = Watcher::new(&file.0).every(Duration::MAX).start().unwrap();
        let expired = file.0.display().to_string();
        let applied = "the layer `file` says something else: 0 overrides";
        assert_recorded(&log, &mut seen, &[(info, applied), (info, &expired)]);
        let good = fs::read_to_string(&file.0).unwrap();
        fs::write(&file.0, "nonsense").unwrap();
        watch.look().unwrap_err();
        assert_recorded(&log, &mut seen, &[(warn, "the layer `file` stays as it is")]);
        fs::write(&file.0, good).unwrap();
        watch.look().unwrap();
        assert_recorded(&log, &mut seen, &[(info, &expired)]);
        assert!(
            log.events()[seen - 1].message.ends_with("this is what the layer `file` says again")
        );

        let variables = [("STORMLESS_OVERRIDE", ""), ("STORMLESS_PORT", "tcp://10.0.0.1:80")];
        config::environment_from(variables).unwrap();
        let applied = "the layer `environment` says something else";
        let misspelt = "STORMLESS_OVERRIDE: there is no such variable: did you mean";
        let service = "STORMLESS_PORT: there is no such variable";
        let wanted = [(info, applied), (warn, misspelt), (info, service)];
        assert_recorded(&log, &mut seen, &wanted);

        control::shutdown();
        assert_recorded(&log, &mut seen, &[(info, "nothing is retried any more")]);
    })
    .await;
}

/// A file that is gone afterwards.
struct File(PathBuf);

impl File {
    fn new(content: &str) -> Self {
        let name = format!("stormless-changes-{}-{}.toml", std::process::id(), content.len());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, content).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Asks the watch at each record, and looks at the file.
struct Asking {
    watch: Arc<Mutex<Weak<Watch>>>,
    answers: Arc<Mutex<Vec<bool>>>,
}

impl<S: tracing::Subscriber> Subscribing<S> for Asking {
    fn on_event(&self, _: &tracing::Event<'_>, _: Context<'_, S>) {
        let watch = self.watch.lock().unwrap().upgrade();
        if let Some(watch) = watch {
            let _ = watch.look();
            self.answers.lock().unwrap().push(watch.fault().is_some());
        }
    }
}

#[tokio::test]
async fn whoever_is_told_of_a_file_may_ask_about_it() {
    isolated(async {
        let asked = Arc::new(Mutex::new(Weak::new()));
        let answers = Arc::default();
        let asking = Asking { watch: Arc::clone(&asked), answers: Arc::clone(&answers) };
        let _subscribed =
            tracing::subscriber::set_default(tracing_subscriber::registry().with(asking));
        let file = File::new("[all]\nattempts = 2");
        let watch = Arc::new(Watcher::new(&file.0).every(Duration::MAX).start().unwrap());
        *asked.lock().unwrap() = Arc::downgrade(&watch);
        let write = |content: &str| {
            fs::write(&file.0, content).unwrap();
            watch.look().is_ok()
        };
        assert!(!write("nonsense"));
        assert!(write("[all]\nattempts = 2"));
        assert!(write("[all]\nattempts = 3"));
        assert_eq!(*answers.lock().unwrap(), [true, false, false]);
    })
    .await;
}
