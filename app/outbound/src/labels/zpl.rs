//! A label in ZPL II, the language of label printers, for 203 dpi (8 dots in a millimetre). The printer makes bars, QR
//! code and letters itself.
//!
//! Letters come from the printer's own scalable font (`^A0`), a little wider than ours: they are set narrower, so that
//! a line keeps to the room that it was measured for. The font has no bold cut. What not every such font has, a Greek or a
//! Polish name, is sent as a picture in our own (`^GF`).

use std::fmt::Write as _;

use tiny_skia::{Paint, Pixmap};

use crate::labels::canvas::{Area, Mark, mm};
use crate::labels::layout::{PAGE, lay_out};
use crate::labels::raster::draw_line;
use crate::labels::shaping::Line;
use crate::labels::{Label, LabelError};

/// Dots in a millimetre.
const DOTS: f32 = 8.0;
/// A QR code's module is 1 to 10 dots.
const QR_MODULES: std::ops::RangeInclusive<u32> = 1..=10;
/// The printer's letters are as wide as ours when they are set this much narrower than they are high.
const NARROWER: f32 = 0.86;

/// Writes a label as ZPL, in UTF-8.
pub fn zpl(label: &Label<'_>) -> Result<Vec<u8>, LabelError> {
    let marks = lay_out(label)?;
    // Characters are UTF-8 (^CI28); the page's size; everything from its upper left.
    let mut out = format!("^XA\n^CI28\n^PW{}\n^LL{}\n^LH0,0\n", dots(PAGE.0), dots(PAGE.1));
    for mark in &marks {
        write(&mut out, mark);
    }
    out.push_str("^XZ\n");
    Ok(out.into_bytes())
}

/// Writing into a text does not fail.
fn write(out: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Text { line, x, baseline, white } if is_on_every_printer(&line.text) => {
            text(out, line, (*x, *baseline), *white)
        }
        Mark::Text { line, x, baseline, white } => picture(out, line, (*x, *baseline), *white),
        Mark::Fill(Area { x, y, width, height }) => {
            let (wide, high) = (dots(*width).max(1), dots(*height).max(1));
            writeln!(out, "^FO{},{}^GB{wide},{high},{}^FS", dots(*x), dots(*y), wide.min(high))
        }
        // Set C, then FNC1, which makes a GS1-128 of it; no text of the printer's own beneath.
        Mark::Bars { sscc, area, module, .. } => {
            let (x, y, wide, high) = (dots(area.x), dots(area.y), dots(*module), dots(area.height));
            writeln!(out, "^FO{x},{y}^BY{wide}^BCN,{high},N,N,N,N^FD>;>800{sscc}^FS")
        }
        // Level M; the printer chooses the size that holds it, as we did.
        Mark::Grid { content, x, y, module, .. } => {
            let side = whole(module * DOTS).clamp(*QR_MODULES.start(), *QR_MODULES.end());
            writeln!(out, "^FO{},{}^BQN,2,{side}^FH^FDMA,{}^FS", dots(*x), dots(*y), escaped(content))
        }
    };
}

/// A line stands on its baseline (^FT); white is what turns over what is beneath (^FR).
fn text(out: &mut String, line: &Line, (x, baseline): (f32, f32), white: bool) -> std::fmt::Result {
    if line.text.is_empty() {
        return Ok(());
    }
    let em = mm(line.size) * DOTS;
    let (high, wide) = (whole(em), whole(em * NARROWER));
    let turned = if white { "^FR" } else { "" };
    let (x, y) = (dots(x), dots(baseline));
    writeln!(out, "^FT{x},{y}^A0N,{high},{wide}{turned}^FH^FD{}^FS", escaped(&line.text))
}

/// Whether the printer's own font has all of it: Latin-1 is in every one.
fn is_on_every_printer(text: &str) -> bool {
    text.chars().all(|character| u32::from(character) < 0x100)
}

/// A line as a picture: each row of it in hexadecimal digits, black where a bit is set.
fn picture(out: &mut String, line: &Line, (x, baseline): (f32, f32), white: bool) -> std::fmt::Result {
    let em = mm(line.size) * DOTS;
    // Room above for capitals with accents, and below for descenders, of which some scripts stack several.
    let is_plain = line.runs.iter().all(|run| !run.face.single_weight);
    let (above, below) = if is_plain { (1.1, 0.35) } else { (1.2, 0.6) };
    let (above, below) = ((em * above).ceil(), (em * below).ceil());
    let in_row = whole((line.ems * em).ceil() + 1.0).div_ceil(8).max(1);
    let Some(mut pixmap) = Pixmap::new(in_row * 8, whole(above + below).max(1)) else { return Ok(()) };
    draw_line(&mut pixmap, line, (0.0, above), (DOTS, &Paint::default()));
    let total = in_row * pixmap.height();
    let turned = if white { "^FR" } else { "" };
    let (x, y) = (dots(x), dots(baseline).saturating_sub(whole(above)));
    write!(out, "^FO{x},{y}{turned}^GFA,{total},{total},{in_row},")?;
    let is_black = |alpha: u8| alpha >= 0x80;
    for eight in pixmap.pixels().chunks(8) {
        let byte = eight.iter().fold(0_u8, |byte, pixel| byte << 1 | u8::from(is_black(pixel.alpha())));
        write!(out, "{byte:02X}")?;
    }
    writeln!(out, "^FS")
}

/// What a printer would take for a command, and the sign that announces an escape, by their codes (^FH).
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
    whole((mm * DOTS).round())
}

/// Sizes on a label are small and not negative.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded by the page's size")]
fn whole(number: f32) -> u32 {
    number.clamp(0.0, 10_000.0) as u32
}
