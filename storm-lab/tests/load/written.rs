//! Files of an experiment.

use std::{fs, process::Command};

use serde_json::Value;

use super::program;

/// The value of the cell with this measure, in the first row of this policy of this table.
fn cell<'a>(page: &'a str, table: &str, policy: &str, measure: &str) -> &'a str {
    let table = page.split(&format!("<table class=\"{table}\">")).nth(1).unwrap();
    let row = table.split(&format!("<tr data-policy=\"{policy}\"")).nth(1).unwrap();
    let cell = row.split(&format!("data-measure=\"{measure}\" data-value=\"")).nth(1).unwrap();
    cell.split('"').next().unwrap()
}

#[test]
fn what_was_measured_goes_where_simulations_go() {
    let lab = tempfile::tempdir().unwrap();
    let arguments = "load --seconds 3 --processes 1 --rate 30 --fault outage --out out --plots \
                     --report all.html --json all.json --csv all.csv";
    let output = Command::new(program())
        .args(arguments.split_whitespace())
        .current_dir(lab.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| fs::read_to_string(lab.path().join(name)).unwrap();
    assert_eq!(read("out/load.txt"), String::from_utf8(output.stdout).unwrap());
    for plot in ["load", "retries", "latency", "amplification", "budget"] {
        assert!(read(&format!("out/load.{plot}.svg")).ends_with("</svg>\n"), "{plot}");
        let png = fs::read(lab.path().join(format!("out/load.{plot}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG"), "{plot}");
    }

    let json: Value = serde_json::from_str(&read("all.json")).unwrap();
    let scenario = &json["scenarios"][0];
    let measured = &scenario["measured"]["policies"][1];
    assert_eq!((&json["version"], &measured["name"]), (&1.into(), &"success".into()));
    let calls = measured["phases"].as_array().unwrap().iter();
    let calls: u64 = calls.map(|phase| phase["calls"].as_u64().unwrap()).sum();
    assert_eq!(scenario["policies"][1]["outcomes"][0]["figures"]["calls"], calls);
    assert_eq!(measured["clients"]["processes"], 1);

    let page = read("all.html");
    assert!(page.contains("<h3>What was measured</h3>") && page.contains("data-plot=\"retries\""));
    let command = "storm-lab load --seconds 3 --processes 1 --rate 30 --capacity 400 --fault outage \
                   --policy naive,success --seed 1</code>";
    assert!(page.contains(command), "{page}");
    let csv = read("all.csv");
    let line = |at: usize| csv.lines().nth(at).unwrap().split(',').collect::<Vec<_>>();
    let (heading, row) = (line(0), line(2));
    let figure = |name: &str| row[heading.iter().position(|key| *key == name).unwrap()];
    for (name, group, key) in [
        ("server_cpu_percent", "server", "cpu_percent"),
        ("clients_cpu_percent", "clients", "cpu_percent"),
        ("server_memory_mib", "server", "memory_mib"),
        ("client_memory_mib", "clients", "memory_mib"),
    ] {
        let known = match &measured[group][key] {
            Value::Null => String::new(),
            number => number.to_string(),
        };
        assert_eq!(known.is_empty(), !cfg!(target_os = "linux"), "{name}");
        assert_eq!(cell(&page, "used", "success", name), known);
        assert_eq!(figure(name), known);
    }
    let arrived = &measured["requests"]["arrived"];
    assert_eq!(cell(&page, "became", "success", "arrived"), arrived.to_string());
    assert!(page.contains("<tr data-policy=\"success\" data-phase=\"all\">"));
    let phases = read("out/load.phases.csv");
    assert!(phases.lines().any(|line| line.starts_with("load,success,outage,")), "{phases}");
}
