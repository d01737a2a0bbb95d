//! The page of a process without any function, budget or breaker. In a process of its own, which has none.

#[path = "support/html.rs"]
mod html;

use html::parse;
use stormless::{breakers, budgets, report_page, sites};

#[test]
fn a_page_without_rows_is_a_page() {
    let page = parse(&report_page());
    assert!(sites().is_empty() && budgets().is_empty() && breakers().is_empty());
    for table in ["sites", "budgets", "breakers"] {
        let table = page.id(table);
        assert_eq!((table.named("thead").len(), table.named("tbody")[0].named("tr").len()), (1, 0));
    }
    assert_eq!(page.id("status").text(), "nothing is wrong");
    assert_eq!(page.id("problems").named("li").len(), 0);
    assert!(page.text().contains("There are none."));
    assert_eq!(sites().to_string().lines().count(), 1, "the head");
}
