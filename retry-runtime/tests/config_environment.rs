//! Overrides from the environment.
#![cfg(feature = "testing")]

use std::ffi::OsString;

use retry_runtime::{
    config::{Applied, Faults, Remark, environment_from},
    control,
    testing::isolated,
};

fn said() -> Vec<String> {
    let overrides = control::overrides();
    overrides
        .iter()
        .map(|row| format!("{}: {}: {}", row.layer(), row.target(), row.settings()))
        .collect()
}

fn words(faults: &Faults) -> Vec<String> {
    faults.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn the_switch_is_thrown_by_a_variable() {
    isolated(async {
        let applied = environment_from([("PATH", "/bin"), ("STORMLESS_RETRIES", "off")]).unwrap();
        assert_eq!(applied.overrides, 1);
        assert!(control::all().is_off());
        assert_eq!(said(), ["environment: all sites: retries = \"off\""]);
        // What it says no longer is gone, and an empty variable says nothing.
        assert_eq!(environment_from([("STORMLESS_RETRIES", "")]).unwrap(), Applied::default());
        assert!(!control::all().is_off());
    })
    .await;
}

#[tokio::test]
async fn what_is_no_switch_is_refused_with_what_is_one() {
    isolated(async {
        environment_from([("STORMLESS_RETRIES", "off")]).unwrap();
        let faults = environment_from([("STORMLESS_RETRIES", "none")]).unwrap_err();
        assert_eq!(
            words(&faults),
            ["STORMLESS_RETRIES: all sites: `retries = \"none\"`: it must be one of \"off\", \"on\""]
        );
        assert!(control::all().is_off(), "nothing was changed");
    })
    .await;
}

#[tokio::test]
async fn variables_that_look_like_ours_are_named_and_harm_nothing() {
    isolated(async {
        // The last is what Kubernetes gives to each process beside a service of that name.
        let names = ["STORMLESS_RETRY", "STORMLESS_RETRIES", "STORMLESS_CONFIG", "STORMLESS_PORT"];
        let applied = environment_from(names.map(|name| (name, "on"))).unwrap();
        assert_eq!(
            applied.remarks,
            [
                Remark::UnknownVariable { name: "STORMLESS_PORT".to_owned(), nearest: None },
                Remark::UnknownVariable {
                    name: "STORMLESS_RETRY".to_owned(),
                    nearest: Some("STORMLESS_RETRIES"),
                },
            ]
        );
        assert_eq!(
            applied.remarks[1].to_string(),
            "STORMLESS_RETRY: there is no such variable: did you mean `STORMLESS_RETRIES`?"
        );
    })
    .await;
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_not_unicode_is_named() {
    use std::os::unix::ffi::OsStringExt;

    isolated(async {
        let value = OsString::from_vec(b"o\xfff".to_vec());
        let faults = environment_from([("STORMLESS_RETRIES", value)]).unwrap_err();
        assert_eq!(
            words(&faults),
            ["STORMLESS_RETRIES: \"o\\xFFf\" is not Unicode: write it in the locale's UTF-8"]
        );
    })
    .await;
}

#[cfg(not(feature = "toml-1"))]
#[tokio::test]
async fn a_document_needs_the_feature() {
    isolated(async {
        let faults = environment_from([("STORMLESS_OVERRIDES", "{}")]).unwrap_err();
        assert_eq!(
            words(&faults),
            ["STORMLESS_OVERRIDES: documents need the feature `toml-1`, which this program is built without"]
        );
    })
    .await;
}

#[cfg(feature = "toml-1")]
mod documents {
    use std::process::Command;

    use retry_runtime::config;

    use super::*;

    #[tokio::test]
    async fn a_document_in_a_variable_is_applied_beside_the_switch() {
        isolated(async {
            let document = "{ all = { attempts = 2 }, site.\"orders::fetch\" = { base = \"1s\" } }";
            let variables = [("STORMLESS_OVERRIDES", document), ("STORMLESS_RETRIES", "off")];
            assert_eq!(environment_from(variables).unwrap().overrides, 2);
            assert_eq!(
                said(),
                [
                    "environment: all sites: retries = \"off\", attempts = 2",
                    "environment: site `orders::fetch`: base = \"1s\"",
                ]
            );
        })
        .await;
    }

    #[tokio::test]
    async fn all_faults_of_both_variables_are_named_at_once() {
        isolated(async {
            let document = "retries = \"off\"\n[all]\nattempts = 0";
            let variables = [("STORMLESS_OVERRIDES", document), ("STORMLESS_RETRIES", "never")];
            let faults = environment_from(variables).unwrap_err();
            let [variable, twice, attempts] = &words(&faults)[..] else { panic!("{faults}") };
            assert!(variable.starts_with("STORMLESS_RETRIES: all sites: "), "{variable}");
            assert!(
                twice.starts_with("STORMLESS_OVERRIDES:1:1: `retries` is set twice"),
                "{twice}"
            );
            assert!(attempts.starts_with("STORMLESS_OVERRIDES:3:12: all sites: "), "{attempts}");
            assert_eq!(said(), [""; 0]);
        })
        .await;
    }

    const INSIDE: &str = "THIS_IS_THE_PROCESS_BELOW";
    const LENIENT: &str = "IT_STARTS_WHATEVER_IS_WRONG";

    /// What the test below starts, with variables of its own.
    #[test]
    fn inside() {
        if std::env::var_os(INSIDE).is_none() {
            return;
        }
        if std::env::var_os(LENIENT).is_some() {
            let started = config::start_lenient();
            let faults: Vec<String> = started.faults().iter().map(ToString::to_string).collect();
            println!("{} {:?} {faults:?}", started.watch().is_some(), said());
            println!("refused: {:?}", control::overrides().refused().collect::<Vec<_>>());
            println!(
                "remarks: {:?}",
                started.remarks().iter().map(ToString::to_string).collect::<Vec<_>>()
            );
            return;
        }
        match config::start() {
            Ok(started) => println!("{} {:?}", started.watch().is_some(), said()),
            Err(error) => println!("refused: {error}"),
        }
    }

    fn start(variables: &[(&str, &str)]) -> String {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["documents::inside", "--exact", "--nocapture"]);
        // Whoever runs the tests may have told them something.
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("STORMLESS_")) {
                command.env_remove(name);
            }
        }
        command.env(INSIDE, "");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "starts a process")]
    fn a_process_starts_with_what_its_environment_says() {
        let nothing = start(&[("STORMLESS_CONFIG", "")]);
        assert!(nothing.contains("false []"), "{nothing}");

        let path = std::env::temp_dir().join(format!("stormless-{}.toml", std::process::id()));
        std::fs::write(&path, "[all]\nattempts = 2\n").unwrap();
        let both =
            start(&[("STORMLESS_RETRIES", "off"), ("STORMLESS_CONFIG", path.to_str().unwrap())]);
        std::fs::remove_file(&path).unwrap();
        let wanted = r#"true ["environment: all sites: retries = \"off\"", "file: all sites: attempts = 2"]"#;
        assert!(both.contains(wanted), "{both}");

        let missing = start(&[("STORMLESS_CONFIG", path.to_str().unwrap())]);
        assert!(missing.contains("refused: the file `"), "{missing}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "starts a process")]
    fn a_lenient_start_goes_on_with_what_is_good() {
        let missing = "/nowhere/retries.toml";
        let out = start(&[
            (LENIENT, ""),
            ("STORMLESS_RETRIES", "off"),
            ("STORMLESS_OVERRIDES", "[all]\nattempts = 0"),
            ("STORMLESS_CONFIG", missing),
            ("STORMLESS_RETRY", "off"),
        ]);
        let in_force =
            r#"true ["environment: all sites: retries = \"off\""] ["STORMLESS_OVERRIDES:2:12: "#;
        for wanted in [
            in_force,
            "\"the file `/nowhere/retries.toml` cannot be read: ",
            "refused: [(Environment, \"STORMLESS_OVERRIDES:2:12: ",
            "(File, \"the file `/nowhere/retries.toml` cannot be read: ",
            "remarks: [\"STORMLESS_RETRY: there is no such variable: did you mean `STORMLESS_RETRIES`?\"]",
        ] {
            assert!(out.contains(wanted), "{wanted}: {out}");
        }

        // The other way round: a bad switch takes no document along.
        let document = ("STORMLESS_OVERRIDES", "[all]\nattempts = 2");
        let out = start(&[(LENIENT, ""), ("STORMLESS_RETRIES", "never"), document]);
        assert!(
            out.contains(r#"false ["environment: all sites: attempts = 2"] ["STORMLESS_RETRIES: "#),
            "{out}"
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "starts a process")]
    fn a_file_that_need_not_be_there_has_a_variable_of_its_own() {
        let optional = ("STORMLESS_CONFIG_OPTIONAL", "/nowhere/retries.toml");
        assert!(start(&[optional]).contains("true []"));
        let out = start(&[(LENIENT, ""), optional]);
        assert!(out.contains("true [] []"), "{out}");

        let both = [optional, ("STORMLESS_CONFIG", "/nowhere/other.toml")];
        let wanted = "STORMLESS_CONFIG_OPTIONAL: `STORMLESS_CONFIG` names a file too";
        assert!(start(&both).contains(wanted));
        let out = start(&[both[0], both[1], (LENIENT, "")]);
        assert!(out.contains(wanted) && out.contains("other.toml` cannot be read"), "{out}");
    }
}
