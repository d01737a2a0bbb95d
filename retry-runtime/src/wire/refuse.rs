//! What a callee says that wants no retry.

use super::{Carrier, DO_NOT_RETRY};
use crate::structured;

/// Marks a response so that its caller does not retry, whatever the failure: `stormless-do-not-retry: ?1`.
///
/// For HTTP; gRPC has its own mark, which `stormless::tonic::mark_do_not_retry` sets.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::collections::HashMap;
/// use stormless::wire;
///
/// let mut headers = HashMap::new();
/// wire::mark_do_not_retry(&mut headers);
/// assert!(wire::says_do_not_retry(&headers));
/// ```
pub fn mark_do_not_retry<C: Carrier + ?Sized>(response: &mut C) {
    response.set(DO_NOT_RETRY, "?1");
}

/// Whether a response asks for no retry, by the mark of [`mark_do_not_retry`]. A malformed mark says nothing.
///
/// ```
/// # use retry_runtime as stormless;
/// use stormless::wire;
/// use std::collections::HashMap;
///
/// let headers = HashMap::from([("stormless-do-not-retry".to_owned(), "?1".to_owned())]);
/// assert!(wire::says_do_not_retry(&headers));
/// ```
#[must_use]
pub fn says_do_not_retry<C: Carrier + ?Sized>(response: &C) -> bool {
    response.get(DO_NOT_RETRY).is_some_and(structured::says_true)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn only_the_mark_itself_says_so() {
        let says = |value: &str| {
            says_do_not_retry(&BTreeMap::from([(DO_NOT_RETRY.to_owned(), value.to_owned())]))
        };
        // As classifiers of HTTP read it, where several lines may have been joined.
        assert!(says("?1") && says(" ?1;why=load ") && says("?0,?1"));
        for value in ["?0", "1", "true", "", "?1,"] {
            assert!(!says(value), "{value:?}");
        }
        assert!(!says_do_not_retry(&BTreeMap::new()));
    }
}
