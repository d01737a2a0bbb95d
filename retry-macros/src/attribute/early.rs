//! Futures that a function returns before it comes to the one that is retried.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use retry_grammar::diagnostics::Errors;
use syn::{
    Block, Expr, ExprAsync, ExprClosure, ExprReturn, Item, Token,
    parse::Parser,
    visit_mut::{self, VisitMut},
};

use super::form::Form;

/// R167: none of these would ever be repeated.
pub(super) fn check(form: &Form, errors: &mut Errors) {
    let Form::Future(tail) = form else { return };
    for returned in returns(tail.before()) {
        errors.push(
            returned,
            "`#[retry]` repeats only the future at the end, not the one that is returned here: choose between the two inside the `async` block at the end, or write `async fn`",
        );
    }
}

/// The `return`s that hand out a future which waits for something: it would run once, whatever comes of
/// it. One that waits for nothing only says what is known already. Statements that cannot be read are
/// left to the compiler.
fn returns(before: TokenStream) -> Vec<Token![return]> {
    let mut find = Find(Vec::new());
    for mut statement in Block::parse_within.parse2(before).unwrap_or_default() {
        find.visit_stmt_mut(&mut statement);
    }
    find.0
}

struct Find(Vec<Token![return]>);

impl VisitMut for Find {
    fn visit_expr_return_mut(&mut self, returned: &mut ExprReturn) {
        if returned.expr.as_deref().is_some_and(waits) {
            self.0.push(returned.return_token);
        }
        visit_mut::visit_expr_return_mut(self, returned);
    }

    // What returns in these does not return from the function.
    fn visit_expr_closure_mut(&mut self, _: &mut ExprClosure) {}
    fn visit_expr_async_mut(&mut self, _: &mut ExprAsync) {}
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

fn waits(future: &Expr) -> bool {
    /// The functions that make a future of what is known.
    const KNOWN: [&str; 3] = ["ready", "ok", "err"];

    // What is left of `return Box::pin(…)` around the future at the end.
    if matches!(future, Expr::Path(path) if path.path.segments.len() > 1) {
        return false;
    }
    let tokens = future.to_token_stream();
    if has(&tokens, "async") {
        has(&tokens, "await")
    } else {
        !KNOWN.iter().any(|known| has(&tokens, known))
    }
}

fn has(tokens: &TokenStream, wanted: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => has(&group.stream(), wanted),
        TokenTree::Ident(word) => word == wanted,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::returns;
    use quote::quote;

    #[test]
    fn only_futures_that_wait_and_leave_the_function_are_found() {
        for (before, wanted) in [
            (quote!(if a { return Box::pin(async move { b.await }); } Box::pin), 1),
            (quote!(let Some(a) = b else { return async { c.await }.boxed() };), 1),
            (
                quote!(match a { A => return Box::pin(async { a.await }), B => {} } return Box::pin),
                1,
            ),
            (quote!(if a { return Box::pin(async { Err(Failed) }); } Box::pin), 0),
            (quote!(if a { return Box::pin(ready(Err(Failed))); } Box::pin), 0),
            (quote!(if a { return future::err(Failed).boxed(); } Box::pin), 0),
            (quote!(if a { return self.other(); } return Box::pin), 1),
            (quote!(let other = self.other(); if a { return other; } Box::pin), 1),
            (quote!(let f = |b| b; if a { return Box::pin(f(a)); } Box::pin), 1),
            (quote!(let f = || { return Box::pin(async { a.await }) };), 0),
            (quote!(let f = async { return a.await };), 0),
            (
                quote!(
                    fn f() -> B {
                        return Box::pin(async { a.await });
                    },
                    Box::pin
                ),
                0,
            ),
            (quote!(let = ;), 0),
        ] {
            assert_eq!(returns(before.clone()).len(), wanted, "{before}");
        }
    }
}
