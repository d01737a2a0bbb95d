//! The attribute and the derive of `stormless`. Depend on that crate.

#![forbid(unsafe_code)]
// The lints of this crate stand in Cargo.toml. Whoever depends on it by path lints it along with the own
// crate, and has other lints in mind.
#![allow(clippy::nursery, clippy::must_use_candidate, clippy::return_self_not_must_use)]

mod attribute;
mod derive;

use proc_macro::TokenStream;

/// Retries a function that returns `Result<_, _>`: free, inherent, in a trait's implementation or
/// as a trait's default. It is an `async fn`, returns a future, or says that it may block.
///
/// ```text
/// #[retry(backoff = "full_jitter", base = "50ms", max = "1s", attempts = 3, budget = "orders", idempotent)]
/// async fn fetch_order(client: &Client, id: u64) -> Result<Order, OrderError> { … }
/// ```
///
/// The function keeps its signature, and its future stays `Send` where it was. The body runs again
/// after a failure that `Retryable` (or `classify`) says a retry can help, as long as attempts,
/// deadline and budget allow. The caller gets the error of the last attempt unchanged. Without
/// settings a call makes at most three attempts, waits between them with full jitter from 50 ms, and
/// pays for retries from a bucket of the function's own.
///
/// Whatever is wrong is a compile error at the offending value, all of them at once. Literals are
/// checked when the attribute expands; a const path (`NAMES_IN_CAPITALS`) when the compiler evaluates
/// it. Consts may depend on `Self` or on type and const parameters, except in `attempt_timeout`, `hedge` and
/// `breaker`; they are then checked for each type that the function is used with, by `cargo build` rather than
/// `cargo check`. A parameter of the surrounding `impl` is taken for one if its name is a single
/// capital letter, maybe with digits; another name can be reached through `Self`.
///
/// Durations are written `"50ms"`, `"1.5s"`, `"1m30s"` (units `ns us ms s m h d`). Expressions are
/// evaluated once per call, at the first poll, or when a blocking function is called: `policy` and `idempotent` first, the others in the order in
/// which they stand.
///
/// # How often and how fast
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `attempts` | whole number ≥ 1, const path `u32`, or `"unlimited"` | `3` | The most attempts, the first call included. With a literal `1` there is no loop, and arguments may be consumed. `"unlimited"` asks for explicit `deadline`, `budget` and `inner`. |
/// | `backoff` | `"full_jitter"`, `"equal_jitter"`, `"decorrelated_jitter"`, `"exponential"`, `"linear"`, `"fibonacci"`, `"fixed"`, `"none"`, `"adaptive"` (feature `adaptive`); the path of a `fn(&BackoffContext<'_>) -> Duration`, or of a const `Backoff` | `"full_jitter"` | How delays grow and spread. `"adaptive"` needs a `breaker`, which may be `none`. |
/// | `adaptive` | path of a const or static `Adaptive` | `Adaptive::new()` | What backoff `"adaptive"` goes by. |
/// | `base` | duration or const path | `"50ms"` | The scale of the first delay; not above `max`. |
/// | `max` | duration or const path | the longer of `"20s"` and `base` | The longest delay of the backoff. |
/// | `factor` | number ≥ 1 or const path `f64` | `2` | Growth per retry, for `"full_jitter"`, `"equal_jitter"`, `"exponential"`, and `"adaptive"` while there is no load. |
/// | `max_retry_after` | duration > 0 or const path | the longer of `"5s"` and `max` | A server that asks for a longer wait ends the call. |
/// | `policy` | path of a const or static `Policy`, or an expression such as `self.policy` that yields a `Policy`, a reference or an `Arc` | – | What the other settings start from and override. |
///
/// # Who pays
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `budget` | path of a static (`ORDERS`), a name (`"orders"`), `none`, or an expression that yields `&'static Budget` | a bucket of the function's own | What every retry is paid from. |
/// | `budget_key` | expression that can be hashed, such as `host` | – | One bucket for each key under the budget, which pays for each retry too. |
/// | `shed` | flag | off | A budget that sheds may refuse a call before its first attempt. Needs `budget` by name or by path, and an error that can say that an attempt was refused. |
///
/// # Who may be asked
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `breaker` | path of a static (`ORDERS`), a name (`"orders"`), or `none` | `none`; backoff `"adaptive"` wants it said | Each attempt asks it where it starts and tells it how it ended. While it is open no attempt starts: the error must be able to say so. |
///
/// # Time limits
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `deadline` | duration > 0, const path, expression (a `Duration`, an `Instant`, or an `Option` of one), or `none` | inherited | For the whole call, from its first poll. No sleep goes past it and no attempt starts after it; a running attempt is ended where the error type can express that. `none` steps out of an inherited one. |
/// | `attempt_timeout` | duration > 0 or const path | – | For one attempt. Not with `blocking`: nothing can end such an attempt. |
/// | `last_attempt_untimed` | flag | – | The last attempt has no `attempt_timeout`: it may use all that is left of this function's `deadline`. Needs both, and an error that can tell of a passed deadline. |
/// | `min_remaining` | duration or const path | `"0s"` | No attempt starts with this much time or less left. Below a literal `deadline`. |
/// | `time_per_attempt` | duration > 0 or const path | –; `"100ms"` with backoff `"adaptive"` | Attempts are also limited to the time left at the start divided by this, rounded down. |
/// | `expect` | `"p50"`, `"p75"`, `"p90"`, `"p95"`, `"p99"` | – | No attempt starts that would not end in the time left, by how long so many of this function's attempts took lately. |
/// | `cut_error` | path or closure `fn(Cut) -> E` | `From<AttemptTimeout>`, `From<DeadlineExceeded>`, `From<BreakerOpen>` on the error | How an attempt that was cut, or refused by the breaker or the budget, reports itself. Not where the function returns `RetryError<E>`. |
/// | `uncut` | flag | – | Accepts that this function's own `deadline` stops retries and sleeps but not a running attempt, for errors that cannot express a cut. |
///
/// # What may be repeated
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `classify` | path or closure `fn(&E) -> Classification` | `E: Retryable` | Speaks for error types that are not yours. |
/// | `classify_result` | path or closure `fn(&Result<T, E>) -> Option<Classification>` | – | Asked first; `None` leaves it to the error. For an `Ok` that is a failure. |
/// | `idempotent` | flag, or `= bool expression` | off | A repeat is harmless: failures that may have been carried out are retried too. |
/// | `idempotency_key` | expression that can be displayed, such as `order.id` | derived | The key that attempts of this call share. |
/// | `clone(a, b)` | names of arguments | – | Each attempt gets a clone, the last one too. For arguments that the body moves or changes, and for owned ones that are `Send` but not `Sync`, which would cost the future its `Send`. Cheap for `&T`, `Arc`, `Bytes`. |
///
/// # Slow answers
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `hedge` | duration > 0 or const path; or `"p50"`, `"p75"`, `"p90"`, `"p95"`, `"p99"` of the function's own latency | – | After so long without an answer another attempt starts beside those in flight, and the first answer wins. With `idempotent`, and a body that only borrows. Not with `blocking`. |
/// | `hedge_max` | whole number ≥ 1, below `attempts` | `1` | How many attempts may start beside the first. |
///
/// # Calls within calls
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `nested` | `"suppress"`, `"independent"` | `"suppress"` | Whether this function runs once when it is called inside another one's attempt. |
/// | `inner` | `"suppress"`, `"allow"` | `"suppress"` | Whether annotated functions called by the body may retry by themselves. |
///
/// # Looking on
///
/// | Setting | Value | Default | Meaning |
/// |---|---|---|---|
/// | `on_retry` | path or closure `fn(&RetryEvent<'_, E>)` | – | Called before each wait, and for each hedge that has started (`is_hedge`). |
/// | `name` | string | module path and function | The name in reports, tables and metrics. |
/// | `blocking` | flag | – | For a function that is not async: waits on its thread. |
/// | `crate` | path | `::stormless` | Where the crate is found when it is re-exported or renamed. |
///
/// # Arguments
///
/// Each attempt borrows the arguments. One that the body moves is gone for the next attempt (E0382,
/// "value moved here, in previous iteration of loop"): name it in `clone(…)`, or borrow it in the
/// body. A `mut` argument would carry its changes over, so it needs `clone(…)` as well; what is behind
/// a `&mut` is shared by all attempts. A borrow from a `&mut` argument cannot be returned.
///
/// ```text
/// #[retry(clone(body))]
/// async fn upload(client: &Client, body: Bytes) -> Result<(), UploadError> { client.put(body).await }
/// ```
///
/// Closures in the attribute may use arguments that the body does not move.
///
/// # Wrapped errors
///
/// Where the return type is written `Result<T, RetryError<E>>`, the body is typed `Result<T, E>`, so
/// that `?` works as usual, and the error tells how often and why the call ended:
///
/// ```text
/// #[retry(deadline = "5s")]
/// async fn load(id: u64) -> Result<Page, RetryError<LoadError>> { Ok(fetch(id).await?) }
/// ```
///
/// # Other attributes
///
/// Outer attributes expand first. `#[retry]` above `#[instrument]` makes one span for the whole call,
/// below it one for each attempt. `#[retry]` goes above `#[tokio::main]` and `#[tokio::test]`. It works
/// under `#[async_trait]` and on either side of `#[async_recursion]`. All others stay on the function
/// in their order.
///
/// # Functions that return a future
///
/// What is retried is the `async` block at the end of the function, bare, in `Box::pin(…)`, or followed
/// by `.boxed()` or `.boxed_local()`. What stands before it runs once, and a future that it returns
/// early is handed out as it is. A future that is made elsewhere is an error, since it could not be made
/// again.
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
/// | `attempts` | whole number from 1 | at most so many failures of this variant in one call, the first included |
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
/// `Retryable`, no others; bounds that the inner type needs beyond that go on the item. With the feature `testing` also what
/// `testing::classification_table` lists.
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
