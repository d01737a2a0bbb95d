//! Result codes of SQLite.

use super::{Verdict, labelled};
use crate::Classification;

/// What a result code of SQLite means for a retry, primary or [extended].
///
/// `SQLITE_BUSY_SNAPSHOT` (517) is a conflict: the transaction reads from a snapshot that is not the last one, and
/// only a new transaction gets another. The other forms of busy and locked pass when whoever writes has finished,
/// a commit that is refused so included. What nobody lists is permanent, and an answer.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::{Kind, sql::classify_sqlite};
///
/// assert_eq!(classify_sqlite(5).kind(), Kind::Transient);
/// assert_eq!(classify_sqlite(517).kind(), Kind::Conflict);
/// ```
///
/// [extended]: https://www.sqlite.org/rescode.html
pub fn classify_sqlite(code: i32) -> Classification {
    labelled(verdict(code))
}

/// The name of a result code of SQLite, in lower case; see [`sqlstate_label`](crate::sql::sqlstate_label).
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::sql::sqlite_label;
///
/// assert_eq!(sqlite_label(5), "sqlite_busy");
/// ```
pub fn sqlite_label(code: i32) -> &'static str {
    verdict(code).1
}

pub(crate) fn verdict(code: i32) -> Verdict {
    let held = Classification::transient();
    let broken = Classification::permanent();
    let answered = Classification::permanent().executed();
    match code {
        517 => return (Classification::conflict(), "sqlite_busy_snapshot"),
        787 => return (answered, "sqlite_constraint_foreignkey"),
        1299 => return (answered, "sqlite_constraint_notnull"),
        1555 => return (answered, "sqlite_constraint_primarykey"),
        2067 => return (answered, "sqlite_constraint_unique"),
        _ => {}
    }
    // The primary code is the lower byte of the extended one.
    match code & 0xff {
        1 => (answered, "sqlite_error"),
        5 => (held, "sqlite_busy"),
        6 => (held, "sqlite_locked"),
        // Readers and writers of a write-ahead log that got in each other's way too often.
        15 => (held, "sqlite_protocol"),
        // Changed under the statement, more often than SQLite itself is willing to prepare it again.
        17 => (held, "sqlite_schema"),
        9 => (Classification::cancelled(), "sqlite_interrupt"),
        7 => (broken.local(), "sqlite_nomem"),
        8 => (broken, "sqlite_readonly"),
        // Nobody can say what has reached the disk.
        10 => (broken.maybe_executed(), "sqlite_ioerr"),
        11 => (broken, "sqlite_corrupt"),
        13 => (broken, "sqlite_full"),
        14 => (broken, "sqlite_cantopen"),
        19 => (answered, "sqlite_constraint"),
        26 => (broken, "sqlite_notadb"),
        _ => (answered, "_OTHER"),
    }
}
