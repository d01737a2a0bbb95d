//! The same drawing in pixels.

use std::sync::{Arc, OnceLock};

use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb},
};

use super::font;

/// Pixels for each of the drawing's, so that it is sharp on screens of today.
const SCALE: f32 = 2.0;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The drawing cannot be read.
    #[error("the plot cannot be drawn ({0}): save it as SVG")]
    Drawing(#[from] resvg::usvg::Error),
    /// There are too many pixels.
    #[error("the plot is too large for a PNG: save it as SVG")]
    Size,
    /// The pixels cannot be written down.
    #[error("the plot cannot be encoded ({0}): save it as SVG")]
    Encoding(String),
}

fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(font::bytes())));
        fonts.set_sans_serif_family(font::FAMILY);
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}

/// A PNG, twice as wide and high.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let options =
        Options { fontdb: fonts(), font_family: font::FAMILY.to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or(PngError::Size)?;
    let mut pixels = Pixmap::new(size.width(), size.height()).ok_or(PngError::Size)?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|fault| PngError::Encoding(fault.to_string()))
}
