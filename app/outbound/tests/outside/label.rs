//! Labels are rendered at 300 dpi, then scanned and measured.
//!
//! Needs Debian's `poppler-utils` (pdftoppm, pdftotext, pdfinfo) and `zbar-tools` (zbarimg).

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::Command;

use outbound::labels::{Format, Label, LabelError, LabelWords, Sscc, draw, pdf, png, zpl};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::zpl_renderer::drawn_elsewhere;

const URL: &str = "https://returns.northwind.example/r/01939b3e-7d4c-7cc0-8f3e-1b2a3c4d5e6f?lang=nl";

pub(crate) fn lines<const N: usize>(lines: [&str; N]) -> Vec<String> {
    lines.map(str::to_owned).to_vec()
}

pub(crate) fn sscc() -> Sscc {
    Sscc::new("9521234", 0, 1).unwrap()
}

pub(crate) fn ordinary(sscc: &Sscc) -> Label<'_> {
    Label {
        return_number: "RET-2026-000123",
        sender: lines(["Anna de Vries", "Prinsengracht 263-H", "1016 GV Amsterdam", "Nederland"]),
        receiver: lines(["Northwind Returns", "Havenstraat 12, dok 4", "1013 AA Amsterdam", "Nederland"]),
        receiver_name: "",
        sscc,
        sender_country: "NL",
        receiver_country: "NL",
        qr: "RET-2026-000123",
        merchant: "Northwind",
        order_numbers: lines(["NW-10042"]),
        created: "21 Nov 2026",
        words: LabelWords::default(),
    }
}

/// The longest texts, in Europe's scripts and some others.
fn longest(sscc: &Sscc) -> Label<'_> {
    Label {
        return_number: "RETOURE-2026-0000000000123456789-ÄÖÜ",
        sender: lines([
            "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh, Hubert Blaine 👩‍👩‍👧",
            "c/o Ştefan Çağlayan-Yıldırım, Müşteri Hizmetleri Departmanı, Kat 17, Daire 1704",
            "ul. Świętego Józefa Bilczewskiego-Źdźbłowskiego 128b m. 4, klatka schodowa C",
            "31-000 Kraków-Śródmieście, województwo małopolskie",
            "Ελληνική Δημοκρατία",
            "東京都千代田区",
        ]),
        receiver: lines([
            "Παπαδόπουλος & Υιοί Ανώνυμη Εταιρεία Εμπορίας Υποδημάτων",
            "Τμήμα Επιστροφών — Αποθήκη 7, Ράμπα 12",
            "Λεωφόρος Βασιλίσσης Σοφίας 123-125, Βιομηχανική Περιοχή Ασπροπύργου",
            "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetzstraße 1234567890 Hinterhaus",
            "Gate 4 🚚 ring the bell twice",
            "193 00 Ασπρόπυργος Αττικής",
            "Ελλάδα / Greece",
        ]),
        qr: URL,
        merchant: "Łukasiewicz Źródlana Spółka z ograniczoną odpowiedzialnością İğdır Şti.",
        order_numbers: (0..12).map(|n| format!("ORD-2026-{:06}", n * 7919)).collect(),
        created: "środa, 21 listopada 2026",
        words: LabelWords {
            language: "el",
            badge: "ΕΠΙΣΤΡΟΦΗ ΔΕΜΑΤΟΣ",
            from: "Αποστολέας",
            to: "Παραλήπτης",
            return_number: "Αριθμός επιστροφής",
            order: "Παραγγελία",
            created: "Ημερομηνία δημιουργίας",
            receipt: "Φυλάξτε την απόδειξη που θα λάβετε όταν παραδώσετε αυτό το δέμα στο κατάστημα της εταιρείας.",
            specimen: "",
        },
        ..ordinary(sscc)
    }
}

/// More text than a label has room for, with words that cannot be wrapped.
fn overflowing(sscc: &Sscc) -> Label<'_> {
    let mut receiver = lines(["Northwind Returns"]);
    receiver.extend((1..20).map(|n| format!("Building {n}, {}", "W".repeat(200))));
    receiver.extend(lines(["1013 AA Amsterdam", "Nederland"]));
    Label {
        return_number: "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
        sender: receiver.clone(),
        receiver,
        merchant: "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM",
        order_numbers: vec!["W".repeat(400)],
        created: "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
        ..longest(sscc)
    }
}

/// A PDF label on disk.
pub(crate) struct Printed {
    folder: TempDir,
}

impl Printed {
    pub(crate) fn new(label: &Label<'_>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("label.pdf"), pdf(label).unwrap()).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What zbar finds on the rendered page, as XML.
    pub(crate) fn scan(&self) -> String {
        let image = self.path("label");
        let to = [OsStr::new("-r"), OsStr::new("300"), OsStr::new("-png"), OsStr::new("-singlefile")];
        run("pdftoppm", "poppler-utils", to.into_iter().chain([self.path("label.pdf").as_os_str(), image.as_os_str()]));
        let image = self.path("label.png");
        run("zbarimg", "zbar-tools", ["-q".as_ref(), "--nodbus".as_ref(), "--xml".as_ref(), image.as_os_str()])
    }

    pub(crate) fn text(&self) -> String {
        run("pdftotext", "poppler-utils", [self.path("label.pdf").as_os_str(), "-".as_ref()])
    }

    fn info(&self) -> String {
        run("pdfinfo", "poppler-utils", [self.path("label.pdf").as_os_str()])
    }

    /// The position of each word, in millimetres.
    pub(crate) fn words(&self) -> Vec<Word> {
        let page =
            run("pdftotext", "poppler-utils", ["-bbox".as_ref(), self.path("label.pdf").as_os_str(), "-".as_ref()]);
        page.lines().filter(|line| line.contains("<word ")).map(Word::read).collect()
    }
}

/// What zbar finds in a picture, as XML.
pub(crate) fn scan_picture(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("label.png");
    std::fs::write(&image, bytes).unwrap();
    run("zbarimg", "zbar-tools", ["-q".as_ref(), "--nodbus".as_ref(), "--xml".as_ref(), image.as_os_str()])
}

fn run<'a>(tool: &str, package: &str, arguments: impl IntoIterator<Item = &'a OsStr>) -> String {
    let output = Command::new(tool)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("{tool} cannot be run ({error}): apt-get install {package}"));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[derive(Debug)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) left: f32,
    top: f32,
    pub(crate) right: f32,
    bottom: f32,
}

impl Word {
    fn read(line: &str) -> Self {
        let value = |name: &str| -> f32 {
            let (_, rest) = line.split_once(&format!("{name}=\"")).unwrap();
            rest.split_once('"').unwrap().0.parse::<f32>().unwrap() * 25.4 / 72.0
        };
        let text = line.split_once('>').unwrap().1.trim_end_matches("</word>").to_owned();
        Self { text, left: value("xMin"), top: value("yMin"), right: value("xMax"), bottom: value("yMax") }
    }

    /// Boxes span from ascender to descender, slightly more than the line distance, so only their middle counts.
    fn overlaps(&self, left: f32, top: f32, right: f32, bottom: f32) -> bool {
        let inset = (self.bottom - self.top) * 0.12;
        self.left < right - 0.01
            && left < self.right - 0.01
            && self.top + inset < bottom - inset
            && top + inset < self.bottom - inset
    }
}

/// Both codes are present, with the right content.
pub(crate) fn assert_codes(codes: &str, label: &Label<'_>) {
    let bars = codes.lines().find(|line| line.contains("type='CODE-128'")).expect("a Code 128");
    assert!(bars.contains(&format!("<![CDATA[00{}]]>", label.sscc)), "{bars}");
    assert!(bars.contains("modifiers='GS1'"), "not a GS1-128: {bars}");
    let qr = codes.lines().find(|line| line.contains("type='QR-Code'")).expect("a QR code");
    assert!(qr.contains(&format!("<![CDATA[{}]]>", label.qr)), "{qr}");
}

/// Both codes are readable, and no text leaves the page or overlaps a code or another text.
fn assert_sound(label: &Label<'_>) {
    let printed = Printed::new(label);
    assert_codes(&printed.scan(), label);

    let words = printed.words();
    assert!(words.len() > 10);
    for (at, word) in words.iter().enumerate() {
        assert!(
            word.left > 4.9 && word.right < 100.1 && word.top > 4.0 && word.bottom < 144.0,
            "in the margin: {word:?}"
        );
        assert!(!word.overlaps(8.5, 101.8, 96.5, 133.8), "on the bars or their quiet zone: {word:?}");
        assert!(!word.overlaps(75.5, 70.5, 100.0, 99.0), "on the QR code: {word:?}");
        for other in words.iter().skip(at + 1) {
            let apart = !other.overlaps(word.left, word.top, word.right, word.bottom);
            assert!(apart, "{word:?} and {other:?} overlap");
        }
    }
}

#[test]
fn an_ordinary_label_is_readable() {
    let sscc = sscc();
    assert_sound(&ordinary(&sscc));
    let printed = Printed::new(&ordinary(&sscc));
    let text = printed.text();
    for shown in
        ["Northwind", "RETURN", "Anna de Vries", "1013 AA Amsterdam", "RET-2026-000123", "NW-10042", "21 Nov 2026"]
    {
        assert!(text.contains(shown), "{shown} is missing in {text}");
    }
    assert!(text.contains(&sscc.human()), "{text}");
}

#[test]
fn a_specimen_says_that_it_is_invalid_and_is_readable() {
    let sscc = sscc();
    let text = "SPECIMEN – not valid for shipping";
    let valid = ordinary(&sscc);
    let specimen =
        Label { words: LabelWords { badge: "SPECIMEN", specimen: text, ..LabelWords::default() }, ..valid.clone() };
    assert_sound(&specimen);
    let (printed, of_valid) = (Printed::new(&specimen).text(), Printed::new(&valid).text());
    assert!(printed.contains(text) && !of_valid.contains("SPECIMEN"), "{printed}");
    assert!(of_valid.contains(valid.words.receipt) && !printed.contains(valid.words.receipt), "{printed}");
    assert!(scan_picture(&drawn_elsewhere(&zpl(&specimen).unwrap())).contains(&sscc.to_string()));
}

#[test]
fn a_long_url_in_the_qr_code_is_readable() {
    assert_sound(&Label { qr: URL, ..ordinary(&sscc()) });
}

#[test]
fn an_unknown_sender_leaves_room_to_write() {
    let sscc = sscc();
    let label = Label { sender: lines([" ", ""]), ..ordinary(&sscc) };
    assert_sound(&label);
    let words = Printed::new(&label).words();
    let to = words.iter().find(|word| word.text == "To").unwrap();
    let from = words.iter().find(|word| word.text == "From").unwrap();
    assert!(!words.iter().any(|word| word.top > from.bottom && word.bottom < to.top), "{words:?}");
}

#[test]
fn the_longest_texts_stay_in_their_areas() {
    let sscc = sscc();
    let label = longest(&sscc);
    assert_sound(&label);
    let text = Printed::new(&label).text();
    for shown in [
        "Παπαδόπουλος & Υιοί",
        "Çağlayan-Yıldırım",
        "Źdźbłowskiego",
        "193 00 Ασπρόπυργος",
        "Gate 4 ring",
        "東京都千代田区",
    ] {
        assert!(text.contains(shown), "{shown} is missing in {text}");
    }
    assert!(text.contains('…'), "the merchant's name and the order numbers are cut: {text}");
}

#[test]
fn too_much_text_is_cut_in_the_middle() {
    let sscc = sscc();
    assert_sound(&overflowing(&sscc));
    let text = Printed::new(&overflowing(&sscc)).text();
    assert_eq!(text.matches("Northwind Returns").count(), 2, "{text}");
    assert_eq!(text.matches("1013 AA Amsterdam").count(), 2, "{text}");
}

#[test]
fn composed_and_decomposed_accents_look_the_same() {
    let sscc = sscc();
    let composed = Label { merchant: "Zażółć Éé Ñ", ..ordinary(&sscc) };
    let apart = Label { merchant: "Zaz\u{307}o\u{301}łc\u{301} E\u{301}e\u{301} N\u{303}", ..ordinary(&sscc) };
    assert_sound(&apart);
    let width = |label: &Label<'_>| Printed::new(label).words().first().unwrap().right;
    assert!((width(&composed) - width(&apart)).abs() < 0.01);
}

#[test]
fn the_file_is_small_titled_and_reproducible() {
    let sscc = sscc();
    for label in [ordinary(&sscc), longest(&sscc), overflowing(&sscc)] {
        let bytes = pdf(&label).unwrap();
        assert!(bytes.len() < 30_000, "{} bytes", bytes.len());
        assert_eq!(bytes, pdf(&label).unwrap());
        let language = format!("/Lang({})", label.words.language);
        assert!(String::from_utf8_lossy(&bytes).replace("/Lang (", "/Lang(").contains(&language));
    }
    let info = Printed::new(&ordinary(&sscc)).info();
    assert!(info.lines().any(|line| line.starts_with("Title:") && line.ends_with(" RET-2026-000123")), "{info}");
    assert!(info.contains("297.638 x 419.528 pts"), "not A6: {info}");
}

#[test]
fn an_impossible_label_is_rejected() {
    let sscc = sscc();
    let nowhere = Label { receiver: lines(["", " "]), ..ordinary(&sscc) };
    assert_eq!(pdf(&nowhere), Err(LabelError::NoReceiver));
    let qr = "x".repeat(2_000);
    let unreadable = Label { qr: &qr, ..ordinary(&sscc) };
    assert_eq!(pdf(&unreadable), Err(LabelError::QrTooLong { bytes: 2_000 }));
}

#[test]
fn a_picture_is_grey_a6_and_readable() {
    let sscc = sscc();
    for label in [ordinary(&sscc), longest(&sscc), overflowing(&sscc)] {
        let bytes = png(&label).unwrap();
        let (width, height) = (be(&bytes[16..20]), be(&bytes[20..24]));
        assert_eq!(
            (width, height, bytes[24], bytes[25]),
            (1_260, 1_776, 8, 0),
            "12 dots in a millimetre, 8 bits of grey"
        );
        let size = bytes.windows(4).position(|window| window == b"pHYs").unwrap() + 4;
        assert_eq!(
            (be(&bytes[size..size + 4]), bytes[size + 8]),
            (12_000, 1),
            "the picture contains its physical size"
        );
        assert!(bytes.len() < 150_000, "{} bytes", bytes.len());
        assert_eq!(bytes, png(&label).unwrap());
        assert_codes(&scan_picture(&bytes), &label);
    }
}

fn be(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes.try_into().unwrap())
}

#[test]
fn zpl_lets_the_printer_draw_codes_and_letters() {
    let sscc = sscc();
    let printed = String::from_utf8(zpl(&ordinary(&sscc)).unwrap()).unwrap();
    assert!(printed.starts_with("^XA\n^CI28\n^PW840\n^LL1184\n") && printed.ends_with("^XZ\n"), "{printed}");
    assert!(printed.contains(&format!("^BY4^BCN,256,N,N,N,N^FD>;>800{sscc}^FS")), "set C, FNC1, the SSCC: {printed}");
    let qr = printed.lines().find(|line| line.contains("^BQN,2,")).unwrap();
    assert!(qr.ends_with("^FH^FDMA,RET-2026-000123^FS"), "{qr}");
    for shown in ["^FDAnna de Vries^FS", "^FD1013 AA Amsterdam^FS", "^FR^FH^FDRETURN^FS"] {
        assert!(printed.contains(shown), "{shown} is missing in {printed}");
    }
    // Everything starts within the margins of the page.
    for place in printed.lines().filter_map(|line| line.strip_prefix("^FO").or(line.strip_prefix("^FT"))) {
        let (x, rest) = place.split_once(',').unwrap();
        let y: u32 = rest.split('^').next().unwrap().parse().unwrap();
        assert!((40..800).contains(&x.parse::<u32>().unwrap()) && (40..1_150).contains(&y), "{place}");
    }
}

#[test]
fn an_independent_renderer_draws_readable_zpl() {
    let sscc = sscc();
    for (label, name) in
        [(ordinary(&sscc), "ordinary"), (longest(&sscc), "longest"), (overflowing(&sscc), "overflowing")]
    {
        let picture = drawn_elsewhere(&zpl(&label).unwrap());
        if let Ok(folder) = std::env::var("PICTURES") {
            std::fs::write(PathBuf::from(folder).join(format!("zpl-{name}.png")), &picture).unwrap();
        }
        let codes = scan_picture(&picture);
        let bars = codes.lines().find(|line| line.contains("type='CODE-128'")).expect("a Code 128");
        assert!(bars.contains(&format!("00{}", label.sscc)), "{name}: {bars}");
        let qr = codes.lines().find(|line| line.contains("type='QR-Code'")).expect("a QR code");
        assert!(qr.contains(&format!("<![CDATA[{}]]>", label.qr)), "{name}: {qr}");
    }
}

#[test]
fn text_is_never_a_command_for_the_printer() {
    let sscc = sscc();
    let merchant = "^XZ~JA_5E ^FS^XA\u{1b}\n";
    let label = Label { merchant, qr: "^XZ~JA_", sender: lines(["^XZ", "~HS"]), ..ordinary(&sscc) };
    let printed = String::from_utf8(zpl(&label).unwrap()).unwrap();
    assert_eq!(
        (printed.matches("^XA").count(), printed.matches("^XZ").count(), printed.matches('~').count()),
        (1, 1, 0)
    );
    assert!(printed.contains("^FH^FD_5EXZ_7EJA_5F5E _5EFS_5EXA^FS"), "{printed}");
    assert!(printed.contains("^FH^FDMA,_5EXZ_7EJA_5F^FS"), "{printed}");
}

#[test]
fn text_outside_latin_1_is_sent_as_a_picture() {
    let sscc = sscc();
    let plain = String::from_utf8(zpl(&ordinary(&sscc)).unwrap()).unwrap();
    assert!(!plain.contains("^GFA"));
    let sender = lines(["Zoë Größe", "ul. Źródlana 1", "Ελλάδα"]);
    let mixed = String::from_utf8(zpl(&Label { sender, ..ordinary(&sscc) }).unwrap()).unwrap();
    assert!(mixed.contains("^FDZoë Größe^FS"), "Latin-1 is in every printer's font");
    let pictures: Vec<&str> = mixed.lines().filter_map(|line| line.split_once("^GFA,")).map(|(_, rest)| rest).collect();
    assert_eq!((pictures.len(), mixed.contains("Źródlana"), mixed.contains("Ελλάδα")), (2, false, false));
    for picture in pictures {
        let mut parts = picture.trim_end_matches("^FS").split(',');
        let [total, same, in_row] = [(); 3].map(|()| parts.next().unwrap().parse::<usize>().unwrap());
        let digits = parts.next().unwrap();
        assert_eq!((same, total % in_row, digits.len()), (total, 0, total * 2));
        assert!(digits.contains('F') && digits.contains('0'), "the picture has black and white dots");
    }
    assert!(zpl(&longest(&sscc)).unwrap().len() < 120_000);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_does_not_break_a_label(name in "\\PC{0,80}", street in ".{0,200}", serial in 0..1_000_000_000_u64) {
        let sscc = Sscc::new("9521234", 3, serial).unwrap();
        let receiver = vec![name.clone(), street.clone(), "Nederland".to_owned()];
        let label = Label { sender: vec![street.clone()], receiver, merchant: &name, created: &street, ..ordinary(&sscc) };
        for format in [Format::Pdf, Format::Png, Format::Zpl] {
            prop_assert!(draw(&label, format).is_ok());
        }
    }
}
