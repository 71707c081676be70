//! The Serial Shipping Container Code (SSCC), the number of a shipment.
//!
//! It follows the GS1 General Specifications: "Identification of a logistic unit (SSCC): AI (00)" (18 digits: extension digit,
//! GS1 Company Prefix, serial reference, check digit) and "Check digit calculations" (modulo 10, weights 3 and 1 from the
//! right).

use std::fmt;
use std::str::FromStr;

/// The digits of a code.
const LENGTH: usize = 18;
/// The digits of company prefix and serial reference together.
const PREFIX_AND_SERIAL: usize = LENGTH - 2;

/// A valid SSCC: 18 digits, the last of which checks the others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sscc(String);

/// Why something is not an SSCC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SsccError {
    /// The company prefix has a wrong length or other characters than digits.
    #[error("a GS1 Company Prefix has 7 to 10 digits")]
    Prefix,
    /// The extension digit is above 9.
    #[error("the extension digit is 0 to 9")]
    Extension,
    /// The serial reference has too many digits for the prefix.
    #[error("the serial number has more than the {0} digits that the company prefix leaves for it")]
    Serial(usize),
    /// Not 18 digits.
    #[error("an SSCC has 18 digits")]
    Digits,
    /// The check digit is wrong.
    #[error("the check digit should be {0}")]
    CheckDigit(char),
}

impl Sscc {
    /// The code of one shipment. GS1 assigns the merchant's `company_prefix`; a `serial` must not be reused within a year of its
    /// last use.
    pub fn new(company_prefix: &str, extension: u8, serial: u64) -> Result<Self, SsccError> {
        if !(7..=10).contains(&company_prefix.len()) || !all_digits(company_prefix) {
            return Err(SsccError::Prefix);
        }
        if extension > 9 {
            return Err(SsccError::Extension);
        }
        let room = PREFIX_AND_SERIAL - company_prefix.len();
        let mut digits = format!("{extension}{company_prefix}{serial:0room$}");
        if digits.len() != LENGTH - 1 {
            return Err(SsccError::Serial(room));
        }
        digits.push(check_digit(&digits));
        Ok(Self(digits))
    }

    /// The code of the `count`th shipment under a prefix. When the serials run out, the extension digit is increased, which the
    /// sender may choose (GS1 General Specifications, "Serial Shipping Container Code").
    pub fn nth(company_prefix: &str, count: u64) -> Result<Self, SsccError> {
        let digits = PREFIX_AND_SERIAL.saturating_sub(company_prefix.len());
        let room = 10_u64.pow(u32::try_from(digits).unwrap_or(0));
        let extension = u8::try_from(count / room).map_err(|_| SsccError::Extension)?;
        Self::new(company_prefix, extension, count % room)
    }

    /// Parses 18 digits, without application identifier and spaces, and verifies the check digit.
    pub fn parse(digits: &str) -> Result<Self, SsccError> {
        let payload = digits.get(..LENGTH - 1).ok_or(SsccError::Digits)?;
        if digits.len() != LENGTH || !all_digits(digits) {
            return Err(SsccError::Digits);
        }
        let check = check_digit(payload);
        if digits.ends_with(check) { Ok(Self(digits.to_owned())) } else { Err(SsccError::CheckDigit(check)) }
    }

    /// The 18 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text below the bars, `(00) 0 9521 2340 0000 0001 8`: the application identifier in parentheses (GS1 General
    /// Specifications, "Human readable interpretation rules"), then extension digit, four groups of four, and check digit.
    /// People make fewer mistakes with groups than with 18 digits in a row.
    pub fn human(&self) -> String {
        let mut text = String::from("(00)");
        for (place, digit) in self.0.chars().enumerate() {
            if place == 0 || place % 4 == 1 {
                text.push(' ');
            }
            text.push(digit);
        }
        text
    }
}

impl fmt::Display for Sscc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Sscc {
    type Err = SsccError;

    fn from_str(digits: &str) -> Result<Self, Self::Err> {
        Self::parse(digits)
    }
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// GS1 modulo 10: weights 3, 1, 3, … from the right. The digit completes the sum to a multiple of ten.
fn check_digit(payload: &str) -> char {
    let digits = payload.chars().rev().filter_map(|digit| digit.to_digit(10));
    let sum: u32 = digits.zip([3, 1].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    char::from_digit((10 - sum % 10) % 10, 10).unwrap_or('0')
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn when_serials_run_out_the_extension_digit_increases() {
        assert_eq!(Sscc::nth("9521234567", 999_999), Sscc::new("9521234567", 0, 999_999));
        assert_eq!(Sscc::nth("9521234567", 1_000_000), Sscc::new("9521234567", 1, 0));
        assert_eq!(Sscc::nth("9521234567", 10_000_000), Err(SsccError::Extension));
    }

    #[test]
    fn the_published_example_is_reproduced() {
        // GS1 EPC Tag Data Standard, SSCC: urn:epc:id:sscc:0614141.1234567890 is (00) 106141412345678908.
        let sscc = Sscc::new("0614141", 1, 234_567_890).unwrap();
        assert_eq!(sscc.to_string(), "106141412345678908");
        assert_eq!(sscc.human(), "(00) 1 0614 1412 3456 7890 8");
    }

    #[test]
    fn invalid_parts_and_digits_are_rejected() {
        assert_eq!(Sscc::new("952123", 0, 1), Err(SsccError::Prefix));
        assert_eq!(Sscc::new("95212345678", 0, 1), Err(SsccError::Prefix));
        assert_eq!(Sscc::new("95212x4", 0, 1), Err(SsccError::Prefix));
        assert_eq!(Sscc::new("9521234", 10, 1), Err(SsccError::Extension));
        assert_eq!(Sscc::new("9521234", 0, 1_000_000_000), Err(SsccError::Serial(9)));
        assert_eq!(Sscc::parse("10614141234567890"), Err(SsccError::Digits));
        assert_eq!(Sscc::parse("1061414123456789é"), Err(SsccError::Digits));
        assert_eq!(Sscc::parse("106141412345678901"), Err(SsccError::CheckDigit('8')));
    }

    proptest! {
        #[test]
        fn a_new_code_can_be_parsed(prefix in "[0-9]{7,10}", extension in 0..=9_u8, serial in 0..1_000_000_u64) {
            let sscc = Sscc::new(&prefix, extension, serial).unwrap();
            prop_assert_eq!(sscc.as_str().len(), 18);
            prop_assert!(sscc.as_str().get(1..).unwrap().starts_with(&prefix));
            prop_assert_eq!(Sscc::parse(sscc.as_str()), Ok(sscc.clone()));
            let typed: String = sscc.human().chars().skip(4).filter(|c| *c != ' ').collect();
            prop_assert_eq!(typed, sscc.to_string());
        }

        #[test]
        fn one_wrong_digit_is_detected(payload in "[0-9]{17}", place in 0..18_usize, by in 1..=9_u32) {
            let right = format!("{payload}{}", check_digit(&payload));
            let wrong: String = right.chars().enumerate().map(|(at, digit)| {
                let value = digit.to_digit(10).unwrap();
                char::from_digit(if at == place { (value + by) % 10 } else { value }, 10).unwrap()
            }).collect();
            prop_assert!(Sscc::parse(&right).is_ok());
            prop_assert!(matches!(Sscc::parse(&wrong), Err(SsccError::CheckDigit(_))));
        }
    }
}
