//! A plan for other programs.

use std::io::{self, Write};
use std::time::Duration;

use retry_runtime::Bound;
use serde_json::{Value, json};

use super::{DRAWS, Plan, Row, SEED, Spread};

/// The schema's version: it changes where a field's meaning or place does, not where fields are added.
const VERSION: u32 = 1;

impl Plan {
    /// Writes one JSON document and a newline: all figures, with nothing rounded. Keys name the unit: `_s` are
    /// seconds, shares go from 0 to 1. What has no end, is not known or was not given is `null`.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn json(&self, to: &mut dyn Write) -> io::Result<()> {
        let around = &self.around;
        let document = json!({
            "version": VERSION,
            "policy": self.policy,
            "budget": self.budget,
            "assumed": {
                "calls_per_s": around.rps,
                "processes": around.processes.max(1),
                "attempt_s": self.attempt.as_secs_f64(),
                "attempt_is_known": self.longest_attempt.is_some(),
                "callers_deadline_s": seconds(around.deadline),
                "capacity_per_s": around.capacity,
                "blackout_s": seconds(around.blackout),
            },
            "attempts": self.attempts,
            "draws": DRAWS,
            "seed": SEED,
            "schedule": self.rows.iter().map(row).collect::<Vec<_>>(),
            "longest_call_s": seconds(self.worst_total),
            "longest_attempt_s": seconds(self.longest_attempt),
            "deadline_s": seconds(self.deadline),
            "deadline_cuts_share": self.cut,
            "deadline_cramps_share": self.cramped,
            "worst_amplification": self.worst_amplification,
            "long_run_attempts_per_s": self.long_run,
            "every_retry_paid_for_s": seconds(self.ridden_out),
            "burst_needed_for_blackout": self.burst_needed,
            "retries_after_blackout": self.asked_after,
            "bound": self.bound.as_ref().map(bound),
            "warnings": self.warnings,
            "notes": self.notes,
        });
        serde_json::to_writer_pretty(&mut *to, &document)?;
        to.write_all(b"\n")
    }
}

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| time.as_secs_f64())
}

fn row(row: &Row) -> Value {
    json!({
        "attempt": row.attempt,
        "cap_s": row.cap.as_secs_f64(),
        "delay_s": spread(&row.delay),
        "start_s": spread(&row.start),
        "in_time_share": row.in_time,
    })
}

fn spread(spread: &Spread) -> Value {
    let Spread { least, p5, p50, p95, most } = spread;
    json!({
        "least": least.as_secs_f64(),
        "p5": p5.as_secs_f64(),
        "p50": p50.as_secs_f64(),
        "p95": p95.as_secs_f64(),
        "most": most.as_secs_f64(),
    })
}

fn bound(bound: &Bound) -> Value {
    json!({
        "processes": bound.processes(),
        "burst_retries": bound.burst(),
        "steady_retries_per_call": bound.steady_share(),
        "retries_per_s_by_time": bound.per_second(),
        "worst_amplification": bound.worst_amplification(),
        "exempt_retries": bound.exempt(),
        "window_s": seconds(bound.window()),
        "words": bound.to_string(),
    })
}
