//! Every key that a scenario may have: what is read, what is suggested and what is documented are this one list.

mod faults;

pub(super) use faults::{ENDPOINTS, FAULT, FAULTS, LOSS, OUTAGE, PAGE, SLOW, STALL, THROTTLE};

/// A key and what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What a value looks like.
    pub value: &'static str,
    /// What holds where it is left out; empty where it must be given.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// A table and its keys.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// As it is written, such as `[clients]`.
    pub heading: &'static str,
    /// Its keys.
    pub keys: &'static [&'static [Key]],
}

impl Section {
    /// All keys, in the order in which they are explained.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.keys.iter().copied().flatten()
    }
}

const fn key(
    name: &'static str,
    value: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Key {
    Key { name, value, default, meaning }
}

/// All sections, in the order in which they are explained.
pub const SECTIONS: &[&Section] = &[
    &TOP,
    &CLIENTS,
    &WAVE,
    &TIER,
    &SERVER,
    &CALL,
    &FAULT,
    &LOSS,
    &STALL,
    &OUTAGE,
    &SLOW,
    &ENDPOINTS,
    &THROTTLE,
    &PAGE,
    &CONTENTION,
    &POLICY,
    &DISTRIBUTION,
    &NORMAL,
];

pub(super) const TOP: Section = Section {
    heading: "the scenario",
    keys: &[&[
        key("title", "text", "the file's name", "one line"),
        key("about", "text", "nothing", "what it teaches"),
        key(
            "duration",
            "duration",
            "",
            "how long calls keep coming; `\"10m\"` with `[contention]`",
        ),
        key("window", "`[from, to]`", "all", "what is counted: calls that begin in it"),
        key(
            "seeds",
            "`6`, `[1, 2, 3]` or `\"1-6\"`",
            "3",
            "simulations of each policy; `6` is `\"1-6\"`",
        ),
        key("clients", "table", "", "who calls"),
        key("tier", "tables", "", "what is called"),
        key("fault", "tables", "none", "what goes wrong"),
        key(
            "contention",
            "table",
            "none",
            "clients that change one row, in place of the three above",
        ),
        key(
            "watch",
            "name",
            "where the trigger is, or the first fault, or the last tier",
            "the tier that attempts for each call, utilisation and load are about",
        ),
        key(
            "budgets",
            "table of tables",
            "none",
            "`[budgets.orders]`: what a policy's `budget = \"orders\"` is; its keys are those of a budget's builders",
        ),
        key("policy", "tables", "", "what is compared; the others are divided by the first"),
    ]],
};

pub(super) const CLIENTS: Section = Section {
    heading: "[clients]",
    keys: &[&[
        key("processes", "count", "1", "each has budgets and breakers of its own"),
        key(
            "rate",
            "number",
            "0",
            "calls a second of each process, at random moments, whatever becomes of earlier ones",
        ),
        key(
            "callers",
            "count",
            "0",
            "of each process, that call again once their last call has ended",
        ),
        key(
            "think",
            "time",
            "none",
            "how long such a caller waits in between; at least 1 ms after a call that took no time",
        ),
        key("wave", "tables", "none", "calls that come together"),
    ]],
};

pub(super) const WAVE: Section = Section {
    heading: "[[clients.wave]]",
    keys: &[&[
        key("at", "duration", "`\"0s\"`", "when it begins"),
        key("calls", "count", "", "how many, of all processes together"),
        key(
            "within",
            "duration",
            "`\"0s\"`",
            "over how long they are spread at random; `\"0s\"`: one instant",
        ),
    ]],
};

pub(super) const TIER: Section = Section {
    heading: "[[tier]]",
    keys: &[&[
        key("name", "text", "", "by which faults and policies speak of it"),
        key(
            "sites",
            "count",
            "1",
            "annotated functions that call it, each with a budget of its own where none is named; a call takes one at random",
        ),
        key(
            "timeout",
            "duration",
            "none",
            "after which the client gives an attempt up, which may have been executed",
        ),
        key("latency", "time", "none", "one way over the network"),
        key("server", "table", "none", "what answers; without it, at once and without limits"),
        key(
            "calls",
            "names or tables",
            "none",
            "what an attempt calls once the server has answered, one after the other",
        ),
    ]],
};

pub(super) const SERVER: Section = Section {
    heading: "server",
    keys: &[&[
        key("workers", "count", "", "requests that are served at once"),
        key("service", "time", "", "how long a worker takes for one"),
        key("queue", "count", "no limit", "requests that may wait; more get a 503 at once"),
        key(
            "shed",
            "true or false",
            "false",
            "drops a request, in place of serving it, once its client has given it up",
        ),
        key("endpoints", "count", "1", "share the workers evenly, each with a queue of its own"),
    ]],
};

pub(super) const CALL: Section = Section {
    heading: "calls",
    keys: &[&[
        key("tier", "name", "", "which tier is called"),
        key("times", "count", "1", "how often"),
        key("parallel", "true or false", "false", "all at once, in place of one after the other"),
        key(
            "apart",
            "true or false",
            "false",
            "as from a process of its own, which does not know that it is called from within an attempt",
        ),
    ]],
};

pub(super) const CONTENTION: Section = Section {
    heading: "[contention]",
    keys: &[&[
        key("clients", "count", "", "how many, each with one change to make"),
        key("latency", "time", "none", "one way over the network"),
    ]],
};

pub(super) const POLICY: Section = Section {
    heading: "[[policy]]",
    keys: &[&[
        key("name", "text", "", "in tables and plots"),
        key(
            "retry",
            "text",
            "",
            "what stands in `#[retry(…)]`, at every tier that `tiers` does not name",
        ),
        key("tiers", "table of texts", "none", "another `retry` for single tiers"),
        key(
            "backoff",
            "`\"half_jitter\"` or `\"double_jitter\"`",
            "that of `retry`",
            "one that the attribute has no word for: up to 50 or 100 % is added to each delay",
        ),
        key(
            "hints",
            "`\"honoured\"`, `\"slept\"` or `\"ignored\"`",
            "`\"honoured\"`",
            "a `Retry-After` is handed to the policy, slept by hand before the policy hears of the failure, or not looked at",
        ),
        key("budgets", "table of tables", "none", "as at the top level, for this policy alone"),
        key(
            "own_budget",
            "table",
            "the default bucket",
            "what calls have whose `retry` names no budget",
        ),
    ]],
};

pub(super) const DISTRIBUTION: Section = Section {
    heading: "a time",
    keys: &[&[
        key("exponential", "duration", "", "exponential, with this mean"),
        key("uniform", "`[from, to]`", "", "evenly from one to the other"),
        key("normal", "table", "", "the absolute value of a normal one"),
        key("median", "duration", "", "log-normal: half take longer"),
        key("p99", "duration", "", "log-normal, beside `median`: one of a hundred takes longer"),
    ]],
};

pub(super) const NORMAL: Section = Section {
    heading: "normal",
    keys: &[&[
        key("mean", "duration", "", "its mean"),
        key("deviation", "duration", "", "its standard deviation"),
    ]],
};
