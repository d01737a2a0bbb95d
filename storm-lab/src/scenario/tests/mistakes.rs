mod form;
mod impossible;
mod keys_and_kinds;
mod policies;
mod too_much;

use super::{SIMPLE, wrong};

/// A change to the simple scenario, the key that is named, what the mistake points at, and parts of its message.
type Case<'c> = (&'c [(&'c str, &'c str)], &'c str, &'c str, &'c [&'c str]);

fn each_is_one_mistake(cases: &[Case<'_>]) {
    for (changes, key, pointed, parts) in cases {
        let all = wrong(changes);
        let [mistake] = all.as_slice() else { panic!("{changes:?}: {all:#?}") };
        let text =
            changes.iter().fold(SIMPLE.to_owned(), |text, (from, to)| text.replacen(from, to, 1));
        assert_eq!(mistake.key, *key, "{changes:?}: {mistake:?}");
        assert_eq!(&text[mistake.range.clone()], *pointed, "{changes:?}: {mistake:?}");
        for part in *parts {
            assert!(mistake.message.contains(part), "{changes:?}: {mistake:?}");
        }
    }
}
