//! The function with its body in a loop that a [`Call`] of the runtime drives.
//!
//! The signature stays as it is, and so do the body's tokens and braces: an inline `async` block
//! that borrows what it can keeps the future `Send`, and lints, coverage and debuggers at their place.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{TokenStreamExt, format_ident, quote, quote_spanned};

use super::Checked;
use super::arguments::{Binding, strip_mut, strip_mut_of};
use super::borrows;
use super::form::Form;
use super::hedge;
use super::outcome;
use super::output::without_lifetimes;
use super::runtime::{Runtime, at, generated};
use super::site::{self, Start};

/// The expansion of a function without mistakes.
///
/// ```text
/// // Input:
/// #[retry(budget = "orders")]
/// async fn fetch(id: u64) -> Result<Order, OrderError> { body }
///
/// // Output:
/// async fn fetch(id: u64) -> Result<Order, OrderError> {
///     static __STORMLESS_SITE: Site = …;
///     let mut __call = Call::begin(&__STORMLESS_SITE, __STORMLESS_SITE.policy());
///     loop {
///         {
///             let __result = __call.attempt(cuts, async {
///                 // The type that `?` and coercions in the body go by.
///                 if let Some(__ret) = None::<Result<Order, OrderError>> { return __ret; }
///                 ({ body })
///             }).await;
///             if __call.decide(__STORMLESS_SITE.policy(), &__result, by_trait) {
///                 return __call.end(__result);
///             }
///         } // What failed is gone before the wait, with which the next attempt begins.
///     }
/// }
/// ```
pub(super) fn expand(checked: &Checked) -> TokenStream {
    let content = content(checked);
    let mut function = checked.function.clone();
    let mut tokens = TokenStream::new();
    tokens.append_all(&function.inner_attrs);
    match &checked.form {
        // What stands before the future may need the `mut`.
        Form::Future(tail) if !tail.is_all() => tokens.extend(tail.with(content)),
        Form::Future(tail) => {
            strip_mut(&mut function.sig, checked.clones());
            tokens.extend(tail.with(content));
        }
        Form::Async | Form::Plain => {
            strip_mut(&mut function.sig, checked.clones());
            tokens.extend(content);
        }
    }
    let mut expanded = function.head();
    expanded.extend(function.braced(&tokens));
    expanded
}

/// What runs the body and binds `__result`.
pub(super) struct Round {
    /// What stands before the loop.
    pub(super) before: TokenStream,
    /// What stands in it.
    pub(super) attempt: TokenStream,
}

/// What takes the body's place.
fn content(checked: &Checked) -> TokenStream {
    let runtime = Runtime::under(checked.settings.krate.as_ref().map(|krate| &krate.value));
    let Start { statics, policy_binding, policy, begin, gate } = site::start(checked, &runtime);
    let body = checked.body_span();
    let Round { before, attempt } = if checked.is_hedged() {
        hedge::round(checked, &runtime, &policy, body)
    } else {
        Round { before: TokenStream::new(), attempt: attempt(checked, &runtime, body) }
    };
    let decide = outcome::decide(checked, &runtime, &policy);
    // Not in one: the call would be moved for a look at its result.
    let finish = checked.output.wraps.then(|| generated!(let __result = __call.finish(__result);));
    // Where the compiler says that the result does not live as long as the signature promises.
    let end = quote_spanned!(at(checked.output.span())=> return __call.end(__result););
    // A lint on arguments that nothing consumes does not know that their clones are consumed.
    let cloned = checked.cloned().filter(|_| checked.is_blocking());
    let consumed =
        cloned.map(|Binding { ident, cfgs, .. }| generated!(#(#cfgs)* let __consumed = #ident;));
    let end = generated!(#(#consumed)* #finish #end);
    let calls = if checked.settings.is_single() {
        generated! {
            #attempt
            let _ = #decide;
            #end
        }
    } else {
        // Clones are made when the wait is over, and it is no part of what an attempt takes. Elsewhere the
        // attempt waits by itself, which is less for the compiler to think about.
        let waits_before = checked.cloned().next().is_some() || checked.settings.keeps_latency();
        let pause = if checked.is_blocking() {
            generated!(__call.pause_blocking();)
        } else if waits_before {
            awaited(&generated!(__call.pause()), body)
        } else {
            TokenStream::new()
        };
        generated! {
            loop {
                {
                    #attempt
                    if #decide { #end }
                }
                #pause
            }
        }
    };
    let moves = checked.prelude.moves.iter().map(|each| {
        let mut each = each.clone();
        strip_mut_of(&mut each.pat, checked.clones());
        each
    });
    let uses = checked.cloned().filter_map(|binding| checked.use_of_mut(binding));
    generated! {
        #statics
        #policy_binding
        let mut __call = #begin;
        #gate
        #(#moves)*
        #(#uses)*
        #before
        #calls
    }
}

/// An attempt's own copies of what is cloned for it.
pub(super) struct Copies {
    /// The statements that make them.
    pub(super) made: TokenStream,
    /// The statements that give them their names.
    pub(super) owned: TokenStream,
}

pub(super) fn copies(checked: &Checked) -> Copies {
    let clones: Vec<&Binding> = checked.cloned().collect();
    let copy = |index| format_ident!("__clone_{index}", span = Span::mixed_site());
    let made = clones.iter().enumerate().map(|(index, Binding { ident, cfgs, .. })| {
        let copy = copy(index);
        // Where it is asked for, since that is where a type that cannot be cloned is refused.
        let name = checked.clones().iter().find(|name| *name == ident).unwrap_or(ident);
        quote_spanned!(at(name.span())=> #(#cfgs)* let #copy = ::core::clone::Clone::clone(&#ident);)
    });
    // The block owns its copies and borrows all else. One binding has the user's name: two would be
    // seen by lints against shadowing. What these say about the one is allowed, which is no error but
    // where it would be one as well.
    let owned = clones.iter().enumerate().map(|(index, binding)| {
        let Binding { ident, cfgs, lints, mutability, .. } = binding;
        let copy = copy(index);
        let used = checked.use_of_mut(binding);
        generated! {
            #(#cfgs)* #(#lints)* #[allow(clippy::shadow_unrelated)] let #mutability #ident = #copy;
            #used
        }
    });
    Copies { made: made.collect(), owned: owned.collect() }
}

/// The statements that run the body once and bind `__result`.
fn attempt(checked: &Checked, runtime: &Runtime, body: Span) -> TokenStream {
    let Copies { made, owned } = copies(checked);
    // Block and future count as the user's: some lints look at what is around the code that they judge,
    // and keep silent where it is a macro's. The parentheses hide two pairs of braces from
    // `unused_braces`.
    let block = braces(checked.prelude.body.clone(), body);
    // Where the type is no `Result`, the compiler refuses this call.
    let place = at(checked.output.span());
    let cuts = outcome::cuts(checked, runtime);
    let gated = checked.settings.has_gate();
    let attempt = if checked.is_blocking() {
        let content =
            if owned.is_empty() { block } else { braces(generated!(#owned (#block)), body) };
        let ty = without_lifetimes(&checked.output.body);
        let closure = quote_spanned!(body=> || -> #ty #content);
        if gated {
            quote_spanned!(place=> __call.attempt_blocking_gated(&mut __gate, #cuts, #closure))
        } else {
            quote_spanned!(place=> __call.attempt_blocking(#cuts, #closure))
        }
    } else {
        let edge = fake_return(&checked.output.body);
        let lend = borrows::lend_self(checked);
        let content = braces(generated!(#edge #lend #owned (#block)), body);
        // Where the compiler says that an argument was moved in an earlier iteration.
        let block = quote_spanned!(body=> async #content);
        if gated {
            quote_spanned!(place=> __call.attempt_gated(&mut __gate, #cuts, #block).await)
        } else {
            quote_spanned!(place=> __call.attempt(#cuts, #block).await)
        }
    };
    let result = cut_error(checked, runtime, attempt);
    if !checked.settings.keeps_latency() {
        return generated! {
            #made
            let __result = #result;
        };
    }
    generated! {
        #made
        let __started = __call.attempt_starts();
        let __result = #result;
        __call.attempt_ended(__started);
    }
}

/// What the attempt ended in, with a cut expressed: outside of the attempt, whose borrows are over then.
pub(super) fn cut_error(checked: &Checked, runtime: &Runtime, attempt: TokenStream) -> TokenStream {
    let Some(cut_error) = &checked.settings.cut_error else { return attempt };
    let value = &cut_error.value;
    let error = runtime.call_at("by_cut", value, &generated!(__cut, #value));
    let or_cut = runtime.item_at("or_cut", checked.output.span());
    quote_spanned!(at(checked.output.span())=> #or_cut(#attempt, |__cut| #error))
}

pub(super) fn braces(content: TokenStream, place: Span) -> Group {
    let mut block = Group::new(Delimiter::Brace, content);
    block.set_span(place);
    block
}

/// A return that is never reached tells the compiler the type of the block. It needs no `allow`,
/// which a user's `forbid` would turn into an error.
pub(super) fn fake_return(ty: &syn::Type) -> TokenStream {
    let place = at(syn::spanned::Spanned::span(ty));
    let ty = without_lifetimes(ty);
    quote_spanned! {place=>
        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<#ty> {
            return __ret;
        }
    }
}

fn awaited(future: &TokenStream, body: Span) -> TokenStream {
    let wait = quote_spanned!(at(body)=> .await;);
    quote!(#future #wait)
}
