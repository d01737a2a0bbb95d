//! A second request where the first is slow: what it does for the slowest calls, and what it costs.
//!
//! A server on loopback answers in 4 to 8 ms, but every hundredth request takes 200 ms. The same 4,000
//! calls are made without hedging, with a hedge after 25 ms, and with one after the function's own p95.
//! It runs in real time, for about six seconds, so that the figures differ a little from run to run:
//!
//! ```text
//! hedge  hedges  requests  extra    p50    p95    p99 in ms
//! none        0      4000  0.0 %    7.6   11.3  200.5
//! 25 ms      40      4040  1.0 %    7.9   12.0   30.8
//! p95       121      4043  1.1 %    8.1   12.6   18.3
//!
//! A hedge after 25 ms: p99 falls 6.5 times, for 1.0 % more requests.
//! A hedge after p95: p99 falls 11.0 times, for 1.1 % more requests.
//! ```
//!
//! A hedge that is still connecting when the first answer comes is dropped and sends nothing, so that there
//! are more hedges than requests for them.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use stormless::{Budget, Retryable, SiteRow, budget, retry, sites};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::Instant,
};

const CALLS: u64 = 4_000;
const CALLERS: u64 = 20;

// What hedges are paid from, like all retries: whatever happens, there are at most 10 of them and one more
// for every 25 answered calls. That is the bound on the load that they add.
budget! {
    static FIXED: Budget = Budget::new("fixed").burst(10).ratio(0.04);
    static USUAL: Budget = Budget::new("usual").burst(10).ratio(0.04);
}

#[derive(Debug, thiserror::Error, Retryable)]
enum ClientError {
    #[error(transparent)]
    #[retryable(forward)]
    Io(#[from] io::Error),
}

/// A client that keeps its connections.
struct Client {
    server: SocketAddr,
    idle: Mutex<Vec<BufReader<TcpStream>>>,
}

impl Client {
    /// One request. Where it is dropped in the middle, so is its connection.
    async fn ask(&self, number: u64) -> Result<String, ClientError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => BufReader::new(TcpStream::connect(self.server).await?),
        };
        connection.write_all(format!("{number}\n").as_bytes()).await?;
        let mut answer = String::new();
        if connection.read_line(&mut answer).await? == 0 {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(answer)
    }
}

#[retry(idempotent)]
async fn plain(client: &Client, number: u64) -> Result<String, ClientError> {
    client.ask(number).await
}

// The body only borrows its arguments, so that it can run twice at once; `idempotent` says that the
// server does not mind. The first answer wins, and the other attempt is dropped.
#[retry(idempotent, hedge = "25ms", budget = FIXED)]
async fn after_25_ms(client: &Client, number: u64) -> Result<String, ClientError> {
    client.ask(number).await
}

// The delay follows the function's own latency: by definition one call in twenty is slower than that, and
// the budget leaves a hedge for one in 25.
#[retry(idempotent, hedge = "p95", budget = USUAL)]
async fn after_p95(client: &Client, number: u64) -> Result<String, ClientError> {
    client.ask(number).await
}

/// The ways to make a call.
#[derive(Clone, Copy)]
enum Way {
    Plain,
    After25Ms,
    AfterP95,
}

impl Way {
    /// The annotated function.
    const fn site(self) -> &'static str {
        match self {
            Self::Plain => "hedging::plain",
            Self::After25Ms => "hedging::after_25_ms",
            Self::AfterP95 => "hedging::after_p95",
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Plain => "none",
            Self::After25Ms => "25 ms",
            Self::AfterP95 => "p95",
        }
    }

    async fn call(self, client: &Client, number: u64) -> Result<String, ClientError> {
        match self {
            Self::Plain => plain(client, number).await,
            Self::After25Ms => after_25_ms(client, number).await,
            Self::AfterP95 => after_p95(client, number).await,
        }
    }
}

/// Answers in 4 to 8 ms, but every hundredth request in 200 ms, and counts the requests.
async fn serve(listener: TcpListener, requests: Arc<AtomicU64>) -> io::Result<()> {
    loop {
        let (connection, _) = listener.accept().await?;
        connection.set_nodelay(true)?;
        let requests = requests.clone();
        tokio::spawn(async move {
            let mut connection = BufReader::new(connection);
            let mut line = String::new();
            while connection.read_line(&mut line).await? > 0 {
                let request = requests.fetch_add(1, Ordering::Relaxed);
                let is_slow = request % 100 == 99;
                let takes = if is_slow { 200 } else { 4 + request % 5 };
                tokio::time::sleep(Duration::from_millis(takes)).await;
                connection.write_all(line.as_bytes()).await?;
                line.clear();
            }
            io::Result::Ok(())
        });
    }
}

/// All calls made in one way: how many requests came of them, and how long each took, in order.
struct Run {
    way: Way,
    requests: u64,
    took: Vec<Duration>,
}

impl Run {
    async fn of(way: Way) -> Result<Self, Box<dyn std::error::Error>> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let server = listener.local_addr()?;
        let requests = Arc::new(AtomicU64::new(0));
        let serving = tokio::spawn(serve(listener, requests.clone()));
        let client = Arc::new(Client { server, idle: Mutex::default() });

        let mut callers = JoinSet::new();
        for caller in 0..CALLERS {
            let client = client.clone();
            callers.spawn(async move {
                let mut took = Vec::new();
                for number in (0..CALLS).filter(|number| number % CALLERS == caller) {
                    let begun = Instant::now();
                    let answer = way.call(&client, number).await?;
                    assert_eq!(answer.trim_end().parse(), Ok(number), "the answer to this call");
                    took.push(begun.elapsed());
                }
                Ok::<_, ClientError>(took)
            });
        }
        let mut took = Vec::new();
        while let Some(calls) = callers.join_next().await {
            took.extend(calls??);
        }
        took.sort();
        serving.abort();
        Ok(Self { way, requests: requests.load(Ordering::Relaxed), took })
    }

    /// So many of a thousand calls were faster than this, and all others took at least as long.
    fn quantile(&self, per_mille: usize) -> f64 {
        self.took[self.took.len() * per_mille / 1_000].as_secs_f64() * 1e3
    }

    /// Requests beyond one for each call, in percent of the calls.
    fn extra(&self) -> f64 {
        (as_f64(self.requests) / as_f64(CALLS) - 1.0) * 100.0
    }

    fn print(&self) {
        let (name, requests, extra) = (self.way.name(), self.requests, self.extra());
        let [p50, p95, p99] = [500, 950, 990].map(|of| self.quantile(of));
        let hedges = sites().get(self.way.site()).map_or(0, SiteRow::hedges);
        println!(
            "{name:<5}  {hedges:>6}  {requests:>8}  {extra:3.1} %  {p50:>5.1}  {p95:>5.1}  {p99:>5.1}"
        );
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand")]
const fn as_f64(count: u64) -> f64 {
    count as f64
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("hedge  hedges  requests  extra    p50    p95    p99 in ms");
    let plain = Run::of(Way::Plain).await?;
    plain.print();
    let mut hedged = Vec::new();
    for way in [Way::After25Ms, Way::AfterP95] {
        let run = Run::of(way).await?;
        run.print();
        hedged.push(run);
    }
    println!();
    for run in hedged {
        let falls = plain.quantile(990) / run.quantile(990);
        let (name, extra) = (run.way.name(), run.extra());
        println!(
            "A hedge after {name}: p99 falls {falls:.1} times, for {extra:.1} % more requests."
        );
    }
    Ok(())
}
