//! Recognizes lines that are not goods by their names: tips, fees and duties.
//!
//! A name alone is not enough. It counts only for a line without a SKU that the file does not mark as sent.

/// Words for tips in lower case, in the languages of Shopify's checkout.
const TIPS: &[&str] = &[
    "tip",
    "tips",
    "gratuity",
    "trinkgeld",
    "pourboire",
    "propina",
    "propinas",
    "mancia",
    "fooi",
    "napiwek",
    "gorjeta",
    "gratificação",
    "dricks",
    "drikkepenge",
    "driks",
    "juomaraha",
    "tippi",
    "spropitné",
    "prepitné",
    "bahşiş",
    "borravaló",
    "bacșiș",
    "чаевые",
    "φιλοδώρημα",
    "napojnica",
    "arbatpinigiai",
    "jootraha",
    "إكرامية",
    "בקשיש",
    "טיפ",
    "チップ",
    "小费",
    "小費",
    "팁",
    "ทิป",
    "tiền boa",
    "tip jar",
    "add a tip",
];

/// Words for fees and duties in lower case: the last word of a name in German, English, Dutch and Polish, the first
/// word in Romance languages and Arabic.
const FEES: &[&str] = &[
    "fee",
    "fees",
    "surcharge",
    "charge",
    "duty",
    "duties",
    "gebühr",
    "gebühren",
    "zuschlag",
    "zoll",
    "zollgebühr",
    "zollgebühren",
    "nachnahmegebühr",
    "servicegebühr",
    "bearbeitungsgebühr",
    "nachnahme",
    "toeslag",
    "rembourskosten",
    "invoerrechten",
    "opłata",
    "opłaty",
    "dopłata",
    "frais",
    "supplément",
    "recargo",
    "tasa",
    "comisión",
    "commissione",
    "supplemento",
    "dazio",
    "dazi",
    "رسوم",
];

/// Whether a line with this name, in the shop's spelling, is a tip.
pub fn is_tip(name: &str) -> bool {
    TIPS.contains(&plain(name).as_str())
}

/// Whether a line with this name is a fee or a duty.
pub fn is_fee(name: &str) -> bool {
    let name = plain(name);
    let mut words = name.split_whitespace();
    let (first, last) = (words.next(), words.next_back());
    [first, last].into_iter().flatten().any(|word| FEES.contains(&word))
}

/// The name in lower case, without surrounding punctuation.
fn plain(name: &str) -> String {
    name.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tips_and_fees_are_known_by_whole_words() {
        assert!(
            ["Tip", " TIP ", "Trinkgeld", "Pourboire", "Propina", "Bahşiş", "チップ", "(Fooi)"].into_iter().all(is_tip)
        );
        assert!(!["Tip of the iceberg", "Tipi tent", "Tip top mug", ""].into_iter().any(is_tip));
        let fees =
            ["COD fee", "Gebühr", "Nachnahmegebühr", "Frais de dossier", "Import duties", "Opłata za pobranie", "Fee"];
        assert!(fees.into_iter().all(is_fee));
        assert!(!["Coffee", "Feel good tea", "Feed for cats", "Gift card", "Boat tour", ""].into_iter().any(is_fee));
    }
}
