//! The page of a thousand functions. In a process of its own, whose table it fills.

#[path = "support/html.rs"]
mod html;

use html::parse;
use stormless::{Backoff, Policy, control, report_page, sites, testing::isolated};

const SITES: usize = 1_000;
const POLICY: Policy = Policy::new().attempts(2).backoff(Backoff::None);

#[tokio::test(start_paused = true)]
async fn a_thousand_functions_have_a_row_each_and_what_is_off_comes_first() {
    isolated(async {
        for number in 0..SITES {
            let name: &'static str = format!("large.{number:04}").leak();
            let fails = async || Err::<(), _>(std::io::Error::other("down"));
            assert!(POLICY.run(fails).named(name).no_budget().await.is_err());
        }
        control::site("large.0777").expect("it was run").off();
        let page = report_page();
        assert!(page.len() < 2_500 * SITES, "{} bytes", page.len());
        let page = parse(&page);
        let rows = page.id("sites").named("tbody")[0].named("tr");
        assert_eq!((rows.len(), sites().len()), (SITES, SITES));
        assert_eq!(rows[0].attribute("data-site"), Some("large.0777"));
        assert_eq!(rows[1].attribute("data-site"), Some("large.0000"));
        assert!(rows.iter().all(|row| row.cell("failures") == "1"));
        assert_eq!(page.id("problems").named("li").len(), 1);
    })
    .await;
}
