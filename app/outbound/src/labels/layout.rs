//! The layout of a label, from top to bottom.
//!
//! The barcode follows the GS1 General Specifications' symbol specification table for logistic units
//! (X-dimension 0.495 to 0.940 mm, quiet zones of 10 X) and the GS1 Logistic Label Guideline (bars of
//! 32 mm, in the lowest part, upright like a picket fence; digits of 3 mm). All of it fits on A6.

use std::cmp::Ordering;

use super::barcodes;
use super::canvas::{Area, Canvas, Mark, factor, mm, points};
use super::faces::{Faces, Weight};
use super::label::{Label, LabelError};
use super::shaping::{Han, TextLine, is_right_to_left};
use super::typesetter::{LEADING, Room, Typesetter};

/// A6 portrait, in millimetres like everything below.
pub const PAGE: (f32, f32) = (105.0, 148.0);
/// Home printers leave 4 to 5 mm at the edge blank.
const MARGIN: f32 = 5.0;
const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
/// The width of the column with the captions of the address blocks.
const GUTTER: f32 = 13.0;
/// The height of Fira Sans' capitals, in ems.
const CAP_HEIGHT_EMS: f32 = 0.69;
const THICK_RULE: f32 = 0.7;
const THIN_RULE: f32 = 0.25;

/// The merchant's name and the badge.
const HEAD: Area = Area { x: MARGIN, y: MARGIN, width: WIDTH, height: 9.0 };
/// Room for six lines of 7 points.
const FROM: Area = Area { x: MARGIN, y: 17.6, width: WIDTH, height: 17.5 };
/// Room for six lines of 11 points, or seven of 9.5.
const TO: Area = Area { x: MARGIN, y: 39.8, width: WIDTH, height: 28.0 };
/// The return's number and the QR code.
const REFERENCE: Area = Area { x: MARGIN, y: 72.0, width: WIDTH, height: 26.0 };

/// The width of one module: four dots of a 203 dpi label printer, so that no module is rounded. The standard requires at
/// least 0.495, and the page has room for 0.54.
const X_DIMENSION: f32 = 0.5;
const BAR_TOP: f32 = 101.8;
const BAR_HEIGHT: f32 = 32.0;
/// Below the digits of the barcode.
const SPECIMEN: Area = Area { x: MARGIN, y: 140.2, width: WIDTH, height: 2.8 };
/// The white modules around a QR code (ISO/IEC 18004 requires 4).
const QUIET_QR: f32 = 5.0;

/// Lays a label out. The marks are the same for every format.
pub fn lay_out(label: &Label<'_>) -> Result<Vec<Mark>, LabelError> {
    if label.receiver.iter().all(|line| line.trim().is_empty()) {
        return Err(LabelError::NoReceiver);
    }
    let bars = barcodes::gs1_128(label.sscc)?;
    let qr = barcodes::qr(label.qr)?;
    let mut canvas = Canvas::new(Typesetter::new(Faces::get()?, Han::of_country(label.receiver_country)));
    head(&mut canvas, label);
    sender(&mut canvas, label);
    receiver(&mut canvas, label);
    reference(&mut canvas, label, &qr);
    barcode(&mut canvas, label, &bars);
    Ok(canvas.marks)
}

/// The merchant's name and the badge.
fn head(canvas: &mut Canvas, label: &Label<'_>) {
    let pad = 3.0;
    let badge = canvas.typesetter.fit_line(label.words.badge, Weight::Bold, points(34.0), 17.0, 9.0);
    let width = mm(badge.width()) + 2.0 * pad;
    let x = HEAD.x + HEAD.width - width;
    canvas.fill(Area { x, width, ..HEAD });
    canvas.white_text(&badge, x + pad, middle_baseline(HEAD, &badge));

    let room = points(HEAD.width - width - pad);
    let merchant = canvas.typesetter.fit_line(label.merchant, Weight::Bold, room, 19.0, 9.0);
    canvas.text(&merchant, HEAD.x, middle_baseline(HEAD, &merchant));
    canvas.rule(MARGIN, 15.3, WIDTH, THICK_RULE);
}

/// The sender, or lines to write on if the sender is unknown.
fn sender(canvas: &mut Canvas, label: &Label<'_>) {
    let area = beside_the_gutter(FROM);
    let room = Room { largest: 9.0, comfortable: 8.0, smallest: 6.0, ..room(area) };
    let typesetter = canvas.typesetter.with_han(Han::of_country(label.sender_country));
    let lines =
        typesetter.fit_block(&with_a_name(typesetter, &label.sender, name_line(&label.sender, ""), label), None, room);
    if lines.is_empty() {
        // The rule below the block is the third line.
        canvas.rule(area.x, 23.2, area.width, THIN_RULE);
        canvas.rule(area.x, 30.2, area.width, THIN_RULE);
        block_caption(canvas, label.words.from, 22.2);
    } else {
        let baseline = stack(canvas, &lines, area);
        block_caption(canvas, label.words.from, baseline);
    }
    canvas.rule(MARGIN, 37.2, WIDTH, THIN_RULE);
}

/// The recipient: the largest block.
fn receiver(canvas: &mut Canvas, label: &Label<'_>) {
    let area = beside_the_gutter(TO);
    let room = Room { largest: 18.0, comfortable: 11.0, smallest: 7.0, ..room(area) };
    let name = name_line(&label.receiver, label.receiver_name);
    let lines = with_a_name(canvas.typesetter, &label.receiver, name, label);
    let lines = canvas.typesetter.fit_block(&lines, Some(name), room);
    let baseline = stack(canvas, &lines, area);
    block_caption(canvas, label.words.to, baseline);
    canvas.rule(MARGIN, 69.6, WIDTH, THICK_RULE);
}

/// The lines of an address. If nothing of the name can be shown, the return's number replaces it to identify the shipment.
fn with_a_name(typesetter: Typesetter, lines: &[String], name: usize, label: &Label<'_>) -> Vec<String> {
    let mut lines = lines.to_vec();
    let is_empty = lines.iter().all(|line| line.trim().is_empty());
    if let Some(name) = lines.get_mut(name).filter(|name| !is_empty && !typesetter.shows(name)) {
        label.return_number.clone_into(name);
    }
    lines
}

/// The line with the name, or else the first line that is not empty.
fn name_line(lines: &[String], name: &str) -> usize {
    let with_name = lines.iter().position(|line| !name.is_empty() && line.contains(name));
    with_name.or_else(|| lines.iter().position(|line| !line.trim().is_empty())).unwrap_or_default()
}

/// The return's number, the orders and the date, beside the QR code.
fn reference(canvas: &mut Canvas, label: &Label<'_>, qr: &[Vec<bool>]) {
    let Area { x: left, y: top, height, .. } = REFERENCE;
    let module = height / (factor(qr.len()) + QUIET_QR);
    let side = module * factor(qr.len());
    let qr_left = left + WIDTH - side;
    canvas.grid(qr, label.qr, qr_left, top + (height - side) / 2.0, module);

    let width = qr_left - QUIET_QR * module - left;
    caption(canvas, label.words.return_number, left, top + 2.5, width);
    let number = canvas.typesetter.fit_line(label.return_number, Weight::Bold, points(width), 27.0, 8.0);
    let line = Area { x: left, y: top + 3.8, width, height: 8.0 };
    canvas.text(&number, left, middle_baseline(line, &number));

    let orders = label.order_numbers.join(", ");
    let split = width * 0.62;
    let columns = [
        (label.words.order, orders.as_str(), left, split - 3.5),
        (label.words.created, label.created, left + split, width - split),
    ];
    for (name, value, x, width) in columns {
        caption(canvas, name, x, top + 17.5, width);
        let area = Area { x, y: top + 19.2, width, height: 7.0 };
        let room = Room { largest: 10.0, comfortable: 9.0, smallest: 7.0, ..room(area) };
        let lines = canvas.typesetter.fit_block(&[value.to_owned()], None, room);
        stack(canvas, &lines, area);
    }
}

/// The SSCC for the warehouse, and the advice for the shopper.
fn barcode(canvas: &mut Canvas, label: &Label<'_>, bars: &[bool]) {
    // Four modules below the largest QR code, outside of its quiet zone.
    canvas.rule(MARGIN, 99.5, WIDTH, THIN_RULE);
    let width = factor(bars.len()) * X_DIMENSION;
    let area = Area { x: (PAGE.0 - width) / 2.0, y: BAR_TOP, width, height: BAR_HEIGHT };
    canvas.bars(bars, &label.sscc.to_string(), area, X_DIMENSION);
    let human = canvas.typesetter.fit_line(&label.sscc.human(), Weight::Bold, points(width), 13.0, 13.0);
    centred(canvas, &human, BAR_TOP + BAR_HEIGHT + 4.6);
    if label.words.specimen.is_empty() {
        let receipt = canvas.typesetter.fit_line(label.words.receipt, Weight::Regular, points(WIDTH), 7.5, 5.5);
        centred(canvas, &receipt, PAGE.1 - 5.3);
    } else {
        specimen(canvas, label.words.specimen);
    }
}

/// The band that marks a specimen.
fn specimen(canvas: &mut Canvas, text: &str) {
    canvas.fill(SPECIMEN);
    let line = canvas.typesetter.fit_line(text, Weight::Bold, points(WIDTH), 7.0, 5.5);
    canvas.white_text(&line, (PAGE.0 - mm(line.width())) / 2.0, middle_baseline(SPECIMEN, &line));
}

fn centred(canvas: &mut Canvas, line: &TextLine, baseline: f32) {
    canvas.text(line, (PAGE.0 - mm(line.width())) / 2.0, baseline);
}

/// The small caption of a value.
fn caption(canvas: &mut Canvas, text: &str, x: f32, baseline: f32, width: f32) {
    let line = canvas.typesetter.fit_line(text, Weight::Regular, points(width), 7.5, 5.5);
    canvas.text(&line, x, baseline);
}

/// The caption of an address block, in the left column, on the baseline of the block's first line.
fn block_caption(canvas: &mut Canvas, text: &str, baseline: f32) {
    let line = canvas.typesetter.fit_line(text, Weight::Regular, points(GUTTER - 1.5), 8.5, 5.5);
    canvas.text(&line, MARGIN, baseline);
}

fn beside_the_gutter(block: Area) -> Area {
    Area { x: block.x + GUTTER, width: block.width - GUTTER, ..block }
}

/// The room of an area; the caller sets the sizes.
fn room(area: Area) -> Room {
    let (width, height) = (points(area.width), points(area.height));
    Room { width, height, largest: 0.0, comfortable: 0.0, smallest: 0.0 }
}

/// Stacks lines from the top of an area: at its left edge, or at its right edge if most lines run from right to left. Returns
/// the first baseline.
fn stack(canvas: &mut Canvas, lines: &[TextLine], area: Area) -> f32 {
    let from_right = is_block_from_right(lines);
    let first = area.y + lines.first().map_or(0.0, cap_height);
    let mut baseline = first;
    for line in lines {
        let x = if from_right { area.x + area.width - mm(line.width()) } else { area.x };
        canvas.text(line, x, baseline);
        baseline += mm(line.size * LEADING);
    }
    first
}

/// Whether most lines with letters run from right to left. The first of them decides a tie.
fn is_block_from_right(lines: &[TextLine]) -> bool {
    let directions: Vec<bool> = lines.iter().filter_map(|line| is_right_to_left(&line.text)).collect();
    let from_right = directions.iter().filter(|from_right| **from_right).count();
    match (from_right * 2).cmp(&directions.len()) {
        Ordering::Greater => true,
        Ordering::Equal => directions.first() == Some(&true),
        Ordering::Less => false,
    }
}

/// The baseline of a line whose capitals are vertically centred in an area.
fn middle_baseline(area: Area, line: &TextLine) -> f32 {
    area.y + f32::midpoint(area.height, cap_height(line))
}

/// The height of capitals.
fn cap_height(line: &TextLine) -> f32 {
    mm(line.size * CAP_HEIGHT_EMS)
}
