//! Labels in the world's scripts: their text is extracted from the PDF and measured.
//!
//! Needs Debian's `poppler-utils` (pdftotext, pdftoppm) and `zbar-tools` (zbarimg). `PICTURES=FOLDER` keeps a picture of each.

use std::path::PathBuf;

use outbound::labels::{Format, Label, draw};

use crate::label::{Printed, assert_codes, lines, ordinary, scan_picture, sscc};
use crate::zpl_renderer::drawn_elsewhere;

/// An address in its own script.
struct Place {
    script: &'static str,
    country: &'static str,
    lines: [&'static str; 4],
}

const PLACES: [Place; 16] = [
    Place {
        script: "arabic",
        country: "SA",
        lines: ["مرتجعات المتجر", "شارع الملك فهد 12", "12211 الرياض", "المملكة العربية السعودية"],
    },
    Place {
        script: "persian", country: "IR", lines: ["فروشگاه گل‌ها", "خیابان ولیعصر ۱۲", "تهران ۱۱۳۶۹", "ایران"]
    },
    Place {
        script: "hebrew",
        country: "IL",
        lines: ["החזרות החנות", "שדרות רוטשילד 12 (Floor 3)", "6688118 תל אביב־יפו", "ישראל"],
    },
    Place {
        script: "chinese", country: "CN", lines: ["王小明", "建国路88号骨科大厦", "100022 北京市朝阳区", "中国"]
    },
    Place {
        script: "taiwanese", country: "TW", lines: ["陳美玲", "信義區市府路一段１號骨直", "110 臺北市", "臺灣"]
    },
    Place {
        script: "japanese",
        country: "JP",
        lines: ["髙橋 ゆうこ", "丸の内1丁目9−1 プラザビル", "〒100-0005 東京都千代田区骨直", "日本"],
    },
    Place {
        script: "korean",
        country: "KR",
        lines: ["김민준", "세종대로 110, 뷁빌딩 3층", "04524 서울특별시 중구", "대한민국"],
    },
    Place {
        script: "thai",
        country: "TH",
        lines: ["สมชาย ใจดี", "99/1 ถนนพระรามที่ 4 แขวงสีลม", "กรุงเทพมหานคร 10500", "ประเทศไทย"],
    },
    Place {
        script: "devanagari",
        country: "IN",
        lines: ["आदित्य शर्मा", "12, कनॉट प्लेस मार्ग", "नई दिल्ली 110001", "भारत"],
    },
    Place {
        script: "bengali", country: "BD", lines: ["রহিম উদ্দিন", "ধানমন্ডি রোড ২৭", "ঢাকা ১২০৯", "বাংলাদেশ"]
    },
    Place {
        script: "tamil", country: "IN", lines: ["கார்த்திக்", "12, அண்ணா சாலை", "சென்னை 600002", "இந்தியா"]
    },
    Place {
        script: "georgian",
        country: "GE",
        lines: ["ნინო ბერიძე", "რუსთაველის გამზირი 12", "0108 თბილისი", "საქართველო"],
    },
    Place {
        script: "armenian",
        country: "AM",
        lines: ["Արամ Պետրոսյան", "Մաշտոցի պողոտա 12", "0002 Երևան", "Հայաստան"],
    },
    Place {
        script: "ethiopic", country: "ET", lines: ["አበበ ቢቂላ", "ቦሌ መንገድ 12", "1000 አዲስ አበባ", "ኢትዮጵያ"]
    },
    Place {
        script: "khmer", country: "KH", lines: ["សុខា", "ផ្លូវព្រះនរោត្តម ១២", "១២០០០ ភ្នំពេញ", "កម្ពុជា"]
    },
    Place {
        script: "myanmar", country: "MM", lines: ["အောင်ဆန်း", "ဗိုလ်ချုပ်လမ်း ၁၂", "ရန်ကုန် ၁၁၁၈၁", "မြန်မာ"]
    },
];

impl Place {
    fn label<'a>(&self, sscc: &'a outbound::labels::Sscc) -> Label<'a> {
        Label {
            sender: lines(self.lines),
            receiver: lines(self.lines),
            sender_country: self.country,
            receiver_country: self.country,
            merchant: self.lines[0],
            ..ordinary(sscc)
        }
    }
}

/// Text without joiners, which PDF readers may drop, and without direction marks.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '\u{200c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')).collect()
}

/// Whether a measured word is this one. pdftotext returns the letters of measured words in visual order.
fn is_word(measured: &str, word: &str) -> bool {
    let measured = plain(measured);
    measured == word || measured.chars().rev().eq(word.chars())
}

#[test]
fn the_text_of_every_script_can_be_extracted() {
    let sscc = sscc();
    for place in PLACES {
        let label = place.label(&sscc);
        let printed = Printed::new(&label);
        let text = plain(&printed.text());
        for line in place.lines {
            for word in line.split(' ') {
                // PDF readers return brackets in visual order.
                let word = plain(word);
                assert!(text.contains(word.trim_matches(['(', ')'])), "{}: {word} is missing in {text}", place.script);
            }
        }
        assert_codes(&printed.scan(), &label);
    }
}

#[test]
fn every_format_is_readable_in_every_script() {
    let sscc = sscc();
    for place in PLACES {
        let label = place.label(&sscc);
        let [document, picture, commands] =
            [Format::Pdf, Format::Png, Format::Zpl].map(|format| draw(&label, format).unwrap());
        let elsewhere = drawn_elsewhere(&commands);
        if let Ok(folder) = std::env::var("PICTURES") {
            let folder = PathBuf::from(folder);
            std::fs::write(folder.join(format!("{}.png", place.script)), &picture).unwrap();
            std::fs::write(folder.join(format!("{}-zpl.png", place.script)), &elsewhere).unwrap();
            std::fs::write(folder.join(format!("{}.pdf", place.script)), &document).unwrap();
        }
        assert_codes(&scan_picture(&picture), &label);
        assert!(scan_picture(&elsewhere).contains("type='QR-Code'"), "{}", place.script);
        assert!(document.len() < 60_000 && picture.len() < 150_000, "{}", place.script);
        assert!(commands.len() < 120_000, "{}", place.script);
    }
}

#[test]
fn a_right_to_left_address_is_right_aligned() {
    let sscc = sscc();
    for (place, word, from_right) in
        [(&PLACES[0], "مرتجعات", true), (&PLACES[2], "החזרות", true), (&PLACES[3], "王小明", false)]
    {
        let label = Label { merchant: "Northwind", ..place.label(&sscc) };
        let words = Printed::new(&label).words();
        let found: Vec<_> = words.iter().filter(|found| is_word(&found.text, word)).collect();
        assert_eq!(found.len(), 2, "{words:?}");
        for found in found {
            let (left, right) = ((found.left - 18.0).abs(), (found.right - 100.0).abs());
            assert!(if from_right { right < 1.0 } else { left < 1.0 }, "{found:?}");
        }
    }
    // A line in another script is aligned to the same side.
    let label = Label {
        receiver: lines(["مرتجعات المتجر", "شارع الملك فهد 12", "12211 الرياض", "Riyadh"]),
        ..PLACES[0].label(&sscc)
    };
    let words = Printed::new(&label).words();
    assert!(words.iter().any(|word| word.text == "Riyadh" && (word.right - 100.0).abs() < 1.0), "{words:?}");
}

#[test]
fn numbers_in_right_to_left_text_have_their_place() {
    let sscc = sscc();
    let label = Label { merchant: "Northwind", sender: vec![], ..PLACES[0].label(&sscc) };
    let words = Printed::new(&label).words();
    let at =
        |text: &str| words.iter().find(|word| is_word(&word.text, text)).unwrap_or_else(|| panic!("{text}: {words:?}"));
    // "شارع الملك فهد 12": the number comes last, so it is leftmost. "12211 الرياض": it comes first.
    assert!(at("12").right < at("فهد").left && at("فهد").right < at("شارع").left);
    assert!(at("12211").left > at("الرياض").right);
}

#[test]
fn a_name_without_a_font_is_transliterated_or_replaced_by_the_returns_number() {
    let sscc = sscc();
    let sender = lines(["ᏣᎳᎩ", "ᎠᎹ 12", "74464 Tahlequah", "US"]);
    let text = Printed::new(&Label { sender, ..ordinary(&sscc) }).text();
    for shown in ["12\n", "74464 Tahlequah", "US"] {
        assert!(text.contains(shown), "{shown} is missing in {text}");
    }
    assert!(text.chars().all(|c| c.is_ascii() || c == '\u{c}'), "{text}");
    let sender = lines(["\u{E000}\u{E001}", "\u{E002}", "74464 Tahlequah", "US"]);
    let text = Printed::new(&Label { sender, ..ordinary(&sscc) }).text();
    assert_eq!(text.matches("RET-2026-000123").count(), 2, "{text}");
    assert!(text.contains("RET-2026-000123\n74464 Tahlequah\nUS"), "{text}");
}

#[test]
fn lines_without_spaces_are_wrapped_between_words() {
    let sscc = sscc();
    let street = "東京都千代田区丸の内一丁目九番一号中央ビルディング西館地下二階返品受付窓口東側入口前".repeat(2);
    let receiver = vec!["髙橋".to_owned(), street.clone(), "日本".to_owned()];
    let label = Label { receiver, sender: vec![], receiver_country: "JP", ..ordinary(&sscc) };
    let text = Printed::new(&label).text().replace('\n', "");
    assert!(text.contains(&street), "the text is not cut: {text}");
    let thai = "ถนนพระรามที่สี่แขวงสีลมเขตบางรักกรุงเทพมหานครประเทศไทย".repeat(2);
    let label = Label { receiver: vec!["สมชาย".to_owned(), thai.clone()], sender: vec![], ..ordinary(&sscc) };
    let text = Printed::new(&label).text().replace('\n', "");
    assert!(text.contains(&thai), "the text is not cut: {text}");
}
