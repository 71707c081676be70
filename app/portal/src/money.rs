//! Amounts as people read them. Server and browser write them with the same lines.

use crate::words::Live;
use domain::Money;

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

/// An amount: `£35.00`, `−€1,234.50`, `¥1,234`, `KWD 1.250`.
pub fn format(money: Money, words: &Live) -> String {
    let sign = if money.minor < 0 { "\u{2212}" } else { "" };
    let code = money.currency.code();
    let symbol = SYMBOLS.iter().find(|(known, _)| *known == code).map(|(_, symbol)| *symbol);
    let decimal = Money::new(money.minor.saturating_abs(), money.currency).decimal();
    let (whole, rest) = decimal.split_once('.').unwrap_or((&decimal, ""));
    let point = if rest.is_empty() { "" } else { words.decimal };
    let whole = grouped(whole, words);
    match symbol {
        Some(symbol) => format!("{sign}{symbol}{whole}{point}{rest}"),
        None => format!("{sign}{code}\u{a0}{whole}{point}{rest}"),
    }
}

/// A count: `1,200`.
pub fn count(number: u32, words: &Live) -> String {
    grouped(&number.to_string(), words)
}

fn grouped(digits: &str, words: &Live) -> String {
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
    use domain::Currency;

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
        assert_eq!(
            (count(7, &EN), count(1200, &EN), count(123_456, &EN)),
            ("7".into(), "1,200".into(), "123,456".into())
        );
    }
}
