//! The tables as one page for browsers.

mod breakers;
mod budgets;
mod head;
mod html;
mod lists;
mod overrides;
mod sites;
mod table;

use std::time::Duration;

use html::Html;

use crate::control;

use super::{breakers as all_breakers, budgets as all_budgets, sites as all_sites, troubles};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The tables as one HTML page that needs nothing from elsewhere, with what is wrong and what is overridden on top. It loads itself
/// again every five seconds; reading it changes nothing.
///
/// ```
/// # use retry_runtime as stormless;
/// use std::time::Duration;
/// use stormless::tables::Page;
///
/// let page = Page::new().title("orders-api").processes(12).refresh(Duration::from_secs(2)).render();
/// assert!(page.starts_with("<!doctype html>"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "nothing is rendered until `render`"]
pub struct Page {
    title: String,
    processes: u32,
    refresh: Duration,
}

impl Page {
    /// The page of one process.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tables::Page;
    ///
    /// assert!(Page::new().render().starts_with("<!doctype html>"));
    /// ```
    pub fn new() -> Self {
        Self { title: "retries".to_owned(), processes: 1, refresh: Duration::from_secs(5) }
    }

    /// What stands above it, such as the name of the service.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tables::Page;
    ///
    /// assert!(Page::new().title("orders-api").render().contains("orders-api"));
    /// ```
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Bounds of budgets are those of so many processes, each with budgets of its own. All counts and
    /// balances are this process's. Zero acts like one.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tables::Page;
    ///
    /// let fleet = Page::new().processes(12).render();
    /// # assert!(fleet.starts_with("<!doctype html>"));
    /// ```
    pub fn processes(mut self, processes: u32) -> Self {
        self.processes = processes.max(1);
        self
    }

    /// How long it is until the page loads itself again, in whole seconds, rounded up; 5 s unless it is set, and zero
    /// for never.
    ///
    /// ```
    /// # use retry_runtime as stormless;
    /// use stormless::tables::Page;
    /// use std::time::Duration;
    ///
    /// let still = Page::new().refresh(Duration::ZERO).render();
    /// # assert!(still.starts_with("<!doctype html>"));
    /// ```
    pub fn refresh(mut self, every: Duration) -> Self {
        self.refresh = every;
        self
    }

    /// The page as it is now.
    #[must_use]
    pub fn render(&self) -> String {
        let (sites, breakers) = (all_sites(), all_breakers());
        let budgets = all_budgets().for_processes(self.processes);
        let overrides = control::overrides();
        let troubles = troubles::all(&sites, &budgets, &breakers, &overrides);
        Html::document(|html| {
            html.element("head", &[], |html| self.write_head(html));
            html.element("body", &[], |html| {
                self.write_title(html, troubles.len());
                lists::troubles(html, &troubles);
                overrides::write(html, &overrides);
                budgets::write(html, &budgets);
                sites::write(html, &sites, &budgets, &breakers);
                breakers::write(html, &breakers);
                lists::warnings(html, &crate::warnings());
                html.inline("script", SCRIPT);
            });
        })
    }
}

impl Default for Page {
    fn default() -> Self {
        Self::new()
    }
}

/// [`Page::new`] as it is now: the overrides, `sites()`, `budgets()`, `breakers()` and the warnings as one page of HTML.
///
/// ```
/// # use retry_runtime as stormless;
/// let page: String = stormless::report_page();
/// assert!(page.contains("<table id=\"budgets\""));
/// ```
#[must_use]
pub fn report_page() -> String {
    Page::new().render()
}
