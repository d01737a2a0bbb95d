//! The result's type where other attributes have written it into a body.
//!
//! `#[async_trait]` and `#[instrument]` name the function's return type. Where that is
//! `Result<T, RetryError<E>>`, the body that is repeated gives `Result<T, E>`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::Type;

use super::form::is_punct;

/// The body with `ty` in those places.
pub(super) fn retype(body: TokenStream, ty: &Type) -> TokenStream {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut retyped = TokenStream::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if let Some((kept, skipped)) = written_type(rest) {
            retyped.append_all(&rest[..kept]);
            ty.to_tokens(&mut retyped);
            at += kept + skipped;
            continue;
        }
        retyped.append(match &tokens[at] {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), retype(group.stream(), ty));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            token => token.clone(),
        });
        at += 1;
    }
    retyped
}

/// How many tokens stand before a type at the start, and how many the type has.
fn written_type(tokens: &[TokenTree]) -> Option<(usize, usize)> {
    // `let __ret: R = …`, `let __tracing_attr_fake_return: R = …`
    let [word, name, rest @ ..] = tokens else { return None };
    if is_any(word, &["let"]) && is_any(name, &["__ret", "__tracing_attr_fake_return"]) {
        let end = rest.iter().position(|token| is_punct(token, '='))?;
        return (end > 1).then_some((3, end - 1));
    }
    // `if let Some(__ret) = None::<R> {…}`
    if is_any(word, &["if"]) && is_any(name, &["let"]) {
        let block = rest.iter().position(|token| {
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
        })?;
        let head = &tokens[..2 + block];
        let bound = head.iter().any(|token| {
            matches!(token, TokenTree::Group(group) if group.stream().to_string() == "__ret")
        });
        let start = 1 + head.iter().position(|token| is_punct(token, '<'))?;
        let end = head.iter().rposition(|token| is_punct(token, '>'))?;
        return (bound && end > start).then_some((start, end - start));
    }
    None
}

fn is_any(token: &TokenTree, words: &[&str]) -> bool {
    matches!(token, TokenTree::Ident(ident) if words.iter().any(|word| ident == word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::parse_quote;

    #[test]
    fn each_place_of_the_type_has_the_new_one_and_nothing_else_has() {
        let body = |ty: TokenStream| {
            quote! {
                let span = { f::<R<u8>>() };
                let future = async {
                    if let Option::Some(__ret) = Option::None::<#ty> { return __ret; }
                    if false { let __tracing_attr_fake_return: #ty = loop {}; return x; }
                    let __ret: #ty = { let x: R<u8> = f(); if let Some(x) = None::<R<u8>> { x } };
                    __ret
                };
            }
        };
        let retyped = retype(body(quote!(R<u8>)), &parse_quote!(io::Result<u8, E>));
        assert_eq!(retyped.to_string(), body(quote!(io::Result<u8, E>)).to_string());
    }
}
