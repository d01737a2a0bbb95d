//! Numbers: how many attempts, and by what delays grow.

use syn::{Error, Expr, Lit, Result};

use super::{is_const, literal, negative, path, wrong};
use crate::diagnostics::did_you_mean;
use crate::keys::Key;
use crate::model::{Attempts, Value};

pub(crate) fn attempts(value: &Expr) -> Result<Value<Attempts>> {
    const WANTED: &str = "a whole number of at least 1, \"unlimited\" or the path of a const";
    let refuse = |message: String| Err(Error::new_spanned(value, message));
    if let Some(number) = negative(value) {
        return refuse(format!(
            "`attempts` is {number}: it counts the first call, so the smallest value is 1"
        ));
    }
    match literal(value) {
        Some(Lit::Int(number)) if number.suffix().is_empty() || number.suffix() == "u32" => {
            match number.base10_parse() {
                Ok(0) => refuse(
                    "`attempts` is 0: it counts the first call, so the smallest value is 1".into(),
                ),
                Ok(count) => Ok(Value::Literal(Attempts::Count(count))),
                _ => refuse(format!(
                    "`attempts` is above {}: write \"unlimited\" for no limit",
                    u32::MAX
                )),
            }
        }
        Some(Lit::Str(text)) if text.value() == "unlimited" => {
            Ok(Value::Literal(Attempts::Unlimited))
        }
        Some(Lit::Str(text)) if text.value().parse::<f64>().is_ok() => refuse(format!(
            "`attempts` is a number, write it without quotes: `attempts = {}`",
            text.value()
        )),
        Some(Lit::Str(text)) => refuse(format!(
            "\"{}\" is no number of attempts: `attempts` needs {WANTED}{}",
            text.value(),
            did_you_mean(&text.value(), ["unlimited"])
        )),
        Some(Lit::Float(number)) => refuse(format!(
            "`attempts` is {number}: it needs a whole number of at least 1, as in `attempts = 3`"
        )),
        _ => match path(value) {
            Some(path) if is_const(&path.path) => Ok(Value::Const(path.clone())),
            Some(path) if path.path.is_ident("unlimited") => {
                refuse("write \"unlimited\" in quotes: `attempts = \"unlimited\"`".into())
            }
            _ => Err(wrong(Key::Attempts, value, WANTED)),
        },
    }
}

pub(crate) fn hedge_max(value: &Expr) -> Result<u32> {
    let refuse = |found: String| {
        Err(Error::new_spanned(
            value,
            format!("`hedge_max` {found}a whole number of at least 1, as in `hedge_max = 1`"),
        ))
    };
    if let Some(number) = negative(value) {
        return refuse(format!("is {number}: it needs "));
    }
    match literal(value) {
        Some(Lit::Int(number)) if number.suffix().is_empty() || number.suffix() == "u32" => {
            match number.base10_parse() {
                Ok(0) => refuse("is 0: leave `hedge` out for no hedges, or write ".into()),
                Ok(max) => Ok(max),
                _ => refuse(format!("is above {}: it needs ", u32::MAX)),
            }
        }
        _ => refuse("needs ".into()),
    }
}

pub(crate) fn factor(value: &Expr) -> Result<Value<f64>> {
    const WANTED: &str = "a number of at least 1 or the path of a const `f64`";
    let refuse = |message: String| Err(Error::new_spanned(value, message));
    let too_small = |shown: String| {
        refuse(format!("`factor` is {shown}: below 1 the delays would shrink, write at least 1"))
    };
    if let Some(number) = negative(value) {
        return too_small(number);
    }
    let digits = match literal(value) {
        Some(Lit::Int(number)) => number.base10_digits().to_owned(),
        Some(Lit::Float(number)) => number.base10_digits().to_owned(),
        Some(Lit::Str(text)) if text.value().parse::<f64>().is_ok() => {
            return refuse(format!(
                "`factor` is a number, write it without quotes: `factor = {}`",
                text.value()
            ));
        }
        _ => match path(value) {
            Some(path) if is_const(&path.path) => return Ok(Value::Const(path.clone())),
            _ => return Err(wrong(Key::Factor, value, WANTED)),
        },
    };
    match digits.parse::<f64>() {
        Ok(factor) if factor.is_finite() && factor >= 1.0 => Ok(Value::Literal(factor)),
        Ok(factor) if factor < 1.0 => too_small(digits),
        _ => refuse("`factor` is too large for a number: it must be finite".into()),
    }
}
