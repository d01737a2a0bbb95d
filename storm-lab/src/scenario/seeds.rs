//! What random numbers are made from, as people write it.

/// More simulations of one policy than anybody waits for.
pub(super) const MOST: usize = 10_000;

/// Reads `"7"`, `"1-6"` or `"1-6, 9"`.
///
/// # Errors
///
/// A message with the remedy: what is no number, what comes twice, what is too much.
pub fn seeds(text: &str) -> Result<Vec<u64>, String> {
    let mut all = Vec::new();
    for part in text.split(',').map(str::trim) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (Some(from), Some(to)) = (number(from), number(to)) else {
            return Err(format!(
                "`{}` is no seed and no range of them: write whole numbers, as in \"1-6\" or \"1-6, 9\"",
                part.chars().take(60).collect::<String>()
            ));
        };
        if to < from {
            return Err(format!(
                "`{from}-{to}` is empty: write the smaller number first, `{to}-{from}`"
            ));
        }
        if usize::try_from(to - from).map_or(true, |more| more >= MOST - all.len().min(MOST)) {
            return Err(format!("there are more than {MOST} seeds: write fewer"));
        }
        all.extend(from..=to);
    }
    match repeated(&all) {
        Some(seed) => {
            Err(format!("seed {seed} comes twice: each simulation has its own, so write it once"))
        }
        None => Ok(all),
    }
}

/// Digits alone: `parse` takes a sign too.
fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The first that was there before.
pub(super) fn repeated(seeds: &[u64]) -> Option<u64> {
    let mut seen = std::collections::BTreeSet::new();
    seeds.iter().copied().find(|seed| !seen.insert(*seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_single_seeds_are_read() {
        assert_eq!(seeds("7"), Ok(vec![7]));
        assert_eq!(seeds("1-6"), Ok(vec![1, 2, 3, 4, 5, 6]));
        assert_eq!(seeds(" 1 - 2 , 9"), Ok(vec![1, 2, 9]));
        assert_eq!(seeds("18446744073709551615"), Ok(vec![u64::MAX]));
        assert_eq!(seeds("0-9999").map(|all| all.len()), Ok(10_000));
    }

    #[test]
    fn what_is_no_seed_is_said_with_the_remedy() {
        for (text, part) in [
            ("", "no seed"),
            ("x", "`x` is no seed"),
            ("-3", "no seed"),
            ("+3", "no seed"),
            ("1.5", "no seed"),
            ("6-1", "write the smaller number first, `1-6`"),
            ("1,2,1", "seed 1 comes twice"),
            ("1-3,2", "seed 2 comes twice"),
            ("0-10000", "more than 10000"),
            ("0-9999,10000", "more than 10000"),
            ("0-18446744073709551615", "more than 10000"),
        ] {
            let message = seeds(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
