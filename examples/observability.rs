//! A service to be looked at: metrics for Prometheus, and the live tables as a page, while what it calls is
//! healthy, slow, failing and healthy again.
//!
//! Run it with `cargo run --example observability`.
//!
//! It prints where to look, and ends by itself after about eight seconds; `-- --help` says what else it can do.
//! The figures differ from run to run, and `…` stands for the tables of sites, budgets and breakers:
//!
//! ```text
//! metrics:      http://127.0.0.1:43983/metrics
//! live tables:  http://127.0.0.1:43983/debug/retries
//!
//! second  dependencies  calls  saved  failed  attempts/call  unpaid  left  breaker
//! …
//!
//! What the numbers say:
//! - Of 895 calls 238 failed, and 26 more would have without retries.
//! - There were 1.05 attempts per call, all in all.
//! - 158 calls were not repeated because their budget was used up. Dependencies that could not
//!   answer were spared up to 316 attempts.
//! - 12 calls found the breaker open: they cost their callers no time, and the payments no work.
//! - `verify()` at start-up would have said:
//!   the budget `recomendations` is declared nowhere: declare it with `budget!` (used by observability::shop::recommend)
//! ```
//!
//! `docs/observability.md` says what to look for, and `docs/observability/` has the dashboard and the alert
//! rules that go with it.

#[path = "observability/dependency.rs"]
mod dependency;
#[path = "observability/seconds.rs"]
mod seconds;
#[path = "observability/shop.rs"]
mod shop;

use std::{
    env,
    error::Error,
    io::{self, Write},
    pin::pin,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    http::header::CONTENT_TYPE,
    response::{Html, IntoResponse},
    routing::get,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use stormless::{
    control,
    metrics::{BUCKETS, install, refresh},
    tables::Page,
};
use tokio::{net::TcpListener, signal::ctrl_c, time::interval};

use dependency::Schedule;
use seconds::{Totals, print_conclusions, print_heading, print_second};
use shop::Shop;

const HELP: &str = "\
A service whose dependencies fail by a schedule, to be looked at while they do.

cargo run --example observability -- [OPTIONS]

  --port N      listen on this port of the loopback interface; 0, the default, is any that is free
  --seconds N   how long the demonstration takes, 4 to 3600; 8 by default
  --keep        do not end: the schedule begins again, for Prometheus and Grafana to be pointed here;
                Ctrl-C prints what the numbers say, and ends it
  --help        this

Then look at what it prints:

  /metrics         what Prometheus scrapes: curl it, or add the address to `scrape_configs`
  /debug/retries   functions, budgets and breakers, live, as a page that needs nothing else
";

/// What the command line asks for.
struct Options {
    port: u16,
    seconds: u64,
    keep: bool,
}

impl Options {
    /// `None` if it asks for help.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let mut options = Self { port: 0, seconds: 8, keep: false };
        while let Some(argument) = arguments.next() {
            let (argument, value) = match argument.split_once('=') {
                Some((argument, value)) => (argument.to_owned(), Some(value.to_owned())),
                None => (argument, None),
            };
            let mut number = |allowed: std::ops::RangeInclusive<u64>| {
                let given = value.clone().or_else(|| arguments.next()).unwrap_or_default();
                let wanted = given.parse().ok().filter(|number| allowed.contains(number));
                wanted.ok_or_else(|| {
                    let (least, most) = (allowed.start(), allowed.end());
                    format!("`{argument}` needs a number from {least} to {most}, not `{given}`")
                })
            };
            match argument.as_str() {
                "--port" => {
                    options.port = number(0..=u16::MAX.into())?.try_into().unwrap_or_default();
                }
                "--seconds" => options.seconds = number(4..=3600)?,
                "--keep" if value.is_none() => options.keep = true,
                "--help" | "-h" => return Ok(None),
                other => return Err(format!("there is no option `{other}`: see `--help`")),
            }
        }
        Ok(Some(options))
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let options = match Options::parse(env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            // Whoever does not want to read it has closed the pipe.
            let _ = io::stdout().write_all(HELP.as_bytes());
            return ExitCode::SUCCESS;
        }
        Err(fault) => {
            eprintln!("{fault}");
            return ExitCode::from(2);
        }
    };
    match demonstrate(&options).await {
        Ok(()) => ExitCode::SUCCESS,
        // Nobody reads any further, as in `| head`.
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

async fn listen(port: u16) -> Result<TcpListener, String> {
    TcpListener::bind(("127.0.0.1", port)).await.map_err(|error| {
        let why = match error.kind() {
            io::ErrorKind::AddrInUse => "address already in use".to_owned(),
            _ => error.to_string(),
        };
        format!("cannot listen on 127.0.0.1:{port}: {why}; choose another with `--port`")
    })
}

async fn demonstrate(options: &Options) -> Result<(), Box<dyn Error>> {
    let metrics = install_metrics()?;
    // For the tables; the metrics count successes by themselves.
    control::count_successes(true);

    let mut out = io::stdout();
    let listener = listen(options.port).await?;
    let address = listener.local_addr()?;
    writeln!(out, "metrics:      http://{address}/metrics")?;
    writeln!(out, "live tables:  http://{address}/debug/retries\n")?;
    let server = tokio::spawn(async move { axum::serve(listener, routes(metrics)).await });

    let length = Duration::from_secs(options.seconds);
    let schedule = Schedule::new(length);
    let traffic = tokio::spawn(Arc::new(Shop::new(schedule)).serve());

    print_heading(&mut out)?;
    let mut stopped = pin!(ctrl_c());
    let mut ticks = interval(Duration::from_secs(1));
    ticks.tick().await;
    let mut before = Totals::now();
    for second in 1.. {
        let phase = schedule.phase();
        tokio::select! {
            _ = ticks.tick() => {}
            _ = &mut stopped => break,
        }
        let now = Totals::now();
        print_second(&mut out, second, phase, now.since(before))?;
        before = now;
        if second >= options.seconds && !options.keep {
            break;
        }
    }
    traffic.abort();
    print_conclusions(&mut out)?;
    server.abort();
    Ok(())
}

/// The recorder first, then what is recorded.
fn install_metrics() -> Result<PrometheusHandle, Box<dyn Error>> {
    let mut exporter = PrometheusBuilder::new();
    for (name, bounds) in BUCKETS {
        exporter = exporter.set_buckets_for_metric(Matcher::Full((*name).to_owned()), bounds)?;
    }
    let handle = exporter.install_recorder()?;
    install().forever();
    let upkept = handle.clone();
    tokio::spawn(async move {
        // Between scrapes too: the exporter keeps each value of a histogram until it is asked to add it up.
        let mut ticks = interval(Duration::from_secs(5));
        loop {
            ticks.tick().await;
            refresh();
            upkept.run_upkeep();
        }
    });
    Ok(handle)
}

fn routes(metrics: PrometheusHandle) -> Router {
    let scrape = move || async move {
        // Levels and states are as of now.
        refresh();
        ([(CONTENT_TYPE, "text/plain; version=0.0.4")], metrics.render()).into_response()
    };
    let page =
        || async { Html(Page::new().title("shop").refresh(Duration::from_secs(2)).render()) };
    Router::new().route("/metrics", get(scrape)).route("/debug/retries", get(page))
}
