//! The two macros: the sources of `#[retry(…)]` and `#[derive(Retryable)]`, without a compiler around them.

use std::iter;

use proc_macro2::{TokenStream, TokenTree};
use syn::{File, Item, parse2};

use crate::{attribute, derive};

/// The most words, signs and literals. The compiler's own parser has given up long before the stack of this one is
/// at its end.
const MOST: usize = 200;

/// The input is an item for the derive, or, after a first line of settings that begins with `#[`, as in
/// `#[attempts = 3]`, a function for the attribute.
///
/// - What is written parses as items, whatever was read.
/// - The derive writes implementations, those for tables among them, and errors alone; with an error there still is an implementation.
/// - The attribute writes a function where there is one, and errors; with an error the function is the one that was there.
/// - A second time they write the same.
///
/// # Panics
///
/// If one of these does not hold.
pub fn check(bytes: &[u8]) {
    proc_macro2::extra::invalidate_current_thread_spans();
    let text = crate::text(bytes);
    let settings = text.strip_prefix("#[").and_then(|rest| rest.split_once('\n'));
    match settings {
        Some((settings, item)) => {
            let settings = settings.trim_end().trim_end_matches(']');
            if let (Some(settings), Some(item)) = (tokens(settings), tokens(item)) {
                the_attribute(&settings, &item);
            }
        }
        None => {
            if let Some(item) = tokens(text) {
                the_derive(&item);
            }
        }
    }
}

fn the_attribute(settings: &TokenStream, item: &TokenStream) {
    let written = attribute::retry(settings.clone(), item.clone());
    let again = attribute::retry(settings.clone(), item.clone());
    assert_eq!(written.to_string(), again.to_string());
    // The body is the compiler's to read, and a method does not stand by itself.
    if parse2::<syn::ItemFn>(item.clone()).is_err() {
        return;
    }
    let items = items(&written);
    let errors = items.iter().filter(|item| is_error(item)).count();
    assert!(items.iter().any(|item| matches!(item, Item::Fn(_))), "{written}");
    if errors > 0 {
        assert!(written.to_string().starts_with(&item.to_string()), "another function: {written}");
    }
}

fn the_derive(item: &TokenStream) {
    let written = derive::expand(item.clone());
    assert_eq!(written.to_string(), derive::expand(item.clone()).to_string());
    let items = items(&written);
    let is_known = parse2::<syn::DeriveInput>(item.clone()).is_ok();
    let implemented = items.iter().any(|item| matches!(item, Item::Impl(_)));
    assert_eq!(implemented, is_known, "{written}");
    for item in &items {
        match table(item) {
            Some(within) => assert!(within.iter().all(|item| matches!(item, Item::Impl(_)))),
            None => assert!(matches!(item, Item::Impl(_)) || is_error(item), "{written}"),
        }
    }
    if !is_known {
        assert!(items.iter().any(is_error), "{written}");
    }
}

fn items(written: &TokenStream) -> Vec<Item> {
    parse2::<File>(written.clone()).unwrap_or_else(|error| panic!("{error}: {written}")).items
}

fn is_error(item: &Item) -> bool {
    calls(item, "compile_error").is_some()
}

/// What is there with the feature `testing` alone.
fn table(item: &Item) -> Option<Vec<Item>> {
    calls(item, "tabled").map(items)
}

fn calls<'a>(item: &'a Item, name: &str) -> Option<&'a TokenStream> {
    let Item::Macro(item) = item else { return None };
    let is_it = item.mac.path.segments.last().is_some_and(|last| last.ident == name);
    is_it.then_some(&item.mac.tokens)
}

/// As the compiler would hand them over.
fn tokens(text: &str) -> Option<TokenStream> {
    // The reader of tokens descends too.
    if text.len() > 4_096 || text.bytes().filter(|byte| b"([{".contains(byte)).count() > MOST {
        return None;
    }
    text.parse().ok().filter(|tokens| all(tokens).take(MOST + 1).count() <= MOST)
}

/// All tokens, those in groups included.
fn all(tokens: &TokenStream) -> impl Iterator<Item = TokenTree> {
    let mut open = vec![tokens.clone().into_iter()];
    iter::from_fn(move || {
        loop {
            let Some(token) = open.last_mut()?.next() else {
                open.pop();
                continue;
            };
            if let TokenTree::Group(group) = &token {
                open.push(group.stream().into_iter());
            }
            return Some(token);
        }
    })
}
