//! Recognizes lines that are not goods by their names: tips, fees, duties, postage and vouchers.
//!
//! A line is one only if its whole name says so, apart from an amount, a percentage, text in brackets and text after a
//! colon: `Tip (10%)`, `COD fee 3.50 EUR`, `Surcharge: bulky`. A name that contains such a word among others, as in
//! `Heavy duty` or `Fitbit Charge`, is that of goods. A name counts only for a line without a SKU that the file does not
//! mark as sent.

mod words;

use domain::order::IneligibleCode;
use words::{FEE_ENDINGS, FEES, FEES_WITH_DETAILS, KINDS_OF_DUTIES, KINDS_OF_FEES, LINKS, TIPS, UNITS, VOUCHERS};

/// A longer name, in bytes, is that of goods.
const MAX_NAME: usize = 120;

/// Whether a line needs a parcel, and why it can never be returned, if so. `told`: what its source says about the
/// parcel.
pub(crate) fn shipping_of(name: &str, sku: &str, told: Option<bool>) -> (bool, Option<IneligibleCode>) {
    if told == Some(true) || !sku.is_empty() {
        return (told.unwrap_or(true), None);
    }
    let Some(name) = BareName::of(name) else { return (told.unwrap_or(true), None) };
    if name.is_tip() || name.is_fee() {
        return (false, Some(IneligibleCode::NotShippable));
    }
    (told.unwrap_or(!name.is_voucher()), None)
}

/// Whether a line with this name, in the shop's spelling, is a tip.
pub fn is_tip(name: &str) -> bool {
    BareName::of(name).is_some_and(|name| name.is_tip())
}

/// The words of a name in lower case, without amounts and what stands in brackets or after a colon.
struct BareName(Vec<String>);

impl BareName {
    /// `None` if the name is too long for a charge.
    fn of(name: &str) -> Option<Self> {
        if name.len() > MAX_NAME {
            return None;
        }
        let name = name.to_lowercase();
        let name = name.split([':', '：']).next().unwrap_or_default();
        let outside = without_brackets(name);
        let is_all_in_brackets = !outside.chars().any(char::is_alphanumeric);
        let text = if is_all_in_brackets { name } else { outside.as_str() };
        let words: Vec<&str> = text.split_whitespace().map(bare_word).filter(|word| !word.is_empty()).collect();
        let word = |index: Option<usize>| index.and_then(|index| words.get(index)).copied().unwrap_or_default();
        let is_amount = |index: usize| {
            let (here, beside) = (word(Some(index)), [word(index.checked_sub(1)), word(Some(index + 1))]);
            is_whole_amount(here)
                || (is_number(here) && beside.into_iter().any(is_unit))
                || (is_unit(here) && beside.into_iter().any(is_number))
        };
        Some(Self(
            (0..words.len()).filter(|&index| !is_amount(index)).map(|index| word(Some(index)).to_owned()).collect(),
        ))
    }

    fn whole(&self) -> String {
        self.0.join(" ")
    }

    fn is_tip(&self) -> bool {
        TIPS.contains(&self.whole().as_str())
    }

    fn is_voucher(&self) -> bool {
        VOUCHERS.contains(&self.whole().as_str())
    }

    fn is_fee(&self) -> bool {
        let words: Vec<&str> = self.0.iter().map(String::as_str).collect();
        FEES.contains(&self.whole().as_str()) || is_kind_and_fee(&words) || is_fee_with_details(&words)
    }
}

/// A fee after its kind, as in English, German and Dutch: `import duties`, `COD fee`, `DHL Expresszuschlag`.
fn is_kind_and_fee(words: &[&str]) -> bool {
    let Some((last, kinds)) = words.split_last() else { return false };
    let known = match *last {
        "duty" | "duties" => KINDS_OF_DUTIES,
        "charge" | "charges" if kinds.is_empty() => return false, // a power bank
        "fee" | "fees" | "surcharge" | "surcharges" | "charge" | "charges" => KINDS_OF_FEES,
        word if FEE_ENDINGS.iter().any(|ending| word.ends_with(ending)) => KINDS_OF_FEES,
        _ => return false,
    };
    kinds.iter().all(|kind| known.contains(kind))
}

/// A fee before what it is for, as in Romance languages and Polish: `frais de dossier`, `opłata za pobranie`.
fn is_fee_with_details(words: &[&str]) -> bool {
    let [first, link, _, ..] = words else {
        // `frais d'expédition`
        return matches!(words, [first, rest] if FEES_WITH_DETAILS.contains(first) && starts_with_article(rest));
    };
    FEES_WITH_DETAILS.contains(first) && (LINKS.contains(link) || starts_with_article(link))
}

fn starts_with_article(word: &str) -> bool {
    ["d'", "d’", "dell'", "dell’", "all'", "all’"].into_iter().any(|article| word.starts_with(article))
}

/// The word without punctuation around it, except for signs of amounts.
fn bare_word(word: &str) -> &str {
    word.trim_matches(|sign: char| !(sign.is_alphanumeric() || UNITS.iter().any(|unit| unit.starts_with(sign))))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|sign: char| sign.is_ascii_digit())
        && word.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '.' | ','))
}

fn is_unit(word: &str) -> bool {
    UNITS.contains(&word)
}

/// An amount in one word: `5.00`, `€5`, `10%`, `5eur`. A whole number alone may be part of a name.
fn is_whole_amount(word: &str) -> bool {
    let is_decimal = |number: &str| {
        number.rsplit_once(['.', ',']).is_some_and(|(_, decimals)| matches!(decimals.len(), 1 | 2)) && is_number(number)
    };
    let without_unit = UNITS.iter().find_map(|unit| word.strip_suffix(unit).or_else(|| word.strip_prefix(unit)));
    is_decimal(word) || without_unit.is_some_and(is_number)
}

fn without_brackets(name: &str) -> String {
    let mut depth = 0_u32;
    let mut outside = String::with_capacity(name.len());
    for sign in name.chars() {
        match sign {
            '(' | '[' | '{' | '（' => depth += 1,
            ')' | ']' | '}' | '）' => {
                depth = depth.saturating_sub(1);
                outside.push(' ');
            }
            _ if depth == 0 => outside.push(sign),
            _ => {}
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_charge(name: &str) -> bool {
        shipping_of(name, "", None) == (false, Some(IneligibleCode::NotShippable))
    }

    #[test]
    fn a_tip_is_known_by_its_whole_name() {
        for name in [
            "Tip",
            " TIP ",
            "Trinkgeld",
            "Pourboire",
            "Propina",
            "Bahşiş",
            "チップ",
            "(Fooi)",
            "Tip (10%)",
            "Tip 10%",
            "Tip 10 %",
            "Tip - 10%",
            "Gratuity 18%",
            "Tip €5",
            "Tip 5.00",
            "Tip 5 EUR",
            "Tip: 10%",
            "Driver tip",
            "Tip (for the team)",
        ] {
            assert!(is_tip(name) && is_charge(name), "{name}");
        }
        for name in ["Tip of the iceberg", "Tipi tent", "Tip top mug", "Tip 5", "Felt tip pen", ""] {
            assert!(!is_tip(name) && !is_charge(name), "{name}");
        }
    }

    #[test]
    fn a_fee_is_known_by_its_whole_name() {
        for name in [
            "COD fee",
            "Gebühr",
            "Nachnahmegebühr",
            "Frais de dossier",
            "Import duties",
            "Opłata za pobranie",
            "Fee",
            "Handling fee (EU)",
            "Surcharge: bulky",
            "Versandkosten",
            "Versandkosten (DHL)",
            "Service charge 10%",
            "Import Duty",
            "Duties and taxes",
            "Zoll",
            "Porto- und Versandkosten",
            "Expresszuschlag",
            "Express-Zuschlag",
            "Frais d'expédition",
            "Frais de port",
            "Gastos de envío",
            "Spese di spedizione",
            "Verzendkosten",
            "Rembourskosten",
            "رسوم الشحن",
            "Delivery fee 4,90 €",
            "Shipping & handling",
            "Postage",
            "Toeslag",
        ] {
            assert!(is_charge(name), "{name}");
        }
    }

    #[test]
    fn a_name_that_contains_a_word_for_a_fee_is_that_of_goods() {
        for name in [
            "Heavy duty",
            "Heavy duty gloves",
            "Jus frais",
            "Fromage frais",
            "Frais",
            "Fitbit Charge",
            "Fitbit Charge 5",
            "Charge 5 Tracker",
            "Charge",
            "Charge (black)",
            "Duty free perfume",
            "Call of Duty",
            "Coffee",
            "Feel good tea",
            "Feed for cats",
            "Boat tour",
            "Monitor 24 Zoll",
            "24 Zoll",
            "Supplément de protéines",
            "Supplemento di vitamina C",
            "Free shipping mug",
            "رسوم متحركة",
            "Covfefe",
            "Post card",
            "",
        ] {
            assert_eq!(shipping_of(name, "", None), (true, None), "{name}");
        }
    }

    #[test]
    fn a_voucher_needs_no_parcel_unless_it_is_said() {
        for name in [
            "Voucher",
            "Voucher 50 €",
            "Gift card",
            "Gutschein (50 EUR)",
            "Carte cadeau",
            "Cadeaubon",
            "Gift voucher: Anna",
        ] {
            assert_eq!(shipping_of(name, "", None), (false, None), "{name}");
            assert_eq!(shipping_of(name, "", Some(true)), (true, None), "{name}");
            assert_eq!(shipping_of(name, "GIFT-50", None), (true, None), "{name}");
        }
        assert_eq!(shipping_of("Voucher holder", "", None), (true, None));
    }

    #[test]
    fn a_sku_or_a_parcel_makes_goods_of_a_line() {
        assert_eq!(shipping_of("Tip", "TIP", None), (true, None));
        assert_eq!(shipping_of("Tip", "", Some(true)), (true, None));
        assert_eq!(shipping_of("Tip", "TIP", Some(false)), (false, None));
        assert_eq!(shipping_of("E-book", "", Some(false)), (false, None));
    }
}
