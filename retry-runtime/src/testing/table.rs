//! Which variant of an error type means what for a retry, as a table.

mod facts;
mod known;
mod layout;
mod rows;
mod tabled;

use std::{fmt, time::Duration};

use crate::{Classification, Execution, Kind};

use facts::{Facts, Said};
use tabled::InnerTable;
pub use tabled::{Decided, NoTable, Probe, Tabled, TabledVariant};

/// The facts about each variant of an error type, for a test that keeps them: a class that changes is then a
/// difference in review.
///
/// There is one row for each variant of an enum, in the enum's order, and one for a struct. Below a variant whose
/// class depends on a value, rows that are indented say what there is:
///
/// - `status = field`: one row for each group of statuses (100 to 999) that are classified alike;
/// - `forward`: the inner type's rows, if that type derives [`Retryable`](crate::Retryable) too, as this variant
///   refines them. Any other type, a type parameter, and a type inside itself are named only.
///
/// `E` derives `Retryable`. Beside such types there are tables of some that are classified here: `std::io::ErrorKind`,
/// [`Cut`](crate::Cut) and what it is made of, [`RetryError`](crate::RetryError) of a type that has a table, and
/// (feature `http-1`) `http::StatusCode`.
///
/// The derive writes what this reads into builds with the feature `testing` alone.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::testing::classification_table;
/// let table = classification_table::<stormless::BreakerOpen>();
/// assert_eq!(table.to_string(), "\
/// variant      kind       execution     hint         local  base  attempts  cost  label         by
/// BreakerOpen  throttled  not_executed  retry_after  local  -     -         -     breaker_open
/// ");
/// ```
///
/// `-` stands for nothing said, `?` for what only the value tells. The columns are those of
/// [`ClassificationRow`].
#[must_use]
pub fn classification_table<E: Tabled + ?Sized>() -> ClassificationTable {
    ClassificationTable { rows: rows::of::<E>() }
}

/// What [`classification_table`] gives: rows, and as text an aligned table without blanks at the ends of lines.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{BreakerOpen, Kind, testing::{ClassificationTable, classification_table}};
///
/// let table: ClassificationTable = classification_table::<BreakerOpen>();
/// assert_eq!((table.rows().len(), table.to_string().lines().count()), (1, 2));
/// assert_eq!(table.row("BreakerOpen").unwrap().kind(), Some(Kind::Throttled));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClassificationTable {
    rows: Vec<ClassificationRow>,
}

impl ClassificationTable {
    /// All rows, those that are indented included, from top to bottom.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::io::ErrorKind;
    /// use stormless::{Kind, testing::classification_table};
    ///
    /// // No kind of I/O error is a conflict.
    /// let table = classification_table::<ErrorKind>();
    /// assert!(table.rows().iter().all(|row| row.kind() != Some(Kind::Conflict)));
    /// ```
    #[must_use]
    pub fn rows(&self) -> &[ClassificationRow] {
        &self.rows
    }

    /// The row of the variant with this name, not one of those below another one.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use std::io::ErrorKind;
    /// use stormless::{Kind, testing::classification_table};
    ///
    /// let table = classification_table::<ErrorKind>();
    /// assert_eq!(table.row("ConnectionRefused").unwrap().kind(), Some(Kind::Transient));
    /// assert!(table.row("Refused").is_none(), "there is no such kind");
    /// ```
    #[must_use]
    pub fn row(&self, variant: &str) -> Option<&ClassificationRow> {
        self.rows.iter().find(|row| row.depth == 0 && row.variant == variant)
    }
}

/// As text: a line of headings, and one line for each row.
impl fmt::Display for ClassificationTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        layout::write(&self.rows, f)
    }
}

/// One variant, one group of statuses, or one row of a type that is forwarded to.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{BreakerOpen, Execution, Kind, testing::{DecidedBy, classification_table}};
///
/// let table = classification_table::<BreakerOpen>();
/// let row = table.row("BreakerOpen").unwrap();
/// assert_eq!((row.variant(), row.depth(), row.label()), ("BreakerOpen", 0, Some("breaker_open")));
/// assert_eq!((row.kind(), row.execution()), (Some(Kind::Throttled), Some(Execution::NotExecuted)));
/// assert_eq!((row.hint(), row.is_local()), (Some("retry_after"), Some(true)));
/// assert_eq!((row.base(), row.attempts(), row.cost()), (None, None, None));
/// assert_eq!(row.classification().unwrap().kind(), Kind::Throttled);
/// assert_eq!(row.by(), &DecidedBy::Class);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClassificationRow {
    variant: String,
    depth: usize,
    facts: Facts,
    /// How the value tells the hint, where it does.
    hint: Option<String>,
    label: Option<&'static str>,
    by: DecidedBy,
}

/// Who gives a variant its class.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::io::ErrorKind;
/// use stormless::{RetryError, testing::{DecidedBy, classification_table}};
///
/// let table = classification_table::<RetryError<ErrorKind>>();
/// assert_eq!(table.row("error").unwrap().by(), &DecidedBy::Forward("E"));
/// assert_eq!(table.row("error").unwrap().kind(), None, "only the error tells");
/// assert_eq!(table.rows()[1].by(), &DecidedBy::Class, "a kind of I/O error, below it");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecidedBy {
    /// A class that is written at the variant, a status beside it, or, in a row for statuses, the status.
    Class,
    /// The enum's `default = permanent`.
    Default,
    /// `status = field`, with the field's name or position; beside a class it decides on the execution alone.
    Status(&'static str),
    /// `forward`, with the type that is asked, as the field has it.
    Forward(&'static str),
    /// `with = path`, with the path.
    With(&'static str),
    /// A marker: `attempt_timeout`, `deadline_exceeded` or `breaker_open`.
    Marker(&'static str),
}

impl ClassificationRow {
    /// The name of the variant or struct, or the statuses of the group, such as `429, 503` or `all others`.
    #[must_use]
    pub fn variant(&self) -> &str {
        &self.variant
    }

    /// How far the row is indented: 0 for the type's own variants.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// All facts but the hint, where they are the same for all values; else `None`.
    #[must_use]
    pub fn classification(&self) -> Option<Classification> {
        self.facts.classification()
    }

    /// The kind; `None` where only the value tells.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.facts.kind.said()
    }

    /// Whether it may have been carried out; `None` where only the value tells.
    #[must_use]
    pub fn execution(&self) -> Option<Execution> {
        self.facts.execution.said()
    }

    /// Where the hint comes from: the setting that names the field, as in `retry_after = wait`; `retry_after` alone
    /// for what a breaker says; or `do_not_retry`. `None` where there is none, and where only the value tells.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match (&self.hint, self.facts.do_not_retry) {
            (Some(hint), _) => Some(hint),
            (None, Said::Is(true)) => Some("do_not_retry"),
            (None, _) => None,
        }
    }

    /// Whether it is this process's own failure; `None` where only the value tells.
    #[must_use]
    pub fn is_local(&self) -> Option<bool> {
        self.facts.local.said()
    }

    /// The base delay of this class; `None` where it has none, and where only the value tells.
    #[must_use]
    pub fn base(&self) -> Option<Duration> {
        self.facts.base.said().flatten()
    }

    /// The most failures of this class in one call; `None` where there is no limit, and where only the value tells.
    #[must_use]
    pub fn attempts(&self) -> Option<u32> {
        self.facts.attempts.said().flatten()
    }

    /// What a retry costs, in retries; `None` where nothing is said, and where only the value tells.
    #[must_use]
    pub fn cost(&self) -> Option<u32> {
        self.facts.cost.said().flatten()
    }

    /// The name under which it is counted; `None` where only the value tells.
    #[must_use]
    pub const fn label(&self) -> Option<&'static str> {
        self.label
    }

    /// Who decides.
    #[must_use]
    pub const fn by(&self) -> &DecidedBy {
        &self.by
    }
}

impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class => Ok(()),
            Self::Default => f.write_str("default"),
            Self::Status(field) => write!(f, "status = {field}"),
            Self::Forward(to) => write!(f, "forward to {to}"),
            Self::With(path) => write!(f, "with {path}"),
            Self::Marker(marker) => f.write_str(marker),
        }
    }
}
