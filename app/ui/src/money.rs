//! Amounts, percentages and counts as people write them. Server and browser share this code.

use crate::{text, words::NumberWords};
use domain::{Currency, Money, Percent};

/// Symbols that are unambiguous, or customary where our languages are spoken. Other currencies show their code.
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
pub fn format(money: Money, words: &impl NumberWords) -> String {
    signed(if money.minor < 0 { words.minus() } else { "" }, money, words)
}

/// Zero, as the lower end of a range: `£0`.
pub fn format_zero(currency: Currency, words: &impl NumberWords) -> String {
    with_symbol("", "0", currency, words)
}

fn signed(sign: &str, money: Money, words: &impl NumberWords) -> String {
    let decimal = Money::new(money.minor.saturating_abs(), money.currency).decimal();
    let (whole, rest) = decimal.split_once('.').unwrap_or((&decimal, ""));
    let point = if rest.is_empty() { "" } else { words.decimal() };
    let whole = grouped(whole, words);
    with_symbol(sign, &format!("{whole}{point}{rest}"), money.currency, words)
}

fn with_symbol(sign: &str, number: &str, currency: Currency, words: &impl NumberWords) -> String {
    let code = currency.code();
    let symbol = SYMBOLS.iter().find(|(known, _)| *known == code).map(|(_, symbol)| *symbol);
    match symbol {
        Some(symbol) if words.amount() == "{0}{1}" => format!("{sign}{symbol}{number}"),
        None if words.amount() == "{0}{1}" => format!("{sign}{code}\u{a0}{number}"),
        symbol => text::format(words.amount(), &[symbol.unwrap_or(code), &format!("{sign}{number}")]),
    }
}

/// A percentage without its sign: `10`, `7.5`.
pub fn percent(percent: Percent, words: &impl NumberWords) -> String {
    let hundredths = percent.hundredths();
    let decimals = format!("{:02}", hundredths % 100);
    match decimals.trim_end_matches('0') {
        "" => (hundredths / 100).to_string(),
        decimals => format!("{}{}{decimals}", hundredths / 100, words.decimal()),
    }
}

/// A count: `1,200`.
pub fn count(number: u32, words: &impl NumberWords) -> String {
    grouped(&number.to_string(), words)
}

fn grouped(digits: &str, words: &impl NumberWords) -> String {
    if digits.len() < words.least_grouped().parse().unwrap_or(0) {
        return digits.to_owned();
    }
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push_str(words.group());
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    struct English;

    impl NumberWords for English {
        fn decimal(&self) -> &'static str {
            "."
        }
        fn group(&self) -> &'static str {
            ","
        }
        fn least_grouped(&self) -> &'static str {
            "4"
        }
        fn minus(&self) -> &'static str {
            "\u{2212}"
        }
        fn amount(&self) -> &'static str {
            "{0}{1}"
        }
    }

    #[test]
    fn amounts_are_formatted() {
        for (code, minor, text) in [
            ("GBP", 3500, "£35.00"),
            ("EUR", 123_450, "€1,234.50"),
            ("EUR", -495, "−€4.95"),
            ("JPY", 1_234_567, "¥1,234,567"),
            ("KWD", 1250, "KWD\u{a0}1.250"),
            ("USD", 0, "$0.00"),
            ("CHF", -100_000, "−CHF\u{a0}1,000.00"),
        ] {
            assert_eq!(format(Money::new(minor, Currency::from_code(code).unwrap()), &English), text);
        }
        assert_eq!(format_zero(Currency::from_code("GBP").unwrap(), &English), "£0");
        assert_eq!(
            (count(7, &English), count(1200, &English), count(123_456, &English)),
            ("7".into(), "1,200".into(), "123,456".into())
        );
    }
}
