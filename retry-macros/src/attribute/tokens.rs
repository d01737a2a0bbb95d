//! Questions about raw tokens.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

pub(super) fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

pub(super) fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

pub(super) fn group(token: &TokenTree, delimiter: Delimiter) -> Option<&Group> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// The first word of the kind, however deep it stands.
pub(super) fn find(tokens: &TokenStream, wanted: &impl Fn(&Ident) -> bool) -> Option<Ident> {
    tokens.clone().into_iter().find_map(|token| match token {
        TokenTree::Group(group) => find(&group.stream(), wanted),
        TokenTree::Ident(word) => wanted(&word).then_some(word),
        _ => None,
    })
}

/// What `macro_rules!` passed on as one fragment stands in an invisible group.
pub(super) fn visible(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            visible(group.stream())
        }
        _ => tokens,
    }
}
