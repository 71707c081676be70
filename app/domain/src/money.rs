//! Money: whole minor units of an ISO 4217 currency. No floating point anywhere.

use crate::{Refusal, RefusalCode};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// A currency in use, by its ISO 4217 alphabetic code. Knows how many decimals it has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

/// ISO 4217 list one, without funds without decimals, metals and test codes: codes by exponent.
const CODES_BY_EXPONENT: [(u32, &str); 4] = [
    (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
    (
        2,
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE \
         CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD \
         HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP \
         MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD \
         SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS \
         VED VES WST XCD XCG YER ZAR ZMW ZWG",
    ),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
    (4, "CLF UYW"),
];

impl Currency {
    /// The currency with this code, upper case; `None` for what ISO 4217 does not list.
    pub fn from_code(code: &str) -> Option<Self> {
        let bytes: [u8; 3] = code.as_bytes().try_into().ok()?;
        exponent(bytes).map(|_| Self(bytes))
    }

    /// Every currency there is, in the order of exponents.
    pub fn all() -> impl Iterator<Item = Self> {
        CODES_BY_EXPONENT.iter().flat_map(|(_, codes)| codes.split_ascii_whitespace()).filter_map(Self::from_code)
    }

    /// The alphabetic code, such as `EUR`.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Decimals of the minor unit: 2 for EUR, 0 for JPY, 3 for KWD.
    pub fn exponent(self) -> u32 {
        // The same as the list says (tested), without a walk through it for each amount.
        match &self.0 {
            b"BIF" | b"CLP" | b"DJF" | b"GNF" | b"ISK" | b"JPY" | b"KMF" | b"KRW" | b"PYG" | b"RWF" | b"UGX"
            | b"UYI" | b"VND" | b"VUV" | b"XAF" | b"XOF" | b"XPF" => 0,
            b"BHD" | b"IQD" | b"JOD" | b"KWD" | b"LYD" | b"OMR" | b"TND" => 3,
            b"CLF" | b"UYW" => 4,
            _ => 2,
        }
    }
}

fn exponent(code: [u8; 3]) -> Option<u32> {
    // Each code is three letters and a space: every row that is read asks for its own.
    let (exponent, _) =
        CODES_BY_EXPONENT.iter().find(|(_, codes)| codes.as_bytes().chunks(4).any(|known| known.starts_with(&code)))?;
    Some(*exponent)
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = Refusal;
    fn from_str(code: &str) -> Result<Self, Refusal> {
        Self::from_code(code)
            .ok_or_else(|| Refusal::new(RefusalCode::NotAllowed, "expected a currency code of ISO 4217, such as EUR"))
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = std::borrow::Cow::<str>::deserialize(deserializer)?;
        code.parse().map_err(D::Error::custom)
    }
}

/// An amount: whole minor units (cents, yen, fils) and their currency.
/// In JSON `{"value": "12.50", "currency": "EUR"}`, with exactly the currency's decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    /// Minor units; negative for what is taken off.
    pub minor: i64,
    /// The currency of the amount (ISO 4217).
    pub currency: Currency,
}

impl Money {
    /// An amount in minor units.
    pub const fn new(minor: i64, currency: Currency) -> Self {
        Self { minor, currency }
    }

    /// Parses a decimal such as `12.5` or `-3`. More decimals than the currency has are accepted only when
    /// they are zeros: nothing is rounded silently.
    pub fn parse(value: &str, currency: Currency) -> Result<Self, Refusal> {
        parse_minor(value, currency.exponent()).map(|minor| Self { minor, currency }).ok_or_else(|| {
            let message = format!("expected an amount such as {} in {currency}", Self::new(1250, currency).decimal());
            Refusal::new(RefusalCode::OutOfRange, message)
        })
    }

    /// As a decimal with a point and all decimals: `12.50`, `-3`, `0.005`.
    pub fn decimal(self) -> String {
        let exponent = self.currency.exponent();
        let sign = if self.minor < 0 { "-" } else { "" };
        let unit = 10_u64.pow(exponent);
        let (whole, rest) = (self.minor.unsigned_abs() / unit, self.minor.unsigned_abs() % unit);
        if exponent == 0 {
            return format!("{sign}{whole}");
        }
        format!("{sign}{whole}.{rest:0width$}", width = exponent as usize)
    }
}

fn parse_minor(value: &str, exponent: u32) -> Option<i64> {
    let (negative, digits) = value.strip_prefix('-').map_or((false, value), |rest| (true, rest));
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(rest) || (digits.contains('.') && rest.is_empty()) {
        return None;
    }
    let exponent = exponent as usize;
    let (kept, extra) = rest.split_at_checked(exponent.min(rest.len()))?;
    if extra.bytes().any(|byte| byte != b'0') {
        return None;
    }
    let minor: i64 = format!("{whole}{kept:0<exponent$}").parse().ok()?;
    Some(if negative { -minor } else { minor })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoneyJson<'a> {
    #[serde(borrow)]
    value: std::borrow::Cow<'a, str>,
    currency: Currency,
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MoneyJson { value: self.decimal().into(), currency: self.currency }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let MoneyJson { value, currency } = MoneyJson::deserialize(deserializer)?;
        Self::parse(&value, currency).map_err(D::Error::custom)
    }
}

/// One amount a currency, for fees and prices. Where a currency has none, the fee is not charged and the
/// option is not offered: nothing is converted. In JSON a list of amounts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prices(BTreeMap<Currency, i64>);

impl Prices {
    /// The amounts, one a currency. A currency twice, or an amount below 0, is refused.
    pub fn new(amounts: impl IntoIterator<Item = Money>) -> Result<Self, Refusal> {
        let mut prices = BTreeMap::new();
        for Money { minor, currency } in amounts {
            if minor < 0 {
                return Err(Refusal::new(
                    RefusalCode::OutOfRange,
                    format!("expected amounts of 0 or more, that in {currency} is less"),
                ));
            }
            if prices.insert(currency, minor).is_some() {
                return Err(Refusal::new(
                    RefusalCode::Mismatch,
                    format!("expected one amount a currency, {currency} has several"),
                ));
            }
        }
        Ok(Self(prices))
    }

    /// The amount in a currency, in minor units.
    pub fn minor(&self, currency: Currency) -> Option<i64> {
        self.0.get(&currency).copied()
    }

    /// Every amount, by currency.
    pub fn iter(&self) -> impl Iterator<Item = Money> {
        self.0.iter().map(|(&currency, &minor)| Money { minor, currency })
    }
}

/// The largest amount that is taken in, minor units: the sum of 10,000 such amounts still fits 64 bits.
pub const MAX_AMOUNT: i64 = 100_000_000_000_000;

impl crate::Problems {
    /// Notes prices that no sum could hold.
    pub fn check_prices(&mut self, field: &str, prices: &Prices) {
        for money in prices.iter().filter(|money| money.minor > MAX_AMOUNT) {
            let most = Money::new(MAX_AMOUNT, money.currency).decimal();
            self.add(field, RefusalCode::OutOfRange, format!("expected at most {most} {}", money.currency));
        }
    }
}

impl Serialize for Prices {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Prices {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::<Money>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A percentage from 0 to 100, kept in hundredths of a percent. In JSON a number: `15`, `7.5`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u32);

impl Percent {
    /// From hundredths of a percent: 1500 is 15 %. `None` above 100 %.
    pub fn from_hundredths(hundredths: u32) -> Option<Self> {
        (hundredths <= 10_000).then_some(Self(hundredths))
    }

    /// In hundredths of a percent.
    pub fn hundredths(self) -> u32 {
        self.0
    }

    /// The share of `minor` (not negative), rounded down: for what is taken from a consumer.
    pub fn of_rounded_down(self, minor: i64) -> i64 {
        i64::try_from(i128::from(minor) * i128::from(self.0) / 10_000).unwrap_or(i64::MAX)
    }

    /// The share of `minor` (not negative), rounded up: for what is given to a consumer.
    pub fn of_rounded_up(self, minor: i64) -> i64 {
        i64::try_from((i128::from(minor) * i128::from(self.0) + 9_999) / 10_000).unwrap_or(i64::MAX)
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(100) {
            serializer.serialize_u32(self.0 / 100)
        } else {
            serializer.serialize_f64(f64::from(self.0) / 100.0)
        }
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hundredths = f64::deserialize(deserializer)? * 100.0;
        let rounded = hundredths.round();
        // A float holds every hundredth up to 100 closely enough to tell it from a finer figure.
        if !(0.0..=10_000.0).contains(&rounded) || (hundredths - rounded).abs() > 1e-6 {
            return Err(D::Error::custom("expected a percentage from 0 to 100 with at most two decimals"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be 0 to 10,000")]
        Ok(Self(rounded as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    #[test]
    fn decimals_follow_the_currency() {
        for (code, minor, text) in
            [("EUR", 1250, "12.50"), ("JPY", 1250, "1250"), ("KWD", 5, "0.005"), ("CLF", -1, "-0.0001")]
        {
            assert_eq!(Money::new(minor, currency(code)).decimal(), text);
        }
        for (listed, codes) in CODES_BY_EXPONENT {
            assert!(codes.split(' ').all(|code| currency(code).exponent() == listed));
        }
        assert!(Currency::from_code("XAU").is_none() && Currency::from_code("eur").is_none());
    }

    #[test]
    fn nothing_is_rounded_silently() {
        let eur = currency("EUR");
        assert_eq!(Money::parse("12.5", eur).unwrap().minor, 1250);
        assert_eq!(Money::parse("12.5000", eur).unwrap().minor, 1250);
        for bad in ["12.505", "", ".", "1.", ".5", "1e3", "+1", "--1", "99999999999999999999", "１"] {
            assert!(Money::parse(bad, eur).is_err(), "{bad}");
        }
        assert!(Money::parse("1.5", currency("JPY")).is_err());
    }

    #[test]
    fn percentages_round_in_the_consumers_favour() {
        let percent: Percent = serde_json::from_str("7.5").unwrap();
        assert_eq!((percent.of_rounded_down(333), percent.of_rounded_up(333)), (24, 25));
        for bad in ["-1", "100.01", "1.234"] {
            assert!(serde_json::from_str::<Percent>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_currency_reads_as_its_code() {
        let yen = currency("JPY");
        assert_eq!((yen.to_string(), format!("{yen:?}")), ("JPY".to_owned(), "JPY".to_owned()));
    }

    #[test]
    fn percentages_are_written_as_they_are_read() {
        for text in ["0", "15", "7.5", "0.01", "99.99", "100"] {
            assert_eq!(serde_json::to_string(&serde_json::from_str::<Percent>(text).unwrap()).unwrap(), text);
        }
        assert_eq!(Percent::from_hundredths(10_000).map(Percent::hundredths), Some(10_000));
        assert_eq!(Percent::from_hundredths(10_001), None);
    }

    #[test]
    fn prices_are_read_and_bounded() {
        let text = r#"[{"value":"1.00","currency":"EUR"},{"value":"150","currency":"JPY"}]"#;
        let prices: Prices = serde_json::from_str(text).unwrap();
        let minor = ["EUR", "JPY", "USD"].map(|code| prices.minor(currency(code)));
        assert_eq!((minor, prices.iter().count()), ([Some(100), Some(150), None], 2));
        assert_eq!(serde_json::to_string(&prices).unwrap(), text);
        for (amount, expected) in [(MAX_AMOUNT, vec![]), (MAX_AMOUNT + 1, vec!["fee"])] {
            let mut problems = crate::Problems::default();
            problems.check_prices("fee", &Prices::new([Money::new(amount, currency("EUR"))]).unwrap());
            let fields: Vec<&str> = problems.0.iter().map(|(field, _)| field.as_str()).collect();
            assert_eq!(fields, expected, "{amount}");
        }
    }

    #[test]
    fn prices_hold_one_amount_a_currency() {
        let twice = r#"[{"value":"1.00","currency":"EUR"},{"value":"2.00","currency":"EUR"}]"#;
        assert!(serde_json::from_str::<Prices>(twice).is_err());
        assert!(serde_json::from_str::<Prices>(r#"[{"value":"-1.00","currency":"EUR"}]"#).is_err());
    }

    proptest! {
        #[test]
        fn every_amount_of_every_currency_survives_json(
            minor in -9_000_000_000_000_000_i64..9_000_000_000_000_000,
            currency in prop::sample::select(Currency::all().collect::<Vec<_>>()),
        ) {
            let money = Money::new(minor, currency);
            let json = serde_json::to_string(&money).unwrap();
            prop_assert_eq!(serde_json::from_str::<Money>(&json).unwrap(), money);
        }
    }
}
