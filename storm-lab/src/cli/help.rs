//! What `--help` ends in: examples, what figures mean, exit codes. No line is wider than 76 columns, so that
//! none is broken on a terminal of 80.

/// Of the program.
pub(super) const ALL: &str = r#"Examples:
  storm-lab list              what there is to run
  storm-lab run L2            a collapse, naive and protected side by side
  storm-lab run L2 --out l2 --plots
                              the same, with files, plots and a report in `l2`
  storm-lab plan 'base = "50ms", attempts = 3, idempotent' --rps 300
                              a policy on paper: delays, worst case, what its
                              budget promises
  storm-lab load              real clients, a real server and a storm: a minute
  storm-lab list --show L2 > mine.toml
  storm-lab run mine.toml     a scenario of one's own, begun from a built-in one
  storm-lab check             the built-in scenarios and what they should show

Each command has more examples: `storm-lab run --help`
"#;

/// Of `run`.
pub(super) const RUN: &str = "\
Examples:
  storm-lab run L2                         naive and protected side by side
  storm-lab run L2 --policy success --policy naive --seeds 1-3
                                           two policies, three seeds
  storm-lab run L2 --out l2 --plots        files, plots and a report in `l2`
  storm-lab run L1 L2 L4 --report all.html one page about all, to be mailed
  storm-lab run mine.toml --json - | jq .  figures and series, for programs
";

/// Of `list`.
pub(super) const LIST: &str = "\
Examples:
  storm-lab list
  storm-lab list --show L2 > mine.toml     a scenario to begin one's own from
";

/// Of `check`.
pub(super) const CHECK: &str = "\
Examples:
  storm-lab check                          everything: minutes
  storm-lab check L2 L8-280 --quick        two scenarios, two seeds each
";

/// Of `load`.
pub(super) const LOAD: &str = "\
Examples:
  storm-lab load                           naive and protected, one minute
  storm-lab load --fault stall --seconds 30
                                           only the stall: does it recover?
  storm-lab load --policy naive,full_jitter,ratio,success --processes 2
                                           all four, with fewer clients each
  storm-lab load --out load --plots        files, plots and a report in `load`
";

/// Of `plan`.
pub(super) const PLAN: &str = r#"Examples:
  storm-lab plan 'attempts = 3, base = "50ms", idempotent' --rps 300
      Three attempts under the default bucket. A total failure of 300 calls/s
      uses its burst up in 27 ms, sooner than one call goes through its
      schedule: later calls fail at once, which spares the dependency.
  storm-lab plan 'attempts = 3, base = "50ms"' --rps 300 --blackout 60ms
      The same, for whoever wants to ride out 60 ms without an answer: it says
      for how long the burst pays, and which `burst` would pay for all of it.
  storm-lab plan 'attempts = 5, base = "400ms"' --attempt 500ms --deadline 2s
      Which attempts a deadline leaves time for, if each takes 500 ms to fail,
      and which share of the calls it cuts.
  storm-lab plan 'budget = "orders", idempotent' --budget burst=50,ratio=0.1 \
      --rps 50 --processes 40 --capacity 2300
      What 40 processes may send together, at once and in the long run, and
      whether a dependency that serves 2,300 requests/s bears it.
  storm-lab plan '' --json -
      The attribute without any settings, with all figures, for programs.
"#;

/// Of `plan`: how to read it.
pub(super) const READING: &str = "\
What is shown:
  schedule       of a call whose attempts all fail: the delay before each
                 retry, and when it starts. `least` and `most` are exact, as is
                 `cap`, the most that the backoff can give there; p5, p50 and
                 p95 are of 10,000 calls, drawn from the code that services run
  in time        the share of these calls in which the retry starts before
                 the deadline
  longest call   all delays and all attempts at their longest
  amplification  attempts per call in the long run at worst, whatever fails
  load           what that comes to for all processes together
  blackout       for how long every retry is paid for while all calls fail
  promise        of the budget, in production's own words
";

/// Of the table that `run` and `load` show.
pub(super) const COLUMNS: &str = "\
Columns of the table:
  peak retries/s   the most retries that began in any 10 ms, as a rate, and in
                   any second, at all tiers together: waves show in the former,
                   floods in the latter
  attempts         attempts at one tier for each logical call, the
                   amplification: at the one that `watch` names, or else where
                   the trigger is; where there are several, the heading names it
  success          the share of logical calls that succeeded
  latency          of the calls that succeeded, retries and waits included
  utilisation      the share of its time in which that tier's server was busy
  recovery         from the trigger's end to the first of five seconds in a row
                   that are nearly as good as before it
  granted, refused retries that budgets have paid for, and that they have not,
                   summed over tiers: what several share counts at each
  stopped, by why  calls of every tier that were not retried any more
  P/N              each seed's figure divided by the first policy's with the
                   same seed
  \u{2013}                no such figure: nothing succeeded, or it would be divided
                   by zero
";

const EXIT_CODES: &str = "\
Exit codes:
  0    everything was done
  1    something failed: a simulation, a rule, or writing a file
  2    an argument or a scenario is wrong; the message says what to write
  130  stopped with Ctrl-C or SIGTERM; what was finished is shown, marked as
       partial";

pub(super) fn with_codes(text: &str) -> String {
    format!("{text}\n{EXIT_CODES}")
}
