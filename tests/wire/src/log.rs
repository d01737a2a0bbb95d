//! What each service saw.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use stormless::{CallReport, deadline, wire::Facts};
use tokio::sync::watch;

/// A request as a service saw it.
#[derive(Clone, Debug)]
pub struct Hop {
    /// Which service.
    pub service: &'static str,
    /// The header that came with it.
    pub header: Option<String>,
    /// The time that was left when it came.
    pub left: Option<Duration>,
    /// What the service would tell others.
    pub facts: Option<Facts>,
}

/// What all services saw, and how their calls of others ended.
#[derive(Debug, Default)]
pub struct Log {
    hops: Mutex<Vec<Hop>>,
    reports: Mutex<Vec<CallReport>>,
    /// How many requests are being answered.
    running: watch::Sender<usize>,
}

fn all<T: Clone>(of: &Mutex<Vec<T>>) -> Vec<T> {
    of.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

impl Log {
    /// A request has come.
    pub fn see(&self, service: &'static str, header: Option<&str>) -> Running<'_> {
        self.running.send_modify(|running| *running += 1);
        let hop = Hop {
            service,
            header: header.map(str::to_owned),
            left: deadline::remaining(),
            facts: Facts::current(),
        };
        self.hops.lock().unwrap_or_else(PoisonError::into_inner).push(hop);
        Running(self)
    }

    /// Calls have ended.
    pub fn file(&self, reports: Vec<CallReport>) {
        self.reports.lock().unwrap_or_else(PoisonError::into_inner).extend(reports);
    }

    /// What a service saw.
    #[must_use]
    pub fn of(&self, service: &str) -> Vec<Hop> {
        let mut hops = all(&self.hops);
        hops.retain(|hop| hop.service == service);
        hops
    }

    /// How the calls of a function ended.
    #[must_use]
    pub fn reports(&self, function: &str) -> Vec<CallReport> {
        let mut reports = all(&self.reports);
        reports.retain(|report| report.site().rsplit("::").next() == Some(function));
        reports
    }

    /// Waits until no service is at work any more.
    pub async fn quiet(&self) {
        // The sender is this.
        let mut running = self.running.subscribe();
        let _open = running.wait_for(|running| *running == 0).await;
    }
}

/// A request is being answered.
#[derive(Debug)]
pub struct Running<'a>(&'a Log);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.send_modify(|running| *running -= 1);
    }
}
