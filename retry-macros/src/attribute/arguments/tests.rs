use super::*;
use quote::{ToTokens, quote};
use syn::parse_quote;

fn signature() -> Signature {
    parse_quote! {
        async fn f(
            mut self: Box<Self>,
            plain: u8,
            mut changed: Vec<u8>,
            (mut left, ref mut right): (u8, u8),
            Point { x, mut y, .. }: Point,
            [first, rest @ ..]: [u8; 4],
            _: u8,
            mut shared: &mut u8,
            mut pinned: Pin<&mut u8>,
            #[cfg(unix)] #[allow(unused)] r#type: u8,
        )
    }
}

#[test]
fn every_pattern_shows_its_variables() {
    let all = bindings(&signature());
    let names: Vec<_> = all.iter().map(|binding| binding.ident.to_string()).collect();
    assert_eq!(
        names,
        [
            "plain", "changed", "left", "right", "x", "y", "first", "rest", "shared", "pinned",
            "r#type"
        ]
    );
    let of = |wanted: fn(&Binding) -> bool| -> Vec<String> {
        all.iter().filter(|b| wanted(b)).map(|b| b.ident.to_string()).collect()
    };
    assert_eq!(of(|b| b.mutability.is_some()), ["changed", "left", "y", "shared", "pinned"]);
    assert_eq!(of(|b| b.exclusive), ["shared", "pinned"]);
    assert_eq!(of(|b| b.lent.is_some()), ["right"]);
    assert_eq!(of(|b| b.cfgs.len() == 1), ["r#type"]);
}

#[test]
fn what_lints_are_expected_to_say_goes_where_the_clone_is() {
    let mut signature: Signature = parse_quote! {
        async fn f(
            #[expect(unused_mut, reason = "a")] mut a: u8,
            #[expect(unused_mut)] (mut b, c): (u8, u8),
            #[expect(unused)] d: u8,
        )
    };
    let lints: Vec<_> = bindings(&signature)
        .iter()
        .map(|binding| binding.lints[0].path().to_token_stream().to_string())
        .collect();
    assert_eq!(lints, ["expect", "allow", "allow", "expect"]);
    strip_mut(&mut signature, &[parse_quote!(a), parse_quote!(b)]);
    let wanted = quote! {
        async fn f(
            #[allow(unused_mut, reason = "a")] a: u8,
            #[allow(unused_mut)] (b, c): (u8, u8),
            #[expect(unused)] d: u8,
        )
    };
    assert_eq!(signature.to_token_stream().to_string(), wanted.to_string());
}

#[test]
fn mut_is_taken_from_the_named_variables_only() {
    let mut signature: Signature =
        parse_quote!(async fn f(mut a: u8, (mut b, mut c): (u8, u8), ref mut d: u8));
    strip_mut(&mut signature, &[parse_quote!(a), parse_quote!(c), parse_quote!(d)]);
    assert_eq!(
        signature.to_token_stream().to_string(),
        quote!(async fn f(a: u8, (mut b, c): (u8, u8), ref mut d: u8)).to_string()
    );
}
