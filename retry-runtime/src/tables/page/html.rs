//! HTML that is well-formed by construction: an element is closed where it was opened, and text is escaped
//! wherever it comes from.

use std::fmt::{self, Display, Write};

/// A document in the making.
pub(super) struct Html(String);

/// Text that may come from anywhere, as it may stand in an element or in quotes.
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(character),
                // No document may contain them, in whatever form.
                control if control.is_control() => self.0.push('\u{fffd}'),
                other => self.0.push(other),
            }
        }
        Ok(())
    }
}

impl Html {
    pub(super) fn document(content: impl FnOnce(&mut Self)) -> String {
        let mut html = Self("<!doctype html>\n".to_owned());
        html.element("html", &[("lang", &"en")], content);
        html.0.push('\n');
        html.0
    }

    /// An element with these attributes.
    pub(super) fn element(
        &mut self,
        name: &str,
        attributes: &[(&str, &dyn Display)],
        content: impl FnOnce(&mut Self),
    ) {
        self.void(name, attributes);
        content(self);
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    /// An element that has no content, and no end.
    pub(super) fn void(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.0.push('<');
        self.0.push_str(name);
        for (key, value) in attributes {
            self.0.push(' ');
            self.0.push_str(key);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    /// An element with nothing but text in it.
    pub(super) fn with_text(
        &mut self,
        name: &str,
        attributes: &[(&str, &dyn Display)],
        text: impl Display,
    ) {
        self.element(name, attributes, |html| html.text(&text));
    }

    /// A name, which may be written from right to left, or say so: the text around it keeps its order.
    pub(super) fn name(&mut self, name: &(impl Display + ?Sized)) {
        self.element("b", &[], |html| html.with_text("bdi", &[], name));
    }

    pub(super) fn text(&mut self, text: &(impl Display + ?Sized)) {
        // Strings take everything; an error is a `Display`'s own, and what it wrote before stays.
        write!(Escaped(&mut self.0), "{text}").ok();
    }

    /// A style or a script, whose text is not escaped: it is this crate's own.
    pub(super) fn inline(&mut self, name: &str, text: &'static str) {
        self.element(name, &[], |html| html.0.push_str(text));
    }

    pub(super) fn new_line(&mut self) {
        self.0.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_stays_text_whatever_it_says() {
        let evil = "</td><script>alert('1')</script> & \"quoted\"\u{0}\u{1b}";
        let page = Html::document(|html| html.with_text("p", &[("title", &evil)], evil));
        let escaped = "&lt;/td&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; \
                       &quot;quoted&quot;\u{fffd}\u{fffd}";
        let paragraph = format!("<p title=\"{escaped}\">{escaped}</p>");
        assert_eq!(page, format!("<!doctype html>\n<html lang=\"en\">{paragraph}</html>\n"));
    }

    #[test]
    fn what_the_page_brings_along_cannot_end_its_element() {
        for (text, end) in [(super::super::STYLE, "</style"), (super::super::SCRIPT, "</script")] {
            assert!(!text.to_ascii_lowercase().contains(end) && !text.contains("<!--"));
        }
    }
}
