//! How many labels one core draws per second, compared with empty PDFs of the same library.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that cannot continue should stop")]

use krilla::{Document, page::PageSettings};
use outbound::labels::{Format, Label, LabelWords, Sscc, draw};
use std::time::{Duration, Instant};

const LABELS: u64 = 1_000;
const GOAL: f64 = 300.0;
const GOAL_BYTES: usize = 30 * 1024;

/// The lines of two addresses, and their country.
struct Addresses {
    country: &'static str,
    sender: [&'static str; 4],
    receiver: [&'static str; 4],
}

const DUTCH: Addresses = Addresses {
    country: "NL",
    sender: ["Anna de Vries", "Prinsengracht 263-H", "1016 GV Amsterdam", "NL"],
    receiver: ["Northwind Returns", "Havenstraat 12, dok 4", "1013 AA Amsterdam", "NL"],
};
const JAPANESE: Addresses = Addresses {
    country: "JP",
    sender: ["髙橋 ゆうこ", "丸の内1丁目9−1 プラザビル", "〒100-0005 東京都千代田区", "日本"],
    receiver: ["北風商店 返品係", "港南2丁目16−3 品川倉庫", "〒108-0075 東京都港区", "日本"],
};

fn label(serial: u64, format: Format, addresses: &Addresses) -> Vec<u8> {
    let sscc = Sscc::nth("9521234", serial).unwrap();
    let number = format!("R-{serial:08}");
    let label = Label {
        return_number: &number,
        sender: addresses.sender.map(str::to_owned).to_vec(),
        receiver: addresses.receiver.map(str::to_owned).to_vec(),
        receiver_name: "",
        sscc: &sscc,
        sender_country: addresses.country,
        receiver_country: addresses.country,
        qr: &number,
        merchant: "Northwind",
        order_numbers: vec![format!("NW-{serial}")],
        created: "21 Nov 2026",
        words: LabelWords::default(),
    };
    draw(&label, format).unwrap()
}

/// An empty page of the same size.
fn empty() -> Vec<u8> {
    let mut document = Document::new();
    document.start_page_with(PageSettings::from_wh(297.6, 419.5).unwrap()).finish();
    document.finish().unwrap()
}

/// The rate per second, and the largest size in bytes.
#[expect(clippy::cast_precision_loss, reason = "figures of a table")]
fn rate(make: impl Fn(u64) -> Vec<u8>) -> (f64, usize) {
    let (started, mut most) = (Instant::now(), 0);
    let mut made = 0_u64;
    while made < LABELS && started.elapsed() < Duration::from_secs(20) {
        most = most.max(make(made).len());
        made += 1;
    }
    (made as f64 / started.elapsed().as_secs_f64(), most)
}

fn main() {
    println!("\non one core             a second   most bytes");
    let (bare, bytes) = rate(|_| empty());
    println!("{:<22}{bare:>10.0}{bytes:>13}", "an empty PDF");
    let cases = [
        ("labels, PDF", Format::Pdf, &DUTCH),
        ("labels, PNG", Format::Png, &DUTCH),
        ("labels, ZPL", Format::Zpl, &DUTCH),
        ("Japanese labels, PDF", Format::Pdf, &JAPANESE),
        ("Japanese labels, PNG", Format::Png, &JAPANESE),
        ("Japanese labels, ZPL", Format::Zpl, &JAPANESE),
    ];
    for (name, format, addresses) in cases {
        let (rate, bytes) = rate(|serial| label(serial, format, addresses));
        let goal = match format {
            Format::Pdf if rate >= GOAL && bytes <= GOAL_BYTES => format!("≥ {GOAL}, ≤ {GOAL_BYTES} bytes"),
            Format::Pdf => format!("≥ {GOAL}, ≤ {GOAL_BYTES} bytes: missed"),
            _ => String::new(),
        };
        println!("{name:<22}{rate:>10.0}{bytes:>13}   {goal}");
    }
}
