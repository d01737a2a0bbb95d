//! Finds the fields that keys name or imply.

use quote::ToTokens;
use retry_grammar::diagnostics::{did_you_mean, list};
use syn::{Expr, ExprLit, Field as SynField, Fields, Lit, Member};

use super::check::Target;
use super::model::{Class, Field, Mark};
use super::parse::Entry;
use super::values::{error, required};

/// One of the fields, by name or by position.
pub(super) fn named<'a>(entry: &Entry, fields: &'a Fields) -> syn::Result<Field<'a>> {
    let name = entry.name();
    let example = fields.members().next().unwrap_or_else(|| syn::parse_quote!(field));
    let example = example.to_token_stream();
    let value = required(entry, &example.to_string())?;
    let member = match value {
        Expr::Path(path) if path.qself.is_none() => {
            path.path.get_ident().cloned().map(Member::Named)
        }
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) if number.suffix().is_empty() => number
            .base10_parse::<u32>()
            .ok()
            .map(|index| Member::Unnamed(syn::Index { index, span: number.span() })),
        _ => None,
    };
    let Some(member) = member else {
        return Err(error(
            value,
            format!("`{name}` needs the name or position of a field: write `{name} = {example}`"),
        ));
    };
    fields
        .iter()
        .zip(fields.members())
        .enumerate()
        .find(|(_, (_, candidate))| *candidate == member)
        .map(|(index, (field, member))| Field { index, member, ty: &field.ty })
        .ok_or_else(|| error(value, no_such_field(&member, fields)))
}

fn no_such_field(member: &Member, fields: &Fields) -> String {
    let wanted = member.to_token_stream().to_string();
    if fields.is_empty() {
        return format!(
            "there is no field `{wanted}`, since there are no fields: add one, or remove this key"
        );
    }
    let known: Vec<String> =
        fields.members().map(|member| member.to_token_stream().to_string()).collect();
    let known = || known.iter().map(String::as_str);
    format!(
        "there is no field `{wanted}`: name one of {}{}",
        list(known()),
        did_you_mean(&wanted, known())
    )
}

pub(super) fn has_attribute(field: &SynField, name: &str) -> bool {
    field.attrs.iter().any(|attr| attr.path().is_ident(name))
}

/// The class of a marked variant: a unit, or around one field.
pub(super) fn marker<'a>(mark: Mark, entry: &Entry, target: &Target<'a>) -> syn::Result<Class<'a>> {
    let cut = mark.cut;
    if target.fields.len() > 1 {
        let message = format!(
            "`{}` needs a unit, or a single field of type `{}`, but {} has {} fields: remove them, or mark another one",
            cut.key,
            cut.type_name,
            target.noun,
            target.fields.len()
        );
        return Err(error(&entry.key, message));
    }
    Ok(Class::Cut(mark, single(target.fields)))
}

fn single(fields: &Fields) -> Option<Field<'_>> {
    let mut all = all(fields);
    all.next().filter(|_| all.next().is_none()).map(|(field, _)| field)
}

fn all(fields: &Fields) -> impl Iterator<Item = (Field<'_>, &SynField)> {
    fields
        .iter()
        .zip(fields.members())
        .enumerate()
        .map(|(index, (field, member))| (Field { index, member, ty: &field.ty }, field))
}

/// The field that `forward` asks: the one that it names, else the only one, else the one that is the
/// error's source by the conventions of `thiserror`.
pub(super) fn forward<'a>(entry: &Entry, target: &Target<'a>) -> syn::Result<Field<'a>> {
    if entry.value.is_some() {
        return named(entry, target.fields);
    }
    if let Some(only) = single(target.fields) {
        return Ok(only);
    }
    let named = |field: &SynField| field.ident.as_ref().is_some_and(|ident| ident == "source");
    let source = one(target.fields, |field| has_attribute(field, "from"))
        .or_else(|| one(target.fields, |field| has_attribute(field, "source")))
        .or_else(|| one(target.fields, named));
    source.ok_or_else(|| {
        let example = target.fields.members().next().map_or_else(
            || "give it a field with the inner error".into(),
            |member| {
                format!(
                    "write `forward = {}` with the field of the inner error",
                    quote::quote!(#member)
                )
            },
        );
        let message = format!(
            "`forward` needs one field to ask, but {} has {}: {example}",
            target.noun,
            if target.fields.is_empty() { "none".into() } else { target.fields.len().to_string() }
        );
        error(&entry.key, message)
    })
}

fn one(fields: &Fields, wanted: impl Fn(&SynField) -> bool) -> Option<Field<'_>> {
    let mut matching = all(fields).filter(|(_, field)| wanted(field));
    matching.next().filter(|_| matching.next().is_none()).map(|(field, _)| field)
}
