//! What a function may return that is certainly no `Result`, and what to do instead.
//!
//! Only types that show it by themselves: any other name may be an alias of a `Result`, and is left
//! to the compiler.

use syn::{
    GenericArgument, Path, PathArguments, PathSegment, Token, Type, TypeParamBound,
    punctuated::Punctuated,
};

use super::output::ungroup;

/// Why `ty` is no `Result`, and what to do; `None` where it may be one.
pub(super) fn no_result(ty: &Type) -> Option<String> {
    let known = match ungroup(ty) {
        Type::Tuple(tuple) if tuple.elems.is_empty() => "this one returns nothing",
        Type::Never(_) => "this one never returns",
        Type::Path(path) => return by_name(&path.path),
        Type::ImplTrait(written) => behind(&written.bounds).unwrap_or(
            "an `impl Trait` does not show whether it is one; write `Result<impl Trait, _>`",
        ),
        Type::TraitObject(written) => behind(&written.bounds)?,
        Type::Reference(_) | Type::Ptr(_) => "a reference is none; return the `Result` itself",
        Type::Tuple(_) => "a tuple is none; return `Result<(_, _), _>`",
        Type::Array(_) | Type::Slice(_) => SEVERAL,
        Type::FnPtr(_) => "a function is none; call it in the body and return its `Result`",
        _ => return None,
    };
    Some(known.into())
}

const LAZY: &str = "a lazy sequence fails while it is read, when the attempt is over; return `Result<Vec<_>, _>`, or put `#[retry]` on the function that fetches one item";
const FUTURE: &str = "a future is none; await it in the body and return what it yields";
const SEVERAL: &str =
    "of several values none says whether the call failed; return `Result<Vec<_>, _>`";

fn by_name(path: &Path) -> Option<String> {
    let last = path.segments.last()?;
    let name = last.ident.to_string();
    let known = match name.as_str() {
        "Option" => {
            "an `Option` does not say why there is nothing; turn `None` into an error with `ok_or`"
        }
        "Poll" => "a `Poll` is for futures written by hand; return the `Result` inside",
        "JoinHandle" => {
            "the task's result comes later; await the handle in the body and return what it yields"
        }
        "BoxFuture" | "LocalBoxFuture" => FUTURE,
        "BoxStream" | "LocalBoxStream" => LAZY,
        "Vec" | "VecDeque" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => SEVERAL,
        "Box" | "Pin" | "Rc" | "Arc" => {
            let inner = first_argument(last).map(ungroup);
            match inner {
                Some(Type::Path(inner)) if is_pointer(&inner.path) => {
                    return by_name(&inner.path);
                }
                Some(Type::TraitObject(inner)) => behind(&inner.bounds),
                _ => None,
            }
            .unwrap_or("a pointer to one is none; return the `Result` itself")
        }
        _ if path.get_ident().is_some() && PLAIN.contains(&name.as_str()) => {
            return Some(format!("a `{name}` does not say what failed; return an error that does"));
        }
        _ => return None,
    };
    Some(known.into())
}

/// Types of the prelude and of the language that hold no result.
const PLAIN: [&str; 18] = [
    "bool", "char", "str", "String", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
    "i32", "i64", "i128", "isize", "f32", "f64",
];

fn is_pointer(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| ["Box", "Pin", "Rc", "Arc"].iter().any(|name| last.ident == name))
}

fn first_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// What stands behind a trait that is known.
fn behind(bounds: &Punctuated<TypeParamBound, Token![+]>) -> Option<&'static str> {
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let name = bound.path.segments.last()?.ident.to_string();
        match name.as_str() {
            "Iterator"
            | "IntoIterator"
            | "DoubleEndedIterator"
            | "ExactSizeIterator"
            | "FusedIterator"
            | "Stream"
            | "TryStream"
            | "FusedStream" => Some(LAZY),
            "Future" | "IntoFuture" | "TryFuture" => Some(FUTURE),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::no_result;
    use syn::parse_quote;

    #[test]
    fn what_is_no_result_is_told_apart() {
        for (ty, wanted) in [
            (parse_quote!(()), "returns nothing"),
            (parse_quote!(!), "never returns"),
            (parse_quote!(Option<Result<u8, E>>), "an `Option`"),
            (parse_quote!(std::task::Poll<Result<u8, E>>), "a `Poll`"),
            (parse_quote!(tokio::task::JoinHandle<Result<u8, E>>), "await the handle"),
            (parse_quote!(impl Iterator<Item = Result<u8, E>> + '_), "a lazy sequence"),
            (parse_quote!(impl Send + futures::Stream<Item = Result<u8, E>>), "a lazy sequence"),
            (parse_quote!(Box<dyn Iterator<Item = u8>>), "a lazy sequence"),
            (parse_quote!(Pin<Box<dyn Stream<Item = u8> + Send>>), "a lazy sequence"),
            (parse_quote!(BoxStream<'static, Result<u8, E>>), "a lazy sequence"),
            (parse_quote!(impl Future<Output = Result<u8, E>>), "a future is none"),
            (parse_quote!(Pin<Box<dyn Future<Output = Result<u8, E>>>>), "a future is none"),
            (parse_quote!(BoxFuture<'_, Result<u8, E>>), "a future is none"),
            (parse_quote!(impl Debug), "`Result<impl Trait, _>`"),
            (parse_quote!(Vec<Result<u8, E>>), "of several values"),
            (parse_quote!([Result<u8, E>; 2]), "of several values"),
            (parse_quote!((u8, Result<u8, E>)), "a tuple"),
            (parse_quote!(&'static Result<u8, E>), "a reference"),
            (parse_quote!(Box<Result<u8, E>>), "a pointer"),
            (parse_quote!(Arc<dyn Any>), "a pointer"),
            (parse_quote!(fn() -> Result<u8, E>), "a function"),
            (parse_quote!(bool), "a `bool`"),
            (parse_quote!(String), "a `String`"),
        ] {
            let found = no_result(&ty).unwrap_or_default();
            assert!(found.contains(wanted), "{wanted} in `{found}`");
        }
    }

    #[test]
    fn what_may_be_a_result_is_left_to_the_compiler() {
        for ty in [
            parse_quote!(Result<u8, E>),
            parse_quote!(io::Result<impl Iterator<Item = u8>>),
            parse_quote!(Answer),
            parse_quote!(my::bool),
            parse_quote!(Self::Answer),
            parse_quote!(<T as Service>::Response),
            parse_quote!(answer!(u8)),
        ] {
            assert_eq!(no_result(&ty), None);
        }
    }
}
