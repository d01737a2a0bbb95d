//! What the implementation asks of the type parameters.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{GenericArgument, Generics, Ident, Path, PathArguments, Type, TypePath};

/// The type parameters and projections in the types of forwarded fields, each once.
///
/// Never the field's whole type: `Box<Tree<I>>: Retryable` as a bound of the implementation for
/// `Tree<I>` would be proved by itself without end.
///
/// ```text
/// Input:  enum Tree<I> { Leaf(I), Node(Box<Tree<I>>), Inner(Arc<<I as Wrap>::Error>) }
/// Output: I, <I as Wrap>::Error
/// ```
pub(super) fn bounded<'a>(
    generics: &Generics,
    types: impl IntoIterator<Item = &'a Type>,
) -> Vec<TokenStream> {
    let mut search = Search {
        parameters: generics.type_params().map(|param| &param.ident).collect(),
        found: Vec::new(),
    };
    for ty in types {
        search.visit(ty);
    }
    search.found
}

struct Search<'g> {
    parameters: Vec<&'g Ident>,
    found: Vec<TokenStream>,
}

impl Search<'_> {
    fn visit(&mut self, ty: &Type) {
        match ty {
            Type::Path(path) => self.visit_path(path),
            Type::Reference(reference) => self.visit(&reference.elem),
            Type::Group(group) => self.visit(&group.elem),
            Type::Paren(paren) => self.visit(&paren.elem),
            Type::Array(array) => self.visit(&array.elem),
            Type::Slice(slice) => self.visit(&slice.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| self.visit(elem)),
            // The error is not made of the parameters of a trait object, a function or a pointer.
            _ => {}
        }
    }

    fn visit_path(&mut self, path: &TypePath) {
        let Some(qself) = &path.qself else {
            let first = path.path.segments.first();
            if path.path.leading_colon.is_none()
                && first.is_some_and(|first| self.parameters.contains(&&first.ident))
            {
                self.add(path);
            } else {
                self.visit_arguments(&path.path);
            }
            return;
        };
        let mut inner = Search { parameters: self.parameters.clone(), found: Vec::new() };
        inner.visit(&qself.ty);
        inner.visit_arguments(&path.path);
        if !inner.found.is_empty() {
            self.add(path);
        }
    }

    fn visit_arguments(&mut self, path: &Path) {
        for segment in &path.segments {
            let PathArguments::AngleBracketed(arguments) = &segment.arguments else { continue };
            for argument in &arguments.args {
                if let GenericArgument::Type(ty) = argument {
                    self.visit(ty);
                }
            }
        }
    }

    fn add(&mut self, path: &TypePath) {
        let path = path.to_token_stream();
        let text = path.to_string();
        if self.found.iter().all(|found| found.to_string() != text) {
            self.found.push(path);
        }
    }
}
