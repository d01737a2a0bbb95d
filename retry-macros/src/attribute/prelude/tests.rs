use super::*;
use quote::quote;

fn split(body: TokenStream) -> (String, String) {
    let Prelude { moves, body, .. } = Prelude::split(body);
    (quote!(#(#moves)*).to_string(), body.to_string())
}

fn written(tokens: impl ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

#[test]
fn a_body_without_a_prelude_stays_as_it_is() {
    for body in [
        quote!(),
        quote!(Ok(1)),
        quote!(if let Some(a) = b { c } Ok(a)),
        quote!(let x = async move { a }.await; Ok(x)),
        quote!(if a { b } let __ret: u8 = { c } else { d }; __ret),
    ] {
        assert_eq!(split(body.clone()), (String::new(), written(body)));
    }
}

#[test]
fn the_moves_of_async_trait_are_taken_out() {
    let edge = quote!(if let ::core::option::Option::Some(__ret) = None::<R> {
        return __ret;
    });
    let end = quote!(let __ret: R = { body }; #[allow(unreachable_code)] __ret);
    let moves = quote! {
        let mut __self = self;
        #[cfg(unix)]
        let x = x;
        let (a, mut b) = { let __arg2 = __arg2; __arg2 };
    };
    let taken = split(quote!(#edge #moves #end));
    assert_eq!(taken, (written(moves), written(quote!(#edge #end))));
}

#[test]
fn what_instrument_moves_is_borrowed_whatever_it_records() {
    for (recorded, borrowed) in [
        (
            quote!(async move {
                if false {}
                { async move { mine } }
            }),
            quote!(async {
                if false {}
                { async move { mine } }
            }),
        ),
        (
            quote!(async move {
                match async move { mine }.await {
                    Ok(x) => Ok(x),
                }
            }),
            quote!(async {
                match async { mine }.await {
                    Ok(x) => Ok(x),
                }
            }),
        ),
        (
            quote!(async move {
                let x = async move { mine }.await;
                event!();
                x
            }),
            quote!(async {
                let x = async { mine }.await;
                event!();
                x
            }),
        ),
        (
            quote!(async move {
                let __match_scrutinee = async move { mine }.await;
                match y {}
            }),
            quote!(async {
                let __match_scrutinee = async { mine }.await;
                match y {}
            }),
        ),
        (
            quote!(async move {
                let y = async move { mine }.await;
                y
            }),
            quote!(async {
                let y = async move { mine }.await;
                y
            }),
        ),
    ] {
        let around = |future| {
            quote! {
                let __tracing_attr_span = span!();
                let __tracing_instrument_future = #future;
                __tracing_instrument_future.await
            }
        };
        let wanted = written(around(borrowed));
        assert_eq!(split(around(recorded)), (String::new(), wanted));
    }
}

#[test]
fn self_is_renamed_but_not_in_paths_and_names_of_fields() {
    let renamed = renamed_in(
        quote!(|e| self::judge(e, self.limit, matches!(self, Self { .. }), self = self == e)),
        &quote::format_ident!("__self"),
    );
    let wanted =
        quote!(|e| self::judge(e, __self.limit, matches!(__self, Self { .. }), self = __self == e));
    assert_eq!(renamed.to_string(), wanted.to_string());
}

#[test]
fn a_closure_around_a_body_in_a_span_borrows() {
    let around = |closure| quote!(let __tracing_attr_guard; match (#closure)() { Ok(x) => Ok(x) });
    let (moves, body) = split(around(quote!(move || { (move || mine)() })));
    assert_eq!(moves, "");
    assert_eq!(body, written(around(quote!(|| { (move || mine)() }))));
    let mine = quote!(match (move || mine)() {
        Ok(x) => Ok(x),
    });
    assert_eq!(split(mine.clone()).1, written(mine), "not where there is no span");
}

#[test]
fn moves_are_found_below_a_span_too() {
    let edge = quote!(if let Some(__ret) = None::<R> {
        return __ret;
    });
    let end = quote!(let __ret: R = { body }; __ret);
    let (moves, body) = split(quote! {
        let __tracing_instrument_future = async move { #edge let x = x; #end };
    });
    assert_eq!(moves, written(quote!(let x = x;)));
    let wanted = quote!(let __tracing_instrument_future = async { #edge #end };);
    assert_eq!(body, written(wanted));
}
