//! What other attributes put before a body: moves of the arguments, and spans.
//!
//! `#[async_trait]` moves every argument into its future before the body, and `#[instrument]` above
//! `#[retry]` moves them into a future of its own. Either would leave nothing for a second attempt,
//! so the moves go before the loop, and a future that is awaited at once borrows instead.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::{Attribute, Pat, Token, parse::Parser};

use super::form::is_punct;
use super::model::Settings;

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

/// `let x = x;`, or a pattern taken from an argument.
#[derive(Clone)]
pub(super) struct Move {
    pub(super) attrs: Vec<Attribute>,
    let_token: Token![let],
    pub(super) pat: Pat,
    /// From `=` to `;`.
    rest: TokenStream,
}

impl ToTokens for Move {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        self.let_token.to_tokens(tokens);
        self.pat.to_tokens(tokens);
        self.rest.to_tokens(tokens);
    }
}

impl Prelude {
    pub(super) fn split(body: TokenStream) -> Self {
        let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
        by_async_trait(&tokens)
            .or_else(|| by_instrument(&tokens))
            .unwrap_or_else(|| Self { body: borrowing_closures(body), ..Self::default() })
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

/// `if let Some(__ret) = None::<R> {…}`, moves, `let __ret: R = …; __ret`.
fn by_async_trait(tokens: &[TokenTree]) -> Option<Prelude> {
    if !is_word(tokens.first()?, "if") {
        return None;
    }
    let edge = 1 + tokens.iter().position(|token| group(token, Delimiter::Brace).is_some())?;
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

/// `let __tracing_attr_span = …; let __tracing_instrument_future = async move {…}; …`
fn by_instrument(tokens: &[TokenTree]) -> Option<Prelude> {
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

/// `#[instrument]` runs the body of a function that is not async in a `move` closure where it records
/// the result; this one is called at once and can borrow.
fn borrowing_closures(body: TokenStream) -> TokenStream {
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

/// The body inside the span: what `#[async_trait]` wrote, or the user's in braces of its own.
fn instrumented(tokens: &[TokenTree], moves: &mut Vec<Move>) -> TokenStream {
    match by_async_trait(tokens) {
        Some(split) => {
            moves.extend(split.moves);
            split.body
        }
        None => tokens.iter().cloned().collect(),
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

/// The first word of the kind, however deep it stands.
pub(super) fn find(tokens: &TokenStream, wanted: &impl Fn(&Ident) -> bool) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => find(&group.stream(), wanted),
        TokenTree::Ident(word) => wanted(&word).then_some(word),
        _ => None,
    })
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn group(token: &TokenTree, delimiter: Delimiter) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
