use proc_macro2::TokenStream;
use quote::quote;
use retry_grammar::diagnostics::Errors;

fn messages(settings: TokenStream, function: TokenStream) -> Vec<String> {
    let mut errors = Errors::default();
    let _ = crate::attribute::check(settings, function, &mut errors);
    match errors.finish(()) {
        Ok(()) => Vec::new(),
        Err(errors) => errors.into_iter().map(|error| error.to_string()).collect(),
    }
}

#[track_caller]
fn refused(settings: TokenStream, function: TokenStream, wanted: &str) {
    let messages = messages(settings, function);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains(wanted), "{messages:?}");
}

#[test]
fn functions_that_are_not_async_are_told_what_to_do() {
    refused(
        quote!(),
        quote!(
            fn f() -> Result<(), E> {}
        ),
        "needs an `async fn`: write",
    );
    refused(
        quote!(),
        quote!(
            const fn f() -> Result<(), E> {}
        ),
        "`const fn`",
    );
    refused(
        quote!(),
        quote!(
            fn f() -> Result<(), E> {
                let body = async { Ok(()) };
                run(body)
            }
        ),
        "put `#[retry]` above it",
    );
}

#[test]
fn what_would_change_between_attempts_asks_for_a_clone() {
    // R163
    refused(
        quote!(),
        quote!(
            async fn f(mut x: Vec<u8>) -> R {}
        ),
        "add `clone(x)`",
    );
    refused(
        quote!(),
        quote!(
            async fn f(mut x: Option<&mut Vec<u8>>) -> R {}
        ),
        "take it by `&mut`",
    );
    refused(
        quote!(),
        quote!(
            async fn f((a, mut b): P) -> R {}
        ),
        "add `clone(b)`",
    );
    refused(
        quote!(),
        quote!(
            async fn f(mut self) -> R {}
        ),
        "`self`",
    );
    for (settings, function) in [
        (
            quote!(clone(x)),
            quote!(
                async fn f(mut x: Vec<u8>) -> R {}
            ),
        ),
        (
            quote!(attempts = 1),
            quote!(
                async fn f(mut x: Vec<u8>) -> R {}
            ),
        ),
        (
            quote!(),
            quote!(
                async fn f(x: &mut Vec<u8>) -> R {}
            ),
        ),
        (
            quote!(),
            quote!(
                async fn f(mut x: &mut Vec<u8>) -> R {}
            ),
        ),
        (
            quote!(),
            quote!(
                async fn f(mut self: Pin<&mut Self>) -> R {}
            ),
        ),
        (
            quote!(),
            quote!(
                async fn f(&mut self, ref mut x: &mut u8) -> R {}
            ),
        ),
    ] {
        let messages = messages(settings, function.clone());
        assert!(messages.is_empty(), "{function}: {messages:?}");
    }
}

#[test]
fn only_borrows_of_a_mutable_argument_are_kept_from_being_returned() {
    for function in [
        quote!(
            async fn f(&mut self) -> Result<&u8, E> {}
        ),
        quote!(
            async fn f(&mut self) -> Result<Guard<'_>, E> {}
        ),
        quote!(
            async fn f(x: &mut X) -> Result<&mut u8, E> {}
        ),
        quote!(
            async fn f<'a>(&'a mut self) -> Result<&'a u8, E> {}
        ),
        quote!(
            async fn f<'a>(x: &'a mut X, y: u8) -> Result<Y<'a>, E> {}
        ),
    ] {
        refused(quote!(), function.clone(), "from a `&mut` argument");
        assert!(messages(quote!(attempts = 1), function).is_empty());
    }
    for function in [
        quote!(
            async fn f(&self) -> Result<&u8, E> {}
        ),
        quote!(
            async fn f(&self, x: &mut X) -> Result<&u8, E> {}
        ),
        quote!(
            async fn f(&mut self) -> Result<&'static str, E> {}
        ),
        quote!(
            async fn f(&mut self) -> Result<fn(&u8), E> {}
        ),
        quote!(
            async fn f(&mut self) -> Result<Box<dyn Fn(&u8)>, E> {}
        ),
        quote!(
            async fn f<'a>(&mut self, x: &'a X) -> Result<&'a u8, E> {}
        ),
        quote!(
            async fn f<'a>(x: &'a mut X, y: &'a Y) -> Result<&'a u8, E> {}
        ),
    ] {
        let messages = messages(quote!(), function.clone());
        assert!(messages.is_empty(), "{function}: {messages:?}");
    }
}

#[test]
fn clone_takes_arguments_once() {
    let function = quote!(
        async fn f(&self, a: A, (b, c): P) -> R {}
    );
    refused(quote!(clone(a, d)), function.clone(), "which has `a`, `b`, `c`");
    refused(quote!(clone(a, a)), function.clone(), "cloned twice");
    refused(quote!(clone(self)), function.clone(), "no variable can be called `self`");
    refused(
        quote!(clone(a)),
        quote!(
            async fn f(&self) -> R {}
        ),
        "has none",
    );
    assert!(messages(quote!(clone(a, c)), function).is_empty());
}

#[test]
fn a_wrapped_error_needs_no_help_to_express_a_cut() {
    let function = quote!(
        async fn f() -> Result<(), RetryError<E>> {}
    );
    refused(quote!(cut_error = g), function.clone(), "`RetryError<E>` tells of a cut");
    refused(quote!(deadline = "1s", uncut), function, "`RetryError<E>` can always");
}

#[test]
fn a_second_retry_is_refused() {
    refused(
        quote!(),
        quote!(
            #[retry]
            async fn f() -> R {}
        ),
        "multiply",
    );
}
