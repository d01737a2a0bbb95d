//! How much is read. The parser descends into expressions, and a deep one would exhaust the stack.

use proc_macro2::{TokenStream, TokenTree};

use super::{Mistake, place};

/// The longest text, in bytes: room for every setting many times over.
const BYTES: usize = 16 * 1_024;
/// The most words, signs and literals in settings that are not written as `key` or `key = value`. The debug build
/// of the parser gets through as many in a thread with 2 MiB of stack, whatever they are.
const TOKENS: usize = 96;

pub(super) fn length(text: &str) -> Result<(), Mistake> {
    if text.len() <= BYTES {
        return Ok(());
    }
    Err(Mistake {
        range: text.len()..text.len(),
        message: format!(
            "the text has {} bytes: a policy is written in at most {BYTES}",
            text.len()
        ),
    })
}

pub(super) fn tokens(tokens: &TokenStream, text: &str) -> Result<(), Mistake> {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut left = TOKENS;
    for setting in all.split(is_comma).filter(|setting| !is_plain(setting)) {
        if let Some(beyond) = take(setting, &mut left) {
            return Err(Mistake {
                range: place(beyond.span(), text),
                message: format!(
                    "here the expressions of the text go on beyond {TOKENS} words and signs, which is more than is read: write values"
                ),
            });
        }
    }
    Ok(())
}

/// Takes these tokens, those in groups included, off what is left, and returns the first that is too many.
fn take(tokens: &[TokenTree], left: &mut usize) -> Option<TokenTree> {
    let mut open = vec![tokens.iter().cloned().collect::<TokenStream>().into_iter()];
    while let Some(innermost) = open.last_mut() {
        let Some(token) = innermost.next() else {
            open.pop();
            continue;
        };
        if *left == 0 {
            return Some(token);
        }
        *left -= 1;
        if let TokenTree::Group(group) = &token {
            open.push(group.stream().into_iter());
        }
    }
    None
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',')
}

fn is_plain(setting: &[TokenTree]) -> bool {
    match setting {
        [] | [TokenTree::Ident(_)] => true,
        [
            TokenTree::Ident(_),
            TokenTree::Punct(sign),
            TokenTree::Ident(_) | TokenTree::Literal(_),
        ] => sign.as_char() == '=',
        _ => false,
    }
}
