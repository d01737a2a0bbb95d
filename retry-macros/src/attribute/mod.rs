//! `#[retry(…)]`: parse, read into a typed model, check everything, expand.

mod args;
mod arguments;
mod borrows;
mod check;
mod expand;
mod fallback;
mod generic;
mod item;
mod keys;
mod model;
mod output;
mod policy;
mod read;
mod returned;
mod runtime;
mod signature;
mod site;
mod value;

use proc_macro2::TokenStream;

use crate::diagnostics::Errors;
use arguments::Binding;
use item::Function;
use model::Settings;
use output::Output;

/// An annotated function without mistakes.
struct Checked {
    function: Function,
    settings: Settings,
    bindings: Vec<Binding>,
    output: Output,
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
    let (settings, given) = read::read(&entries, errors);
    check::check(&settings, &given, errors);

    let function = noted(syn::parse2::<Function>(item), errors)?;
    let bindings = arguments::bindings(&function.sig);
    // Without `async` the return type is not yet what it will be.
    let output = match function.sig.asyncness {
        Some(_) => noted(Output::read(&function.sig.output, function.sig.ident.span()), errors),
        None => None,
    };
    signature::check(&function, &settings, &bindings, output.as_ref(), errors);
    output.map(|output| Checked { function, settings, bindings, output })
}

fn noted<T>(result: syn::Result<T>, errors: &mut Errors) -> Option<T> {
    result.map_err(|error| errors.add(error)).ok()
}

#[cfg(test)]
mod tests;
