//! Overrides and switches.

use crate::control::{Effect, OverrideRow, OverrideTable, effect::whole};

use super::{
    html::Html,
    table::{Column, badge, cell, row, table, text},
};

const TARGET: Column = ("target", "of");
const SETTINGS: Column = ("settings", "says");
const NOTE: Column = ("note", "why");
const EXPIRES_IN: Column = ("expires_in", "ends in");
const LAYER: Column = ("layer", "layer");
const SITES: Column = ("sites", "reaches");

const COLUMNS: &[Column] = &[TARGET, SETTINGS, NOTE, EXPIRES_IN, LAYER, SITES];

/// Where nothing is overridden there is nothing to see.
pub(super) fn write(html: &mut Html, overrides: &OverrideTable) {
    if overrides.is_empty() {
        return;
    }
    table(html, "overrides", "Overrides and switches", COLUMNS, |html| {
        // What wins comes first.
        for one in overrides.iter().rev() {
            let attributes: &[(&str, &dyn std::fmt::Display)] =
                &[("data-override", one.target()), ("data-layer", &one.layer())];
            row(html, attributes, one.is_amiss(), |html| write_row(html, one));
        }
    });
}

fn write_row(html: &mut Html, one: &OverrideRow) {
    cell(html, TARGET, |html| {
        html.name(one.target());
        if one.is_pending() {
            badge(html, "bad", "matches nothing");
        } else if one.ambiguous().is_some() {
            badge(html, "bad", "ambiguous");
        } else if one.switches_off() {
            badge(html, "bad", "off");
        }
    });
    text(html, SETTINGS, one.settings());
    text(html, NOTE, one.note().unwrap_or("-"));
    text(html, EXPIRES_IN, ends_in(one.expires_in()));
    text(html, LAYER, one.layer());
    text(html, SITES, one.reach());
}

fn ends_in(left: Option<std::time::Duration>) -> String {
    left.map_or_else(|| "never".to_owned(), whole)
}

/// Which keys of one row of another table are overridden, and by whom. The values stand beside it.
pub(super) fn effects(html: &mut Html, effects: &[Effect]) {
    if effects.is_empty() {
        return;
    }
    html.element("ul", &[("class", &"overridden")], |html| {
        for effect in effects {
            html.element("li", &[("data-layer", &effect.layer())], |html| {
                let keys: Vec<&str> = effect.values().map(|(key, _)| key).collect();
                html.with_text("b", &[], keys.join(", "));
                html.text(" by ");
                html.text(&effect.source());
            });
        }
    });
}
