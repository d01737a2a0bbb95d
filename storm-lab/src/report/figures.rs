//! All figures of the page once more, for programs.

use serde_json::{Map, Value as Json, json};

use super::Section;
use crate::summary::{Measure, Spread, Unit, Value};

fn number(value: Value, unit: Unit) -> Json {
    match value {
        Value::Number(number) => json!(unit.shown(number)),
        Value::Never => json!("never"),
        Value::Undefined => Json::Null,
    }
}

fn spread(spread: &Spread, unit: Unit) -> Json {
    json!({
        "median": number(spread.median, unit), "low": number(spread.low, unit), "high": number(spread.high, unit),
        "seeds": spread.count,
    })
}

/// A block of data that browsers do not run, with the element's name `figures`.
pub(super) fn block(sections: &[Section<'_>]) -> String {
    let scenarios: Vec<Json> = sections.iter().map(scenario).collect();
    let data = json!({"version": env!("CARGO_PKG_VERSION"), "scenarios": scenarios});
    // In a script, a `<` could end it.
    let text = data.to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"figures\">{text}</script>\n")
}

fn scenario(section: &Section<'_>) -> Json {
    let policies: Vec<Json> = section
        .summary
        .rows
        .iter()
        .map(|row| {
            let figures: Map<String, Json> = row
                .figures()
                .map(|(measure, figure)| {
                    let mut all = json!({"value": spread(&figure.value, measure.unit())});
                    if let Some(ratio) = &figure.ratio {
                        all["ratio"] = spread(ratio, Unit::Ratio);
                    }
                    (measure.key().to_owned(), all)
                })
                .collect();
            let seeds: Vec<Json> = section
                .outcomes
                .iter()
                .filter(|outcome| outcome.policy == row.policy)
                .map(|outcome| {
                    let mut figures = Map::new();
                    figures.insert("seed".to_owned(), json!(outcome.seed));
                    for measure in Measure::ALL {
                        let value = measure.of(section.scenario, outcome);
                        figures.insert(measure.key().to_owned(), number(value, measure.unit()));
                    }
                    Json::Object(figures)
                })
                .collect();
            json!({"name": row.policy, "figures": figures, "seeds": seeds})
        })
        .collect();
    json!({"name": section.scenario.name, "complete": section.complete, "policies": policies})
}
