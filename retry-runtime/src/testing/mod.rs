//! For test suites: isolation, switches, schedules, and things that fail to order.
//!
//! Behind the feature `testing`; put it into your dev-dependencies alone.
//!
//! | | |
//! |---|---|
//! | [`isolated`], [`isolated_sync`] | budgets, breakers, counters, switches and seeds of the test's own |
//! | [`off`], [`on`] | no retries |
//! | [`no_delays`], [`real_delays`] | retries without the waits between them |
//! | [`seed`], [`jitter`] | the same delays on each run |
//! | [`schedule`] | what was attempted when, as a table, and what is asserted about it |
//! | [`events`] | everything that happened |
//! | [`Script`] | a dependency whose answers are written down beforehand |
//! | [`Chaos`] | errors, latency and panics at a rate, the same ones for the same seed |
//! | [`classification_table`] | what each variant of an error means, to be compared in review |
//! | [`blocking_sleeps`] | functions marked `blocking`, under a clock of the test's |
//! | [`clock_reads`] | what a call that succeeds at once must not do |
//!
//! Whatever is set here, is set for the [`isolated`] future around it, or for the process outside of one. It does
//! not reach from the process into isolated tests, nor from one into another that begins inside of it.

mod blocking;
mod chaos;
mod clock_reads;
mod delays;
mod draws;
mod events;
mod isolated;
mod jitter;
mod latency;
mod schedule;
mod script;
mod switch;
pub(crate) mod table;

pub(crate) use blocking::sleeps_instead;
pub use blocking::{BlockingSleeps, blocking_sleeps};
pub use chaos::{Chaos, Struck};
pub use clock_reads::clock_reads;
pub(crate) use clock_reads::count_clock_read;
pub use delays::{no_delays, real_delays};
pub use events::{Events, events};
pub use isolated::{isolated, isolated_sync};
pub use jitter::{Jitter, jitter, seed};
pub use schedule::{AttemptOutcome, DelayRange, Schedule, ScheduleRow, schedule};
pub use script::{Script, Step};
pub use switch::{off, on};
pub use table::{ClassificationRow, ClassificationTable, DecidedBy, classification_table};
