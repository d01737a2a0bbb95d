//! What must not pass does not.

use super::{at_attribute, offences};
use crate::said::Place;

const FILE: &str = "tests/ui/attribute/zero.rs";
const SOURCE: &str = "\
use stormless::retry;

#[retry(attempts = 0)] //~ ERROR `attempts` is 0
async fn fetch() {} //~ ERROR returns nothing
";
const OUTPUT: &str = "\
error: `attempts` is 0: the smallest value is 1
 --> tests/ui/attribute/zero.rs:3:20
  |
3 | #[retry(attempts = 0)]
  |                    ^

error: this one returns nothing
 --> tests/ui/attribute/zero.rs:4:10
";

#[track_caller]
fn one_offence(source: &str, output: &str, wanted: &str) {
    let found = offences(FILE, source, output);
    assert!(found.len() == 1 && found[0].contains(wanted), "`{wanted}` in {found:#?}");
    assert!(found[0].starts_with(FILE), "{found:?}");
}

#[test]
fn a_case_with_its_errors_at_their_lines_is_as_it_should_be() {
    assert_eq!(offences(FILE, SOURCE, OUTPUT), Vec::<String>::new());
}

#[test]
fn a_label_at_the_place_is_as_good_as_the_message_but_not_one_elsewhere() {
    let labelled = OUTPUT.replace("^\n\n", "^ counts the first call\n\n");
    let marked = SOURCE.replace("ERROR `attempts` is 0", "ERROR counts the first call");
    assert_eq!(offences(FILE, &marked, &labelled), Vec::<String>::new());
    let noted = OUTPUT.replace(
        "^\n\n",
        "^\n  |\nnote: elsewhere\n --> a.rs:1:1\n  |\n1 | a\n  | ^ counts the first call\n\n",
    );
    assert_eq!(offences(FILE, &marked, &noted).len(), 2);
}

#[test]
fn a_case_without_marks_is_none() {
    one_offence("fn main() {}\n", "", "no mark");
}

#[test]
fn a_mark_that_cannot_be_read_is_no_mark() {
    one_offence("fn main() {} //~ EROR typo\n", "", "is no mark");
}

#[test]
fn a_mark_without_its_error_is_an_offence() {
    let (first, _) = OUTPUT.split_once("\n\n").unwrap();
    one_offence(SOURCE, first, "line 4: no error `returns nothing`");
}

#[test]
fn an_error_without_a_mark_is_an_offence() {
    let more = format!("{OUTPUT}\nerror[E0308]: mismatched types\n --> {FILE}:4:18\n");
    one_offence(SOURCE, &more, "line 4: 0 marks for an error: mismatched types");
}

#[test]
fn a_follow_up_of_the_same_text_is_an_offence() {
    let twice = format!("{OUTPUT}\nerror: this one returns nothing, again\n --> {FILE}:4:1\n");
    one_offence(SOURCE, &twice, "line 4: 2 errors `returns nothing`");
}

#[test]
fn an_error_at_another_line_is_an_offence_and_leaves_its_mark_unmet() {
    let moved = OUTPUT.replace("zero.rs:4:10", "zero.rs:1:1");
    let found = offences(FILE, SOURCE, &moved);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].contains("line 1: 0 marks"), "{found:#?}");
    assert!(found[1].contains("line 4: no error"), "{found:#?}");
}

#[test]
fn an_error_that_meets_two_marks_is_an_offence() {
    let marked = SOURCE.replace("ERROR returns", "ERROR this one //~ ERROR returns");
    let found = offences(FILE, &marked, OUTPUT);
    assert!(found[0].contains("line 4: 2 marks for an error"), "{found:#?}");
}

#[test]
fn an_error_in_another_file_is_an_offence() {
    for elsewhere in ["src/lib.rs", "tests/ui/derive/zero.rs", "$RUST/core/src/macros.rs"] {
        let more = format!("{OUTPUT}\nerror: strange\n  --> {elsewhere}:1:1\n");
        one_offence(SOURCE, &more, &format!("an error in `{elsewhere}`: strange"));
    }
}

#[test]
fn an_error_without_a_place_is_an_offence() {
    let more = format!("{OUTPUT}\nerror: linking failed\n\nnote: at --> {FILE}:3:20\n");
    one_offence(SOURCE, &more, "without a place: linking failed");
}

#[test]
fn a_warning_is_an_offence() {
    let more = format!("{OUTPUT}\nwarning: unused\n --> {FILE}:3:20\n");
    one_offence(SOURCE, &more, "a warning: unused");
}

#[test]
fn an_error_at_the_attribute_must_be_marked_as_one() {
    let vague = OUTPUT.replace("zero.rs:3:20", "zero.rs:3:3");
    one_offence(SOURCE, &vague, "line 3: an error at the attribute");
    let marked = SOURCE.replace("//~ ERROR `att", "//~ ERROR @attribute `att");
    assert_eq!(offences(FILE, &marked, &vague), Vec::<String>::new());
    one_offence(&marked, OUTPUT, "line 3: marked `@attribute`, but it is at 20");
}

#[test]
fn a_message_is_written_like_all_others() {
    for wrong in ["Returns nothing", "it returns nothing."] {
        let worded = OUTPUT.replace("this one returns nothing", wrong);
        let source = SOURCE.replace("ERROR returns", "ERROR eturns");
        one_offence(&source, &worded, "lower case");
    }
}

#[test]
fn an_attribute_is_recognised_whole_and_by_its_name() {
    for (line, wanted) in [
        ("^#[retry]", true),
        ("    ^#[retry(attempts = 3)]", true),
        ("^#[stormless::retry]", true),
        ("#[^retry(attempts = 3)]", true),
        ("#[^stormless::retry]", true),
        ("#[stormless::^retry]", true),
        ("#[cfg_attr(all(), ^retry)]", true),
        ("#[cfg_attr(all(), stormless::^retry)]", true),
        ("#[derive(Debug, ^Retryable)]", true),
        ("#[derive(stormless::^Retryable)]", true),
        ("#[retry(^name = retry)]", false),
        ("#[retry(name = ^retry)]", false),
        ("#[retry(crate = ^stormless)]", false),
        ("#[retryable(^transient)]", false),
        ("^#[tokio::main]", false),
        ("async fn ^retry() {}", false),
        ("impl ^Retryable for E {}", false),
    ] {
        let column = line.find('^').unwrap() + 1;
        let place = Place { file: FILE.into(), line: 2, column };
        let source = format!("// ä\n{}\n", line.replace('^', ""));
        assert_eq!(at_attribute(&source, &place), wanted, "{line}");
    }
    let outside = Place { file: FILE.into(), line: 9, column: 7 };
    assert!(!at_attribute("#[retry]\n", &outside), "such a line is not there");
}
