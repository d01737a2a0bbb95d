//! What needs no example.

/// What has no example, its methods included, and why. An entry that is not needed is an error.
pub(crate) const EXEMPT: &[(&str, &[&str])] = &[
    (
        "parts of a call that nobody writes: `Run`, its methods and the parameters of its type have the examples",
        &[
            "stormless::run::Adjusting",
            "stormless::run::CutByDeadline",
            "stormless::run::CutByRefusal",
            "stormless::run::CutByTimeout",
            "stormless::run::Drive",
            "stormless::run::Express",
            "stormless::run::Falling",
            "stormless::run::FallingWith",
            "stormless::run::Finally",
            "stormless::run::HedgedDrive",
            "stormless::run::Holds",
            "stormless::run::Interruptible",
            "stormless::run::IsAwaited",
            "stormless::run::Judging",
            "stormless::run::Mode",
            "stormless::run::Rules",
            "stormless::run::Ruling",
            "stormless::run::Told",
            "stormless::run::Uncalled",
            "stormless::run::WithClass",
        ],
    ),
    (
        "parts of a layer or a service that nobody writes: the layers, and what can be named in a field, have the examples",
        &[
            "stormless::tower::Attempt",
            "stormless::tower::ByMethod",
            "stormless::tower::Preparing",
            "stormless::tower::Requests",
            "stormless::tower::Retries",
            "stormless::tower::ServerFuture",
        ],
    ),
];
