//! The example, as somebody sees it who does what it prints.

use std::{
    env,
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use observability::browser::Browser;

/// The example while it runs; it ends with this.
struct Example(Child);

impl Drop for Example {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `cargo test --workspace` has built it.
fn program() -> PathBuf {
    let this = env::current_exe().expect("a test knows where it is");
    let profile = this.parent().and_then(Path::parent).expect("it is in the build's `deps`");
    let program =
        profile.join("examples").join(format!("observability{}", env::consts::EXE_SUFFIX));
    assert!(
        program.exists(),
        "no {}: run `cargo build --example observability`",
        program.display()
    );
    program
}

/// Starts it, and says where it can be looked at.
fn start() -> (Example, String) {
    let arguments = ["--keep", "--seconds", "8"];
    let child = Command::new(program()).args(arguments).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("it starts");
    let output = child.stdout.take().expect("it is a pipe");
    let mut lines = BufReader::new(output).lines().map_while(Result::ok);
    let first = lines.next().expect("it says where to look");
    // What it prints has to go somewhere.
    std::thread::spawn(move || lines.for_each(drop));
    let address = first.split_once("http://").and_then(|(_, url)| url.strip_suffix("/metrics"));
    let address = address.unwrap_or_else(|| panic!("no address in {first}")).to_owned();
    (Example(child), format!("http://{address}"))
}

/// The value of a series, or the sum of several.
async fn scraped(address: &str, series: &str) -> f64 {
    let metrics = reqwest::get(format!("{address}/metrics")).await.expect("it answers");
    let metrics = metrics.text().await.expect("with text");
    let values = metrics.lines().filter(|line| line.starts_with(series));
    values.filter_map(|line| line.rsplit_once(' ')?.1.parse::<f64>().ok()).sum()
}

#[tokio::test]
async fn the_page_and_the_metrics_of_the_example_say_the_same() {
    let Some(browser) = Browser::start().await else { return };
    let (example, address) = start();
    browser.open(&format!("{address}/debug/retries")).await;
    // Once what it calls has failed.
    browser.wait_for("document.querySelector('#problems [data-problem=exhausted]')").await;

    for (site, budget) in
        [("checkout", "orders"), ("fetch_order", "orders"), ("recommend", "recomendations")]
    {
        let row = format!("#sites tr[data-site$=\"::{site}\"]");
        let script = format!(
            "const cell = (column) => document.querySelector('{row} td[data-col=' + column + ']').textContent; \
             return ['calls', 'failures', 'budget'].map(cell)"
        );
        let calls = format!("stormless_calls_total{{site=\"observability::shop::{site}\"");
        let failures =
            format!("stormless_attempt_failures_total{{site=\"observability::shop::{site}\"");
        let before = [scraped(&address, &calls).await, scraped(&address, &failures).await];
        browser.run("document.body.isOld = true").await;
        browser.wait_for("!document.body.isOld && document.querySelector('#sites td')").await;
        let shown = browser.run(&script).await;
        let after = [scraped(&address, &calls).await, scraped(&address, &failures).await];
        // Traffic goes on while they are read, one after the other.
        for at in 0..2 {
            let number: f64 =
                shown[at].as_str().and_then(|text| text.parse().ok()).expect("a number");
            let range = before[at]..=after[at];
            assert!(
                range.contains(&number) && number > 0.0,
                "{site}: {number} is not in {range:?}"
            );
        }
        assert!(shown[2].as_str().is_some_and(|text| text.starts_with(budget)), "{shown}");
    }
    let implicit =
        "document.querySelector('#problems [data-problem=implicit][data-subject=recomendations]')";
    browser.wait_for(implicit).await;
    browser.click("#pause").await;
    browser.wait_for("document.querySelector('#pause').textContent === 'go on'").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example.png");
    browser.screenshot(&picture).await;
    drop(example);
}

#[test]
fn a_port_that_is_taken_is_named_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = taken.local_addr().expect("it is bound").port();
    let ended = Command::new(program()).arg(format!("--port={port}")).output().expect("it starts");
    assert_eq!(ended.status.code(), Some(1));
    let said = String::from_utf8_lossy(&ended.stderr);
    let wanted = format!(
        "cannot listen on 127.0.0.1:{port}: address already in use; choose another with `--port`"
    );
    assert_eq!(said.trim(), wanted);
}

#[test]
fn nobody_who_reads_on_ends_it_without_a_complaint() {
    let mut command = Command::new(program());
    command.args(["--keep", "--seconds=4"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("it ends");
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}

/// Nothing has failed yet, and no breaker has opened.
#[cfg(unix)]
#[test]
fn interrupted_it_says_what_the_numbers_say_and_no_more() {
    let mut command = Command::new(program());
    let child = command.args(["--keep", "--seconds", "3600"]).stdout(Stdio::piped()).spawn();
    let mut example = Example(child.expect("it starts"));
    let mut output = BufReader::new(example.0.stdout.take().expect("it is a pipe"));
    let mut line = String::new();
    // The first second: by then it listens for signals.
    while !line.trim_start().starts_with("1 ") {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0, "it ended");
    }
    let pid = example.0.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("there is `kill`").success());
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert!(example.0.wait().expect("it ends").success());
    assert!(rest.contains("What the numbers say:"), "{rest}");
    assert!(!rest.contains("found the breaker open"), "{rest}");
}
