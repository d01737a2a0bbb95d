//! Seeds as an argument: `1-6`, `3`, `1-3,7`.

use std::str::FromStr;

use thiserror::Error;

/// More outcomes than that are kept in memory by mistake only.
const MOST: usize = 10_000;

/// Seeds, each once, in the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seeds(pub(super) Vec<u64>);

/// What was given is no list of seeds.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum SeedsError {
    /// Neither a number nor a range.
    #[error("`{0}` is neither a seed nor a range of seeds; write `3`, `1-6` or `1-3,7`")]
    Form(String),
    /// A range that ends before it begins.
    #[error("`{0}` ends before it begins; write the smaller seed first")]
    Backwards(String),
    /// Too many.
    #[error(
        "these are more than {MOST} seeds; give fewer, since each is one simulation of each policy"
    )]
    Many,
}

impl FromStr for Seeds {
    type Err = SeedsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut seeds = Vec::new();
        for part in text.split(',').map(str::trim) {
            let form = || SeedsError::Form(part.to_owned());
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u64>().map_err(|_| form());
            let (from, to) = (number(from)?, number(to)?);
            if to < from {
                return Err(SeedsError::Backwards(part.to_owned()));
            }
            // Before the range is gone through, which may be 2^64 long.
            let more = usize::try_from(to - from).unwrap_or(usize::MAX).saturating_add(1);
            if more.saturating_add(seeds.len()) > MOST {
                return Err(SeedsError::Many);
            }
            seeds.extend(from..=to);
        }
        let mut once = std::collections::BTreeSet::new();
        seeds.retain(|seed| once.insert(*seed));
        Ok(Self(seeds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_and_ranges_each_once() {
        assert_eq!("1-3,7, 2".parse(), Ok(Seeds(vec![1, 2, 3, 7])));
        assert_eq!("5".parse(), Ok(Seeds(vec![5])));
        assert_eq!("18446744073709551615".parse(), Ok(Seeds(vec![u64::MAX])));
    }

    #[test]
    fn what_is_no_list_of_seeds_is_refused_before_anything_is_made_of_it() {
        let read = |text: &str| text.parse::<Seeds>();
        for text in ["", "a", "1-", "-1", "1,,2", "1-2-3", "1.5"] {
            assert!(matches!(read(text), Err(SeedsError::Form(_))), "{text}");
        }
        assert_eq!(read("6-1"), Err(SeedsError::Backwards("6-1".to_owned())));
        assert_eq!(read("0-18446744073709551615"), Err(SeedsError::Many));
        assert_eq!(read("1-6000,10001-16000"), Err(SeedsError::Many));
    }
}
