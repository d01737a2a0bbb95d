//! How long something takes: a duration, or what it is drawn from.

use toml::de::DeValue;

use super::{table::Table, value::Value};
use crate::scenario::{
    Distribution,
    keys::{DISTRIBUTION, NORMAL},
};

/// How to write one, for messages.
const FORMS: &str = "a duration, `{ exponential = … }`, `{ uniform = [from, to] }`, \
    `{ normal = { mean = …, deviation = … } }` or `{ median = …, p99 = … }`";

impl Value<'_> {
    /// A time that may be random.
    pub(super) fn time(&self) -> Option<Distribution> {
        match self.content {
            DeValue::String(_) => self.duration().map(Distribution::Fixed),
            DeValue::Table(_) => self.table(&DISTRIBUTION).and_then(|table| distribution(&table)),
            _ => self.not("a time", FORMS),
        }
    }
}

fn distribution(table: &Table<'_>) -> Option<Distribution> {
    let forms = ["exponential", "uniform", "normal", "median"];
    let given: Vec<&str> = forms.into_iter().filter(|form| table.get(form).is_some()).collect();
    match given[..] {
        ["exponential"] => {
            apart(table);
            table.get("exponential")?.duration().map(Distribution::Exponential)
        }
        ["uniform"] => {
            apart(table);
            table.get("uniform")?.span().map(|(from, to)| Distribution::Uniform(from, to))
        }
        ["normal"] => {
            apart(table);
            let normal = table.get("normal")?.table(&NORMAL)?;
            let mean = normal.need("mean").and_then(Value::duration);
            let deviation = normal.need("deviation").and_then(Value::duration);
            Some(Distribution::Normal { mean: mean?, deviation: deviation? })
        }
        ["median"] => {
            let median = table.get("median").and_then(Value::some_time);
            let p99 = table.need("p99")?;
            let (median, most) = (median?, p99.duration()?);
            if most < median {
                p99.wrong("`p99` is below `median`: write at least as long a time");
                return None;
            }
            Some(Distribution::LogNormal { median, p99: most })
        }
        _ => {
            table.wrong("", format!("a time is one thing at once: write {FORMS}"));
            None
        }
    }
}

fn apart(table: &Table<'_>) {
    if let Some(p99) = table.get("p99") {
        p99.wrong("`p99` belongs to `median`: remove it, or write `{ median = …, p99 = … }`");
    }
}
