//! The parent: it starts servers and clients, and gathers what they say.

mod start;

use std::time::{Duration, Instant};

use tokio::{
    runtime,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{MissedTickBehavior, interval, timeout},
};

use super::{
    Arm, LoadError, Report, Settings,
    faults::Schedule,
    functions::Function,
    measure::Usage,
    process::{Child, Heard},
    progress::{Known, Second},
    protocol::{GO, Message, STOP},
    tally::Tally,
};
use crate::{outcome::Series, scenario::Window, sim::Watch};

/// So long calls may go on after the last one has begun; more than all attempts and pauses of any function.
const DRAIN: Duration = Duration::from_secs(10);
/// So often it looks.
const LOOK: Duration = Duration::from_millis(250);

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
pub fn run(
    settings: &Settings,
    watch: &Watch,
    seen: &mut dyn FnMut(&Second),
) -> Result<Report, LoadError> {
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

    async fn run(
        mut self,
        watch: &Watch,
        seen: &mut dyn FnMut(&Second),
    ) -> Result<Report, LoadError> {
        self.start(watch).await?;
        for seat in &mut self.seats {
            seat.child.say(GO).await;
        }
        let begun = Instant::now();
        self.follow(begun, watch, seen).await;
        let length = whole_steps(begun.elapsed()).min(self.settings.length());
        let in_time = self.stop(begun, watch.is_stopped()).await;
        self.report(length, in_time && !watch.is_stopped())
    }

    /// Until all clients are done, or time is up, or it is told to stop.
    async fn follow(&mut self, begun: Instant, watch: &Watch, seen: &mut dyn FnMut(&Second)) {
        self.seats.iter_mut().for_each(|seat| seat.done = false);
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut next = Duration::from_secs(1);
        while self.is_anybody_calling()
            && !watch.is_stopped()
            && begun.elapsed() < self.settings.length() + DRAIN
        {
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
        let impossible =
            |believed: bool| (!believed).then(|| "spoke of times that cannot be".to_owned());
        let trouble = match heard {
            Heard::Message(message) => match *message {
                Message::Called(called) => impossible(tally.called(number, called)),
                Message::Served(served) => impossible(tally.served(&served)),
                Message::Done => {
                    seat.done = true;
                    None
                }
                Message::Refused { why } => Some(format!("gave up: {why}")),
                Message::Ready { .. } => Some("was ready twice".to_owned()),
            },
            Heard::Malformed(why) => Some(format!("wrote a line that is no result: {why}")),
            Heard::Silence => {
                seat.silent = true;
                let died = "died before it had told everything; what it told is kept";
                (!seat.done).then(|| died.to_owned())
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
            (second.server_cpu, second.clients_cpu) =
                (arm.server.share(window), arm.clients.share(window));
            arm.known = known;
            second
        });
        Second { elapsed, phase: self.schedule.phase(window.from), arms: arms.collect() }
    }

    /// Ends all children. `false` if clients had to be asked, which is a trouble unless it was `wanted`.
    async fn stop(&mut self, begun: Instant, wanted: bool) -> bool {
        let in_time = !self.is_anybody_calling();
        for arm in &mut self.arms {
            arm.server.sample(begun.elapsed());
            arm.clients.sample(begun.elapsed());
        }
        let late: Vec<usize> = (0..self.seats.len())
            .filter(|at| {
                let seat = &self.seats[*at];
                !wanted && !seat.is_server && !seat.done && !seat.silent
            })
            .collect();
        for seat in &mut self.seats {
            seat.child.say(STOP).await;
        }
        // All that they still have to say, and then their silence.
        while self.seats.iter().any(|seat| !seat.silent) {
            let Ok(Some((number, heard))) =
                timeout(Duration::from_secs(2), self.heard.recv()).await
            else {
                break;
            };
            self.note(number, heard);
        }
        for number in late.into_iter().filter(|at| self.seats[*at].done) {
            let name = self.name(number);
            let after = DRAIN.as_secs();
            self.troubles.push(format!(
                "{name} still had calls in progress {after} s after the last could begin, and was stopped"
            ));
        }
        for number in 0..self.seats.len() {
            let seat = &mut self.seats[number];
            let well = seat.child.end().await;
            if !well && seat.done {
                let name = self.name(number);
                self.troubles.push(format!("{name} did not end by itself"));
            } else if !seat.done && !seat.silent {
                let name = self.name(number);
                self.troubles.push(format!(
                    "{name} did not answer when it was to stop, and was ended; what it told is kept"
                ));
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
                attempts_of_calls: arm.tally.attempts_of_calls,
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
}

/// What is counted in steps is not seen in parts of one.
fn whole_steps(time: Duration) -> Duration {
    let steps = u32::try_from(Series::step(time)).unwrap_or(u32::MAX);
    Series::STEP.saturating_mul(steps)
}
