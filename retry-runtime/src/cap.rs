//! A cap on failures of one class within one call, and which failures count towards it.

use crate::Kind;

/// At most so many failures, and the variant whose attribute says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cap {
    most: u32,
    variant: Option<&'static str>,
}

/// Whose failures a cap counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capped {
    /// Those of one variant, whatever labels it forwards.
    Variant(&'static str),
    /// Those of one kind, cap and label, which is all that is known of a class written by hand.
    Class(Kind, u32, &'static str),
}

impl Cap {
    /// A cap of a class written by hand. Zero acts like one.
    pub(crate) const fn by_hand(most: u32) -> Self {
        Self { most: if most == 0 { 1 } else { most }, variant: None }
    }

    /// A cap of the variant with this name, which no other variant has.
    pub(crate) const fn of_variant(variant: &'static str, most: u32) -> Self {
        Self { variant: Some(variant), ..Self::by_hand(most) }
    }

    /// The failures that it allows; at least 1.
    pub(crate) const fn most(self) -> u32 {
        self.most
    }

    /// Whose failures it counts, where the one at hand has this kind and label.
    pub(crate) const fn counts(self, kind: Kind, label: &'static str) -> Capped {
        match self.variant {
            Some(variant) => Capped::Variant(variant),
            None => Capped::Class(kind, self.most, label),
        }
    }
}

/// Two that allow the same are equal: whether a derive or a hand wrote them is no fact of the failure.
impl PartialEq for Cap {
    fn eq(&self, other: &Self) -> bool {
        self.most == other.most
    }
}

impl Eq for Cap {}
