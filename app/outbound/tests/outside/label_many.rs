//! Many generated labels, each rendered from its PDF and scanned.
//!
//! A normal run has 60 labels; `LABELS=10000 cargo test -p outbound --test outside label_many` takes about 15 minutes. Needs
//! Debian's `poppler-utils` (pdftoppm) and `zbar-tools` (zbarimg).

use crate::seed::Seed;
use fastrand::Rng;
use outbound::labels::{Format, Label, LabelWords, Sscc, draw};
use std::{collections::HashSet, fmt::Write as _, path::Path, process::Command};

/// The number of labels without `LABELS`.
const FEW: usize = 60;
/// The number of labels per call of the scanner.
const BATCH: usize = 60;

const NAMES: [&str; 8] = [
    "Παναγιώτης Παπαδημητρακόπουλος",
    "Świętosława Źdźbłowska-Brzęczyszczykiewicz",
    "Şükrü Çağlayan Ğıyaseddinoğlu",
    "Zoë 👩‍🚀 O’Connor",
    "Li",
    "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh",
    "İpek Öztürk-Ünlü",
    "Ñandú Ærøskøbing Þórðarson",
];
const STREETS: [&str; 4] = [
    "Λεωφόρος Βασιλίσσης Σοφίας 123-125, Βιομηχανική Περιοχή",
    "ul. Księdza Józefa Bilczewskiego 128b m. 4, klatka C",
    "Rindfleischetikettierungsüberwachungsstraße 1234567890 Hinterhaus",
    "1 Dock Rd",
];

fn one_of<'a>(rng: &mut Rng, all: &[&'a str]) -> &'a str {
    all[rng.usize(..all.len())]
}

fn number(rng: &mut Rng) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    (0..8).fold("R-".to_owned(), |text, _| text + &char::from(ALPHABET[rng.usize(..32)]).to_string())
}

/// The expected content: the shipment's number and the return's.
struct Expected {
    sscc: String,
    number: String,
}

fn pdf(rng: &mut Rng, serial: u64) -> (Expected, Vec<u8>) {
    // Prefixes of every length, with consecutive serials.
    let prefix = ["9521234", "95212345", "952123456", "9521234567"][usize::try_from(serial % 4).unwrap()];
    let sscc = Sscc::nth(prefix, serial / 4).unwrap();
    let return_number = number(rng);
    let label = Label {
        return_number: &return_number,
        sender: vec![one_of(rng, &NAMES).to_owned(), one_of(rng, &STREETS).to_owned(), "10557 Αθήνα".to_owned()],
        receiver: vec![format!("{} Returns", one_of(rng, &NAMES)), one_of(rng, &STREETS).to_owned()],
        receiver_name: "",
        sscc: &sscc,
        sender_country: "NL",
        receiver_country: "NL",
        qr: &return_number,
        merchant: one_of(rng, &NAMES),
        order_numbers: (0..=rng.u32(..3)).map(|_| number(rng)).collect(),
        created: "21 Nov 2026",
        words: LabelWords::default(),
    };
    let bytes = draw(&label, Format::Pdf).unwrap();
    assert!(bytes.len() <= 30 * 1024, "{} bytes", bytes.len());
    (Expected { sscc: sscc.to_string(), number: return_number }, bytes)
}

/// GS1 General Specifications, "Check digit calculations": weights 3 and 1 from the right, modulo 10.
fn check_digit(digits: &str) -> u32 {
    let sum: u32 = digits
        .chars()
        .rev()
        .zip([3, 1].into_iter().cycle())
        .map(|(digit, weight)| digit.to_digit(10).unwrap() * weight)
        .sum();
    (10 - sum % 10) % 10
}

fn run(tool: &str, package: &str, arguments: &[&Path], options: &[&str]) -> String {
    let output = Command::new(tool).args(options).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{tool} cannot be run ({error}): apt-get install {package}"));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Renders labels and scans each of them.
fn scanned(labels: &[Vec<u8>]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut pictures = Vec::new();
    for (place, bytes) in labels.iter().enumerate() {
        let (paper, picture) = (folder.path().join(format!("{place}.pdf")), folder.path().join(format!("{place}")));
        std::fs::write(&paper, bytes).unwrap();
        run("pdftoppm", "poppler-utils", &[&paper, &picture], &["-r", "300", "-gray", "-singlefile"]);
        pictures.push(picture.with_extension("pgm"));
    }
    let paths: Vec<&Path> = pictures.iter().map(AsRef::as_ref).collect();
    let said = run("zbarimg", "zbar-tools", &paths, &["-q", "--nodbus", "--xml"]);
    let each = said.split("<source ").skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(each.len(), labels.len(), "each label has readable codes");
    each
}

#[test]
fn every_label_is_scanned_correctly_and_has_its_own_number() {
    let many = std::env::var("LABELS").map_or(FEW, |many| many.parse().expect("LABELS: a number"));
    let (mut rng, mut known) = (Seed::of_this_run().rng(0), HashSet::new());
    let mut serial = 0;
    while known.len() < many {
        let batch = (0..BATCH.min(many - known.len())).map(|_| {
            serial += 1;
            pdf(&mut rng, serial)
        });
        let (meant, labels): (Vec<Expected>, Vec<Vec<u8>>) = batch.unzip();
        for (meant, read) in meant.into_iter().zip(scanned(&labels)) {
            let mut expected = String::new();
            write!(expected, "<![CDATA[00{}]]>", meant.sscc).unwrap();
            let bars = read.lines().find(|line| line.contains("type='CODE-128'")).expect("a Code 128");
            assert!(bars.contains(&expected) && bars.contains("modifiers='GS1'"), "{bars}");
            let qr = read.lines().find(|line| line.contains("type='QR-Code'")).expect("a QR code");
            assert!(qr.contains(&format!("<![CDATA[{}]]>", meant.number)), "{qr}");
            let (digits, last) = meant.sscc.split_at(17);
            assert_eq!(last, check_digit(digits).to_string(), "{}", meant.sscc);
            assert!(known.insert(meant.sscc), "a number was used twice");
        }
    }
    assert_eq!(known.len(), many);
}
