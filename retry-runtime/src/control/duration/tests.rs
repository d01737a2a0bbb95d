use std::time::Duration;

use proptest::prelude::*;

use super::{parse, write};

/// The attribute's own reader, from its source.
#[path = "../../../../retry-grammar/src/duration.rs"]
#[expect(unreachable_pub, reason = "there it is public")]
mod attribute;

proptest! {
    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn every_duration_is_read_back_as_it_was_written(
        seconds in any::<u64>(),
        nanos in 0_u32..1_000_000_000,
    ) {
        let duration = Duration::new(seconds, nanos);
        prop_assert_eq!(parse(&write(duration)), Ok(duration));
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn the_attribute_reads_the_same_in_what_looks_like_a_duration(
        text in "([0-9]{1,3}(\\.[0-9]{1,10})?(d|h|m|s|ms|us|ns|x|)){0,4}",
    ) {
        prop_assert_eq!(parse(&text), attribute::parse(&text));
    }

    #[cfg_attr(miri, ignore = "very many values")]
    #[test]
    fn the_attribute_reads_the_same_in_any_text(text in ".{0,12}") {
        prop_assert_eq!(parse(&text), attribute::parse(&text));
    }
}

#[test]
fn the_largest_unit_comes_first_and_nothing_that_is_zero() {
    for (duration, text) in [
        (Duration::ZERO, "0s"),
        (Duration::from_millis(50), "50ms"),
        (Duration::from_millis(1_500), "1s500ms"),
        (Duration::from_secs(90), "1m30s"),
        (Duration::from_secs(90_000), "1d1h"),
    ] {
        assert_eq!(write(duration), text);
    }
}
