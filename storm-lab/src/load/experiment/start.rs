//! Children are started: first the servers, then the clients, which are told where those listen.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use tokio::time::timeout;

use super::{Experiment, LOOK, Seat};
use crate::{
    load::{
        LoadError,
        ledger::micros,
        measure::Usage,
        process::{Child, Heard},
        protocol::{ClientOrder, Message, Order, ServerOrder},
    },
    sim::Watch,
};

/// So long children may take to start.
const START: Duration = Duration::from_secs(20);
/// How often each request goes round the loop that costs CPU time: about half a millisecond, where it is optimised.
const ROUNDS: u32 = 400_000;

impl Experiment<'_> {
    pub(super) async fn start(&mut self, watch: &Watch) -> Result<(), LoadError> {
        for arm in 0..self.arms.len() {
            self.seat(arm, Order::Serve(self.server_order())).await?;
        }
        let addresses = self.ready(watch).await?;
        for (arm, address) in addresses.into_iter().enumerate() {
            let server = address
                .ok_or_else(|| LoadError::NotReady("a server named no address".to_owned()))?;
            for number in 0..self.settings.arguments().processes {
                self.seat(arm, Order::Call(self.client_order(arm, server, number))).await?;
            }
        }
        self.ready(watch).await?;
        for arm in 0..self.arms.len() {
            let of = |server| {
                let seats = self
                    .seats
                    .iter()
                    .filter(move |seat| seat.arm == arm && seat.is_server == server);
                Usage::of(seats.filter_map(|seat| seat.child.pid))
            };
            (self.arms[arm].server, self.arms[arm].clients) = (of(true), of(false));
        }
        Ok(())
    }

    async fn seat(&mut self, arm: usize, order: Order) -> Result<(), LoadError> {
        let is_server = matches!(order, Order::Serve(_));
        let number = self.seats.len();
        let child = Child::spawn(&self.settings.program, &order, number, self.tell.clone()).await?;
        self.seats.push(Seat { child, arm, is_server, done: false, silent: false });
        Ok(())
    }

    /// Waits for all that have not said so yet, in the order in which they were started.
    async fn ready(&mut self, watch: &Watch) -> Result<Vec<Option<SocketAddr>>, LoadError> {
        let first = self.seats.iter().position(|seat| !seat.done).unwrap_or(0);
        let mut addresses = vec![None; self.seats.len() - first];
        let mut missing = addresses.len();
        let begun = Instant::now();
        while missing > 0 {
            if watch.is_stopped() {
                return Err(LoadError::Stopped);
            }
            if begun.elapsed() > START {
                return Err(LoadError::NotReady("nothing was heard".to_owned()));
            }
            let Ok(Some((number, heard))) = timeout(LOOK, self.heard.recv()).await else {
                continue;
            };
            match heard {
                Heard::Message(message) => match *message {
                    Message::Ready { address } if number >= first && !self.seats[number].done => {
                        addresses[number - first] = address;
                        self.seats[number].done = true;
                        missing -= 1;
                    }
                    Message::Refused { why } => return Err(LoadError::NotReady(why)),
                    other => return Err(LoadError::NotReady(format!("it said {other:?}"))),
                },
                Heard::Malformed(why) => {
                    return Err(LoadError::NotReady(format!("it wrote no message: {why}")));
                }
                Heard::Silence => return Err(LoadError::NotReady("it said nothing".to_owned())),
            }
        }
        Ok(addresses)
    }

    fn server_order(&self) -> ServerOrder {
        let (workers, service) = self.settings.workers();
        ServerOrder {
            workers,
            service_us: micros(service),
            rounds: ROUNDS,
            queue: self.settings.queue(),
            most_requests: self.settings.most_requests(),
            schedule: self.schedule.clone(),
            seed: self.settings.arguments().seed,
        }
    }

    /// Clients of the same number call at the same moments, whatever their policy.
    fn client_order(&self, arm: usize, server: SocketAddr, number: u32) -> ClientOrder {
        let arguments = self.settings.arguments();
        ClientOrder {
            server,
            function: self.arms[arm].function,
            rate: arguments.rate,
            length_us: micros(self.settings.length()),
            most_calls: self.settings.most_calls(),
            seed: arguments.seed,
            number,
        }
    }
}
