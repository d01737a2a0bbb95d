//! What `#[instrument]` puts around a body: a span, and a future that moves what the body uses.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::Pat;

use super::{Move, Prelude, async_trait, renamed_in};
use crate::attribute::tokens::{find, group, is_punct, is_word};

/// `let __tracing_attr_span = …; let __tracing_instrument_future = async move {…}; …`
pub(super) fn split(tokens: &[TokenTree]) -> Option<Prelude> {
    let at = tokens.iter().position(|token| is_word(token, "__tracing_instrument_future"))?;
    let (name, future) = tokens.split_at(at + 2);
    if !is_punct(name.last()?, '=') {
        return None;
    }
    let mut split = Prelude::default();
    let future = borrow(future, &mut split.moves)?;
    let mut span: TokenStream = name.iter().cloned().collect();
    // The span records what the moves before it have taken.
    if let Some(renamed) = split.renamed_self() {
        span = renamed_in(span, &renamed.ident);
    }
    let taken = split.moves.iter().filter(|each| {
        // What stands in the signature instead of a pattern.
        let whole = |name: &Ident| name.to_string().starts_with("__arg");
        !matches!(each.pat, Pat::Ident(_))
            && find(&each.rest, &whole)
                .is_some_and(|name| find(&span, &|found| *found == name).is_some())
    });
    split.recorded = taken.map(|each| each.pat.clone()).collect();
    split.body = span.into_iter().chain(future).collect();
    Some(split)
}

/// Turns the `async move {…}` at the start into `async {…}`, down to the body that was instrumented;
/// what that one moves is added to `moves`.
fn borrow(tokens: &[TokenTree], moves: &mut Vec<Move>) -> Option<Vec<TokenTree>> {
    let [word, moving, block, rest @ ..] = tokens else { return None };
    let written = group(block, Delimiter::Brace)?;
    if !is_word(word, "async") || !is_word(moving, "move") {
        return None;
    }
    let inner: Vec<TokenTree> = written.stream().into_iter().collect();
    let inner = with_its_result(&inner, moves).unwrap_or_else(|| instrumented(&inner, moves));
    let mut block = Group::new(Delimiter::Brace, inner);
    block.set_span(written.span());
    let mut all = vec![word.clone(), TokenTree::Group(block)];
    all.extend_from_slice(rest);
    Some(all)
}

/// Where the span records the result (`err`, `ret`), the body is in a block within the block.
fn with_its_result(tokens: &[TokenTree], moves: &mut Vec<Move>) -> Option<TokenStream> {
    const STARTS: [&[&str]; 3] =
        [&["match"], &["let", "__match_scrutinee", "="], &["let", "x", "="]];
    let start = STARTS.iter().find(|start| {
        tokens.len() > start.len()
            && tokens.iter().zip(**start).all(|(token, wanted)| token.to_string() == *wanted)
    })?;
    let (start, future) = tokens.split_at(start.len());
    if !matches!(future.get(3..5)?, [dot, wait] if is_punct(dot, '.') && is_word(wait, "await")) {
        return None;
    }
    Some(start.iter().cloned().chain(borrow(future, moves)?).collect())
}

/// The body inside the span: what `#[async_trait]` wrote, or the user's in braces of its own.
fn instrumented(tokens: &[TokenTree], moves: &mut Vec<Move>) -> TokenStream {
    match async_trait::split(tokens) {
        Some(split) => {
            moves.extend(split.moves);
            split.body
        }
        None => tokens.iter().cloned().collect(),
    }
}

/// `#[instrument]` runs the body of a function that is not async in a `move` closure where it records
/// the result; this one is called at once and can borrow.
pub(super) fn borrowing_closures(body: TokenStream) -> TokenStream {
    if !body.clone().into_iter().any(|token| is_word(&token, "__tracing_attr_guard")) {
        return body;
    }
    let borrowing = body.into_iter().map(|token| match group(&token, Delimiter::Parenthesis) {
        Some(parens) if parens.stream().to_string().starts_with("move ||") => {
            let closure = parens.stream().into_iter().skip(1).collect();
            let mut borrowing = Group::new(Delimiter::Parenthesis, closure);
            borrowing.set_span(parens.span());
            TokenTree::Group(borrowing)
        }
        _ => token,
    });
    borrowing.collect()
}
