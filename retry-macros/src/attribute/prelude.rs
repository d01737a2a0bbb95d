//! What other attributes put before a body: moves of the arguments, and spans.
//!
//! `#[async_trait]` moves every argument into its future before the body, and `#[instrument]` above
//! `#[retry]` moves them into a future of its own. Either would leave nothing for a second attempt,
//! so the moves go before the loop, and a future that is awaited at once borrows instead.

mod async_trait;
mod instrument;

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use retry_grammar::model::Settings;
use syn::Pat;

use super::tokens::is_punct;

pub(super) use async_trait::{Move, is_fake_return};

/// A body in two parts.
#[derive(Default)]
pub(super) struct Prelude {
    /// Moves of arguments; run once, before the first attempt.
    pub(super) moves: Vec<Move>,
    /// What an attempt runs.
    pub(super) body: TokenStream,
    /// Patterns that have taken an argument apart which a span in the body records as a whole.
    pub(super) recorded: Vec<Pat>,
}

impl Prelude {
    pub(super) fn split(body: TokenStream) -> Self {
        let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
        async_trait::split(&tokens).or_else(|| instrument::split(&tokens)).unwrap_or_else(|| Self {
            body: instrument::borrowing_closures(body),
            ..Self::default()
        })
    }

    /// The variable that `self` was moved into, if it was.
    pub(super) fn renamed_self(&self) -> Option<&syn::PatIdent> {
        self.moves.iter().find_map(|each| match &each.pat {
            Pat::Ident(pat) if pat.ident == "__self" => Some(pat),
            _ => None,
        })
    }

    /// Settings that are asked after an attempt see `self` under its new name.
    pub(super) fn rename_self(&self, settings: &mut Settings) {
        let Some(renamed) = self.renamed_self() else { return };
        let Settings { cut_error, classify, classify_result, on_retry, .. } = settings;
        for setting in [cut_error, classify, classify_result, on_retry].into_iter().flatten() {
            let tokens = renamed_in(setting.value.to_token_stream(), &renamed.ident);
            if let Ok(value) = syn::parse2(tokens) {
                setting.value = value;
            }
        }
    }
}

/// The tokens with `self` renamed; a path such as `self::f` stays, and so does the name of a field as in
/// `self = debug(&self)`.
fn renamed_in(tokens: TokenStream, name: &Ident) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut renamed = TokenStream::new();
    while let Some(token) = tokens.next() {
        let stays = tokens.peek().is_some_and(|next| match next {
            TokenTree::Punct(next) if next.as_char() == '=' => next.spacing() == Spacing::Alone,
            next => is_punct(next, ':'),
        });
        renamed.append(match token {
            TokenTree::Ident(word) if word == "self" && !stays => {
                let place = name.span().located_at(word.span());
                TokenTree::Ident(Ident::new(&name.to_string(), place))
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), renamed_in(group.stream(), name));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            other => other,
        });
    }
    renamed
}

#[cfg(test)]
mod tests;
