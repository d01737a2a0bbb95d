use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{File, Item};

use super::expand;

/// The traits that the output implements, and the number of errors beside them.
fn outcome(input: TokenStream) -> (Vec<String>, usize) {
    let output = expand(input);
    let file =
        syn::parse2::<File>(output.clone()).unwrap_or_else(|error| panic!("{error}: {output}"));
    let mut traits = Vec::new();
    let mut errors = 0;
    let mut tables = 0;
    for item in file.items {
        match item {
            Item::Impl(item) => {
                let (path, _) = item.trait_.expect("only traits are implemented");
                traits.push(path.to_token_stream().to_string().replace(' ', ""));
            }
            Item::Macro(item)
                if item
                    .mac
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident == "compile_error") =>
            {
                errors += 1;
            }
            Item::Macro(item)
                if item.mac.path.segments.last().is_some_and(|last| last.ident == "tabled") =>
            {
                tables += 1;
            }
            other => panic!("unexpected item: {}", other.to_token_stream()),
        }
    }
    assert_eq!(tables, 1, "whatever is wrong, there is a table");
    (traits, errors)
}

const RETRYABLE: &str = "::stormless::__private::Retryable";

fn from(cut: &str) -> String {
    format!("::core::convert::From<::stormless::__private::{cut}>")
}

#[test]
fn correct_input_gives_the_implementation_alone() {
    let (traits, errors) = outcome(quote! {
        enum Error<T> where T: Clone {
            #[retryable(forward, base = "1s")] Inner(T),
            #[retryable(breaker_open)] Open,
            #[retryable(attempt_timeout)] TimedOut(#[from] AttemptTimeout),
        }
    });
    assert_eq!(traits, [RETRYABLE.to_owned(), from("BreakerOpen")]);
    assert_eq!(errors, 0);
}

#[test]
fn wrong_input_gives_each_error_once_beside_an_implementation() {
    for (input, cuts, errors) in [
        (quote!(union Error { code: u16 }), vec![], 1),
        (
            quote!(
                struct Error<T>(T);
            ),
            vec![],
            1,
        ),
        (
            quote!(
                enum Error {
                    A,
                    B,
                }
            ),
            vec![],
            2,
        ),
        (
            quote!(
                enum Error {
                    #[retryable(deadline_exceeded)]
                    A(u8, u8),
                    B,
                }
            ),
            vec!["DeadlineExceeded"],
            2,
        ),
        (
            quote!(
                enum Error {
                    #[retryable(breaker_open, breaker_open)]
                    A,
                    #[retryable(breaker_open)]
                    B,
                }
            ),
            vec!["BreakerOpen"],
            2,
        ),
        (
            quote!(
                #[retryable(fatal)]
                enum Error {
                    A,
                    B,
                }
            ),
            vec![],
            1,
        ),
        (
            quote!(
                #[retryable(base = "0s", cost = 0, attempts = 0)]
                struct Error;
            ),
            vec![],
            4,
        ),
    ] {
        let text = input.to_string();
        let (traits, found) = outcome(input);
        let want: Vec<_> =
            std::iter::once(RETRYABLE.to_owned()).chain(cuts.into_iter().map(from)).collect();
        assert_eq!((traits, found), (want, errors), "{text}");
    }
}

/// Every way to take one token out of `tokens`, or to write it twice, at any depth.
fn damaged(tokens: TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut all = Vec::new();
    for (i, tree) in trees.iter().enumerate() {
        let around = |middle: TokenStream| {
            let (before, after) = (&trees[..i], &trees[i + 1..]);
            quote!(#(#before)* #middle #(#after)*)
        };
        all.push(around(TokenStream::new()));
        all.push(around(quote!(#tree #tree)));
        if let TokenTree::Group(group) = tree {
            let inner = damaged(group.stream()).into_iter();
            all.extend(
                inner.map(|stream| {
                    around(Group::new(group.delimiter(), stream).into_token_stream())
                }),
            );
        }
    }
    all
}

#[test]
fn a_damaged_attribute_never_takes_the_implementation_away() {
    let attributes = [
        quote!(
            throttled,
            retry_after = wait,
            base = "1m30s",
            attempts = 3,
            cost = 2,
            local,
            maybe_executed
        ),
        quote!(with = Self::decide),
        quote!(permanent, status = code),
        quote!(forward = 0),
        quote!(breaker_open),
        quote!(crate = ::other),
    ];
    for attribute in attributes {
        for damaged in damaged(quote!(#[retryable(#attribute)])) {
            let text = damaged.to_string();
            for input in [
                quote!(#damaged struct Error { wait: Duration, code: u16 }),
                quote!(#damaged enum Error { #damaged A(Inner), #[retryable(transient)] B }),
            ] {
                // Without its `#` or brackets it is no attribute, and the compiler's own business.
                let Ok(item) = syn::parse2::<syn::DeriveInput>(input.clone()) else { continue };
                let (traits, errors) = outcome(input);
                let implemented =
                    traits.iter().filter(|path| path.ends_with("::__private::Retryable")).count();
                assert_eq!(
                    (implemented, item.ident.to_string().as_str()),
                    (1, "Error"),
                    "{text}: {errors} errors"
                );
            }
        }
    }
}

#[test]
fn the_damage_reaches_every_depth() {
    let all = damaged(quote!(a(b)));
    let texts: Vec<_> = all.iter().map(ToString::to_string).collect();
    let twice = Group::new(Delimiter::Parenthesis, quote!(b b)).to_token_stream();
    assert!(
        texts.contains(&quote!(a #twice).to_string()) && texts.contains(&quote!(a()).to_string()),
        "{texts:?}"
    );
}

#[test]
fn a_cap_names_its_type_and_variant() {
    let text = |input| expand(input).to_string();
    let variants = text(quote! {
        enum Error {
            #[retryable(transient, attempts = 2)] Busy,
            #[retryable(forward, attempts = 3)] r#Inner(Inner),
            #[retryable(conflict)] Raced,
        }
    });
    for (name, cap) in [("::Error::Busy ", "2u32"), ("::Error::Inner ", "3u32")] {
        let found = variants.split("attempts_of").find(|call| call.contains(name));
        assert!(found.is_some_and(|call| call.contains(cap)), "{name}: {variants}");
    }
    // In the class and in the table.
    assert_eq!(variants.matches("attempts_of").count(), 4, "{variants}");
    let whole = text(quote!(
        #[retryable(transient, attempts = 2)]
        struct Lost;
    ));
    assert!(whole.contains("::Lost::Lost "), "{whole}");
}
