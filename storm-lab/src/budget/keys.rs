//! What can be said about a budget, and by what kind of value.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use retry_grammar::duration;
use retry_runtime::Refund;

use super::PairValue;

/// What was said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Count(u32),
    Number(f64),
    Time(Duration),
    Refund(Refund),
    Flag(bool),
}

#[derive(Clone, Copy)]
enum Wanted {
    Count,
    Number,
    Time,
    Refund,
    Flag,
}

macro_rules! keys {
    ($($key:ident $name:literal $wanted:ident $sample:literal,)*) => {
        /// One setting; in the order in which they are applied, so that each is checked against what it needs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Key { $($key),* }

        impl Key {
            pub(super) const ALL: &'static [Self] = &[$(Self::$key),*];

            /// As the user writes it.
            pub(super) const fn name(self) -> &'static str {
                match self { $(Self::$key => $name),* }
            }

            /// A value that makes sense.
            pub(super) const fn sample(self) -> &'static str {
                match self { $(Self::$key => $sample),* }
            }

            const fn wanted(self) -> Wanted {
                match self { $(Self::$key => Wanted::$wanted),* }
            }
        }
    };
}

keys! {
    Burst           "burst"             Count  "10",
    Ratio           "ratio"             Number "0.1",
    Window          "window"            Time   "60s",
    MinSamples      "min_samples"       Count  "20",
    Capacity        "capacity"          Count  "100",
    Cost            "cost"              Count  "10",
    Reward          "reward"            Count  "1",
    MaxTokens       "max_tokens"        Count  "10",
    TokenRatio      "token_ratio"       Number "0.1",
    Reserve         "reserve"           Count  "10",
    MinConcurrency  "min_concurrency"   Count  "3",
    Shed            "shed"              Number "2",
    PerCall         "per_call"          Number "0.2",
    Floor           "floor"             Count  "1",
    FloorSilence    "floor_silence"     Time   "10s",
    Refund          "refund"            Refund "last_cost",
    CostOfTransient "cost_of_transient" Count  "2",
    CostOfThrottled "cost_of_throttled" Count  "2",
    CostOfTimeout   "cost_of_timeout"   Count  "2",
    CostOfConflict  "cost_of_conflict"  Count  "2",
    ObserveOnly     "observe_only"      Flag   "true",
}

impl Key {
    pub(super) fn of(name: &str) -> Option<Self> {
        let name = if name == "silence" { "floor_silence" } else { name };
        Self::ALL.iter().copied().find(|key| key.name() == name)
    }

    pub(super) const fn is_cost_of(self) -> bool {
        matches!(
            self,
            Self::CostOfTransient
                | Self::CostOfThrottled
                | Self::CostOfTimeout
                | Self::CostOfConflict
        )
    }

    /// The value, if it is of the right kind; whether it makes sense is for production to say.
    pub(super) fn value(self, given: &PairValue) -> Result<Value, String> {
        let wrong = |wanted: &str| {
            format!("`{}` is {given}: it must be {wanted}, as in `{}`", self.name(), self.sample())
        };
        let words = |words: &str| format!("`{}` is {given}: it must be {words}", self.name());
        match (self.wanted(), given) {
            (Wanted::Count, PairValue::Integer(count)) => u32::try_from(*count)
                .map(Value::Count)
                .map_err(|_| wrong(&format!("a whole number of at most {}", u32::MAX))),
            (Wanted::Count, _) => Err(wrong("a whole number")),
            (Wanted::Number, PairValue::Integer(number)) => {
                number.to_string().parse().map(Value::Number).map_err(|_| wrong("a number"))
            }
            (Wanted::Number, PairValue::Float(number)) => Ok(Value::Number(*number)),
            (Wanted::Number, PairValue::Text(_)) => Err(wrong("a number")),
            (Wanted::Time, PairValue::Text(text)) => duration::parse(text)
                .map(Value::Time)
                .map_err(|message| format!("`{}`: {message}", self.name())),
            (Wanted::Time, _) => Err(wrong("a duration with its unit")),
            (Wanted::Refund, PairValue::Text(word)) if word == "nothing" => {
                Ok(Value::Refund(Refund::Nothing))
            }
            (Wanted::Refund, PairValue::Text(word)) if word == "last_cost" => {
                Ok(Value::Refund(Refund::LastCost))
            }
            (Wanted::Refund, _) => Err(words("`nothing` or `last_cost`")),
            (Wanted::Flag, PairValue::Text(word)) if word == "true" => Ok(Value::Flag(true)),
            (Wanted::Flag, PairValue::Text(word)) if word == "false" => Ok(Value::Flag(false)),
            (Wanted::Flag, _) => Err(words("`true` or `false`")),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Time(time) => write_time(f, *time),
            Self::Refund(Refund::LastCost) => f.write_str("last_cost"),
            Self::Refund(_) => f.write_str("nothing"),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// In the largest unit that leaves a whole number, so that it is read back exactly.
fn write_time(f: &mut Formatter<'_>, time: Duration) -> fmt::Result {
    let nanos = time.as_nanos();
    let units = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000)];
    let (unit, length) =
        units.into_iter().find(|(_, length)| nanos.is_multiple_of(*length)).unwrap_or(("ns", 1));
    write!(f, "{}{unit}", nanos / length)
}
