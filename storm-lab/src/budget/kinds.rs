//! The kinds of budgets that production has.

macro_rules! kinds {
    ($($(#[$default:ident])? $kind:ident $name:literal,)*) => {
        /// How a budget counts.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(super) enum Kind { $($(#[$default])? $kind),* }

        impl Kind {
            pub(super) const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// As the user writes it.
            pub(super) const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }
        }
    };
}

kinds! {
    #[default]
    Bucket            "bucket",
    Tokens            "tokens",
    Window            "window",
    AwsStandard       "aws_standard",
    AwsLegacy         "aws_legacy",
    Grpc              "grpc",
    FinaglePerRequest "finagle_per_request",
    FinaglePerSuccess "finagle_per_success",
    Envoy             "envoy",
    Sre               "sre",
}

impl Kind {
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|kind| kind.name())
    }
}
