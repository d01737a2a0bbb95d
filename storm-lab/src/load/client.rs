//! A client process: calls at random moments, whatever becomes of earlier ones.

use std::{sync::Arc, time::Duration};

use retry_runtime::{Generator, Uniform};
use stormless::report;
use tokio::{
    sync::mpsc::UnboundedSender,
    time::{sleep, sleep_until},
};

use super::{
    LoadError,
    ledger::Ledger,
    protocol::{ClientOrder, Message},
};

/// After so long an attempt is given up.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_millis(500);
/// So often the parent is told.
pub(super) const TELL: Duration = Duration::from_millis(250);

/// Moments of a Poisson process: the time between two is exponential.
#[derive(Debug)]
pub struct Arrivals {
    random: Generator,
    rate: f64,
    next: Duration,
}

impl Arrivals {
    /// So many a second, from zero on; the same ones for the same seed and number.
    pub fn new(rate: f64, seed: u64, number: u32) -> Self {
        Self { random: Generator::seeded(seed, u64::from(number) + 1), rate, next: Duration::ZERO }
    }
}

impl Iterator for Arrivals {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        #[expect(clippy::cast_precision_loss, reason = "53 random bits are exact")]
        let uniform = (self.random.up_to((1 << 53) - 1) + 1) as f64 / (1_u64 << 53) as f64;
        let gap = Duration::try_from_secs_f64(-uniform.ln() / self.rate).ok()?;
        self.next = self.next.checked_add(gap)?;
        Some(self.next)
    }
}

/// What it needs: a client that sends each request once, and gives it up in time.
///
/// # Errors
///
/// If the server is not on loopback.
pub(super) fn prepare(order: &ClientOrder) -> Result<reqwest::Client, LoadError> {
    if !order.server.ip().is_loopback() {
        return Err(LoadError::NotLoopback(order.server));
    }
    let builder = stormless::reqwest::unretried(reqwest::Client::builder());
    Ok(builder.no_proxy().timeout(ATTEMPT_TIMEOUT).tcp_nodelay(true).build()?)
}

/// Makes the calls, and tells the parent what becomes of them, until all have ended or this is dropped.
pub(super) async fn run(
    order: ClientOrder,
    client: reqwest::Client,
    ledger: Arc<Ledger>,
    tell: UnboundedSender<Message>,
) {
    let calls = {
        let (order, ledger) = (order.clone(), Arc::clone(&ledger));
        tokio::spawn(async move { make_calls(&order, client, &ledger).await })
    };
    let mut idle = false;
    while !idle {
        sleep(TELL).await;
        // Asked before the ledger is emptied, so that the last call is in it.
        idle = calls.is_finished() && ledger.concurrent() == 0;
        if tell.send(Message::Called(ledger.take(order.function))).is_err() {
            return;
        }
    }
}

async fn make_calls(order: &ClientOrder, client: reqwest::Client, ledger: &Arc<Ledger>) {
    let url: Arc<str> = format!("http://{}/", order.server).into();
    let function = order.function;
    let length = Duration::from_micros(order.length_us);
    let most = usize::try_from(order.most_calls).unwrap_or(usize::MAX);
    let start = tokio::time::Instant::now();
    // The ledger's clock began a moment earlier.
    let offset = ledger.now();
    for due in Arrivals::new(order.rate, order.seed, order.number).take(most) {
        if due >= length {
            break;
        }
        sleep_until(start + due.saturating_sub(offset)).await;
        let (client, url, ledger) = (client.clone(), Arc::clone(&url), Arc::clone(ledger));
        tokio::spawn(async move {
            let call = ledger.call(due);
            let (result, reports) = report(function.call(&client, &url, &call)).await;
            call.end(result.is_ok(), &reports);
        });
    }
}
