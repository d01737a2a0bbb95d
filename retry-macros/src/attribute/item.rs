//! The annotated item: a function whose body stays raw tokens.
//!
//! A body is never parsed: what syn does not know yet compiles all the same, and every token keeps
//! its place for lints, coverage and debuggers.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::{
    Attribute, Error, LitStr, Result, Signature, Token, Visibility, braced,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    token,
};

/// A function or method with a body.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) attrs: Vec<Attribute>,
    pub(super) vis: Visibility,
    pub(super) defaultness: Option<Token![default]>,
    pub(super) sig: Signature,
    pub(super) inner_attrs: Vec<Attribute>,
    pub(super) brace: token::Brace,
    pub(super) body: TokenStream,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attrs = Attribute::parse_outer(input)?;
        let vis = input.parse()?;
        let defaultness = input.parse()?;
        if let Some(found) = OtherItem::peek(input) {
            return Err(found.error());
        }
        let sig: Signature = input.parse()?;
        if input.peek(Token![;]) {
            return Err(Error::new(
                sig.ident.span(),
                format!(
                    "`{}` has no body to retry: put `#[retry]` on the implementation of the method, or on an `async fn` that calls this one",
                    sig.ident
                ),
            ));
        }
        let content;
        let brace = braced!(content in input);
        let inner_attrs = Attribute::parse_inner(&content)?;
        let body = content.parse()?;
        Ok(Self { attrs, vis, defaultness, sig, inner_attrs, brace, body })
    }
}

impl Function {
    /// All that stands before the body's brace.
    pub(super) fn head(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(&mut tokens);
        self.defaultness.to_tokens(&mut tokens);
        self.sig.to_tokens(&mut tokens);
        tokens
    }

    /// `content` in the braces that the user wrote: lints such as `dead_code` fire for a function
    /// whose end is the user's.
    pub(super) fn braced(&self, content: &TokenStream) -> TokenStream {
        let mut tokens = TokenStream::new();
        self.brace.surround(&mut tokens, |inner| content.to_tokens(inner));
        tokens
    }
}

/// What `#[retry]` was put on instead of a function.
struct OtherItem {
    keyword: Ident,
    article: &'static str,
    remedy: &'static str,
}

impl OtherItem {
    fn peek(input: ParseStream<'_>) -> Option<Self> {
        const ON_METHODS: &str = "put it on each method that is to be retried";
        const ON_FUNCTION: &str = "put it on the function that makes the call";

        let ahead = input.fork();
        let mut keyword = Ident::parse_any(&ahead).ok()?;
        // `unsafe impl`, `auto trait`; but `const fn`, `async fn`, `unsafe extern "C" fn`.
        while matches!(keyword.to_string().as_str(), "unsafe" | "auto" | "async") {
            keyword = Ident::parse_any(&ahead).ok()?;
        }
        if ahead.peek(Token![!]) && keyword != "macro_rules" {
            return Some(Self { keyword, article: "a macro call", remedy: ON_FUNCTION });
        }
        let (article, remedy) = match keyword.to_string().as_str() {
            "struct" => ("a struct", ON_FUNCTION),
            "enum" => ("an enum", ON_FUNCTION),
            "union" => ("a union", ON_FUNCTION),
            "trait" => ("a trait", ON_METHODS),
            "impl" => ("an impl block", ON_METHODS),
            "mod" => ("a module", ON_FUNCTION),
            "use" => ("an import", ON_FUNCTION),
            "static" => ("a static", ON_FUNCTION),
            "type" => ("a type alias", ON_FUNCTION),
            "let" => ("a statement", "move the call into an `async fn` and put it there"),
            "macro_rules" => ("a macro", ON_FUNCTION),
            // A foreign function or static.
            "safe" if ahead.peek(Token![fn]) || ahead.peek(Token![static]) => {
                ("a declaration", "put it on an `async fn` that calls what is declared here")
            }
            "extern" if ahead.peek(Token![crate]) => ("an `extern crate`", ON_FUNCTION),
            "extern" if is_block(&ahead) => {
                ("an `extern` block", "put it on an `async fn` that calls what is declared there")
            }
            "const" if !ahead.peek(Token![fn]) && !is_qualifier(&ahead) => {
                ("a constant", ON_FUNCTION)
            }
            _ => return None,
        };
        Some(Self { keyword, article, remedy })
    }

    fn error(&self) -> Error {
        let Self { keyword, article, remedy } = self;
        Error::new(keyword.span(), format!("`#[retry]` on {article}: {remedy}"))
    }
}

/// Whether what follows is `{`, maybe after the name of an ABI.
fn is_block(input: ParseStream<'_>) -> bool {
    input.peek(token::Brace) || input.peek(LitStr) && input.peek2(token::Brace)
}

fn is_qualifier(input: ParseStream<'_>) -> bool {
    input.peek(Token![async]) || input.peek(Token![unsafe]) || input.peek(Token![extern])
}

/// The second `#[retry]` of a function, if there is one: attempts would multiply.
pub(super) fn second_retry(attrs: &[Attribute]) -> Option<&Attribute> {
    attrs.iter().find(|attr| {
        let mut names = attr.path().segments.iter().map(|segment| &segment.ident);
        match (names.next(), names.next(), names.next()) {
            (Some(only), None, None) => only == "retry",
            (Some(first), Some(last), None) => first == "stormless" && last == "retry",
            _ => false,
        }
    })
}

/// Whether the body has been expanded by `#[retry]` before, under whatever name it goes: the outer of
/// two attributes comes first, and what it generated is here.
pub(super) fn is_retried(body: &TokenStream) -> bool {
    body.clone().into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "__STORMLESS_SITE",
        TokenTree::Group(group) => is_retried(&group.stream()),
        _ => false,
    })
}

/// Whether `#[tokio::test]` or `#[tokio::main]` has already taken the `async` away.
pub(super) fn is_blocked_on(function: &Function) -> bool {
    let mut tokens = function.body.clone().into_iter();
    ["let", "body", "="]
        .iter()
        .all(|wanted| tokens.next().is_some_and(|token| token.to_string() == *wanted))
        && tokens.next().is_some_and(|token| token.to_string() == "async")
}

/// Where an error about the whole signature belongs.
pub(super) fn fn_span(function: &Function) -> proc_macro2::Span {
    function.sig.fn_token.span()
}

#[cfg(test)]
mod tests;
