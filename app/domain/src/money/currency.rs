//! Currencies of ISO 4217.

use crate::base::refusal::{Refusal, RefusalCode};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::{fmt, str::FromStr};

/// A currency in use, by its ISO 4217 alphabetic code. It knows its number of decimals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

/// Codes of ISO 4217 list one by number of decimals, without metals, test codes and funds codes that have no decimals.
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

    /// Every currency, ordered by number of decimals.
    pub fn all() -> impl Iterator<Item = Self> {
        CODES_BY_EXPONENT.iter().flat_map(|(_, codes)| codes.split_ascii_whitespace()).filter_map(Self::from_code)
    }

    /// The alphabetic code, such as `EUR`.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Decimals of the minor unit: 2 for EUR, 0 for JPY, 3 for KWD.
    pub fn exponent(self) -> u32 {
        // Equal to the list (a test compares them), without searching the list for each amount.
        match &self.0 {
            b"BIF" | b"CLP" | b"DJF" | b"GNF" | b"ISK" | b"JPY" | b"KMF" | b"KRW" | b"PYG" | b"RWF" | b"UGX"
            | b"UYI" | b"VND" | b"VUV" | b"XAF" | b"XOF" | b"XPF" => 0,
            b"BHD" | b"IQD" | b"JOD" | b"KWD" | b"LYD" | b"OMR" | b"TND" => 3,
            b"CLF" | b"UYW" => 4,
            _ => 2,
        }
    }
}

/// Bytes from one code of the list to the next.
const CODE_STRIDE: usize = 4;

fn exponent(code: [u8; 3]) -> Option<u32> {
    // This runs for every row that is read, so it compares bytes.
    let (exponent, _) = CODES_BY_EXPONENT
        .iter()
        .find(|(_, codes)| codes.as_bytes().chunks(CODE_STRIDE).any(|known| known.starts_with(&code)))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Money;

    fn currency(code: &str) -> Currency {
        Currency::from_code(code).unwrap()
    }

    #[test]
    fn a_currency_reads_as_its_code() {
        let yen = currency("JPY");
        assert_eq!((yen.to_string(), format!("{yen:?}")), ("JPY".to_owned(), "JPY".to_owned()));
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
}
