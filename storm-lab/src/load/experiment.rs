//! The parent: it starts servers and clients, and gathers what they say.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use tokio::{
    runtime,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{MissedTickBehavior, interval, timeout},
};

use super::{
    Arm, LoadError, Report, Settings,
    faults::Schedule,
    functions::Function,
    ledger::micros,
    measure::Usage,
    process::{Child, Heard},
    progress::{Known, Second},
    protocol::{ClientOrder, GO, Message, Order, STOP, ServerOrder},
    tally::Tally,
};
use crate::{scenario::Window, sim::Watch};

/// So long children may take to start.
const START: Duration = Duration::from_secs(20);
/// So long calls may go on after the last one has begun; more than all attempts and pauses of any function.
const DRAIN: Duration = Duration::from_secs(10);
/// So often it looks.
const LOOK: Duration = Duration::from_millis(250);
/// How often each request goes round the loop that costs CPU time: between a half and one millisecond.
const ROUNDS: u32 = 500_000;

struct Running {
    function: Function,
    tally: Tally,
    server: Usage,
    clients: Usage,
    known: Known,
}

/// One child, by its number.
struct Seat {
    child: Child,
    /// The policy to which it belongs, by its place.
    arm: usize,
    is_server: bool,
    done: bool,
    silent: bool,
}

struct Experiment<'a> {
    settings: &'a Settings,
    schedule: Schedule,
    arms: Vec<Running>,
    seats: Vec<Seat>,
    heard: UnboundedReceiver<(usize, Heard)>,
    tell: UnboundedSender<(usize, Heard)>,
    troubles: Vec<String>,
}

/// Runs it to its end, or until `watch` says stop; then the report is partial. `seen` is called each second.
///
/// # Errors
///
/// If it cannot begin. What goes wrong later is part of the report.
pub fn run(settings: &Settings, watch: &Watch, seen: &mut dyn FnMut(&Second)) -> Result<Report, LoadError> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async { Experiment::new(settings).run(watch, seen).await })
}

impl<'a> Experiment<'a> {
    fn new(settings: &'a Settings) -> Self {
        let (tell, heard) = unbounded_channel();
        let arms = settings.arguments().policy.iter().map(|function| Running {
            function: *function,
            tally: Tally::new(*function, settings.length()),
            server: Usage::default(),
            clients: Usage::default(),
            known: Known::default(),
        });
        Self {
            settings,
            schedule: Schedule::new(settings.arguments().fault, settings.arguments().seconds),
            arms: arms.collect(),
            seats: Vec::new(),
            heard,
            tell,
            troubles: Vec::new(),
        }
    }

    async fn run(mut self, watch: &Watch, seen: &mut dyn FnMut(&Second)) -> Result<Report, LoadError> {
        self.start(watch).await?;
        for seat in &mut self.seats {
            seat.child.say(GO).await;
        }
        let begun = Instant::now();
        self.follow(begun, watch, seen).await;
        let length = begun.elapsed().min(self.settings.length());
        let in_time = self.stop(begun).await;
        self.report(length, in_time && !watch.is_stopped())
    }

    async fn start(&mut self, watch: &Watch) -> Result<(), LoadError> {
        for arm in 0..self.arms.len() {
            self.seat(arm, Order::Serve(self.server_order())).await?;
        }
        let addresses = self.ready(watch).await?;
        for (arm, address) in addresses.into_iter().enumerate() {
            let server = address.ok_or_else(|| LoadError::NotReady("a server named no address".to_owned()))?;
            for number in 0..self.settings.arguments().processes {
                self.seat(arm, Order::Call(self.client_order(arm, server, number))).await?;
            }
        }
        self.ready(watch).await?;
        for arm in 0..self.arms.len() {
            let of = |server| {
                let seats = self.seats.iter().filter(move |seat| seat.arm == arm && seat.is_server == server);
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
            let Ok(Some((number, heard))) = timeout(LOOK, self.heard.recv()).await else { continue };
            match heard {
                Heard::Message(Message::Ready { address }) => {
                    addresses[number - first] = address;
                    self.seats[number].done = true;
                    missing -= 1;
                }
                Heard::Message(Message::Refused { why }) => return Err(LoadError::NotReady(why)),
                other => return Err(LoadError::NotReady(format!("{other:?}"))),
            }
        }
        Ok(addresses)
    }

    /// Until all clients are done, or time is up, or it is told to stop.
    async fn follow(&mut self, begun: Instant, watch: &Watch, seen: &mut dyn FnMut(&Second)) {
        self.seats.iter_mut().for_each(|seat| seat.done = false);
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut next = Duration::from_secs(1);
        while self.is_anybody_calling() && !watch.is_stopped() && begun.elapsed() < self.settings.length() + DRAIN {
            tokio::select! {
                Some((number, heard)) = self.heard.recv() => self.note(number, heard),
                _ = looks.tick() => {
                    let elapsed = begun.elapsed();
                    for arm in &mut self.arms {
                        arm.server.sample(elapsed);
                        arm.clients.sample(elapsed);
                    }
                    if elapsed >= next {
                        seen(&self.second(elapsed));
                        next = Duration::from_secs(elapsed.as_secs() + 1);
                    }
                }
            }
        }
    }

    fn is_anybody_calling(&self) -> bool {
        self.seats.iter().any(|seat| !seat.is_server && !seat.done && !seat.silent)
    }

    fn note(&mut self, number: usize, heard: Heard) {
        let name = self.name(number);
        let Some(seat) = self.seats.get_mut(number) else { return };
        let tally = &mut self.arms[seat.arm].tally;
        let trouble = match heard {
            Heard::Message(Message::Called(called)) => {
                (!tally.called(number, called)).then(|| "spoke of times that cannot be".to_owned())
            }
            Heard::Message(Message::Served(served)) => {
                (!tally.served(&served)).then(|| "spoke of times that cannot be".to_owned())
            }
            Heard::Message(Message::Done) => {
                seat.done = true;
                None
            }
            Heard::Message(Message::Refused { why }) => Some(format!("gave up: {why}")),
            Heard::Message(Message::Ready { .. }) => Some("was ready twice".to_owned()),
            Heard::Malformed(why) => Some(format!("wrote a line that is no result: {why}")),
            Heard::Silence => {
                seat.silent = true;
                (!seat.done).then(|| "died before it had told everything; what it told is kept".to_owned())
            }
        };
        self.troubles.extend(trouble.map(|trouble| format!("{name} {trouble}")));
    }

    fn name(&self, number: usize) -> String {
        let Some(seat) = self.seats.get(number) else { return format!("child {number}") };
        let kind = if seat.is_server { "server" } else { "client" };
        let pid = seat.child.pid.map_or_else(String::new, |pid| format!(" (process {pid})"));
        format!("a {kind} of `{}`{pid}", self.arms[seat.arm].function)
    }

    fn second(&mut self, elapsed: Duration) -> Second {
        let window = Window { from: elapsed.saturating_sub(Duration::from_secs(1)), to: elapsed };
        let arms = self.arms.iter_mut().map(|arm| {
            let known = Known::of(&arm.tally);
            let mut second = known.since(arm.known, arm.function, arm.tally.served.waiting);
            (second.server_cpu, second.clients_cpu) = (arm.server.share(window), arm.clients.share(window));
            arm.known = known;
            second
        });
        Second { elapsed, phase: self.schedule.phase(window.from), arms: arms.collect() }
    }

    /// Ends all children. `false` if clients had to be asked.
    async fn stop(&mut self, begun: Instant) -> bool {
        let in_time = !self.is_anybody_calling();
        for arm in &mut self.arms {
            arm.server.sample(begun.elapsed());
            arm.clients.sample(begun.elapsed());
        }
        for seat in &mut self.seats {
            seat.child.say(STOP).await;
        }
        // All that they still have to say, and then their silence.
        while self.seats.iter().any(|seat| !seat.silent) {
            let Ok(Some((number, heard))) = timeout(Duration::from_secs(2), self.heard.recv()).await else { break };
            self.note(number, heard);
        }
        for number in 0..self.seats.len() {
            let seat = &mut self.seats[number];
            let well = seat.child.end().await;
            if !well && seat.done {
                let name = self.name(number);
                self.troubles.push(format!("{name} did not end by itself"));
            }
        }
        in_time
    }

    fn report(self, length: Duration, in_time: bool) -> Result<Report, LoadError> {
        let mut arms = Vec::new();
        for arm in self.arms {
            arms.push(Arm {
                function: arm.function,
                outcome: arm.tally.outcome(self.settings, &self.schedule, length)?,
                failed: arm.tally.failed,
                failures: arm.tally.failures,
                served: arm.tally.served,
                server: arm.server,
                clients: arm.clients,
            });
        }
        let complete = in_time && self.troubles.is_empty();
        let (settings, schedule, troubles) = (self.settings.clone(), self.schedule, self.troubles);
        Ok(Report { settings, length, schedule, complete, troubles, arms })
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
