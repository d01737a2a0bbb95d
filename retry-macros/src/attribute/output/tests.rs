use super::*;
use quote::quote;
use syn::parse_quote;

fn read(output: &ReturnType) -> syn::Result<Output> {
    Output::read(output, Span::call_site())
}

#[test]
fn what_cannot_fail_is_refused() {
    for (output, found) in [
        (parse_quote!(), "returns nothing"),
        (parse_quote!(-> ()), "returns nothing"),
        (parse_quote!(-> !), "never returns"),
        (parse_quote!(-> Option<u8>), "`Option`"),
        (parse_quote!(-> std::option::Option<u8>), "`Option`"),
    ] {
        let message = read(&output).err().expect("is refused").to_string();
        assert!(message.contains(found), "{message}");
    }
}

#[test]
fn the_error_is_found_under_any_path_and_aliases_are_let_through() {
    for (output, error) in [
        (parse_quote!(-> Result<u8, E>), quote!(E)),
        (parse_quote!(-> ::core::result::Result<impl Iterator, a::E<'_>>), quote!(a::E<'_>)),
        (parse_quote!(-> io::Result<u8>), quote!(io::Result<u8>)),
        (parse_quote!(-> Answer), quote!(Answer)),
    ] {
        let output = read(&output).unwrap();
        assert_eq!(output.error.to_string(), error.to_string());
        assert!(!output.wraps);
    }
}

#[test]
fn a_wrapped_error_is_unwrapped_for_the_body() {
    let output = read(&parse_quote!(-> std::result::Result<u8, stormless::RetryError<E>>)).unwrap();
    assert!(output.wraps);
    let body = output.body.to_token_stream().to_string();
    assert_eq!(body, quote!(std::result::Result<u8, E>).to_string());
}

#[test]
fn the_output_of_a_future_is_found_in_each_way_to_write_it() {
    for (output, body) in [
        (
            parse_quote!(-> Pin<Box<dyn Future<Output = Result<u8, E>> + Send + 'a>>),
            "Result < u8 , E >",
        ),
        (
            parse_quote!(-> impl ::std::future::Future<Output = io::Result<u8>> + use<'a>),
            "io :: Result < u8 >",
        ),
        (parse_quote!(-> futures::future::BoxFuture<'_, Result<u8, E>>), "Result < u8 , E >"),
        (parse_quote!(-> LocalBoxFuture<'a, Result<u8, RetryError<E>>>), "Result < u8 , E >"),
        (parse_quote!(-> Answer<'a>), "_"),
    ] {
        let output = Output::of_future(&output, Span::call_site()).unwrap();
        assert_eq!(output.body.to_token_stream().to_string(), body);
    }
    let nothing = parse_quote!(-> Pin<Box<dyn Future<Output = ()>>>);
    assert!(Output::of_future(&nothing, Span::call_site()).is_err());
}

#[test]
fn impl_trait_is_left_to_inference() {
    let output = read(&parse_quote!(-> Result<Box<impl Fn() -> u8>, E>)).unwrap();
    let body = output.body.to_token_stream().to_string();
    assert_eq!(body, quote!(Result<Box<_>, E>).to_string());
}

#[test]
fn lifetimes_are_left_to_inference_unless_they_belong_to_the_type() {
    let inferred = without_lifetimes(&parse_quote!((
        &'a Of<'a, T::Out<'b>>,
        &'static u8,
        Box<dyn Any + 'a>,
        fn(&'a u8),
        Box<dyn Fn(&'a u8) -> &'a u8>,
        Box<dyn for<'x> Of<'x>>
    )));
    let wanted: Type = parse_quote!((
        &'_ Of<'_, T::Out<'_>>,
        &'static u8,
        Box<dyn Any + '_>,
        fn(&'a u8),
        Box<dyn Fn(&'a u8) -> &'a u8>,
        Box<dyn for<'x> Of<'x>>
    ));
    assert_eq!(inferred.to_token_stream().to_string(), wanted.to_token_stream().to_string());
}
