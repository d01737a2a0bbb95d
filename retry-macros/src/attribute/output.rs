//! What the return type says: is it a `Result`, of which error, and does it wrap the error.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{
    Error, GenericArgument, Lifetime, ParenthesizedGenericArguments, PathArguments, PathSegment,
    ReturnType, TraitBound, Type, TypeFnPtr, TypePath, spanned::Spanned, visit_mut::VisitMut,
};

use super::returned::no_result;

const WANTED: &str = "`#[retry]` needs a function that returns `Result<_, _>`: ";

/// A return type that may be a `Result`; aliases are left to the compiler.
pub(super) struct Output {
    /// The type of the body: as written, but `Result<T, E>` for `Result<T, RetryError<E>>`, and `_`
    /// in place of every `impl Trait`.
    pub(super) body: Type,
    /// The error's type where it is written out, else the whole type.
    pub(super) error: TokenStream,
    /// Whether the function returns `RetryError<E>`.
    pub(super) wraps: bool,
}

impl Output {
    pub(super) fn read(output: &ReturnType, name: Span) -> syn::Result<Self> {
        Self::of_type(written(output, name)?)
    }

    /// What the future gives that a function returns.
    pub(super) fn of_future(output: &ReturnType, name: Span) -> syn::Result<Self> {
        let ty = written(output, name)?;
        if let Some(output) = future_output(ty) {
            return Self::of_type(&output);
        }
        // An alias hides it: inference finds it.
        let place = ty.span();
        let body = Type::Infer(syn::TypeInfer {
            attrs: Vec::new(),
            underscore_token: syn::Token![_](place),
        });
        Ok(Self { body, error: ty.to_token_stream(), wraps: false })
    }

    fn of_type(ty: &Type) -> syn::Result<Self> {
        let ty = ungroup(ty);
        match no_result(ty) {
            Some(found) => Err(Error::new_spanned(ty, format!("{WANTED}{found}"))),
            None => Ok(Self::of(ty.clone())),
        }
    }

    fn of(mut body: Type) -> Self {
        let mut wraps = false;
        let mut error = body.to_token_stream();
        if let Some(second) = result_error(&mut body) {
            if let Some(inner) = retry_error(second) {
                wraps = true;
                *second = inner;
            }
            error = second.to_token_stream();
        }
        Erase.visit_type_mut(&mut body);
        Self { body, error, wraps }
    }

    pub(super) fn span(&self) -> Span {
        self.body.span()
    }
}

fn written(output: &ReturnType, name: Span) -> syn::Result<&Type> {
    match output {
        ReturnType::Type(_, ty) => Ok(ungroup(ty)),
        ReturnType::Default => Err(Error::new(name, format!("{WANTED}this one returns nothing"))),
    }
}

/// `R` of `Future<Output = R>`, wherever it stands in the type, and of `BoxFuture<'_, R>`.
pub(super) fn future_output(ty: &Type) -> Option<Type> {
    let mut find = FindOutput(None);
    find.visit_type_mut(&mut ty.clone());
    find.0.or_else(|| {
        let segment =
            last(ty).filter(|segment| segment.ident.to_string().ends_with("BoxFuture"))?;
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty.clone()),
            _ => None,
        })
    })
}

/// The first `Output = R` of a path that ends in `Future`.
struct FindOutput(Option<Type>);

impl VisitMut for FindOutput {
    fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
        if let (true, PathArguments::AngleBracketed(arguments)) =
            (segment.ident == "Future", &segment.arguments)
        {
            let found = arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::AssocType(output) if output.ident == "Output" => {
                    Some(output.ty.clone())
                }
                _ => None,
            });
            if self.0.is_none() {
                self.0 = found;
            }
        }
        syn::visit_mut::visit_path_segment_mut(self, segment);
    }
}

/// Types that `macro_rules!` passed on stand in invisible groups.
pub(super) fn ungroup(mut ty: &Type) -> &Type {
    while let Type::Group(group) = ty {
        ty = &group.elem;
    }
    ty
}

fn last(ty: &Type) -> Option<&PathSegment> {
    match ungroup(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// `E` of `Result<T, E>`, under any path.
fn result_error(ty: &mut Type) -> Option<&mut Type> {
    let ty = match ty {
        Type::Group(group) => return result_error(&mut group.elem),
        ty => ty,
    };
    let Type::Path(TypePath { path, .. }) = ty else { return None };
    let segment = path.segments.last_mut().filter(|segment| segment.ident == "Result")?;
    let PathArguments::AngleBracketed(arguments) = &mut segment.arguments else { return None };
    let mut types = arguments.args.iter_mut().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    match (types.next(), types.next(), types.next()) {
        (Some(_), Some(error), None) => Some(error),
        _ => None,
    }
}

/// `E` of `RetryError<E>`, under any path.
fn retry_error(ty: &Type) -> Option<Type> {
    let segment = last(ty).filter(|segment| segment.ident == "RetryError")?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match (arguments.args.first(), arguments.args.len()) {
        (Some(GenericArgument::Type(error)), 1) => Some(error.clone()),
        _ => None,
    }
}

/// `impl Trait` cannot stand in the type of a variable; inference finds it.
struct Erase;

impl VisitMut for Erase {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::ImplTrait(written) = ty {
            *ty = Type::Infer(syn::TypeInfer {
                attrs: Vec::new(),
                underscore_token: syn::Token![_](written.impl_token.span()),
            });
        } else {
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
}

/// The type with its lifetimes left to inference. A body that names one would hide from lints that the
/// signature need not.
pub(super) fn without_lifetimes(ty: &Type) -> Type {
    let mut ty = ty.clone();
    EraseLifetimes.visit_type_mut(&mut ty);
    ty
}

struct EraseLifetimes;

impl VisitMut for EraseLifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident != "static" {
            lifetime.ident = Ident::new("_", lifetime.ident.span());
        }
    }

    // What these bind, or leave to be bound, is part of the type.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut ParenthesizedGenericArguments) {
    }
    fn visit_trait_bound_mut(&mut self, bound: &mut TraitBound) {
        if bound.lifetimes.is_none() {
            syn::visit_mut::visit_trait_bound_mut(self, bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;
    use syn::parse_quote;

    fn read(output: &ReturnType) -> syn::Result<Output> {
        Output::read(output, Span::call_site())
    }

    #[test]
    fn what_cannot_fail_is_refused() {
        for (output, found) in [
            (parse_quote!(), "returns nothing"),
            (parse_quote!(-> ()), "returns nothing"),
            (parse_quote!(-> !), "never returns"),
            (parse_quote!(-> Option<u8>), "`Option`"),
            (parse_quote!(-> std::option::Option<u8>), "`Option`"),
        ] {
            let message = read(&output).err().expect("is refused").to_string();
            assert!(message.contains(found), "{message}");
        }
    }

    #[test]
    fn the_error_is_found_under_any_path_and_aliases_are_let_through() {
        for (output, error) in [
            (parse_quote!(-> Result<u8, E>), quote!(E)),
            (parse_quote!(-> ::core::result::Result<impl Iterator, a::E<'_>>), quote!(a::E<'_>)),
            (parse_quote!(-> io::Result<u8>), quote!(io::Result<u8>)),
            (parse_quote!(-> Answer), quote!(Answer)),
        ] {
            let output = read(&output).unwrap();
            assert_eq!(output.error.to_string(), error.to_string());
            assert!(!output.wraps);
        }
    }

    #[test]
    fn a_wrapped_error_is_unwrapped_for_the_body() {
        let output =
            read(&parse_quote!(-> std::result::Result<u8, stormless::RetryError<E>>)).unwrap();
        assert!(output.wraps);
        let body = output.body.to_token_stream().to_string();
        assert_eq!(body, quote!(std::result::Result<u8, E>).to_string());
    }

    #[test]
    fn the_output_of_a_future_is_found_in_each_way_to_write_it() {
        for (output, body) in [
            (
                parse_quote!(-> Pin<Box<dyn Future<Output = Result<u8, E>> + Send + 'a>>),
                "Result < u8 , E >",
            ),
            (
                parse_quote!(-> impl ::std::future::Future<Output = io::Result<u8>> + use<'a>),
                "io :: Result < u8 >",
            ),
            (parse_quote!(-> futures::future::BoxFuture<'_, Result<u8, E>>), "Result < u8 , E >"),
            (parse_quote!(-> LocalBoxFuture<'a, Result<u8, RetryError<E>>>), "Result < u8 , E >"),
            (parse_quote!(-> Answer<'a>), "_"),
        ] {
            let output = Output::of_future(&output, Span::call_site()).unwrap();
            assert_eq!(output.body.to_token_stream().to_string(), body);
        }
        let nothing = parse_quote!(-> Pin<Box<dyn Future<Output = ()>>>);
        assert!(Output::of_future(&nothing, Span::call_site()).is_err());
    }

    #[test]
    fn impl_trait_is_left_to_inference() {
        let output = read(&parse_quote!(-> Result<Box<impl Fn() -> u8>, E>)).unwrap();
        let body = output.body.to_token_stream().to_string();
        assert_eq!(body, quote!(Result<Box<_>, E>).to_string());
    }
    #[test]
    fn lifetimes_are_left_to_inference_unless_they_belong_to_the_type() {
        let inferred = without_lifetimes(&parse_quote!((
            &'a Of<'a, T::Out<'b>>,
            &'static u8,
            Box<dyn Any + 'a>,
            fn(&'a u8),
            Box<dyn Fn(&'a u8) -> &'a u8>,
            Box<dyn for<'x> Of<'x>>
        )));
        let wanted: Type = parse_quote!((
            &'_ Of<'_, T::Out<'_>>,
            &'static u8,
            Box<dyn Any + '_>,
            fn(&'a u8),
            Box<dyn Fn(&'a u8) -> &'a u8>,
            Box<dyn for<'x> Of<'x>>
        ));
        assert_eq!(inferred.to_token_stream().to_string(), wanted.to_token_stream().to_string());
    }
}
