//! How far it is, on standard error.

use std::{
    io::{self, IsTerminal, Write},
    sync::Mutex,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::{
    runner::{Progress, Speed},
    summary::Unit,
};

/// Steps of the bar.
const STEPS: u32 = 1_000;
/// Between lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// A bar on a terminal; elsewhere a line every ten seconds.
pub(super) fn on_stderr() -> Box<dyn Progress> {
    if io::stderr().is_terminal() { Box::new(Bar::new()) } else { Box::new(Lines::default()) }
}

struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar =
            ProgressBar::with_draw_target(Some(u64::from(STEPS)), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {percent:>3} %  {wide_msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Progress for Bar {
    fn moved(&self, speed: &Speed) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1")]
        let position = (speed.share() * f64::from(STEPS)) as u64;
        self.0.set_message(line(speed));
        self.0.set_position(position);
    }

    fn ended(&self, speed: &Speed) {
        self.0.finish_and_clear();
        say(&last(speed));
    }
}

#[derive(Default)]
struct Lines(Mutex<Duration>);

impl Progress for Lines {
    fn moved(&self, speed: &Speed) {
        let Ok(mut said) = self.0.lock() else { return };
        if speed.elapsed.saturating_sub(*said) >= PAUSE {
            *said = speed.elapsed;
            say(&format!("{:.0} %  {}", speed.share() * 100.0, line(speed)));
        }
    }

    fn ended(&self, speed: &Speed) {
        say(&last(speed));
    }
}

/// Whoever has closed standard error does not want to know.
fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn line(speed: &Speed) -> String {
    let left = speed.remaining().map_or_else(String::new, |left| format!("  {} left", clock(left)));
    format!("{}/{} simulations{left}  {}", speed.finished, speed.jobs, rates(speed))
}

/// How fast it was, once it is over.
fn last(speed: &Speed) -> String {
    format!(
        "{} of {} simulations, {} simulated s, {:.1} M events in {:.1} s: {}",
        speed.finished,
        speed.jobs,
        Unit::Count.text(speed.simulated.as_secs_f64()),
        millions(speed.events),
        speed.elapsed.as_secs_f64(),
        rates(speed),
    )
}

fn rates(speed: &Speed) -> String {
    let simulated = Unit::Count.text(speed.simulated_per_second());
    format!("{:.1} M events/s  {simulated} simulated s/s", speed.events_per_second() / 1e6)
}

#[expect(clippy::cast_precision_loss, reason = "billions of events")]
fn millions(events: u64) -> f64 {
    events as f64 / 1e6
}

/// `0:07`, `1:02:03`.
fn clock(time: Duration) -> String {
    let (seconds, minutes, hours) =
        (time.as_secs() % 60, time.as_secs() / 60 % 60, time.as_secs() / 3600);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_fast_it_is_and_how_long_it_still_takes() {
        let speed = Speed {
            jobs: 18,
            finished: 4,
            total: Duration::from_secs(3_600),
            simulated: Duration::from_secs(900),
            events: 45_000_000,
            elapsed: Duration::from_secs(5),
        };
        assert_eq!(line(&speed), "4/18 simulations  0:15 left  9.0 M events/s  180 simulated s/s");
        assert_eq!(
            last(&speed),
            "4 of 18 simulations, 900 simulated s, 45.0 M events in 5.0 s: 9.0 M events/s  180 simulated s/s"
        );
        assert_eq!(line(&Speed::default()), "0/0 simulations  0.0 M events/s  0 simulated s/s");
        assert_eq!(clock(Duration::from_secs(3_723)), "1:02:03");
    }
}
