//! Where a function's asynchronous body is: it is one, it ends in one, or it has none.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::TokenStreamExt;

use super::item::Function;

/// How an annotated function runs its body.
pub(super) enum Form {
    /// `async fn`.
    Async,
    /// A function that ends in an `async` block, as `#[async_trait]` and others make them.
    Future(Tail),
    /// A function without a future.
    Plain,
}

impl Form {
    pub(super) fn of(function: &Function) -> Self {
        if function.sig.asyncness.is_some() {
            return Self::Async;
        }
        Tail::find(function.body.clone()).map_or(Self::Plain, Self::Future)
    }
}

/// A body's last expression: an `async` block, maybe wrapped in `Box::pin(…)` or boxed by
/// `.boxed()`.
#[derive(Clone)]
pub(super) struct Tail {
    /// What stands before the block, statements and all; runs once, when the function is called.
    before: Vec<TokenTree>,
    /// The parentheses around the block, if any.
    parens: Option<Group>,
    /// `async` or `async move`.
    head: Vec<TokenTree>,
    /// The block.
    pub(super) block: Group,
    /// `.boxed()` or a semicolon.
    after: Vec<TokenTree>,
}

impl Tail {
    fn find(body: TokenStream) -> Option<Self> {
        let mut before: Vec<TokenTree> = visible(body).into_iter().collect();
        let mut after = Vec::new();
        take_semicolon(&mut before, &mut after);
        take_boxed(&mut before, &mut after);
        if let Some((head, block)) = take_block(&mut before) {
            return Some(Self { before, parens: None, head, block, after });
        }
        let Some(TokenTree::Group(parens)) = before.pop() else { return None };
        let pins = ends_in(&before, &["Box", ":", ":", "pin"]);
        let boxed = after.iter().any(|token| matches!(token, TokenTree::Group(_)));
        if parens.delimiter() != Delimiter::Parenthesis || !(pins || boxed) {
            return None;
        }
        let mut inner: Vec<TokenTree> = parens.stream().into_iter().collect();
        if inner.last().is_some_and(|last| is_punct(last, ',')) {
            inner.pop();
        }
        let (head, block) = take_block(&mut inner)?;
        inner.is_empty().then_some(Self { before, parens: Some(parens), head, block, after })
    }

    /// Whether nothing runs before the future is polled.
    pub(super) fn is_all(&self) -> bool {
        !self.before.iter().any(|token| {
            matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
                || is_punct(token, ';')
        })
    }

    /// What stands before the future.
    pub(super) fn before(&self) -> TokenStream {
        self.before.iter().cloned().collect()
    }

    /// The body with other content in its block.
    pub(super) fn with(&self, content: TokenStream) -> TokenStream {
        let mut block = Group::new(Delimiter::Brace, content);
        block.set_span(self.block.span());
        let mut expression = TokenStream::new();
        expression.append_all(&self.head);
        expression.append(block);
        let mut tokens = TokenStream::new();
        tokens.append_all(&self.before);
        if let Some(written) = &self.parens {
            let mut parens = Group::new(Delimiter::Parenthesis, expression);
            parens.set_span(written.span());
            tokens.append(parens);
        } else {
            tokens.extend(expression);
        }
        tokens.append_all(&self.after);
        tokens
    }
}

/// What `macro_rules!` passed on as one fragment stands in an invisible group.
fn visible(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            visible(group.stream())
        }
        _ => tokens,
    }
}

fn take_semicolon(tokens: &mut Vec<TokenTree>, after: &mut Vec<TokenTree>) {
    if tokens.last().is_some_and(|last| is_punct(last, ';')) {
        after.extend(tokens.pop());
    }
}

/// Moves a trailing `.boxed()` or `.boxed_local()` in front of `after`.
fn take_boxed(tokens: &mut Vec<TokenTree>, after: &mut Vec<TokenTree>) {
    let [.., dot, TokenTree::Ident(name), TokenTree::Group(arguments)] = tokens.as_slice() else {
        return;
    };
    let boxes = is_punct(dot, '.')
        && (name == "boxed" || name == "boxed_local")
        && arguments.delimiter() == Delimiter::Parenthesis
        && arguments.stream().is_empty();
    if boxes {
        let call = tokens.split_off(tokens.len() - 3);
        after.splice(0..0, call);
    }
}

/// Takes `async {…}` or `async move {…}` from the end.
fn take_block(tokens: &mut Vec<TokenTree>) -> Option<(Vec<TokenTree>, Group)> {
    let Some(TokenTree::Group(block)) = tokens.last() else { return None };
    if block.delimiter() != Delimiter::Brace {
        return None;
    }
    let block = block.clone();
    let end = tokens.len() - 1;
    let start = if ends_in(&tokens[..end], &["async", "move"]) {
        end - 2
    } else if ends_in(&tokens[..end], &["async"]) {
        end - 1
    } else {
        return None;
    };
    tokens.pop();
    Some((tokens.split_off(start), block))
}

/// Whether the tokens end in these words and signs.
fn ends_in(tokens: &[TokenTree], wanted: &[&str]) -> bool {
    tokens.len() >= wanted.len()
        && tokens[tokens.len() - wanted.len()..].iter().zip(wanted).all(|(token, wanted)| {
            !matches!(token, TokenTree::Group(_)) && token.to_string() == *wanted
        })
}

pub(super) fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn the_block_is_found_in_every_form_and_what_surrounds_it_stays() {
        for (body, block, all) in [
            (quote!(async { a }), quote!({ a }), true),
            (quote!(async move { a }), quote!({ a }), true),
            (quote!(Box::pin(async move { a })), quote!({ a }), true),
            (quote!(::std::boxed::Box::pin(async { a },)), quote!({ a }), true),
            (quote!(return Box::pin(async move { a });), quote!({ a }), true),
            (quote!(async move { a }.boxed()), quote!({ a }), true),
            (quote!((async move { a }).boxed_local()), quote!({ a }), true),
            (quote!(let b = { 1 }; Box::pin(async move { b })), quote!({ b }), false),
            (quote!(if early { log() } async move { a }), quote!({ a }), false),
        ] {
            let tail = Tail::find(body.clone()).unwrap_or_else(|| panic!("{body}"));
            assert_eq!(tail.block.to_string(), block.to_string());
            assert_eq!(tail.is_all(), all, "{body}");
            let again = tail.with(quote!(new)).to_string().replace("new", "@");
            let wanted = body.to_string().replace(&block.to_string(), "{ @ }").replace(" ,)", ")");
            assert_eq!(again, wanted.replace("},)", "})").replace("} ,)", "})"), "{body}");
        }
    }

    #[test]
    fn a_future_made_elsewhere_is_none() {
        for body in [
            quote!(),
            quote!(self.inner.call()),
            quote!(Box::pin(self.inner.call())),
            quote!(ready(async { a })),
            quote!(Box::pin(async move { a }.map(f))),
            quote!({ a }),
            quote!(move { a }),
            quote!(async move { a }.await),
            quote!(self.inner.call().boxed()),
        ] {
            assert!(Tail::find(body.clone()).is_none(), "{body}");
        }
    }
}
