//! One table of calls, run through every form in which a call can be written: what becomes of it does not
//! depend on the form.
//!
//! A new form implements [`Form`] in a file of its own, and has a test below.

#[path = "../support/script.rs"]
mod script;

mod attribute;
mod attribute_blocking;
mod closures;
mod observe;
mod row;
mod table;
mod tower;

use observe::{Form, run_all};

#[test]
fn an_annotated_function_does_what_the_table_says() {
    run_all::<attribute::Attribute>();
}

#[test]
fn an_annotated_function_that_blocks_does_what_the_table_says() {
    run_all::<attribute_blocking::AttributeBlocking>();
}

#[test]
fn a_closure_does_what_the_table_says() {
    run_all::<closures::Run>();
}

#[test]
fn a_closure_that_lends_does_what_the_table_says() {
    run_all::<closures::RunMut>();
}

#[test]
fn a_closure_that_blocks_does_what_the_table_says() {
    run_all::<closures::RunBlocking>();
}

#[test]
fn a_closure_before_its_policy_does_what_the_table_says() {
    run_all::<closures::Suffix>();
}

#[test]
fn a_service_behind_the_layer_does_what_the_table_says() {
    run_all::<tower::Layered>();
}

#[test]
fn every_form_runs_most_of_the_table_and_the_blocking_ones_all_that_can_be_blocking() {
    let all = table::rows().len();
    let ran = |can: fn(&row::Row) -> bool| table::rows().iter().filter(|row| can(row)).count();
    assert_eq!(ran(attribute::Attribute::can), all);
    assert_eq!(ran(closures::Run::can), all);
    let hedged = table::rows().iter().filter(|row| row.shape == row::Shape::Hedged).count();
    assert_eq!(ran(closures::RunMut::can), all - hedged);
    assert_eq!(ran(tower::Layered::can), all);
    assert_eq!(ran(closures::RunBlocking::can), ran(attribute_blocking::AttributeBlocking::can));
    assert!(ran(closures::RunBlocking::can) >= all - 6, "{all}");
}
