//! Spans and records in words: all that a subscriber is told, a line each.
//!
//! | line | |
//! |---|---|
//! | `+ #1 fetch, orders` | the span of call 1 opens, with its function and its budget, within none |
//! | `+ #1-2 in #1: …` | the span of its second attempt opens within it, with these fields |
//! | `= #1-2 …` | it has got these fields |
//! | `> #1-2`, `< #1-2` | it is entered, and left |
//! | `~ #1-2` | it is entered and left, with nothing in between: a poll of the body |
//! | `#1-2 DEBUG …` | a record in it, with its level and its fields |
//! | `- #1-2` | it is closed |
//!
//! What all spans have in common is looked at here and left out: target, level and the fields that say whose
//! they are. A span is entered for a record of ours, and that of a call for opening those of its attempts.

use std::fmt::Write as _;

use crate::{
    spans::{Event, Fields, Log, Span, Step},
    words::Calls,
};

const ID: &str = "stormless.retry_id";

/// All that was seen.
pub(crate) fn tell(log: &Log, calls: &Calls) -> Vec<String> {
    log.assert_settled();
    let journal = Journal { calls, spans: log.spans(), events: log.events() };
    let steps = merged(log.steps());
    let (mut lines, mut rest) = (Vec::new(), &steps[..]);
    loop {
        let (line, more) = match rest {
            [] => return lines,
            [Step::Entered(at), Step::Left(left), more @ ..] if at == left => {
                (format!("~ {}", journal.name(*at)), more)
            }
            [Step::Entered(at), inner, Step::Left(left), more @ ..]
                if at == left && journal.belongs(inner, *at) =>
            {
                (journal.line(inner), more)
            }
            [step, more @ ..] => (journal.line(step), more),
        };
        lines.push(line);
        rest = more;
    }
}

/// Fields that a span gets one after the other, as one step.
fn merged(steps: Vec<Step>) -> Vec<Step> {
    let mut merged: Vec<Step> = Vec::new();
    for step in steps {
        match (merged.last_mut(), step) {
            (Some(Step::Recorded(before, fields)), Step::Recorded(at, more)) if *before == at => {
                for (field, value) in more {
                    let known = fields.insert(field, value);
                    assert_eq!(known, None, "recorded twice");
                }
            }
            (_, step) => merged.push(step),
        }
    }
    merged
}

struct Journal<'a> {
    calls: &'a Calls,
    spans: Vec<Span>,
    events: Vec<Event>,
}

impl Journal<'_> {
    /// Whether it is a record of ours in this span, or opens a span in it.
    fn belongs(&self, step: &Step, within: usize) -> bool {
        match step {
            Step::Told(at) => self.events[*at].within == Some(within),
            Step::Opened(at, _) => self.spans[*at].parent == Some(within),
            _ => false,
        }
    }

    /// Of a span: `#1-2`.
    fn name(&self, at: usize) -> String {
        self.calls.name(self.spans[at].get(ID).expect("a span of ours"))
    }

    fn line(&self, step: &Step) -> String {
        match step {
            Step::Opened(at, fields) => self.opened(*at, fields.clone()),
            Step::Entered(at) => format!("> {}", self.name(*at)),
            Step::Left(at) => format!("< {}", self.name(*at)),
            Step::Recorded(at, fields) => {
                format!("= {}{}", self.name(*at), self.fields(fields.clone()))
            }
            Step::Closed(at) => format!("- {}", self.name(*at)),
            Step::Told(at) => {
                let event = &self.events[*at];
                assert_eq!(event.target, "stormless", "{event:?}");
                let within = event.within.map_or_else(|| "all".to_owned(), |at| self.name(at));
                let fields = self.fields(event.fields.clone());
                format!("{within} {} {}{fields}", event.level, event.message)
            }
        }
    }

    fn opened(&self, at: usize, mut fields: Fields) -> String {
        let span = &self.spans[at];
        assert_eq!((span.target.as_str(), span.level.as_str()), ("stormless", "DEBUG"));
        let mut take = |field: &str| fields.remove(field);
        let (site, budget) = (take("stormless.site"), take("stormless.budget"));
        let site = site.expect("a site");
        let mut line = format!("+ {}", self.calls.name(&take(ID).expect("an id")));
        if let Some(parent) = span.parent {
            write!(line, " in {}", self.name(parent)).expect("a string has room");
        }
        let named = match span.name {
            "call" => {
                write!(line, " {site}, {}", budget.as_deref().unwrap_or("none")).expect("room");
                site
            }
            "attempt" => {
                let call = &self.spans[span.parent.expect("an attempt is one of a call")];
                assert_eq!(call.name, "call");
                assert_eq!(call.get("stormless.site"), Some(site.as_str()));
                assert_eq!(call.get("stormless.budget"), budget.as_deref());
                format!("{site} attempt")
            }
            other => panic!("a span `{other}`"),
        };
        assert_eq!(take("otel.name"), Some(named));
        assert_eq!(take("otel.kind").as_deref(), Some("internal"));
        line + &self.fields(fields)
    }

    fn fields(&self, fields: Fields) -> String {
        let word = |(field, value): (String, String)| match field.as_str() {
            ID => format!(" {ID}={}", self.calls.name(&value)),
            _ => format!(" {field}={value}"),
        };
        let words: String = fields.into_iter().map(word).collect();
        if words.is_empty() { words } else { format!(":{words}") }
    }
}
