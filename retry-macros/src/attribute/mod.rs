//! `#[retry(…)]`: read the settings, check them against the function, expand.

mod arguments;
mod borrows;
mod early;
mod expand;
mod fallback;
mod form;
mod gate;
mod generic;
mod hedge;
mod item;
mod locals;
mod outcome;
mod output;
mod policy;
mod prelude;
mod returned;
mod retype;
mod runtime;
mod signature;
mod site;
mod tokens;

use proc_macro2::{Ident, Span, TokenStream};
use retry_grammar::diagnostics::Errors;
use retry_grammar::model::Settings;

use arguments::Binding;
use form::Form;
use item::Function;
use output::Output;
use prelude::Prelude;
use runtime::generated;

/// An annotated function without mistakes.
struct Checked {
    function: Function,
    settings: Settings,
    bindings: Vec<Binding>,
    output: Output,
    form: Form,
    prelude: Prelude,
}

impl Checked {
    /// Where the body is that is repeated.
    fn body_span(&self) -> Span {
        match &self.form {
            Form::Future(tail) => tail.block.span(),
            Form::Async | Form::Plain => self.function.brace.span.join(),
        }
    }

    /// The variables that are cloned for each attempt.
    fn cloned(&self) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(|binding| self.clones().contains(&binding.ident))
    }

    /// Whether the function, the body or both need the `mut` of a variable is not known where
    /// statements stand before the future; the lint is satisfied in either place.
    fn use_of_mut(&self, binding: &Binding) -> Option<TokenStream> {
        let Form::Future(tail) = &self.form else { return None };
        let Binding { ident, cfgs, mutability, .. } = binding;
        let used = mutability.is_some() && !tail.is_all();
        used.then(|| generated!(#(#cfgs)* let _ = &mut #ident;))
    }

    const fn is_hedged(&self) -> bool {
        self.settings.hedge.is_some()
    }

    const fn is_blocking(&self) -> bool {
        self.settings.blocking.is_some()
    }

    /// Whether an attempt that timed out can be reported, whether there is a timeout or not.
    const fn can_time_out(&self) -> bool {
        !self.is_blocking() && (self.output.wraps || self.settings.cut_error.is_some())
    }

    pub(super) fn clones(&self) -> &[Ident] {
        self.settings.clone.as_ref().map_or(&[], |clone| &clone.value)
    }
}

/// The expansion, or the item as it was and all mistakes.
pub(crate) fn retry(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let checked = check(args, item.clone(), &mut errors);
    match errors.finish(checked) {
        Ok(Some(checked)) => expand::expand(&checked),
        Ok(None) => item,
        Err(errors) => fallback::fallback(item, &errors),
    }
}

/// `None` only where a mistake has been reported.
fn check(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Checked> {
    let mut settings = retry_grammar::parse(args, errors);

    let function = noted(syn::parse2::<Function>(item), errors)?;
    let form = Form::of(&function);
    let mut prelude = match &form {
        Form::Async | Form::Plain => Prelude::split(function.body.clone()),
        Form::Future(tail) => Prelude::split(tail.block.stream()),
    };
    prelude.rename_self(&mut settings);
    let mut bindings = arguments::bindings(&function.sig);
    arguments::add_moved(&mut bindings, &prelude.moves);
    if let (Form::Future(tail), Some(clone)) = (&form, &settings.clone) {
        if !tail.is_all() {
            locals::add(&mut bindings, tail.before(), &clone.value);
        }
    }
    let (output, name) = (&function.sig.output, function.sig.ident.span());
    let output = match form {
        Form::Future(_) => noted(Output::of_future(output, name), errors),
        Form::Plain if settings.blocking.is_none() => {
            signature::refuse_sync(&function, errors);
            None
        }
        Form::Async | Form::Plain => noted(Output::read(output, name), errors),
    };
    if let Some(output) = output.as_ref().filter(|output| output.wraps) {
        prelude.body = retype::retype(prelude.body, &output.body);
    }
    let parts = signature::Parts { function: &function, form: &form, prelude: &prelude };
    signature::check(&parts, &settings, &bindings, output.as_ref(), errors);
    output.map(|output| Checked { function, settings, bindings, output, form, prelude })
}

fn noted<T>(result: syn::Result<T>, errors: &mut Errors) -> Option<T> {
    result.map_err(|error| errors.add(error)).ok()
}

#[cfg(test)]
mod snapshots;
#[cfg(test)]
mod tests;
