//! What each failure means: a class that changes is a difference in review.

use example_suite::WarehouseError;
use stormless::testing::classification_table;

#[test]
fn classes_are_as_reviewed() {
    let table = classification_table::<WarehouseError>();
    assert_eq!(table.to_string(), CLASSES.trim_start(), "\n{table}");
}

/// When the test fails, read what changed, then paste the table that it prints.
const CLASSES: &str = "
variant      kind       execution       hint                local  base  attempts  cost  label        by
Unavailable  transient  not_executed    -                   -      -     -         -     Unavailable
Busy         throttled  not_executed    retry_after = wait  -      -     -         -     Busy
Lost         transient  maybe_executed  -                   -      -     -         -     Lost
Unknown      permanent  executed        -                   -      -     -         -     Unknown
OutOfTime    timeout    maybe_executed  -                   -      -     -         -     OutOfTime    deadline_exceeded
LeftAlone    throttled  not_executed    -                   local  -     -         -     LeftAlone    breaker_open
";
