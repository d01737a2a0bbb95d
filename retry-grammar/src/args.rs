//! The attribute's arguments as a list of entries, whatever they mean.
//!
//! A mistake in one entry is reported and reading goes on after the next comma, so that all
//! mistakes come out at once.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Error, Expr, Result, Token,
    ext::IdentExt,
    parenthesized,
    parse::{ParseStream, Parser, discouraged::Speculative},
    token,
};

use super::keys::Key;

/// One `key`, `key = value` or `key(list)`.
pub(super) struct Entry {
    pub(super) key: Ident,
    pub(super) syntax: Syntax,
}

/// What follows a key.
pub(super) enum Syntax {
    /// Nothing: the key is a flag.
    Flag,
    /// `= expression`.
    Value(Expr),
    /// `(…)`.
    List(TokenStream),
}

impl Entry {
    /// The tokens that an error about this entry's value points at.
    pub(super) fn value_tokens(&self) -> TokenStream {
        match &self.syntax {
            Syntax::Flag => self.key.to_token_stream(),
            Syntax::Value(value) => value.to_token_stream(),
            Syntax::List(list) if list.is_empty() => self.key.to_token_stream(),
            Syntax::List(list) => list.clone(),
        }
    }
}

/// Reads all entries; what could not be read is in the second list.
pub(super) fn parse(tokens: TokenStream) -> (Vec<Entry>, Vec<Error>) {
    let mut entries = Vec::new();
    let mut errors = Vec::new();
    let read = |input: ParseStream<'_>| {
        while !input.is_empty() {
            match entry(input) {
                Ok(entry) => entries.push(entry),
                Err(error) => {
                    errors.push(error);
                    skip_to_comma(input)?;
                }
            }
            if !input.is_empty() && !input.peek(Token![,]) {
                errors.push(input.error("expected `,` between two settings"));
                skip_to_comma(input)?;
            }
            input.parse::<Option<Token![,]>>()?;
        }
        Ok(())
    };
    if let Err(error) = read.parse2(tokens) {
        errors.push(error);
    }
    (entries, errors)
}

fn entry(input: ParseStream<'_>) -> Result<Entry> {
    let Ok(key) = input.call(Ident::parse_any) else {
        return Err(input.error("expected a setting such as `attempts = 3`"));
    };
    let syntax = if input.peek(token::Paren) {
        let list;
        parenthesized!(list in input);
        Syntax::List(list.parse()?)
    } else if is_other_sign(input) {
        return Err(input.error(format!("a setting is written as in `{}`", example(&key))));
    } else if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        if input.is_empty() || input.peek(Token![,]) {
            let message = format!("`{key}` lacks its value, write `{}`", example(&key));
            return Err(Error::new(key.span(), message));
        }
        Syntax::Value(value(input, &key)?)
    } else {
        Syntax::Flag
    };
    Ok(Entry { key, syntax })
}

/// The setting as it should be, or any where there is none of this name.
fn example(key: &Ident) -> &'static str {
    Key::from_ident(key).unwrap_or(Key::Attempts).example()
}

/// Whether something stands in the place of `=`.
fn is_other_sign(input: ParseStream<'_>) -> bool {
    let is_sign = match input.cursor().token_tree() {
        Some((TokenTree::Punct(sign), _)) => !matches!(sign.as_char(), '=' | ',' | ';'),
        Some((TokenTree::Literal(_), _)) => true,
        _ => false,
    };
    is_sign || input.peek(Token![==]) || input.peek(Token![=>])
}

/// Read on a fork, since what a failed parse leaves of a parenthesis would be a second error.
fn value(input: ParseStream<'_>, key: &Ident) -> Result<Expr> {
    let ahead = input.fork();
    match ahead.parse() {
        Ok(value) => {
            input.advance_to(&ahead);
            Ok(value)
        }
        // At the end of the input there is no token to point at.
        Err(_) if ahead.is_empty() => {
            let mut last = key.span();
            while let Ok(token) = input.parse::<TokenTree>() {
                last = token.span();
            }
            let message =
                format!("the value of `{key}` is not complete, write it as in `{}`", example(key));
            Err(Error::new(last, message))
        }
        Err(error) => Err(error),
    }
}

fn skip_to_comma(input: ParseStream<'_>) -> Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn keys(tokens: TokenStream) -> (Vec<String>, Vec<String>) {
        let (entries, errors) = parse(tokens);
        (
            entries.iter().map(|entry| entry.key.to_string()).collect(),
            errors.iter().map(ToString::to_string).collect(),
        )
    }

    #[test]
    fn every_form_and_a_trailing_comma_are_read() {
        let (keys, errors) = keys(quote! {
            attempts = 3, idempotent, clone(a, b), classify = |e: &E| f::<A, B>(e), crate = ::a::b,
        });
        assert_eq!(keys, ["attempts", "idempotent", "clone", "classify", "crate"]);
        assert!(errors.is_empty(), "{errors:?}");
    }

    #[test]
    fn reading_goes_on_after_each_mistake() {
        let (keys, errors) = keys(
            quote! { 3, base =, max: "1s", budget = x y, deadline = f(1 2), attempts = 2, name = 3 + },
        );
        assert_eq!(keys, ["budget", "attempts"]);
        assert_eq!(errors.len(), 6, "{errors:?}");
        assert!(errors[5].contains("the value of `name` is not complete"), "{errors:?}");
        assert!(errors[1].contains("`base` lacks its value"), "{errors:?}");
        assert!(errors[2].contains("written as in `max = "), "{errors:?}");
    }

    #[test]
    fn no_arguments_are_no_mistake() {
        assert_eq!(keys(TokenStream::new()), (vec![], vec![]));
    }

    #[test]
    fn values_in_invisible_groups_are_read() {
        let literal = proc_macro2::Group::new(proc_macro2::Delimiter::None, quote!("50ms"));
        let (entries, errors) = parse(quote!(base = #literal));
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(entries[0].value_tokens().to_string().replace(' ', ""), "\"50ms\"");
    }
}
