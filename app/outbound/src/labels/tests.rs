//! Shaping and layout, before anything is drawn.

use proptest::prelude::*;

use super::canvas::{Area, Mark, factor};
use super::faces::{Faces, Weight};
use super::layout::lay_out;
use super::shaping::{Han, Style, TextLine, is_right_to_left};
use super::{Label, LabelWords, Sscc, unprintable};

fn faces() -> &'static Faces {
    Faces::get().unwrap()
}

fn shaped(text: &str, han: Han) -> TextLine {
    let right_to_left = is_right_to_left(text) == Some(true);
    faces().shape(text, Style { weight: Weight::Bold, han, right_to_left }, 10.0)
}

/// The text of each cluster, from left to right.
fn visual_text(line: &TextLine) -> String {
    let mut ranges: Vec<_> =
        line.runs.iter().flat_map(|run| &run.glyphs).map(|glyph| glyph.text_range.clone()).collect();
    ranges.dedup();
    ranges.into_iter().map(|range| line.text.get(range).unwrap()).collect()
}

/// Characters without a glyph.
fn lost(line: &TextLine) -> Vec<char> {
    let ranges: Vec<_> = line.runs.iter().flat_map(|run| &run.glyphs).map(|glyph| glyph.text_range.clone()).collect();
    let shown = |at: usize| ranges.iter().any(|range| range.contains(&at));
    line.text.char_indices().filter(|(at, _)| !shown(*at)).map(|(_, c)| c).collect()
}

/// An address of each script.
const SCRIPTS: [&str; 26] = [
    "مرتجعات المتجر، شارع الملك فهد ١٢", // Arabic
    "خیابان ولیعصر، می‌روم ۱۲۳ گچپژ",     // Persian
    "שדרות רוטשילד 12, תל אביב־יפו",
    "北京市朝阳区建国路88号",
    "臺北市信義區市府路一段１號",
    "東京都千代田区丸の内１丁目９−１ プラザビル〒",
    "서울특별시 중구 세종대로 110 뷁",
    "กรุงเทพมหานคร ถนนพระรามที่ ๔ น้ำ",
    "नई दिल्ली, कनॉट प्लेस १२ श्री",
    "ঢাকা, ধানমন্ডি রোড ২৭ শ্রী",
    "சென்னை, அண்ணா சாலை ஸ்ரீ",
    "హైదరాబాద్, బంజారా హిల్స్ శ్రీ",
    "અમદાવાદ, આશ્રમ રોડ શ્રી",
    "ਅੰਮ੍ਰਿਤਸਰ, ਮਾਲ ਰੋਡ",
    "ಬೆಂಗಳೂರು, ಎಂ.ಜಿ. ರಸ್ತೆ ಶ್ರೀ",
    "തിരുവനന്തപുരം, എം.ജി. റോഡ് ശ്രീ",
    "ଭୁବନେଶ୍ୱର, ଜନପଥ ଶ୍ରୀ",
    "කොළඹ, ගාලු පාර ශ්‍රී",
    "ភ្នំពេញ មហាវិថីព្រះនរោត្តម ស្ត្រី",
    "ວຽງຈັນ ຖະໜົນລ້ານຊ້າງ",
    "ရန်ကုန်မြို့ ဗိုလ်ချုပ်အောင်ဆန်းလမ်း",
    "თბილისი, რუსთაველის გამზირი ᲗᲑ",
    "Երևան, Մաշտոցի պողոտա",
    "አዲስ አበባ፣ ቦሌ መንገድ",
    "ཐིམ་ཕུག། ནོར་འཛིན་ལམ།",
    "މާލެ، މަޖީދީ މަގު",
];

#[test]
fn every_script_is_shaped_completely_in_its_own_letters() {
    for text in SCRIPTS {
        assert_eq!((unprintable(text), faces().clean(text).as_str()), (Vec::new(), text));
        let line = shaped(text, Han::Simplified);
        assert!(lost(&line).is_empty(), "{text}: {:?}", lost(&line));
        assert!(line.ems > 3.0);
    }
}

#[test]
fn joining_letters_change_their_form() {
    // One letter has different glyphs alone, at the start, in the middle and at the end.
    let glyphs = |text: &str| shaped(text, Han::Simplified).runs.first().unwrap().glyphs.clone();
    let joined = glyphs("ععع");
    let ids: std::collections::HashSet<u32> = joined.iter().map(|glyph| glyph.glyph_id.to_u32()).collect();
    assert_eq!((joined.len(), ids.len()), (3, 3));
    assert!(!ids.contains(&glyphs("ع").first().unwrap().glyph_id.to_u32()));
    // A vowel sign that is drawn before its consonant; three letters that become one sign.
    assert_ne!(visual_text(&shaped("कि", Han::Simplified)), "");
    let one = glyphs("क्षि");
    assert!(one.len() < 4 && one.iter().all(|glyph| glyph.text_range == (0.."क्षि".len())), "{one:?}");
}

#[test]
fn right_to_left_text_is_in_visual_order() {
    assert_eq!(visual_text(&shaped("שלום", Han::Simplified)), "םולש");
    assert_eq!(visual_text(&shaped("רחוב 12", Han::Simplified)), "12 בוחר");
    assert_eq!(visual_text(&shaped("רחוב 12-34 (Dock B)", Han::Simplified)), ")Dock B( 12-34 בוחר");
    assert_eq!(visual_text(&shaped("Gate 7, שער 8", Han::Simplified)), "Gate 7, 8 רעש");
    let arabic = visual_text(&shaped("شارع 12", Han::Simplified));
    assert!(arabic.starts_with("12 "), "{arabic}");
}

#[test]
fn codes_in_right_to_left_text_keep_their_order() {
    for (text, code) in [
        ("الرياض 12233-4321", "12233-4321 "),
        ("الرياض ١٢٢٣٣-٤٣٢١", "١٢٢٣٣-٤٣٢١ "),
        ("تهران ۱۱۳۶۹–۱۴۵۷۸", "۱۱۳۶۹–۱۴۵۷۸ "),
        ("مكتب 2904-B", "2904-B "),
        ("مبنى 3/B", "3/B "),
        ("רחוב 12-34", "12-34 "),
        ("רחוב 7-B", "7-B "),
    ] {
        let line = visual_text(&shaped(text, Han::Simplified));
        assert!(line.starts_with(code), "{text}: {line}");
    }
    // A code before a word, and hyphens that join nothing.
    assert!(visual_text(&shaped("12-4 شارع", Han::Simplified)).ends_with(" 12-4"));
    assert_eq!(visual_text(&shaped("רחוב - 12", Han::Simplified)), "12 - בוחר");
    assert_eq!(visual_text(&shaped("Gate 7-B, שער 8", Han::Simplified)), "Gate 7-B, 8 רעש");
}

#[test]
fn brackets_are_mirrored() {
    let glyph = |text: &str, at: usize| {
        let line = shaped(text, Han::Simplified);
        let mut glyphs = line.runs.iter().flat_map(|run| &run.glyphs);
        glyphs.find(|glyph| glyph.text_range.start == at).unwrap().glyph_id.to_u32()
    };
    assert_eq!(glyph("(א)", 0), glyph("a)", 1), "the first bracket of Hebrew text is drawn as a closing one");
}

#[test]
fn han_characters_have_the_form_of_the_country() {
    let glyph = |text: &str, country: &str| {
        let line = shaped(text, Han::of_country(country));
        line.runs.first().unwrap().glyphs.first().unwrap().glyph_id.to_u32()
    };
    for (text, different) in [("骨", ["CN", "TW"]), ("直", ["CN", "JP"]), ("平", ["CN", "KR"])] {
        let [one, other] = different.map(|country| glyph(text, country));
        assert_ne!(one, other, "{text} in {different:?}");
    }
    assert_eq!(glyph("直", "NL"), glyph("直", "CN"));
    assert_eq!(glyph("骨", "TW"), glyph("骨", "HK"));
}

#[test]
fn characters_without_a_font_are_transliterated_or_dropped() {
    let latin = faces().clean("ᏣᎳᎩ Street 1");
    assert!(latin.is_ascii() && latin.len() > " Street 1".len() && latin.ends_with(" Street 1"), "{latin}");
    assert_eq!(faces().clean("Zoë 👩‍👩‍👧 Gate 4 🚚 ring"), "Zoë Gate 4 ring");
    assert_eq!(faces().clean("\u{E000}\u{F8FF}\u{10FFFF}"), "");
    assert_eq!((faces().clean("բն\u{2024} 5").as_str(), unprintable("բն\u{2024}")), ("բն. 5", Vec::new()));
    assert_eq!(faces().clean("\u{202E}12 \u{2066}Main\u{2069}"), "12 Main", "direction marks cannot reverse a line");
    assert_eq!(unprintable("ᎳᎳ 🚚\tZoë\u{200D} 東京\u{FE0F} \u{E000}"), ['Ꮃ', '🚚', '\u{E000}']);
}

/// A label whose address blocks have the most lines.
fn with_most_lines(sscc: &Sscc) -> Label<'_> {
    let lines = |count| (1..=count).map(|line| format!("Line {line} of สมชาย")).collect();
    Label {
        return_number: "R-TN5K9KRJ",
        sender: lines(6),
        receiver: lines(7),
        receiver_name: "",
        sender_country: "TH",
        receiver_country: "TH",
        sscc,
        qr: "R-TN5K9KRJ",
        merchant: "Northwind",
        order_numbers: vec!["10042".to_owned()],
        created: "21 Nov 2026",
        words: LabelWords::default(),
    }
}

#[test]
fn the_line_with_the_recipient_s_name_is_bold() {
    let sscc = Sscc::new("9521234", 0, 1).unwrap();
    let lines = |lines: [&str; 4]| lines.map(str::to_owned).to_vec();
    let japanese = lines(["108-0075", "東京都港区港南", "2丁目16−3", "北風商店 返品係"]);
    let european = lines(["Northwind Returns", "Dok 4", "1013 AA Amsterdam", "Nederland"]);
    for (receiver, receiver_name, bold) in [
        (japanese.clone(), "北風商店 返品係", "北風商店 返品係"),
        (european.clone(), "Northwind Returns", "Northwind Returns"),
        (european, "", "Northwind Returns"),
        (lines(["", "🚚", "Dok 4", "Amsterdam"]), "🚚", "R-TN5K9KRJ"),
    ] {
        let label = Label { receiver, receiver_name, sender: Vec::new(), ..with_most_lines(&sscc) };
        let marks = lay_out(&label).unwrap();
        let in_block = marks.iter().filter_map(|mark| match mark {
            Mark::Text { line, x, baseline, .. } if *x > 17.0 && (39.0..69.0).contains(baseline) => Some(line),
            _ => None,
        });
        let heavy: Vec<&str> =
            in_block.filter(|line| line.style.weight == Weight::Bold).map(|line| line.text.as_str()).collect();
        assert_eq!(heavy, [bold], "{:?}", label.receiver);
    }
}

#[test]
fn addresses_with_the_most_lines_are_large_enough_to_read() {
    let sscc = Sscc::new("9521234", 0, 1).unwrap();
    let marks = lay_out(&with_most_lines(&sscc)).unwrap();
    let sizes: Vec<f32> = marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Text { line, .. } if line.text.starts_with("Line ") => Some(line.size),
            _ => None,
        })
        .collect();
    let (sender, receiver) = sizes.split_at(6);
    assert_eq!(receiver.len(), 7);
    assert!(sender.iter().all(|size| *size >= 7.0), "{sender:?}");
    assert!(receiver.iter().all(|size| *size >= 9.0), "{receiver:?}");
}

#[test]
fn the_quiet_zone_of_the_qr_code_is_empty() {
    let sscc = Sscc::new("9521234", 0, 1).unwrap();
    for qr in ["R-TN5K9KRJ", "RET-2026-0000000123", "https://returns.northwind.example/r/01939b3e-7d4c-7cc0-8f3e"] {
        let marks = lay_out(&Label { qr, ..with_most_lines(&sscc) }).unwrap();
        let code = marks.iter().find_map(|mark| match mark {
            Mark::Grid { rows, y, module, .. } => Some((*y, y + module * factor(rows.len()), 4.0 * module)),
            _ => None,
        });
        let (top, bottom, quiet) = code.unwrap();
        for mark in &marks {
            let (Mark::Fill(Area { y, height, .. }) | Mark::Bars { area: Area { y, height, .. }, .. }) = mark else {
                continue;
            };
            let (above, below) = (top - (y + height), y - bottom);
            assert!(above.max(below) > quiet - 0.001, "{qr}: {above} above or {below} below, {quiet} required");
        }
    }
}

proptest! {
    #[test]
    fn every_clean_text_is_shown_completely(text in "(\\PC|[ա-֏؀-ۿऀ-ॿঀ-෿฀-໿က-႟ក-៿]|[\u{300}-\u{36f}\u{200b}-\u{200f}]){0,40}") {
        let clean = faces().clean(&text);
        for weight in [Weight::Regular, Weight::Bold] {
            prop_assert!(clean.chars().all(|c| c == ' ' || super::shaping::is_joiner(c) || faces().face_of(c, weight).is_some()));
        }
        prop_assert!(unprintable(&clean).is_empty());
        let line = shaped(&clean, Han::Japanese);
        let lost = lost(&line);
        prop_assert!(lost.is_empty(), "{clean:?} lost {lost:?}");
    }
}
