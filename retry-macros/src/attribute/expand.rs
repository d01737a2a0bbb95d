//! The function with its body in a loop that a [`Call`] of the runtime drives.
//!
//! The signature stays as it is, and so do the body's tokens and braces: an inline `async` block
//! that borrows what it can keeps the future `Send`, and lints, coverage and debuggers at their place.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{TokenStreamExt, format_ident, quote, quote_spanned};

use super::Checked;
use super::arguments::{Binding, strip_mut, strip_mut_of};
use super::form::Form;
use super::model::Deadline;
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
///     let (__result, __call) = {
///         let mut __call = Call::begin(&__STORMLESS_SITE, __STORMLESS_SITE.policy());
///         loop {
///             {
///                 let __result = __call.attempt(cuts, async {
///                     // The type that `?` and coercions in the body go by.
///                     if let Some(__ret) = None::<Result<Order, OrderError>> { return __ret; }
///                     ({ body })
///                 }).await;
///                 if __call.decide(__STORMLESS_SITE.policy(), &__result, by_trait) {
///                     break (__result, __call);
///                 }
///             } // What failed is gone before the wait.
///             __call.pause().await;
///         }
///     };
///     return __call.end(__result);
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

/// What takes the body's place.
fn content(checked: &Checked) -> TokenStream {
    let runtime = Runtime::under(checked.settings.krate.as_ref().map(|krate| &krate.value));
    let Start { statics, policy_binding, policy, begin } = site::start(checked, &runtime);
    let body = checked.body_span();
    let attempt = attempt(checked, &runtime, body);
    let decide = decide(checked, &runtime, &policy);
    let result = if checked.output.wraps {
        generated!(__call.finish(__result))
    } else {
        generated!(__result)
    };
    let calls = if checked.settings.is_single() {
        generated! {
            #attempt
            let _ = #decide;
            (#result, __call)
        }
    } else {
        let pause = if checked.is_blocking() {
            generated!(__call.pause_blocking())
        } else {
            awaited(&generated!(__call.pause()), body)
        };
        generated! {
            loop {
                {
                    #attempt
                    if #decide { break (#result, __call); }
                }
                #pause;
            }
        }
    };
    let moves = checked.prelude.moves.iter().map(|each| {
        let mut each = each.clone();
        strip_mut_of(&mut each.pat, checked.clones());
        each
    });
    // A lint on arguments that nothing consumes does not know that their clones are consumed.
    let cloned = checked.cloned().filter(|_| checked.is_blocking());
    let consumed =
        cloned.map(|Binding { ident, cfgs, .. }| generated!(#(#cfgs)* let __consumed = #ident;));
    // Where the compiler says that the result does not live as long as the signature promises.
    let end = quote_spanned!(at(checked.output.span())=> return __call.end(__result););
    // A call that has left its block has no destructor that the compiler would have to think of.
    generated! {
        #statics
        #policy_binding
        let (__result, __call) = {
            let mut __call = #begin;
            #(#moves)*
            #calls
        };
        #(#consumed)*
        #end
    }
}

/// The statements that run the body once and bind `__result`.
fn attempt(checked: &Checked, runtime: &Runtime, body: Span) -> TokenStream {
    let clones: Vec<&Binding> = checked.cloned().collect();
    let copy = |index| format_ident!("__clone_{index}", span = Span::mixed_site());
    let copies = clones.iter().enumerate().map(|(index, Binding { ident, cfgs, .. })| {
        let copy = copy(index);
        generated!(#(#cfgs)* let #copy = ::core::clone::Clone::clone(&#ident);)
    });
    // The block owns its copies and borrows all else. One binding has the user's name: two would be
    // seen by lints against shadowing. What these say about the one is allowed, which is no error but
    // where it would be one as well.
    let owned = clones.iter().enumerate().map(|(index, binding)| {
        let Binding { ident, cfgs, mutability, .. } = binding;
        let copy = copy(index);
        generated!(#(#cfgs)* #[allow(clippy::shadow_unrelated)] let #mutability #ident = #copy;)
    });
    // Block and future count as the user's: some lints look at what is around the code that they judge,
    // and keep silent where it is a macro's. The parentheses hide two pairs of braces from
    // `unused_braces`.
    let block = braces(checked.prelude.body.clone(), body);
    // Where the type is no `Result`, the compiler refuses this call.
    let place = at(checked.output.span());
    let cuts = cuts(checked, runtime);
    let attempt = if checked.is_blocking() {
        let content =
            if clones.is_empty() { block } else { braces(generated!(#(#owned)* (#block)), body) };
        let ty = without_lifetimes(&checked.output.body);
        let closure = quote_spanned!(body=> || -> #ty #content);
        quote_spanned!(place=> __call.attempt_blocking(#cuts, #closure))
    } else {
        let edge = fake_return(&checked.output.body);
        let content = braces(generated!(#edge #(#owned)* (#block)), body);
        // Where the compiler says that an argument was moved in an earlier iteration.
        let block = quote_spanned!(body=> async #content);
        quote_spanned!(place=> __call.attempt(#cuts, #block).await)
    };
    generated! {
        #(#copies)*
        let __result = #attempt;
    }
}

fn braces(content: TokenStream, place: Span) -> Group {
    let mut block = Group::new(Delimiter::Brace, content);
    block.set_span(place);
    block
}

/// A return that is never reached tells the compiler the type of the block. It needs no `allow`,
/// which a user's `forbid` would turn into an error.
fn fake_return(ty: &syn::Type) -> TokenStream {
    let place = at(syn::spanned::Spanned::span(ty));
    let ty = without_lifetimes(ty);
    quote_spanned! {place=>
        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<#ty> {
            return __ret;
        }
    }
}

fn awaited(future: &TokenStream, body: Span) -> TokenStream {
    let wait = quote_spanned!(at(body)=> .await);
    quote!(#future #wait)
}

/// A function of the runtime whose bound the user's error type may not meet. In a closure the bound
/// is asked for once, at `place`; the function itself would be refused wherever it is handed on.
fn called(runtime: &Runtime, function: &str, place: Span) -> TokenStream {
    let function = runtime.item_at(function, place);
    quote_spanned!(at(place)=> |__value| #function(__value))
}

/// How a cut attempt reports itself.
fn cuts(checked: &Checked, runtime: &Runtime) -> TokenStream {
    let settings = &checked.settings;
    if checked.output.wraps {
        return generated!(#runtime::Wrap);
    }
    if let Some(cut_error) = &settings.cut_error {
        let value = &cut_error.value;
        return generated!(#runtime::CutWith(#value));
    }
    let timeout = if let Some(timeout) = &settings.attempt_timeout {
        called(runtime, "timeout_from", timeout.key.span())
    } else {
        generated!(#runtime::timeout_never)
    };
    let own = settings.deadline.as_ref().filter(|own| !matches!(own.value, Deadline::Off));
    let deadline = match own {
        _ if settings.uncut.is_some() => generated!(#runtime::deadline_never),
        Some(own) => called(runtime, "deadline_from", own.key.span()),
        None if settings.classify.is_some() => generated!(#runtime::deadline_never),
        None => called(runtime, "deadline_by_trait", checked.output.error_span()),
    };
    generated!(#runtime::Plain(#timeout, #deadline))
}

/// The condition under which the result is the call's.
fn decide(checked: &Checked, runtime: &Runtime, policy: &TokenStream) -> TokenStream {
    let settings = &checked.settings;
    let mut judge = match settings.classify.as_ref().map(|classify| &classify.value) {
        Some(classify) => generated!(|__r| #runtime::by_classifier(__r, #classify)),
        None => called(runtime, "by_trait", checked.output.error_span()),
    };
    if let Some(classify_result) = &settings.classify_result {
        let classify_result = &classify_result.value;
        judge = generated!(|__r| #runtime::by_result(__r, #classify_result, #judge));
    }
    // Where the type is no `Result`, the compiler refuses this call as well.
    let place = at(checked.output.span());
    if let Some(on_retry) = &settings.on_retry {
        let on_retry = &on_retry.value;
        quote_spanned! {place=>
            __call.decide_and_tell(#policy, &__result, #judge, #on_retry)
        }
    } else {
        quote_spanned!(place=> __call.decide(#policy, &__result, #judge))
    }
}

impl Checked {
    /// Where the body is that is repeated.
    fn body_span(&self) -> Span {
        match &self.form {
            Form::Future(tail) => tail.block.span(),
            Form::Async | Form::Plain => self.function.brace.span.join(),
        }
    }

    const fn is_blocking(&self) -> bool {
        self.settings.blocking.is_some()
    }

    pub(super) fn clones(&self) -> &[Ident] {
        self.settings.clone.as_ref().map_or(&[], |clone| &clone.value)
    }

    fn cloned(&self) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(|binding| self.clones().contains(&binding.ident))
    }
}
