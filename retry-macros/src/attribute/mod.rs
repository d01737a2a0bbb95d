//! `#[retry(…)]`: parse, read into a typed model, check everything, expand.

mod args;
mod arguments;
mod borrows;
mod check;
mod expand;
mod fallback;
mod form;
mod generic;
mod item;
mod keys;
mod model;
mod output;
mod policy;
mod prelude;
mod read;
mod runtime;
mod signature;
mod site;
mod value;

use proc_macro2::TokenStream;

use crate::diagnostics::Errors;
use arguments::Binding;
use form::Form;
use item::Function;
use model::Settings;
use output::Output;
use prelude::Prelude;

/// An annotated function without mistakes.
struct Checked {
    function: Function,
    settings: Settings,
    bindings: Vec<Binding>,
    output: Output,
    form: Form,
    prelude: Prelude,
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
    let (entries, misread) = args::parse(args);
    for error in misread {
        errors.add(error);
    }
    let (mut settings, given) = read::read(&entries, errors);
    check::check(&settings, &given, errors);

    let function = noted(syn::parse2::<Function>(item), errors)?;
    let form = Form::of(&function);
    let prelude = match &form {
        Form::Async | Form::Plain => Prelude::split(function.body.clone()),
        Form::Future(tail) => Prelude::split(tail.block.stream()),
    };
    prelude.rename_self(&mut settings);
    let mut bindings = arguments::bindings(&function.sig);
    arguments::add_moved(&mut bindings, &prelude.moves);
    let (output, name) = (&function.sig.output, function.sig.ident.span());
    let output = match form {
        Form::Future(_) => noted(Output::of_future(output, name), errors),
        Form::Plain if settings.blocking.is_none() => {
            signature::refuse_sync(&function, errors);
            None
        }
        Form::Async | Form::Plain => noted(Output::read(output, name), errors),
    };
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
