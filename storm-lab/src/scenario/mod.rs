//! What is simulated: scenarios, and how they are read from TOML.
//!
//! A scenario says who calls, what is called, what goes wrong, and which policies are compared. [`read_file`] and
//! [`read`] give a [`Scenario`], or everything that is wrong with the text, with its places; [`builtins`] come with the
//! program. Texts are read whatever is in them: nothing panics, and what would take days or more memory than a large
//! machine has is a mistake too.
//!
//! ```
//! let scenario = storm_lab::scenario::read("orders", r#"
//! title = "Orders under loss"
//! duration = "60s"
//!
//! [clients]
//! processes = 20
//! rate = 30.0
//!
//! [[tier]]
//! name = "orders"
//! timeout = "500ms"
//! server = { workers = 10, service = "10ms" }
//!
//! [[fault]]
//! kind = "loss"
//! share = 0.15
//!
//! [[policy]]
//! name = "naive"
//! retry = 'backoff = "fixed", base = "100ms", attempts = 4, budget = none, idempotent'
//!
//! [[policy]]
//! name = "default"
//! retry = 'attempts = 4, idempotent'
//! "#)?;
//! assert_eq!(scenario.policies[1].name, "default");
//! # Ok::<(), storm_lab::scenario::ScenarioError>(())
//! ```
//!
//! Durations are written as in the attribute: `"50ms"`, `"1.5s"`, `"1m30s"`. Where a single table stands in place of
//! several, its brackets may be single too. Tiers may stand in any order: clients call the one that no other calls, and
//! a [`Scenario`] has each before what it calls. The keys of budgets are those of
//! [`BudgetSpec`](crate::budget::BudgetSpec).
//!
//! # Keys
//!
//! ## At the top
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `title` | text | the file's name | one line |
//! | `about` | text | nothing | what it teaches |
//! | `duration` | duration | – | how long calls keep coming; `"10m"` with `[contention]` |
//! | `window` | `[from, to]` | all | what is counted: calls that begin in it |
//! | `seeds` | `6`, `[1, 2, 3]` or `"1-6"` | 3 | simulations of each policy; `6` is `"1-6"` |
//! | `clients` | table | – | who calls |
//! | `tier` | tables | – | what is called |
//! | `fault` | tables | none | what goes wrong |
//! | `contention` | table | none | clients that change one row, in place of the three above |
//! | `watch` | name | where the trigger is, or the first fault, or the last tier | the tier that attempts for each call, utilisation and load are about |
//! | `budgets` | table of tables | none | `[budgets.orders]`: what a policy's `budget = "orders"` is; its keys are those of a budget's builders |
//! | `policy` | tables | – | what is compared; the others are divided by the first |
//!
//! ## `[clients]`: who calls
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `processes` | count | 1 | each has budgets and breakers of its own |
//! | `rate` | number | 0 | calls a second of each process, at random moments, whatever becomes of earlier ones |
//! | `callers` | count | 0 | of each process, that call again once their last call has ended |
//! | `think` | time | none | how long such a caller waits in between; at least 1 ms after a call that took no time |
//! | `wave` | tables | none | calls that come together |
//!
//! ## `[[clients.wave]]`: calls that come together
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `at` | duration | `"0s"` | when it begins |
//! | `calls` | count | – | how many, of all processes together |
//! | `within` | duration | `"0s"` | over how long they are spread at random; `"0s"`: one instant |
//!
//! ## `[[tier]]`: what is called
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `name` | text | – | by which faults and policies speak of it |
//! | `sites` | count | 1 | annotated functions that call it, each with a budget of its own where none is named; a call takes one at random |
//! | `timeout` | duration | none | after which the client gives an attempt up, which may have been executed |
//! | `latency` | time | none | one way over the network |
//! | `server` | table | none | what answers; without it, at once and without limits |
//! | `calls` | names or tables | none | what an attempt calls once the server has answered, one after the other |
//!
//! ## `server` of a tier: workers behind a queue
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `workers` | count | – | requests that are served at once |
//! | `service` | time | – | how long a worker takes for one |
//! | `queue` | count | no limit | requests that may wait; more get a 503 at once |
//! | `shed` | true or false | false | drops a request, in place of serving it, once its client has given it up |
//! | `endpoints` | count | 1 | share the workers evenly, each with a queue of its own |
//!
//! ## `calls` of a tier, where a name does not say enough
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `tier` | name | – | which tier is called |
//! | `times` | count | 1 | how often |
//! | `parallel` | true or false | false | all at once, in place of one after the other |
//! | `apart` | true or false | false | as from a process of its own, which does not know that it is called from within an attempt |
//!
//! ## `[[fault]]`: what goes wrong
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `tier` | name | the only one | at which tier |
//! | `kind` | see below | – | what goes wrong |
//! | `at` | duration | `"0s"` | when it begins |
//! | `for` | duration | to the end | how long it lasts |
//!
//! ## `kind = "loss"`: requests or answers are lost, and the client hears nothing
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `share` | 0 to 1 | 0 | of the requests that fail, half of them on the way there |
//! | `request` | 0 to 1 | 0 | of the requests that never reach the server; in place of `share` |
//! | `response` | 0 to 1 | 0 | of the answers that never come back; in place of `share` |
//!
//! ## `kind = "stall"`: requests are held, and arrive together when it ends
//!
//! No keys of its own.
//!
//! ## `kind = "outage"`: requests are answered with an error
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `status` | 400 to 599 | 503 | the HTTP status of the answer |
//! | `after` | time | none | how soon it comes |
//! | `retry_after` | duration | none | what it asks for |
//! | `share` | 0 to 1 | 1 | of the requests to which it happens |
//!
//! ## `kind = "slow"`: serving takes longer
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `factor` | number | – | 2: serving takes twice as long |
//!
//! ## `kind = "endpoints"`: some of the server's endpoints fail
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `down` | count | – | of the server's endpoints, that answer with 503 at once |
//!
//! ## `kind = "throttle"`: too many requests are refused
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `limit` | number | – | requests a second that are let through; more get a 429 |
//! | `retry_after` | duration | none | what that asks for |
//!
//! ## `kind = "page"`: a loop over calls fails at one of them
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `number` | count | – | of the calls that one attempt makes one after the other, this and later ones get a 503 |
//!
//! ## `[contention]`: clients that change one row, after Amazon's experiment
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `clients` | count | – | how many, each with one change to make |
//! | `latency` | time | none | one way over the network |
//!
//! ## `[[policy]]`: what is compared
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `name` | text | – | in tables and plots |
//! | `retry` | text | – | what stands in `#[retry(…)]`, at every tier that `tiers` does not name |
//! | `tiers` | table of texts | none | another `retry` for single tiers |
//! | `backoff` | `"half_jitter"` or `"double_jitter"` | that of `retry` | one that the attribute has no word for: up to 50 or 100 % is added to each delay |
//! | `hints` | `"honoured"`, `"slept"` or `"ignored"` | `"honoured"` | a `Retry-After` is handed to the policy, slept by hand before the policy hears of the failure, or not looked at |
//! | `budgets` | table of tables | none | as at the top level, for this policy alone |
//! | `own_budget` | table | the default bucket | what calls have whose `retry` names no budget |
//!
//! ## A time: a duration, or a table with
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `exponential` | duration | – | exponential, with this mean |
//! | `uniform` | `[from, to]` | – | evenly from one to the other |
//! | `normal` | table | – | the absolute value of a normal one |
//! | `median` | duration | – | log-normal: half take longer |
//! | `p99` | duration | – | log-normal, beside `median`: one of a hundred takes longer |
//!
//! ## `normal` of a time
//!
//! | key | value | if left out | meaning |
//! |---|---|---|---|
//! | `mean` | duration | – | its mean |
//! | `deviation` | duration | – | its standard deviation |

mod builtin;
mod distribution;
mod duration;
mod error;
mod excerpt;
mod file;
pub mod keys;
mod mistakes;
pub mod model;
mod reader;
mod seeds;

pub use builtin::{Builtin, builtin, builtins, find, list, unknown, unknown_builtin};
pub use distribution::{Distribution, Z99};
pub use error::ScenarioError;
pub use excerpt::Place;
pub(crate) use excerpt::excerpt;
pub use file::{read, read_file};
pub use mistakes::{Mistake, Mistakes};
pub use model::{
    Clients, Contention, Edge, Fault, FaultKind, Hints, PolicySpec, Scenario, Server, Tier,
    Topology, Wave, Window, Work,
};
pub use reader::affordable;
pub use seeds::seeds;

#[cfg(test)]
mod tests;
