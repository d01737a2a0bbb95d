//! The page that can be mailed, as text.

mod made_up;

use made_up::{outcomes, scenario};
use storm_lab::{
    report::{Section, html},
    summary::Summary,
};

/// The page of four policies, the last of which has all signs that mean something to a page.
fn page(complete: bool) -> String {
    let scenario = scenario(
        &["naive", "full jitter", "ratio", "a<b> & \"c\" 'd' </script>"],
        &["edge", "store"],
    );
    let outcomes = outcomes(&scenario);
    let summary = Summary::of(&scenario, &outcomes);
    let section = Section {
        scenario: &scenario,
        outcomes: &outcomes,
        summary: &summary,
        failures: &[],
        complete,
        measured: None,
    };
    html(&[section], None)
}

#[test]
fn the_page_is_whole_and_needs_nothing_else() {
    let page = page(true);
    // Addresses are names of namespaces, places in the page, and no icon.
    let places = ["src=", "@import", "url(", "href=\"http", "<iframe", "<object", "onload"];
    assert!(places.iter().all(|place| !page.contains(place)));
    assert_eq!(page.matches("http").count(), page.matches("http://www.w3.org/2000/svg").count());
    for part in [
        "<title>L2: A stall of five seconds",
        "50 processes with 30 calls a second each, at random moments: 1,500 calls a second together.",
        "store: 54 workers that take 10 ms for a request (5,400 a second); clients give an attempt up after 500 ms.",
        "From 90 s to 95 s, at store: requests are held, and arrive together when it ends.",
        "title = &quot;&lt;b&gt;&quot;\n[[policy]]\nname = &quot;a&amp;b&quot;",
        "the budget of `&lt;orders&gt;` &amp; Co was inactive: 12 of 20 samples",
        "<code id=\"command\">storm-lab run L2 --seeds 1,2,3</code>",
        concat!("storm-lab ", env!("CARGO_PKG_VERSION")),
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn signs_of_names_mean_nothing_in_the_page() {
    let page = page(true);
    // The block of data is the only script, and ends once.
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (1, 1));
    assert!(!page.contains("a<b>"));
    assert!(
        page.contains("data-policy=\"a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; &lt;/script&gt;\"")
    );
}

#[test]
fn what_is_partial_says_so_first() {
    assert!(!page(true).contains("class=\"partial\""));
    let page = page(false);
    let (banner, table) = (page.find("class=\"partial\""), page.find("<table"));
    assert!(banner.is_some() && banner < table);
    assert!(page.contains("12 of 12 simulations were finished"));
    assert!(page.contains("\"complete\":false"));
}

#[test]
fn the_same_outcomes_give_the_same_page() {
    assert_eq!(page(true), page(true));
}

#[test]
fn several_scenarios_are_one_page_with_its_contents() {
    let (first, mut second) =
        (scenario(&["naive"], &["store"]), scenario(&["naive", "ratio"], &["store"]));
    second.name = "it's mine.toml".to_owned();
    let (made, more) = (outcomes(&first), outcomes(&second));
    let (summary, other) = (Summary::of(&first, &made), Summary::of(&second, &more));
    let whole = |scenario, outcomes, summary| Section {
        scenario,
        outcomes,
        summary,
        failures: &[],
        complete: true,
        measured: None,
    };
    let page = html(&[whole(&first, &made, &summary), whole(&second, &more, &other)], None);
    assert!(page.contains("<a href=\"#scenario-2\">it&#39;s mine.toml: A stall"));
    assert!(page.contains("<section id=\"scenario-2\" data-scenario=\"it&#39;s mine.toml\""));
    assert!(page.contains(r"storm-lab run L2 &#39;it&#39;\&#39;&#39;s mine.toml&#39;"));
}
