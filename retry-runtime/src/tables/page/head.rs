//! What is above the tables.

use super::{Page, STYLE, html::Html};

impl Page {
    pub(super) fn write_head(&self, html: &mut Html) {
        html.void("meta", &[("charset", &"utf-8")]);
        let fits = "width=device-width, initial-scale=1";
        html.void("meta", &[("name", &"viewport"), ("content", &fits)]);
        html.void("meta", &[("name", &"color-scheme"), ("content", &"light dark")]);
        // Else browsers ask for one.
        html.void("link", &[("rel", &"icon"), ("href", &"data:,")]);
        let seconds = self.refresh_seconds();
        if seconds > 0 {
            html.element("noscript", &[], |html| {
                html.void("meta", &[("http-equiv", &"refresh"), ("content", &seconds)]);
            });
        }
        html.with_text("title", &[], &self.title);
        html.inline("style", STYLE);
    }

    pub(super) fn write_title(&self, html: &mut Html, troubles: usize) {
        html.element("header", &[("data-refresh", &self.refresh_seconds())], |html| {
            html.with_text("h1", &[], &self.title);
            let (class, text) = match troubles {
                0 => ("good", "nothing is wrong".to_owned()),
                1 => ("bad", "1 problem".to_owned()),
                many => ("bad", format!("{many} problems")),
            };
            html.with_text("p", &[("id", &"status"), ("class", &class)], text);
            let label = "show only what contains this text";
            let filter: &[(&str, &dyn std::fmt::Display)] = &[
                ("id", &"filter"),
                ("type", &"search"),
                ("placeholder", &"filter"),
                ("aria-label", &label),
            ];
            html.void("input", filter);
            if self.refresh_seconds() > 0 {
                html.with_text("button", &[("id", &"pause"), ("type", &"button")], "pause");
            }
            html.with_text("small", &[("id", &"loaded")], "");
        });
        html.new_line();
    }

    /// Rounded up, so that nobody asks for pages without end.
    fn refresh_seconds(&self) -> u64 {
        let nanos = u64::from(self.refresh.subsec_nanos() > 0);
        self.refresh.as_secs().saturating_add(nanos)
    }
}
