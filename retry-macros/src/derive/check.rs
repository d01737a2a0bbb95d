//! Turns keys into the model and reports everything that cannot be meant.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use retry_grammar::diagnostics::{Errors, did_you_mean, list};
use retry_grammar::retryable::{ENUM_KEYS, VARIANT_KEYS};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Fields};

use super::draft::Reading;
use super::model::{Class, Item, Model, Refinement, Variant};
use super::parse::{self, Entries, Entry};
use super::{draft, values};

/// The classes that a message offers to who gave none.
const REMEDY: &str = "write `#[retryable(transient)]` or another of `throttled`, `timeout`, `conflict`, `permanent`, \
                      `cancelled`, `forward`, `with = path`, `status = field`";

/// What one class is given to: a variant, or a whole struct.
pub(super) struct Target<'a> {
    /// As messages name it: ``variant `Busy` ``.
    pub(super) noun: String,
    path: TokenStream,
    label: String,
    attrs: &'a [Attribute],
    pub(super) fields: &'a Fields,
}

impl<'a> Target<'a> {
    fn variant(&self, class: Class<'a>, refinements: Vec<Refinement<'a>>) -> Variant<'a> {
        let cfgs = self.attrs.iter().filter(|attr| attr.path().is_ident("cfg")).collect();
        Variant {
            path: self.path.clone(),
            label: self.label.clone(),
            cfgs,
            class,
            by_default: false,
            refinements,
        }
    }
}

/// Reads the whole item. What could not be read is reported to `errors` and left out.
pub(super) fn model<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Model<'a> {
    let mut model = Model { item: Item::new(&input.ident, &input.generics), variants: Vec::new() };
    let mut entries = parse::entries(&input.attrs, errors);
    take_crate(&mut entries, &mut model.item, errors);
    match &input.data {
        Data::Enum(data) => {
            let default_permanent = enum_keys(&entries, errors);
            for variant in &data.variants {
                let (ident, label) = (generated(&variant.ident), variant.ident.unraw().to_string());
                let noun = format!("variant `{label}`");
                let target =
                    Target { noun, path: quote!(Self::#ident), label, attrs: &variant.attrs, fields: &variant.fields };
                let entries = parse::entries(&variant.attrs, errors);
                if default_permanent && !entries.present {
                    parse::reject_on_fields(&variant.fields, errors);
                    let variant = target.variant(Class::Kind("permanent", None), Vec::new());
                    model.variants.push(Variant { by_default: true, ..variant });
                } else {
                    classify(&target, &entries, &variant.ident, &mut model, errors);
                }
            }
        }
        Data::Struct(data) => {
            let label = input.ident.unraw().to_string();
            let noun = format!("struct `{label}`");
            let target = Target { noun, path: quote!(Self), label, attrs: &[], fields: &data.fields };
            classify(&target, &entries, &input.ident, &mut model, errors);
        }
        Data::Union(data) => errors.push(
            data.union_token,
            "`Retryable` cannot be derived for a union, since nobody knows which field is there: make it an enum",
        ),
    }
    model
}

/// The same name, but generated: lints on a use of it, such as `deprecated`, are not the user's.
fn generated(ident: &Ident) -> Ident {
    let mut ident = ident.clone();
    ident.set_span(Span::mixed_site().located_at(ident.span()));
    ident
}

fn classify<'a>(
    target: &Target<'a>,
    entries: &Entries,
    name: &Ident,
    model: &mut Model<'a>,
    errors: &mut Errors,
) {
    parse::reject_on_fields(target.fields, errors);
    match draft::read(target, entries, &mut model.item, errors) {
        Reading::Classified(class, refinements) => {
            model.variants.push(target.variant(class, refinements));
        }
        Reading::Unclassified => {
            errors.push_at(name.span(), format!("{} has no class: {REMEDY}", target.noun));
        }
        Reading::Faulty => {}
    }
}

/// Takes `crate = path` out, which enums and structs have alike.
fn take_crate(entries: &mut Entries, item: &mut Item<'_>, errors: &mut Errors) {
    entries.list.retain(|entry| {
        if entry.name() != "crate" {
            return true;
        }
        match values::path(entry, "::stormless") {
            Ok(path) => item.set_crate(path),
            Err(error) => errors.add(error),
        }
        false
    });
}

/// Whether variants may go without a class.
fn enum_keys(entries: &Entries, errors: &mut Errors) -> bool {
    // An unreadable key may have been the default.
    let mut default_permanent = entries.damaged;
    for entry in &entries.list {
        let name = entry.name();
        if name == "default" {
            // Also where the value is wrong: the variants without a class are no second mistake.
            default_permanent = true;
            if let Err(error) = default_value(entry) {
                errors.add(error);
            }
        } else if VARIANT_KEYS.contains(&name.as_str()) {
            errors.push(
                &entry.key,
                format!(
                    "`{name}` goes on a variant: write it above the variants that it is true of"
                ),
            );
        } else {
            default_permanent = true;
            unknown(entry, &ENUM_KEYS, errors);
        }
    }
    default_permanent
}

fn default_value(entry: &Entry) -> syn::Result<()> {
    let path = values::path(entry, "permanent")?;
    if path.is_ident("permanent") {
        return Ok(());
    }
    let message = "`default` can only be `permanent`, so that no new variant is retried by accident: write \
                   `default = permanent`";
    Err(syn::Error::new_spanned(path, message))
}

/// Reports a key that does not exist here.
pub(super) fn unknown(entry: &Entry, known: &[&str], errors: &mut Errors) {
    let name = entry.name();
    let message = match name.as_str() {
        "default" => {
            "`default` goes on an enum: a variant or struct has its own class, such as `permanent`"
                .into()
        }
        "crate" => {
            "`crate` goes on the enum, where one path serves all variants: move it there".into()
        }
        _ => {
            let known = || known.iter().copied();
            let hint = did_you_mean(&name, known());
            if hint.is_empty() {
                format!("unknown key `{name}`: use one of {}", list(known()))
            } else {
                format!("unknown key `{name}`{hint}")
            }
        }
    };
    errors.push(&entry.key, message);
}
