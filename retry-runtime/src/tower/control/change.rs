//! What a request changes.

use http::StatusCode;

use super::{Answer, target};
use crate::{
    config,
    control::{self, Layer, Target},
};

/// Sets what a document says.
pub(super) fn set(document: &str) -> Answer {
    let document = match config::parse("request", document) {
        Ok(document) => document,
        Err(faults) => return Answer::bad(&faults.to_string()),
    };
    let mut remarks: Vec<String> = document.remarks().iter().map(ToString::to_string).collect();
    if document.overrides().is_empty() {
        remarks.push(
            "there is nothing to set: write a table with a setting; to take back what was set, send DELETE"
                .to_owned(),
        );
        return Answer::bad(&remarks.join("\n"));
    }
    match document.set() {
        Ok(applied) => {
            let set = match applied.overrides {
                1 => "1 override set".to_owned(),
                more => format!("{more} overrides set"),
            };
            remarks.insert(0, set);
            remarks.push(format!("\n{}\n", control::overrides()));
            Answer::text(StatusCode::OK, remarks.join("\n"))
        }
        Err(faults) => Answer::bad(&faults.to_string()),
    }
}

/// Takes away what was set: everything, or for those that the query names.
pub(super) fn clear(query: Option<&str>) -> Answer {
    let targets = match target::targets(query) {
        Ok(targets) => targets,
        Err(why) => return Answer::bad(&why),
    };
    if targets.is_empty() {
        control::clear_layer(Layer::Code);
    } else {
        let overrides = control::overrides();
        let set = |target: &Target| {
            overrides.iter().any(|row| row.layer() == Layer::Code && row.target() == target)
        };
        if let Some(unset) = targets.iter().find(|target| !set(target)) {
            return Answer::not_found(&format!(
                "nothing is set for {unset} by a request or by code, and nothing was taken back"
            ));
        }
        for target in &targets {
            control::clear(target);
        }
    }
    Answer::text(StatusCode::OK, format!("{}\n", control::overrides()))
}
