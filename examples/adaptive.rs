//! Backoff that goes by the load: two functions that always fail, an adaptive one and one that is not,
//! side by side while this process is calm, then burns all its processors, then is calm again.
//!
//! Run it with `cargo run --example adaptive --features adaptive`. It runs in real time and under a real
//! load, so that no two runs print the same; this was one of them:
//!
//! ```text
//!  0.0 s  exponential growth, J 0.00, 0 tasks
//!  3.0 s  linear growth, J 0.39, cpu 81 %, 0 tasks
//!  5.0 s  exponential growth, J 0.32, cpu 64 %, 0 tasks
//!
//!                         retries, mean delay before each in ms
//! phase    function         in all     1     2     3     4     5   J
//! calm     adaptive            20    16    37    63   118   197   0.00 to 0.13
//!          equal jitter        15    17    31    65   139   286
//! burning  adaptive            40    12    28    44    56   117   0.12 to 0.44
//!          equal jitter        25    14    30    55   117   252
//! calm     adaptive            30    12    30    47   108   211   0.10 to 0.42
//!          equal jitter        25    15    28    58   127   262
//! ```
//!
//! Linear delays before the fourth retry and later are shorter than exponential ones, and all of them are
//! spread over more of their length the less steadily the dependency answers and the busier the process is.

use std::{
    fmt::Write as _,
    hint::black_box,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use stormless::{
    RetryEvent, Retryable,
    adaptive::{AdaptiveDecision, Growth},
    retry,
};
use tokio::time::{Instant, sleep};

#[derive(Debug, Retryable)]
#[retryable(transient)]
struct Down;

#[retry(backoff = "adaptive", breaker = none, attempts = 6, base = "20ms", max = "1s", budget = none,
        on_retry = |event| log.note(event))]
async fn adaptive(log: &Log) -> Result<(), Down> {
    answer().await
}

/// With the jitter that the adaptive function has at J = 0.
#[retry(backoff = "equal_jitter", attempts = 6, base = "20ms", max = "1s", budget = none,
        on_retry = |event| log.note(event))]
async fn plain(log: &Log) -> Result<(), Down> {
    answer().await
}

/// Takes between 2 ms and 14 ms, in turn.
async fn answer() -> Result<(), Down> {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let turn = CALLS.fetch_add(1, Ordering::Relaxed) % 4;
    sleep([2, 14, 6, 10].map(Duration::from_millis)[turn]).await;
    Err(Down)
}

/// One retry: its number, and the delay before it.
struct Retry {
    number: u32,
    delay: Duration,
    decision: Option<AdaptiveDecision>,
}

/// The retries of one function, and where its growth changed.
struct Log {
    begun: Instant,
    retries: Mutex<Vec<Retry>>,
    growth: Mutex<Option<Growth>>,
    was_linear: AtomicBool,
}

impl Log {
    fn new() -> Self {
        Self {
            begun: Instant::now(),
            retries: Mutex::default(),
            growth: Mutex::default(),
            was_linear: AtomicBool::new(false),
        }
    }

    fn note(&self, event: &RetryEvent<'_, Down>) {
        let decision = event.adaptive();
        if let Some(decision) = decision {
            assert!((0.0..=1.0).contains(&decision.jitter()), "{decision}");
            let mut growth = self.growth.lock().unwrap();
            if growth.replace(decision.growth()) != Some(decision.growth()) {
                println!("{:4.1} s  {decision}", self.begun.elapsed().as_secs_f64());
                self.was_linear.fetch_or(decision.growth() == Growth::Linear, Ordering::Relaxed);
            }
        }
        let (number, delay) = (event.attempt(), event.delay());
        self.retries.lock().unwrap().push(Retry { number, delay, decision });
    }

    /// What was logged since the last time, as a row of the table.
    fn row(&self, phase: &str, function: &str) -> String {
        let retries = std::mem::take(&mut *self.retries.lock().unwrap());
        let mut row = format!("{phase:<9}{function:<14}{:>8}", retries.len());
        for number in 1..=5 {
            let delays = retries.iter().filter(|retry| retry.number == number);
            let delays: Vec<Duration> = delays.map(|retry| retry.delay).collect();
            let count = u32::try_from(delays.len()).expect("a few seconds of retries");
            let mean = delays.iter().sum::<Duration>().checked_div(count);
            let mean = mean.map_or("-".to_owned(), |mean| mean.as_millis().to_string());
            write!(row, "{mean:>6}").expect("a string takes everything");
        }
        let jitter = retries.iter().filter_map(|retry| Some(retry.decision?.jitter()));
        let (least, most) = jitter.fold((1.0_f64, 0.0_f64), |(least, most), jitter| {
            (least.min(jitter), most.max(jitter))
        });
        if least <= most {
            write!(row, "   {least:.2} to {most:.2}").expect("a string takes everything");
        }
        row
    }
}

/// Keeps every processor busy until told to stop. More threads than processors, so that other programs on
/// the machine do not get in between.
fn burn(stop: &Arc<AtomicBool>) -> Vec<JoinHandle<()>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let burner = |_| {
        let stop = Arc::clone(stop);
        thread::spawn(move || {
            let mut number = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                number = black_box(number.wrapping_mul(31).wrapping_add(7));
            }
        })
    };
    (0..processors * 4).map(burner).collect()
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let logs = (Log::new(), Log::new());
    let mut table = Vec::new();
    for (phase, milliseconds, burns) in
        [("calm", 1_500, false), ("burning", 2_500, true), ("calm", 2_500, false)]
    {
        let stop = Arc::new(AtomicBool::new(!burns));
        let burners = burn(&stop);
        let end = Instant::now() + Duration::from_millis(milliseconds);
        let adaptively = async {
            while Instant::now() < end {
                let _ = adaptive(&logs.0).await;
            }
        };
        let plainly = async {
            while Instant::now() < end {
                let _ = plain(&logs.1).await;
            }
        };
        tokio::join!(adaptively, plainly);
        stop.store(true, Ordering::Relaxed);
        for burner in burners {
            burner.join().expect("a burner only counts");
        }
        table.push(logs.0.row(phase, "adaptive"));
        table.push(logs.1.row("", "equal jitter"));
    }
    println!("\n                        retries, mean delay before each in ms");
    println!("phase    function         in all     1     2     3     4     5   J");
    for row in &table {
        println!("{row}");
    }
    if !logs.0.was_linear.load(Ordering::Relaxed) {
        println!("\nOther programs kept this one below 80 % of the processors: let it have them.");
    }
}
