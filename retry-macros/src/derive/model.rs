//! What the attributes say, as types: the classes, refinements and cuts of each variant.

use std::time::Duration;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Attribute, Generics, Member, Path, Type};

/// Keys that are classes by themselves, each a constructor of `Classification`.
pub(super) const KINDS: [&str; 6] =
    ["transient", "throttled", "timeout", "conflict", "permanent", "cancelled"];

/// Keys that say whether the operation may have been carried out, each a method of `Classification`.
pub(super) const EXECUTIONS: [&str; 3] = ["not_executed", "maybe_executed", "executed"];

/// A way in which a call is cut short, and the type that says so.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) key: &'static str,
    pub(super) type_name: &'static str,
}

pub(super) const CUTS: [Cut; 3] = [
    Cut { key: "attempt_timeout", type_name: "AttemptTimeout" },
    Cut { key: "deadline_exceeded", type_name: "DeadlineExceeded" },
    Cut { key: "breaker_open", type_name: "BreakerOpen" },
];

/// The item, with every variant that could be read.
pub(super) struct Model<'a> {
    pub(super) item: Item<'a>,
    pub(super) variants: Vec<Variant<'a>>,
}

/// What is known of the item even where its variants could not be read.
pub(super) struct Item<'a> {
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    krate: Option<Path>,
    /// Each cut at most once.
    pub(super) marks: Vec<Mark>,
}

/// A cut that a variant stands for.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) cut: &'static Cut,
    /// Whether `#[from]` on the field makes another derive write the `From`.
    pub(super) has_from: bool,
}

impl<'a> Item<'a> {
    pub(super) fn new(ident: &'a Ident, generics: &'a Generics) -> Self {
        Self { ident, generics, krate: None, marks: Vec::new() }
    }

    pub(super) fn set_crate(&mut self, path: Path) {
        self.krate = Some(path);
    }

    /// The module of everything that generated code names.
    pub(super) fn private(&self) -> TokenStream {
        let krate =
            self.krate.as_ref().map_or_else(|| quote!(::stormless), ToTokens::to_token_stream);
        quote!(#krate::__private)
    }
}

/// One variant, or the whole of a struct.
pub(super) struct Variant<'a> {
    /// `Self::Name`, or `Self` for a struct.
    pub(super) path: TokenStream,
    pub(super) label: String,
    pub(super) cfgs: Vec<&'a Attribute>,
    pub(super) class: Class<'a>,
    /// Whether the class is the enum's default.
    pub(super) by_default: bool,
    pub(super) refinements: Vec<Refinement<'a>>,
}

/// What decides the kind of failure.
pub(super) enum Class<'a> {
    /// One of [`KINDS`]; a status beside it only tells the execution.
    Kind(&'static str, Option<Field<'a>>),
    Status(Field<'a>),
    Forward(Field<'a>),
    With(Path),
    /// A marker; the field holds the cut's own type.
    Cut(Mark, Option<Field<'a>>),
}

/// A field that an attribute names.
#[derive(Clone)]
pub(super) struct Field<'a> {
    /// Its position, from 0.
    pub(super) index: usize,
    pub(super) member: Member,
    pub(super) ty: &'a Type,
}

/// What is changed about the classification that the class gave.
pub(super) enum Refinement<'a> {
    /// A method without arguments: one of [`EXECUTIONS`], or `local`.
    Flag(&'static str),
    Base(Duration),
    Attempts(u32),
    Cost(u32),
    RetryAfter(Field<'a>),
}

impl<'a> Variant<'a> {
    /// The fields that the classification reads, each once.
    pub(super) fn fields_read(&self) -> Vec<&Field<'a>> {
        let class = match &self.class {
            Class::Kind(_, field) | Class::Cut(_, field) => field.as_ref(),
            Class::Status(field) | Class::Forward(field) => Some(field),
            Class::With(_) => None,
        };
        let refined = self.refinements.iter().filter_map(|refinement| match refinement {
            Refinement::RetryAfter(field) => Some(field),
            _ => None,
        });
        let mut fields: Vec<_> = class.into_iter().chain(refined).collect();
        fields.sort_by_key(|field| field.index);
        fields.dedup_by_key(|field| field.index);
        fields
    }
}
