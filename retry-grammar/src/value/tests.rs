use super::*;
use crate::model::Attempts;
use syn::parse_quote;

fn text_of<T>(result: Result<T>) -> String {
    result.err().expect("is refused").to_string()
}

#[test]
fn counts_below_one_or_of_another_kind_are_refused() {
    // R175, R177
    for (value, wanted) in [
        (parse_quote!(0), "`attempts` is 0"),
        (parse_quote!(-1), "`attempts` is -1"),
        (parse_quote!(1.5), "`attempts` is 1.5"),
        (parse_quote!("3"), "without quotes: `attempts = 3`"),
        (parse_quote!("unlimitd"), "did you mean `unlimited`?"),
        (parse_quote!(unlimited), "in quotes"),
        (parse_quote!(4_294_967_296), "above 4294967295"),
        (parse_quote!(3i8), "whole number"),
        (parse_quote!(n + 1), "fixed at compile time"),
        (parse_quote!(n), "not named like a const"),
        (parse_quote!(none), "`none` is no value"),
    ] {
        let message = text_of(attempts(&value));
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn counts_and_paths_of_consts_are_read() {
    let read = |value: Expr| attempts(&value).unwrap();
    assert!(matches!(read(parse_quote!(1_000)), Value::Literal(Attempts::Count(1000))));
    assert!(matches!(read(parse_quote!(0x10)), Value::Literal(Attempts::Count(16))));
    assert!(matches!(read(parse_quote!("unlimited")), Value::Literal(Attempts::Unlimited)));
    assert!(matches!(read(parse_quote!(Self::TRIES)), Value::Const(_)));
    assert!(matches!(read(parse_quote!(N)), Value::Const(_)));
}

#[test]
fn durations_without_unit_or_quotes_are_shown_how() {
    for (value, wanted) in [
        (parse_quote!(50), "`base = \"50ms\"`"),
        (parse_quote!("50"), "\"50ms\""),
        (parse_quote!(50ms), "in quotes: `base = \"50ms\"`"),
        (parse_quote!(1.5s), "in quotes: `base = \"1.5s\"`"),
        (parse_quote!(-5), "cannot be negative"),
        (parse_quote!(true), "a literal with a unit"),
        (parse_quote!(Duration::from_millis(50)), "not an expression"),
        (parse_quote!(pause), "`pause` is not named like a const"),
    ] {
        let message = text_of(duration(Key::Base, &value));
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn the_longest_durations_are_taken() {
    // R019
    assert!(matches!(
        duration(Key::MaxRetryAfter, &parse_quote!("18446744073709551615s")),
        Ok(Value::Literal(longest)) if longest.as_secs() == u64::MAX
    ));
    assert!(matches!(
        duration(Key::Base, &parse_quote!(core::time::Duration::MAX)),
        Ok(Value::Const(_))
    ));
}

#[test]
fn factors_that_shrink_or_overflow_are_refused() {
    for (value, wanted) in [
        (parse_quote!(0.5), "`factor` is 0.5"),
        (parse_quote!(-2), "`factor` is -2"),
        (parse_quote!(1e400), "must be finite"),
        (parse_quote!("2"), "`factor = 2`"),
    ] {
        let message = text_of(factor(&value));
        assert!(message.contains(wanted), "{message}");
    }
    assert!(
        matches!(factor(&parse_quote!(3)), Ok(Value::Literal(f)) if f.to_bits() == 3f64.to_bits())
    );
    assert!(matches!(factor(&parse_quote!(1.0)), Ok(Value::Literal(_))));
}

#[test]
fn only_names_in_capitals_are_consts() {
    for (path, wanted) in [
        (parse_quote!(ORDERS), true),
        (parse_quote!(a::B_2), true),
        (parse_quote!(r#A), true),
        (parse_quote!(orders), false),
        (parse_quote!(Orders), false),
        (parse_quote!(_1), false),
    ] {
        let path: Path = path;
        assert_eq!(is_const(&path), wanted, "{}", spelled(&path));
    }
}
