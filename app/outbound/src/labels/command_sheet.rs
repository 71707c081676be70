//! The command sheet: a page of A4 with a barcode for each command, to pin to the wall beside a packing table.

use super::barcodes;
use super::canvas::{Area, Canvas, factor, mm, points};
use super::faces::{Faces, Weight};
use super::label::LabelError;
use super::pdf::page_of;
use super::shaping::Han;
use super::typesetter::Typesetter;

/// A4 portrait, in millimetres like everything below.
const PAGE: (f32, f32) = (210.0, 297.0);
const MARGIN: f32 = 14.0;
const COLUMNS: usize = 2;
/// The first row of barcodes.
const TOP: f32 = 38.0;
const ROW: f32 = 27.5;
const COLUMN: f32 = (PAGE.0 - 2.0 * MARGIN) / 2.0;
/// The width of one module: wide enough for any hand scanner, and the longest code fits into its column with ten
/// modules of white on both sides.
const X_DIMENSION: f32 = 0.33;
const BAR_HEIGHT: f32 = 13.0;
const CAPTION: f32 = 14.0;

/// What is printed on the sheet.
#[derive(Debug, Clone)]
pub struct CommandSheet<'a> {
    /// The language as a BCP 47 tag.
    pub language: &'a str,
    /// The title.
    pub title: &'a str,
    /// What to do with the sheet, in a line.
    pub advice: &'a str,
    /// The commands, in their order.
    pub commands: Vec<PrintedCommand<'a>>,
}

/// One command of the sheet.
#[derive(Debug, Clone)]
pub struct PrintedCommand<'a> {
    /// The content of the barcode: printable ASCII.
    pub code: String,
    /// What the command does, in a word or two.
    pub caption: &'a str,
}

/// Draws the sheet as a PDF of one page. Commands beyond the page are left out.
pub fn command_sheet(sheet: &CommandSheet<'_>) -> Result<Vec<u8>, LabelError> {
    let mut canvas = Canvas::new(Typesetter::new(Faces::get()?, Han::of_country("")));
    let room = points(PAGE.0 - 2.0 * MARGIN);
    let title = canvas.typesetter.fit_line(sheet.title, Weight::Bold, room, 22.0, 12.0);
    canvas.text(&title, MARGIN, 22.0);
    let advice = canvas.typesetter.fit_line(sheet.advice, Weight::Regular, room, 11.0, 7.0);
    canvas.text(&advice, MARGIN, 29.5);
    canvas.rule(MARGIN, 32.0, PAGE.0 - 2.0 * MARGIN, 0.4);
    for (place, command) in sheet.commands.iter().enumerate() {
        let x = MARGIN + factor(place % COLUMNS) * COLUMN;
        let y = TOP + factor(place / COLUMNS) * ROW;
        if y + ROW > PAGE.1 {
            break;
        }
        draw(&mut canvas, command, x, y)?;
    }
    page_of(&canvas.marks, PAGE, sheet.title, sheet.language)
}

fn draw(canvas: &mut Canvas, command: &PrintedCommand<'_>, x: f32, y: f32) -> Result<(), LabelError> {
    let caption = canvas.typesetter.fit_line(command.caption, Weight::Bold, points(COLUMN - 10.0), CAPTION, 8.0);
    canvas.text(&caption, x, y + mm(CAPTION));
    let bars = barcodes::code_128(&command.code)?;
    let width = factor(bars.len()) * X_DIMENSION;
    canvas.bars(&bars, &command.code, Area { x, y: y + 7.0, width, height: BAR_HEIGHT }, X_DIMENSION);
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use domain::scanning::ScanCommand;

    #[test]
    fn the_sheet_is_one_page_with_room_for_every_command() {
        let commands: Vec<PrintedCommand<'_>> =
            ScanCommand::all().map(|command| PrintedCommand { code: command.code(), caption: "All here" }).collect();
        let rows = commands.len().div_ceil(COLUMNS);
        assert!(TOP + factor(rows) * ROW <= PAGE.1, "{rows} rows");
        for command in &commands {
            let width = factor(barcodes::code_128(&command.code).unwrap().len() + 20) * X_DIMENSION;
            assert!(width <= COLUMN, "{}: {width} mm", command.code);
        }
        let sheet = CommandSheet { language: "en", title: "Commands", advice: "Scan a command.", commands };
        let pdf = command_sheet(&sheet).unwrap();
        assert!(pdf.starts_with(b"%PDF") && pdf == command_sheet(&sheet).unwrap());
    }
}
