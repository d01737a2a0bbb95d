//! The attribute and the derive of `stormless`. Depend on that crate.

#![forbid(unsafe_code)]

mod attribute;
mod derive;
mod diagnostics;
mod duration;

use proc_macro::TokenStream;

/// Retries an async function.
#[proc_macro_attribute]
pub fn retry(args: TokenStream, item: TokenStream) -> TokenStream {
    attribute::retry(args.into(), item.into()).into()
}

/// Writes `Retryable` for an error type from the class of each of its variants.
///
/// # Classes
///
/// Every variant of an enum, and a struct as a whole, has exactly one:
///
/// | key | the failure | executed? |
/// |---|---|---|
/// | `transient` | is likely to pass by itself: a refused connection | no |
/// | `throttled` | was a refusal because of load | no |
/// | `timeout` | was no answer in time | maybe |
/// | `conflict` | was a lost race against a concurrent change | no |
/// | `permanent` | cannot be helped by a repeat | no; add `executed` where the dependency itself said so |
/// | `cancelled` | was wanted; never retried | no |
/// | `forward`, `forward = field` | is what the inner error says | as the inner error says |
/// | `with = path` | is what `path`, a `fn(&Self) -> Classification`, says | as it says |
/// | `status = field` | is what the HTTP status in the field says (any `Copy + Into<u16>`) | by the table below |
///
/// `forward` alone asks the only field. Where there are several, it asks the error's source as `thiserror` knows it: the field
/// with `#[from]`, else with `#[source]`, else with the name `source`.
///
/// | status | class | executed? |
/// |---|---|---|
/// | 408, 421, 425 | transient | no |
/// | 429, 503 | throttled | no |
/// | 500, 502 | transient | maybe |
/// | 504 | timeout | maybe |
/// | all others | permanent | yes |
///
/// A class beside `status` wins: `#[retryable(permanent, status = code)]` is permanent whatever the code. The status then only
/// tells whether the request may have been executed, by the same table (that it was counts for `permanent` alone). Where an
/// execution is written as well, or beside `forward`, `with`, `cancelled` and markers, a status would say nothing and is an
/// error.
///
/// # Markers
///
/// A marker stands in place of the class and lets the type report what stormless itself did. The variant is a unit, or holds just
/// the named type. Each marks one variant at most.
///
/// | key | writes | seen by an enclosing call as |
/// |---|---|---|
/// | `attempt_timeout` | `From<AttemptTimeout>` | a timeout |
/// | `deadline_exceeded` | `From<DeadlineExceeded>`, `Retryable::deadline_exceeded` | a timeout |
/// | `breaker_open` | `From<BreakerOpen>` | throttled, not executed, local; with a field, its `retry_after` is the hint |
///
/// A field with `#[from]` has its `From` from `thiserror` already; none is written twice.
///
/// # Refinements
///
/// They change what the class gave, what `forward` and `with` gave included:
///
/// | key | value | meaning |
/// |---|---|---|
/// | `retry_after` | a field of type `Duration` or `Option<Duration>`, by name or position (`retry_after = 0`) | what the dependency asked for; `None` and zero are no hint, and a request for no retry at all stays |
/// | `not_executed`, `maybe_executed`, `executed` | – | whether the dependency may have carried the operation out |
/// | `local` | – | this process's own failure, such as an exhausted pool: no breaker counts it |
/// | `base` | duration above zero, such as `"500ms"` | backoff after this failure starts from it |
/// | `attempts` | whole number from 1 | at most so many failures of this label in one call, the first included |
/// | `cost` | whole number from 1 | what a retry costs the budget, in retries (1) |
///
/// Durations are numbers with units, larger units first: `"50ms"`, `"1.5s"`, `"1m30s"`; `ns`, `us`, `ms`, `s`, `m`, `h`, `d`.
/// On `permanent` and `cancelled` only `local` and the execution can be refined, on markers only `base`, `attempts` and `cost`:
/// anything else could never show.
///
/// # The item itself
///
/// | key | on | meaning |
/// |---|---|---|
/// | `default = permanent` | enums | variants without `#[retryable]` are permanent, and never count as an answer of the dependency. Without it each of them is an error |
/// | `crate = path` | enums, structs | where stormless is, if not at `::stormless` |
///
/// # What is written
///
/// `Retryable::classify`; `label`, which is the name of the variant or struct, or the inner error's label for `forward`; for
/// markers, what they say above. Type parameters and projections (`T`, `T::Error`) in the types of forwarded fields are bound by
/// `Retryable`, no others; bounds that the inner type needs beyond that go on the item.
///
/// ```text
/// #[derive(Retryable)]
/// enum OrderError {
///     #[retryable(transient)]                      Unavailable,
///     #[retryable(throttled, retry_after = wait)]  Busy { wait: Option<Duration> },
///     #[retryable(status = 0)]                     Http(StatusCode),
///     #[retryable(forward)]                        Store(StoreError),
///     #[retryable(deadline_exceeded)]              Late,
/// }
/// ```
///
/// All mistakes are reported at once.
#[proc_macro_derive(Retryable, attributes(retryable))]
pub fn derive_retryable(input: TokenStream) -> TokenStream {
    derive::expand(input.into()).into()
}
