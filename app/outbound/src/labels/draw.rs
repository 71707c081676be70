//! A label in any of its formats.

use super::{
    label::{Label, LabelError},
    pdf::pdf,
    png::png,
    zpl::zpl,
};

/// The formats of a label.
pub use domain::shipping::LabelFormat as Format;

/// Draws a label.
pub fn draw(label: &Label<'_>, format: Format) -> Result<Vec<u8>, LabelError> {
    match format {
        Format::Pdf => pdf(label),
        Format::Png => png(label),
        Format::Zpl => zpl(label),
    }
}
