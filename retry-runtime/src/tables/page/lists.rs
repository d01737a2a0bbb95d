//! What is wrong, and what probably is.

use crate::Warning;

use super::{super::troubles::Trouble, html::Html};

pub(super) fn troubles(html: &mut Html, troubles: &[Trouble]) {
    html.element("ul", &[("id", &"problems")], |html| {
        for Trouble { what, subject, text } in troubles {
            html.new_line();
            html.element("li", &[("data-problem", what), ("data-subject", subject)], |html| {
                html.with_text("b", &[("class", &"badge")], what);
                html.text(" ");
                html.name(subject);
                html.text(": ");
                html.text(text);
            });
        }
    });
    html.new_line();
}

pub(super) fn warnings(html: &mut Html, warnings: &[Warning]) {
    html.with_text("h2", &[], "Warnings");
    if warnings.is_empty() {
        html.with_text("p", &[], "There are none.");
    }
    html.element("ul", &[("id", &"warnings")], |html| {
        for warning in warnings {
            html.new_line();
            html.with_text("li", &[], warning);
        }
    });
    html.new_line();
}
