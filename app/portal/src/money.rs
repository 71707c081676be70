//! Amounts as people read them. Server and browser write them with the same lines.

use crate::words::{Live, format};
use domain::{Currency, Money, Percent};

/// Signs that stand for one currency only, or are at home where our languages are spoken. Others show their code.
const SYMBOLS: [(&str, &str); 18] = [
    ("EUR", "€"),
    ("GBP", "£"),
    ("USD", "$"),
    ("JPY", "¥"),
    ("INR", "₹"),
    ("ILS", "₪"),
    ("KRW", "₩"),
    ("VND", "₫"),
    ("PHP", "₱"),
    ("AUD", "A$"),
    ("CAD", "CA$"),
    ("NZD", "NZ$"),
    ("HKD", "HK$"),
    ("TWD", "NT$"),
    ("MXN", "MX$"),
    ("BRL", "R$"),
    ("CNY", "CN¥"),
    ("XCD", "EC$"),
];

/// An amount: `£35.00`, `−€1,234.50`, `¥1,234`, `KWD 1.250`, or `1.234,50 €`.
pub fn format(money: Money, words: &Live) -> String {
    signed(if money.minor < 0 { words.minus } else { "" }, money, words)
}

/// Nothing, as the lower end of a range: `£0`.
pub fn format_zero(currency: Currency, words: &Live) -> String {
    with_symbol("", "0", currency, words)
}

fn signed(sign: &str, money: Money, words: &Live) -> String {
    let decimal = Money::new(money.minor.saturating_abs(), money.currency).decimal();
    let (whole, rest) = decimal.split_once('.').unwrap_or((&decimal, ""));
    let point = if rest.is_empty() { "" } else { words.decimal };
    let whole = grouped(whole, words);
    with_symbol(sign, &format!("{whole}{point}{rest}"), money.currency, words)
}

fn with_symbol(sign: &str, number: &str, currency: Currency, words: &Live) -> String {
    let code = currency.code();
    let symbol = SYMBOLS.iter().find(|(known, _)| *known == code).map(|(_, symbol)| *symbol);
    match symbol {
        Some(symbol) if words.amount == "{0}{1}" => format!("{sign}{symbol}{number}"),
        None if words.amount == "{0}{1}" => format!("{sign}{code}\u{a0}{number}"),
        symbol => format(words.amount, &[symbol.unwrap_or(code), &format!("{sign}{number}")]),
    }
}

/// A percentage without its sign: `10`, `7.5`.
pub fn percent(percent: Percent, words: &Live) -> String {
    let hundredths = percent.hundredths();
    let decimals = format!("{:02}", hundredths % 100);
    match decimals.trim_end_matches('0') {
        "" => (hundredths / 100).to_string(),
        decimals => format!("{}{}{decimals}", hundredths / 100, words.decimal),
    }
}

/// A count: `1,200`.
pub fn count(number: u32, words: &Live) -> String {
    grouped(&number.to_string(), words)
}

fn grouped(digits: &str, words: &Live) -> String {
    if digits.len() < words.least_grouped.parse().unwrap_or(0) {
        return digits.to_owned();
    }
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(words.group);
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::live::EN;

    #[test]
    fn amounts_are_written_as_people_do() {
        for (code, minor, text) in [
            ("GBP", 3500, "£35.00"),
            ("EUR", 123_450, "€1,234.50"),
            ("EUR", -495, "−€4.95"),
            ("JPY", 1_234_567, "¥1,234,567"),
            ("KWD", 1250, "KWD\u{a0}1.250"),
            ("USD", 0, "$0.00"),
            ("CHF", -100_000, "−CHF\u{a0}1,000.00"),
        ] {
            assert_eq!(format(Money::new(minor, Currency::from_code(code).unwrap()), &EN), text);
        }
        assert_eq!(format_zero(Currency::from_code("GBP").unwrap(), &EN), "£0");
        assert_eq!(
            (count(7, &EN), count(1200, &EN), count(123_456, &EN)),
            ("7".into(), "1,200".into(), "123,456".into())
        );
    }

    #[test]
    #[cfg(feature = "ssr")]
    fn each_language_writes_amounts_its_own_way() {
        use crate::words::{Language, Words};
        let euros = |language: Language, minor| {
            format(Money::new(minor, Currency::from_code("EUR").unwrap()), Words::of(language).live())
        };
        for (language, small, large) in [
            (Language::De, "1.234,50\u{a0}€", "12.345,00\u{a0}€"),
            (Language::Nl, "€\u{a0}1.234,50", "€\u{a0}12.345,00"),
            (Language::Fr, "1\u{202f}234,50\u{a0}€", "12\u{202f}345,00\u{a0}€"),
            (Language::Es, "1234,50\u{a0}€", "12.345,00\u{a0}€"),
            (Language::Pl, "1234,50\u{a0}€", "12\u{a0}345,00\u{a0}€"),
            (Language::It, "1.234,50\u{a0}€", "12.345,00\u{a0}€"),
            (Language::Ar, "\u{200f}1,234.50\u{a0}€", "\u{200f}12,345.00\u{a0}€"),
        ] {
            assert_eq!((euros(language, 123_450), euros(language, 1_234_500)), (small.into(), large.into()));
        }
        assert_eq!(euros(Language::Nl, -495), "€\u{a0}−4,95");
        let dinars = Money::new(1250, Currency::from_code("KWD").unwrap());
        assert_eq!(format(dinars, Words::of(Language::De).live()), "1,250\u{a0}KWD");
    }
}
