//! What the tables have in common.

use std::fmt::Display;

use super::{super::text::NOT_COUNTED, html::Html};

/// A column: its stable key, and its head.
pub(super) type Column = (&'static str, &'static str);

/// A table under a heading; tests and scripts find it by its id.
pub(super) fn table(
    html: &mut Html,
    id: &'static str,
    heading: &str,
    columns: &[Column],
    rows: impl FnOnce(&mut Html),
) {
    html.with_text("h2", &[], heading);
    html.element("div", &[("class", &"wide")], |html| {
        html.element("table", &[("id", &id)], |html| {
            html.element("thead", &[], |html| {
                html.element("tr", &[], |html| {
                    for (key, head) in columns {
                        html.with_text("th", &[("scope", &"col"), ("data-col", key)], head);
                    }
                });
            });
            html.element("tbody", &[], rows);
        });
    });
    html.new_line();
}

/// A row with its name, marked where something is wrong.
pub(super) fn row(
    html: &mut Html,
    names: &[(&str, &dyn Display)],
    wrong: bool,
    cells: impl FnOnce(&mut Html),
) {
    html.new_line();
    let class = if wrong { "wrong" } else { "fine" };
    let attributes: Vec<(&str, &dyn Display)> =
        names.iter().copied().chain([("class", &class as &dyn Display)]).collect();
    html.element("tr", &attributes, cells);
}

/// A cell whose content is made by hand.
pub(super) fn cell(html: &mut Html, (key, head): Column, content: impl FnOnce(&mut Html)) {
    html.element("td", &[("data-col", &key), ("data-head", &head)], content);
}

/// A cell with nothing but text.
pub(super) fn text(html: &mut Html, column: Column, text: impl Display) {
    cell(html, column, |html| html.text(&text));
}

/// A cell with nothing but a number.
pub(super) fn number(html: &mut Html, (key, head): Column, number: impl Display) {
    let number = number.to_string();
    let class = if number == "0" || number == NOT_COUNTED { "number zero" } else { "number" };
    let attributes: &[(&str, &dyn Display)] =
        &[("data-col", &key), ("data-head", &head), ("class", &class)];
    html.with_text("td", attributes, number);
}

/// A number that is shown only if it was counted: 0 would say that nothing happened.
pub(super) fn counted(html: &mut Html, column: Column, is_known: bool, count: u64) {
    if is_known { number(html, column, count) } else { number(html, column, NOT_COUNTED) }
}

/// A word that stands out.
pub(super) fn badge(html: &mut Html, class: &str, text: &str) {
    html.text(" ");
    html.with_text("span", &[("class", &format_args!("badge {class}"))], text);
}

/// A level where people look rather than read.
pub(super) fn bar(html: &mut Html, level: f64, full: f64) {
    let share = if full > 0.0 { (level / full).clamp(0.0, 1.0) } else { 0.0 };
    let class = match share {
        share if share < 0.1 => "bar empty",
        share if share < 0.5 => "bar low",
        _ => "bar",
    };
    let (most, now) = (format!("{full:.1}"), format!("{level:.1}"));
    let attributes: &[(&str, &dyn Display)] = &[
        ("class", &class),
        ("role", &"meter"),
        ("aria-valuemin", &0),
        ("aria-valuemax", &most),
        ("aria-valuenow", &now),
    ];
    html.element("div", attributes, |html| {
        html.with_text("i", &[("style", &format_args!("width:{:.0}%", share * 100.0))], "");
    });
}

/// Lines under one another.
pub(super) fn lines<T: Display>(html: &mut Html, lines: impl IntoIterator<Item = T>) {
    html.element("div", &[], |html| {
        for line in lines {
            html.with_text("div", &[], line);
        }
    });
}
