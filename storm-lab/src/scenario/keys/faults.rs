//! The keys of what goes wrong.

use super::{Key, Section, key};

const ANY_FAULT: &[Key] = &[
    key("tier", "name", "the only one", "at which tier"),
    key("kind", "see below", "", "what goes wrong"),
    key("at", "duration", "`\"0s\"`", "when it begins"),
    key("for", "duration", "to the end", "how long it lasts"),
];

pub(in crate::scenario) const FAULT: Section = Section { heading: "[[fault]]", keys: &[ANY_FAULT] };

pub(in crate::scenario) const LOSS: Section = Section {
    heading: "[[fault]] kind = \"loss\"",
    keys: &[
        ANY_FAULT,
        &[
            key("share", "0 to 1", "0", "of the requests that fail, half of them on the way there"),
            key(
                "request",
                "0 to 1",
                "0",
                "of the requests that never reach the server; in place of `share`",
            ),
            key(
                "response",
                "0 to 1",
                "0",
                "of the answers that never come back; in place of `share`",
            ),
        ],
    ],
};

pub(in crate::scenario) const STALL: Section =
    Section { heading: "[[fault]] kind = \"stall\"", keys: &[ANY_FAULT] };

pub(in crate::scenario) const OUTAGE: Section = Section {
    heading: "[[fault]] kind = \"outage\"",
    keys: &[
        ANY_FAULT,
        &[
            key("status", "400 to 599", "503", "the HTTP status of the answer"),
            key("after", "time", "none", "how soon it comes"),
            key("retry_after", "duration", "none", "what it asks for"),
            key("share", "0 to 1", "1", "of the requests to which it happens"),
        ],
    ],
};

pub(in crate::scenario) const SLOW: Section = Section {
    heading: "[[fault]] kind = \"slow\"",
    keys: &[ANY_FAULT, &[key("factor", "number", "", "2: serving takes twice as long")]],
};

pub(in crate::scenario) const ENDPOINTS: Section = Section {
    heading: "[[fault]] kind = \"endpoints\"",
    keys: &[
        ANY_FAULT,
        &[key("down", "count", "", "of the server's endpoints, that answer with 503 at once")],
    ],
};

pub(in crate::scenario) const THROTTLE: Section = Section {
    heading: "[[fault]] kind = \"throttle\"",
    keys: &[
        ANY_FAULT,
        &[
            key("limit", "number", "", "requests a second that are let through; more get a 429"),
            key("retry_after", "duration", "none", "what that asks for"),
        ],
    ],
};

pub(in crate::scenario) const PAGE: Section = Section {
    heading: "[[fault]] kind = \"page\"",
    keys: &[
        ANY_FAULT,
        &[key(
            "number",
            "count",
            "",
            "of the calls that one attempt makes one after the other, this and later ones get a 503",
        )],
    ],
};

/// The kinds of faults, with their keys.
pub(in crate::scenario) const FAULTS: &[(&str, &Section)] = &[
    ("loss", &LOSS),
    ("stall", &STALL),
    ("outage", &OUTAGE),
    ("slow", &SLOW),
    ("endpoints", &ENDPOINTS),
    ("throttle", &THROTTLE),
    ("page", &PAGE),
];
