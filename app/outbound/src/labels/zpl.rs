//! A label in ZPL II, the language of label printers, for 203 dpi (8 dots per millimetre). The printer draws the barcode, the
//! QR code and most letters itself.
//!
//! Letters use the printer's scalable font (`^A0`). It is slightly wider than ours, so it is set narrower to keep a line
//! within its measured width. It has no bold weight. Text that is not in every printer's font, such as a Greek or a Polish
//! name, is sent as a picture in our own font (`^GF`).

use std::fmt::Write as _;

use tiny_skia::{Paint, Pixmap, Point};

use super::canvas::{Area, Mark, mm};
use super::label::{Label, LabelError};
use super::layout::{PAGE, lay_out};
use super::raster::draw_line;
use super::shaping::TextLine;

/// Dots per millimetre.
const DOTS_PER_MM: f32 = 8.0;
/// The sizes of a QR code's module that ZPL allows, in dots.
const QR_MODULE_DOTS: std::ops::RangeInclusive<u32> = 1..=10;
/// The width of the printer's letters relative to their height, so that they are as wide as ours.
const LETTER_WIDTH: f32 = 0.86;

/// Dots with at least this alpha are black.
const HALF_OPAQUE: u8 = 0x80;

/// Writes a label as ZPL, in UTF-8.
pub fn zpl(label: &Label<'_>) -> Result<Vec<u8>, LabelError> {
    let marks = lay_out(label)?;
    // UTF-8 (^CI28), the size of the page (^PW, ^LL), and the origin at its upper left (^LH).
    let mut out = format!("^XA\n^CI28\n^PW{}\n^LL{}\n^LH0,0\n", dots(PAGE.0), dots(PAGE.1));
    for mark in &marks {
        write(&mut out, mark);
    }
    out.push_str("^XZ\n");
    Ok(out.into_bytes())
}

/// Writes the commands of a mark. Writing into a `String` does not fail.
fn write(out: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Text { line, x, baseline, white } if is_in_every_printer_font(&line.text) => {
            text(out, line, *x, *baseline, *white)
        }
        Mark::Text { line, x, baseline, white } => picture(out, line, *x, *baseline, *white),
        Mark::Fill(Area { x, y, width, height }) => {
            let (wide, high) = (dots(*width).max(1), dots(*height).max(1));
            writeln!(out, "^FO{},{}^GB{wide},{high},{}^FS", dots(*x), dots(*y), wide.min(high))
        }
        // Character set C, then FNC1, which makes it a GS1-128. The printer adds no text below the bars.
        Mark::Bars { content: sscc, area, module, .. } => {
            let (x, y, wide, high) = (dots(area.x), dots(area.y), dots(*module), dots(area.height));
            writeln!(out, "^FO{x},{y}^BY{wide}^BCN,{high},N,N,N,N^FD>;>800{sscc}^FS")
        }
        // Level M. The printer chooses the smallest version that holds the content, as we did.
        Mark::Grid { content, x, y, module, .. } => {
            let side = whole(module * DOTS_PER_MM).clamp(*QR_MODULE_DOTS.start(), *QR_MODULE_DOTS.end());
            writeln!(out, "^FO{},{}^BQN,2,{side}^FH^FDMA,{}^FS", dots(*x), dots(*y), escaped(content))
        }
    };
}

/// Text on its baseline (^FT). White text inverts the black area behind it (^FR).
fn text(out: &mut String, line: &TextLine, x: f32, baseline: f32, white: bool) -> std::fmt::Result {
    if line.text.is_empty() {
        return Ok(());
    }
    let em = mm(line.size) * DOTS_PER_MM;
    let (high, wide) = (whole(em), whole(em * LETTER_WIDTH));
    let inverted = if white { "^FR" } else { "" };
    let (x, y) = (dots(x), dots(baseline));
    writeln!(out, "^FT{x},{y}^A0N,{high},{wide}{inverted}^FH^FD{}^FS", escaped(&line.text))
}

/// Whether every printer's font has all characters: each has Latin-1.
fn is_in_every_printer_font(text: &str) -> bool {
    text.chars().all(|character| u32::from(character) < 0x100)
}

/// A line of text as a picture: rows of hexadecimal digits, with a bit per dot.
fn picture(out: &mut String, line: &TextLine, x: f32, baseline: f32, white: bool) -> std::fmt::Result {
    let em = mm(line.size) * DOTS_PER_MM;
    // Room for accents above capitals and for descenders. Some scripts stack several of them.
    let is_fira = line.runs.iter().all(|run| !run.face.single_weight);
    let (above, below) = if is_fira { (1.1, 0.35) } else { (1.2, 0.6) };
    let (above, below) = ((em * above).ceil(), (em * below).ceil());
    let row_bytes = whole((line.ems * em).ceil() + 1.0).div_ceil(8).max(1);
    let Some(mut pixmap) = Pixmap::new(row_bytes * 8, whole(above + below).max(1)) else { return Ok(()) };
    draw_line(&mut pixmap, line, Point::from_xy(0.0, above), DOTS_PER_MM, &Paint::default());
    let total = row_bytes * pixmap.height();
    let inverted = if white { "^FR" } else { "" };
    let (x, y) = (dots(x), dots(baseline).saturating_sub(whole(above)));
    write!(out, "^FO{x},{y}{inverted}^GFA,{total},{total},{row_bytes},")?;
    let is_black = |alpha: u8| alpha >= HALF_OPAQUE;
    for eight in pixmap.pixels().chunks(8) {
        let byte = eight.iter().fold(0_u8, |byte, pixel| byte << 1 | u8::from(is_black(pixel.alpha())));
        write!(out, "{byte:02X}")?;
    }
    writeln!(out, "^FS")
}

/// Escapes (^FH) the characters that start a command, and the escape character itself.
fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, character| {
        match character {
            '^' => escaped.push_str("_5E"),
            '~' => escaped.push_str("_7E"),
            '_' => escaped.push_str("_5F"),
            character if character.is_control() => escaped.push(' '),
            character => escaped.push(character),
        }
        escaped
    })
}

fn dots(mm: f32) -> u32 {
    whole((mm * DOTS_PER_MM).round())
}

/// Converts a size on the label, which is small and not negative.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded by the page's size")]
fn whole(number: f32) -> u32 {
    number.clamp(0.0, 10_000.0) as u32
}
