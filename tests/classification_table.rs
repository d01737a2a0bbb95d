//! What `testing::classification_table` lists of an error type, and that it is what `classify` says.

#![forbid(unsafe_code)]
// The derive adds no lint of its own to a user's strictest settings.
#![deny(
    unused,
    deprecated,
    unreachable_patterns,
    unused_qualifications,
    single_use_lifetimes,
    rust_2018_idioms
)]
#![deny(clippy::pedantic)]

use std::time::Duration;

use stormless::{
    AttemptTimeout, BreakerOpen, Classification, DeadlineExceeded, Execution, Hint, Kind,
    Retryable,
    testing::{ClassificationRow, ClassificationTable, DecidedBy, classification_table},
};

#[derive(Retryable)]
enum Store {
    #[retryable(transient)]
    Refused,
    #[retryable(conflict, base = "20ms")]
    Raced,
    #[retryable(throttled, retry_after = 0)]
    Busy(Duration),
}

/// Every key.
#[derive(Retryable)]
#[retryable(default = permanent)]
enum Wide {
    #[retryable(transient)]
    Refused,
    #[retryable(throttled, retry_after = wait)]
    Busy {
        wait: Option<Duration>,
    },
    #[retryable(timeout)]
    Slow,
    #[retryable(conflict)]
    Raced,
    #[retryable(permanent, executed)]
    Missing,
    #[retryable(cancelled)]
    Stopped,
    #[retryable(timeout, not_executed)]
    ConnectTimeout,
    #[retryable(transient, maybe_executed, base = "1m30s", attempts = 2, cost = 5)]
    Reset,
    #[retryable(throttled, local)]
    PoolExhausted,
    #[retryable(status = status)]
    Http {
        status: u16,
    },
    #[retryable(status = 0, retry_after = 1, local, cost = 3)]
    Raw(u16, Option<Duration>),
    #[retryable(permanent, status = code)]
    OutOfCredit {
        code: u16,
    },
    #[retryable(forward)]
    Store(Store),
    #[retryable(forward = why, maybe_executed, attempts = 4, retry_after = wait)]
    Other {
        why: Box<Store>,
        wait: Duration,
    },
    #[retryable(forward)]
    Io(std::io::Error),
    #[retryable(with = Self::by_code)]
    Code(u16),
    #[retryable(with = Self::by_code, executed, local, base = "1s", attempts = 1, cost = 1)]
    Refined(u16),
    #[retryable(attempt_timeout, cost = 2)]
    TooSlow,
    #[retryable(deadline_exceeded)]
    OutOfTime(DeadlineExceeded),
    #[retryable(breaker_open, base = "2s")]
    Open(BreakerOpen),
    Forgotten,
}

impl Wide {
    const fn by_code(&self) -> Classification {
        match self {
            Self::Code(1) | Self::Refined(1) => Classification::conflict(),
            _ => Classification::transient().maybe_executed(),
        }
    }
}

const WIDE: &str = "
variant                    kind       execution       hint                local  base  attempts  cost  label           by
Refused                    transient  not_executed    -                   -      -     -         -     Refused
Busy                       throttled  not_executed    retry_after = wait  -      -     -         -     Busy
Slow                       timeout    maybe_executed  -                   -      -     -         -     Slow
Raced                      conflict   not_executed    -                   -      -     -         -     Raced
Missing                    permanent  executed        -                   -      -     -         -     Missing
Stopped                    cancelled  not_executed    -                   -      -     -         -     Stopped
ConnectTimeout             timeout    not_executed    -                   -      -     -         -     ConnectTimeout
Reset                      transient  maybe_executed  -                   -      90s   2         5     Reset
PoolExhausted              throttled  not_executed    -                   local  -     -         -     PoolExhausted
Http                       ?          ?               -                   -      -     -         -     Http            status = status
  408, 421, 425            transient  not_executed    -                   -      -     -         -     Http
  429, 503                 throttled  not_executed    -                   -      -     -         -     Http
  500, 502                 transient  maybe_executed  -                   -      -     -         -     Http
  504                      timeout    maybe_executed  -                   -      -     -         -     Http
  all others               permanent  executed        -                   -      -     -         -     Http
Raw                        ?          ?               retry_after = 1     local  -     -         3     Raw             status = 0
  408, 421, 425            transient  not_executed    retry_after = 1     local  -     -         3     Raw
  429, 503                 throttled  not_executed    retry_after = 1     local  -     -         3     Raw
  500, 502                 transient  maybe_executed  retry_after = 1     local  -     -         3     Raw
  504                      timeout    maybe_executed  retry_after = 1     local  -     -         3     Raw
  all others               permanent  executed        retry_after = 1     local  -     -         3     Raw
OutOfCredit                permanent  ?               -                   -      -     -         -     OutOfCredit     status = code
  408, 421, 425, 429, 503  permanent  not_executed    -                   -      -     -         -     OutOfCredit
  500, 502, 504            permanent  maybe_executed  -                   -      -     -         -     OutOfCredit
  all others               permanent  executed        -                   -      -     -         -     OutOfCredit
Store                      ?          ?               ?                   ?      ?     ?         ?     ?               forward to Store
  Refused                  transient  not_executed    -                   -      -     -         -     Refused
  Raced                    conflict   not_executed    -                   -      20ms  -         -     Raced
  Busy                     throttled  not_executed    retry_after = 0     -      -     -         -     Busy
Other                      ?          maybe_executed  retry_after = wait  ?      ?     4         ?     ?               forward to Box<Store>
  Refused                  transient  maybe_executed  retry_after = wait  -      -     4         -     Refused
  Raced                    conflict   maybe_executed  retry_after = wait  -      20ms  4         -     Raced
  Busy                     throttled  maybe_executed  retry_after = wait  -      -     4         -     Busy
Io                         ?          ?               ?                   ?      ?     ?         ?     ?               forward to std::io::Error
Code                       ?          ?               ?                   ?      ?     ?         ?     Code            with Self::by_code
Refined                    ?          executed        ?                   local  1s    1         1     Refined         with Self::by_code
TooSlow                    timeout    maybe_executed  -                   -      -     -         2     TooSlow         attempt_timeout
OutOfTime                  timeout    maybe_executed  -                   -      -     -         -     OutOfTime       deadline_exceeded
Open                       throttled  not_executed    retry_after         local  2s    -         -     Open            breaker_open
Forgotten                  permanent  not_executed    -                   -      -     -         -     Forgotten       default
";

/// Values of each variant with the name of its row, and of the row below it that says more.
fn wide() -> Vec<(Wide, &'static str, Option<&'static str>)> {
    let second = Duration::from_secs(1);
    let stores =
        || [(Store::Refused, "Refused"), (Store::Raced, "Raced"), (Store::Busy(second), "Busy")];
    let mut values = vec![
        (Wide::Refused, "Refused", None),
        (Wide::Busy { wait: None }, "Busy", None),
        (Wide::Busy { wait: Some(second) }, "Busy", None),
        (Wide::Slow, "Slow", None),
        (Wide::Raced, "Raced", None),
        (Wide::Missing, "Missing", None),
        (Wide::Stopped, "Stopped", None),
        (Wide::ConnectTimeout, "ConnectTimeout", None),
        (Wide::Reset, "Reset", None),
        (Wide::PoolExhausted, "PoolExhausted", None),
        (Wide::Io(std::io::ErrorKind::TimedOut.into()), "Io", None),
        (Wide::Io(std::io::ErrorKind::NotFound.into()), "Io", None),
        (Wide::Code(1), "Code", None),
        (Wide::Code(2), "Code", None),
        (Wide::Refined(1), "Refined", None),
        (Wide::Refined(2), "Refined", None),
        (AttemptTimeout::default().into(), "TooSlow", None),
        (DeadlineExceeded::default().into(), "OutOfTime", None),
        (BreakerOpen::new(None).into(), "Open", None),
        (BreakerOpen::new(Some(second)).into(), "Open", None),
        (Wide::Forgotten, "Forgotten", None),
    ];
    values.extend(stores().map(|(store, name)| (Wide::Store(store), "Store", Some(name))));
    values.extend(stores().map(|(store, name)| {
        (Wide::Other { why: Box::new(store), wait: second }, "Other", Some(name))
    }));
    for (code, group) in [
        (408, "408, 421, 425"),
        (503, "429, 503"),
        (500, "500, 502"),
        (504, "504"),
        (404, "all others"),
        (999, "all others"),
        (0, "all others"),
    ] {
        values.push((Wide::Http { status: code }, "Http", Some(group)));
        values.push((Wide::Raw(code, Some(second)), "Raw", Some(group)));
    }
    for (code, group) in [
        (408, "408, 421, 425, 429, 503"),
        (503, "408, 421, 425, 429, 503"),
        (502, "500, 502, 504"),
        (404, "all others"),
    ] {
        values.push((Wide::OutOfCredit { code }, "OutOfCredit", Some(group)));
    }
    values
}

/// Holds a row to what a value says. The row may leave open what differs between values.
fn hold(row: &ClassificationRow, error: &impl Retryable) {
    let (class, name) = (error.classify(), row.variant());
    let open = row.classification().is_none();
    assert_eq!(row.kind().unwrap_or(class.kind()), class.kind(), "{name}");
    assert_eq!(row.execution().unwrap_or(class.execution()), class.execution(), "{name}");
    assert_eq!(row.is_local().unwrap_or(class.is_local()), class.is_local(), "{name}");
    if !open || row.base().is_some() {
        assert_eq!(row.base(), class.base_override(), "{name}");
    }
    if !open || row.attempts().is_some() {
        assert_eq!(row.attempts(), class.attempts_override(), "{name}");
    }
    if !open || row.cost().is_some() {
        assert_eq!(row.cost(), class.cost_override(), "{name}");
    }
    if let Some(label) = row.label() {
        assert_eq!(label, error.label(), "{name}");
    }
    if class.hint().is_some() && !open {
        assert!(row.hint().is_some_and(|hint| hint.starts_with("retry_after")), "{name}: {row:?}");
    }
}

/// The row with this name directly below the variant's.
fn below<'t>(table: &'t ClassificationTable, variant: &str, name: &str) -> &'t ClassificationRow {
    let mut rows =
        table.rows().iter().skip_while(|row| row.depth() > 0 || row.variant() != variant);
    rows.next();
    rows.take_while(|row| row.depth() > 0)
        .find(|row| row.depth() == 1 && row.variant() == name)
        .unwrap_or_else(|| panic!("no row `{name}` below `{variant}`:\n{table}"))
}

#[test]
fn every_value_is_classified_as_its_row_says() {
    let table = classification_table::<Wide>();
    let mut seen = Vec::new();
    for (error, variant, name) in wide() {
        let row = table.row(variant).expect("each variant has a row");
        hold(row, &error);
        seen.push((0, row.variant()));
        if let Some(name) = name {
            let row = below(&table, variant, name);
            assert!(row.classification().is_some(), "nothing is open: {row:?}");
            hold(row, &error);
            seen.push((1, row.variant()));
        }
    }
    for row in table.rows() {
        assert!(seen.contains(&(row.depth(), row.variant())), "a value for each row: {row:?}");
    }
}

#[test]
fn the_text_is_aligned_in_the_order_of_the_enum() {
    let table = classification_table::<Wide>();
    assert_eq!(table.to_string(), WIDE.trim_start(), "\n{table}");
}

#[test]
fn rows_tell_who_decides_and_what_they_leave_open() {
    let table = classification_table::<Wide>();
    let by = |variant: &str| table.row(variant).map(|row| row.by().clone());
    assert_eq!(by("Refused"), Some(DecidedBy::Class));
    assert_eq!(by("Forgotten"), Some(DecidedBy::Default));
    assert_eq!(by("Http"), Some(DecidedBy::Status("status")));
    assert_eq!(by("Raw"), Some(DecidedBy::Status("0")));
    assert_eq!(by("Io"), Some(DecidedBy::Forward("std::io::Error")));
    assert_eq!(by("Code"), Some(DecidedBy::With("Self::by_code")));
    assert_eq!(by("Open"), Some(DecidedBy::Marker("breaker_open")));
    assert_eq!(by("404"), None);

    let refined = table.row("Refined").expect("it has a row");
    assert_eq!((refined.kind(), refined.classification()), (None, None));
    assert_eq!(refined.execution(), Some(Execution::Executed));
    assert_eq!((refined.attempts(), refined.cost()), (Some(1), Some(1)));
    let raw = below(&table, "Raw", "429, 503");
    assert_eq!(raw.classification(), Some(Classification::from_status(429).local().cost(3)));
    assert_eq!((raw.hint(), raw.label()), (Some("retry_after = 1"), Some("Raw")));
    let other = below(&table, "Other", "Raced");
    assert_eq!(other.kind(), Some(Kind::Conflict));
    assert_eq!(other.base(), Some(Duration::from_millis(20)));
    assert_eq!((other.attempts(), other.hint()), (Some(4), Some("retry_after = wait")));
}

#[derive(Retryable)]
#[retryable(throttled, retry_after = r#in)]
struct Busy {
    r#in: Duration,
}

#[test]
fn a_struct_has_one_row() {
    let table = classification_table::<Busy>();
    let [row] = table.rows() else { panic!("{table}") };
    assert_eq!(
        (row.variant(), row.label(), row.hint()),
        ("Busy", Some("Busy"), Some("retry_after = in"))
    );
    let busy = Busy { r#in: Duration::from_secs(3) };
    hold(row, &busy);
    assert_eq!(busy.classify().hint(), Some(Hint::RetryAfter(Duration::from_secs(3))));
}

#[derive(Retryable)]
enum Never {}

#[test]
fn an_enum_without_variants_has_no_rows() {
    assert_eq!(classification_table::<Never>().rows(), []);
    assert_eq!(classification_table::<Never>().to_string().lines().count(), 1);
}

#[derive(Retryable)]
enum Tree<I> {
    #[retryable(transient, cost = 2)]
    Leaf,
    #[retryable(forward, local)]
    Node(Box<Self>),
    #[retryable(forward)]
    Inner(I),
    #[retryable(forward)]
    Known(Store),
}

/// Depths and names.
fn shape<E: stormless::__private::Tabled>() -> Vec<(usize, String)> {
    let rows = classification_table::<E>();
    rows.rows().iter().map(|row| (row.depth(), row.variant().to_owned())).collect()
}

#[test]
fn a_type_inside_itself_and_a_parameter_are_named_only() {
    let names = shape::<Tree<Store>>();
    let names: Vec<_> = names.iter().map(|(depth, name)| (*depth, name.as_str())).collect();
    let want = [
        (0, "Leaf"),
        (0, "Node"),
        (0, "Inner"),
        (0, "Known"),
        (1, "Refused"),
        (1, "Raced"),
        (1, "Busy"),
    ];
    assert_eq!(names, want);
    let table = classification_table::<Tree<Store>>();
    assert_eq!(table.row("Inner").map(ClassificationRow::by), Some(&DecidedBy::Forward("I")));
    let nested = Tree::Node(Box::new(Tree::Inner(Store::Refused)));
    hold(table.row("Node").expect("it has a row"), &nested);
    hold(table.row("Leaf").expect("it has a row"), &Tree::<Store>::Leaf);
    hold(below(&table, "Known", "Raced"), &Tree::<Store>::Known(Store::Raced));
}

#[derive(Retryable)]
enum Upper {
    #[retryable(forward, cost = 7)]
    Middle(Middle),
}

#[derive(Retryable)]
enum Middle {
    #[retryable(forward, local, cost = 2)]
    Store(stormless::RetryError<Store>),
    #[retryable(status = 0)]
    Http(u16),
}

/// A call that a breaker refused.
fn refused() -> stormless::RetryError<Store> {
    use stormless::{Breaker, RetryError, breaker, retry, testing::isolated_sync};

    breaker! { static OPEN: Breaker = Breaker::new("classification_table").consecutive(1); }

    #[retry(blocking, breaker = OPEN, attempts = 1)]
    fn call() -> Result<(), RetryError<Store>> {
        Err(Store::Refused)
    }

    isolated_sync(|| {
        let _ = call();
        call().expect_err("the breaker is open")
    })
}

#[test]
fn layers_refine_what_is_below_them_and_the_outermost_wins() {
    let table = classification_table::<Upper>();
    let rows = table.rows();
    let row = |depth, name| {
        let found = rows.iter().find(|row| (row.depth(), row.variant()) == (depth, name));
        found.unwrap_or_else(|| panic!("no `{name}`:\n{table}"))
    };
    let raced = row(3, "Raced");
    let class = Classification::conflict().base(Duration::from_millis(20)).local().cost(7);
    assert_eq!(raced.classification(), Some(class));
    hold(row(2, "429, 503"), &Upper::Middle(Middle::Http(503)));
    hold(row(3, "BreakerOpen"), &Upper::Middle(Middle::Store(refused())));
    assert_eq!(row(2, "429, 503").cost(), Some(7));
    let cut = row(3, "BreakerOpen");
    assert_eq!(
        (cut.hint(), cut.is_local(), cut.cost()),
        (Some("retry_after"), Some(true), Some(7))
    );
    assert_eq!(row(1, "Store").label(), None);
}

#[derive(Retryable)]
enum Borrowed<'a> {
    #[retryable(forward)]
    Inner(&'a Store),
    #[cfg(any())]
    #[retryable(transient)]
    Elsewhere,
    #[retryable(with = never)]
    Odd(&'a [u8]),
}

const fn never(error: &Borrowed<'_>) -> Classification {
    match error {
        Borrowed::Odd([]) => Classification::transient(),
        _ => Classification::permanent(),
    }
}

#[test]
fn what_is_not_compiled_has_no_row() {
    let names: Vec<_> = shape::<Borrowed<'_>>()
        .into_iter()
        .filter(|(depth, _)| *depth == 0)
        .map(|(_, name)| name)
        .collect();
    assert_eq!(names, ["Inner", "Odd"]);
    let table = classification_table::<Borrowed<'_>>();
    hold(below(&table, "Inner", "Refused"), &Borrowed::Inner(&Store::Refused));
    hold(table.row("Odd").expect("it has a row"), &Borrowed::Odd(b"?"));
}

#[allow(deprecated, reason = "that nothing else is told of it is what is tested")]
mod old {
    use super::{Retryable, Store};

    #[deprecated]
    #[derive(Retryable)]
    pub(super) enum Old {
        #[deprecated]
        #[retryable(forward)]
        Inner(Store),
    }
}

#[derive(Retryable)]
enum WithOld {
    #[allow(deprecated, reason = "the user knows")]
    #[retryable(forward)]
    Old(old::Old),
}

#[test]
fn a_deprecated_type_is_listed_without_a_warning() {
    #[allow(deprecated, reason = "the user knows")]
    let error = WithOld::Old(old::Old::Inner(Store::Raced));
    let table = classification_table::<WithOld>();
    let raced = table.rows().iter().find(|row| row.depth() == 2 && row.variant() == "Raced");
    hold(raced.expect("it has a row"), &error);
}

#[test]
fn kinds_of_io_errors_and_statuses_have_tables() {
    let kinds = classification_table::<std::io::ErrorKind>();
    for (kind, name) in [
        (std::io::ErrorKind::ConnectionReset, "ConnectionReset"),
        (std::io::ErrorKind::AddrNotAvailable, "AddrNotAvailable"),
        (std::io::ErrorKind::Other, "Other"),
    ] {
        hold(kinds.row(name).expect("it has a row"), &kind);
        hold(kinds.row(name).expect("it has a row"), &std::io::Error::from(kind));
    }
    let statuses = classification_table::<axum::http::StatusCode>();
    assert_eq!(
        below(&statuses, "StatusCode", "504").classification(),
        Some(Classification::from_status(504))
    );
}
