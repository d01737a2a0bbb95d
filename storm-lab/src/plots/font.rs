//! The font that comes with the program, and how wide texts are in it.

use std::sync::OnceLock;

use skrifa::{
    FontRef, MetadataProvider,
    charmap::Charmap,
    instance::{LocationRef, Size},
    metrics::GlyphMetrics,
};

/// Its name.
pub(super) const FAMILY: &str = "DejaVu Sans";

/// DejaVu Sans, regular; its licence (Bitstream Vera's) lets anybody embed it.
pub(super) fn bytes() -> &'static [u8] {
    dejavu::sans::regular()
}

struct Measure {
    signs: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
}

fn measure() -> Option<&'static Measure> {
    static MEASURE: OnceLock<Option<Measure>> = OnceLock::new();
    let new = || {
        let font = FontRef::new(bytes()).ok()?;
        let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        Some(Measure { signs: font.charmap(), metrics })
    };
    MEASURE.get_or_init(new).as_ref()
}

/// How wide a text of this size is, in pixels. Signs that the font lacks count as squares.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let sign = |sign: char| -> f64 {
        let known = measure().and_then(|font| {
            let glyph = font.signs.map(sign)?;
            font.metrics.advance_width(glyph)
        });
        known.map_or(1.0, f64::from)
    };
    text.chars().map(sign).sum::<f64>() * size
}

/// As much of a text as fits, with a sign that there is more.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for sign in text.chars() {
        kept.push(sign);
        if width(&kept, size) + width("…", size) > room {
            kept.pop();
            break;
        }
    }
    kept + "…"
}

/// Words in lines that are no wider than this.
pub(super) fn lines(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = fitted(word, size, room);
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(&word, size) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
