//! What `#[async_trait]` puts before a body: the result's type, and moves of the arguments.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::{Attribute, Pat, Token, parse::Parser};

use super::Prelude;
use crate::attribute::tokens::{group, is_punct, is_word};

/// `let x = x;`, or a pattern taken from an argument.
#[derive(Clone)]
pub(in crate::attribute) struct Move {
    pub(in crate::attribute) attrs: Vec<Attribute>,
    let_token: Token![let],
    pub(in crate::attribute) pat: Pat,
    /// From `=` to `;`.
    pub(super) rest: TokenStream,
}

impl ToTokens for Move {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        self.let_token.to_tokens(tokens);
        self.pat.to_tokens(tokens);
        self.rest.to_tokens(tokens);
    }
}

/// `if let Some(__ret) = None::<R> {…}`, moves, `let __ret: R = …; __ret`.
pub(super) fn split(tokens: &[TokenTree]) -> Option<Prelude> {
    let edge = 1 + tokens.iter().position(|token| group(token, Delimiter::Brace).is_some())?;
    if !is_fake_return(&tokens[..edge]) {
        return None;
    }
    let end = (edge..tokens.len().checked_sub(2)?).find(|&at| {
        is_word(&tokens[at], "let")
            && is_word(&tokens[at + 1], "__ret")
            && is_punct(&tokens[at + 2], ':')
    })?;
    let moves = Parser::parse2(moves, tokens[edge..end].iter().cloned().collect()).ok()?;
    let body = tokens[..edge].iter().chain(&tokens[end..]).cloned().collect();
    Some(Prelude { moves, body, ..Prelude::default() })
}

fn moves(input: syn::parse::ParseStream<'_>) -> syn::Result<Vec<Move>> {
    let mut moves = Vec::new();
    while !input.is_empty() {
        let attrs = Attribute::parse_outer(input)?;
        let let_token = input.parse()?;
        let pat = Pat::parse_single(input)?;
        let mut rest = TokenStream::new();
        loop {
            let token: TokenTree = input.parse()?;
            let ends = is_punct(&token, ';');
            rest.append(token);
            if ends {
                break;
            }
        }
        moves.push(Move { attrs, let_token, pat, rest });
    }
    Ok(moves)
}

/// Whether this is the start of a return that is never reached and tells the result's type:
/// `if let Some(__ret) = None::<R>`.
pub(in crate::attribute) fn is_fake_return(head: &[TokenTree]) -> bool {
    matches!(head, [word, binding, ..] if is_word(word, "if") && is_word(binding, "let"))
        && head.iter().any(|token| {
            group(token, Delimiter::Parenthesis)
                .is_some_and(|bound| bound.stream().to_string() == "__ret")
        })
}
