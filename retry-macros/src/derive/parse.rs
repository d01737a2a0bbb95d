//! Reads `#[retryable(…)]` into keys and values, whatever they mean, and goes on after a mistake.

use proc_macro2::TokenTree;
use retry_grammar::diagnostics::Errors;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Attribute, Expr, Fields, Ident, Meta, Token, token};

/// A key with its value, if it has one.
pub(super) struct Entry {
    pub(super) key: Ident,
    pub(super) value: Option<Expr>,
}

impl Entry {
    pub(super) fn name(&self) -> String {
        self.key.to_string()
    }
}

/// All keys of one variant or item, from all its attributes.
#[derive(Default)]
pub(super) struct Entries {
    pub(super) list: Vec<Entry>,
    /// Whether there was any `#[retryable]`, readable or not.
    pub(super) present: bool,
    /// Whether something could not be read, so that nothing follows from what is missing.
    pub(super) damaged: bool,
}

/// The keys in `attrs`. A second use of a key is reported and left out.
pub(super) fn entries(attrs: &[Attribute], errors: &mut Errors) -> Entries {
    let mut entries = Entries::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("retryable")) {
        entries.present = true;
        match &attr.meta {
            Meta::List(list) if !list.tokens.is_empty() => {
                let read = list.parse_args_with(|input: ParseStream<'_>| {
                    read_list(input, &mut entries, errors);
                    Ok(())
                });
                if let Err(error) = read {
                    entries.damaged = true;
                    errors.add(error);
                }
            }
            meta => {
                entries.damaged = true;
                errors.push(
                    meta,
                    "`retryable` needs keys in parentheses: write `#[retryable(transient)]`",
                );
            }
        }
    }
    entries
}

fn read_list(input: ParseStream<'_>, entries: &mut Entries, errors: &mut Errors) {
    while !input.is_empty() {
        match read_entry(input) {
            Ok(entry) if entries.list.iter().any(|earlier| earlier.key == entry.key) => {
                let name = entry.name();
                errors.push(&entry.key, format!("`{name}` is given twice: keep one of the two"));
            }
            Ok(entry) => entries.list.push(entry),
            Err(error) => {
                entries.damaged = true;
                errors.add(error);
                skip_to_comma(input);
            }
        }
        if input.parse::<Token![,]>().is_err() {
            return;
        }
    }
}

/// Leaves the comma, or the end, to the caller.
fn read_entry(input: ParseStream<'_>) -> syn::Result<Entry> {
    let Ok(key) = input.call(Ident::parse_any) else {
        return Err(input.error("expected a key without quotes: write `transient` or another one"));
    };
    let key = key.unraw();
    if input.peek(token::Paren) {
        let inner = input.parse::<proc_macro2::Group>()?;
        let message =
            format!("`{key}` takes no parentheses: write `{key} = …` if it needs a value");
        return Err(syn::Error::new_spanned(inner, message));
    }
    let mut value = None;
    if input.peek(Token![=]) {
        let equals = input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            return Err(syn::Error::new_spanned(
                equals,
                format!("`{key} =` needs a value after it"),
            ));
        }
        // On a fork, since what a failed parse leaves of a parenthesis would be a second error.
        let ahead = input.fork();
        value = Some(ahead.parse::<Expr>()?);
        input.advance_to(&ahead);
    }
    if !input.is_empty() && !input.peek(Token![,]) {
        return Err(input.error("expected `,` before the next key"));
    }
    Ok(Entry { key, value })
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        // Without tokens left, the loop ends by itself.
        let _ = input.parse::<TokenTree>();
    }
}

/// Reports `#[retryable]` where it has no meaning: on a field.
pub(super) fn reject_on_fields(fields: &Fields, errors: &mut Errors) {
    for attr in fields.iter().flat_map(|field| &field.attrs) {
        if attr.path().is_ident("retryable") {
            let message = "`retryable` goes on the variant or struct, not on a field: write the field's name \
                           there, as in `#[retryable(throttled, retry_after = wait)]`";
            errors.push(&attr.meta, message);
        }
    }
}
