//! Percentages.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// 100 %, in hundredths of a percent.
const WHOLE: u32 = 10_000;
/// More than the rounding error of a float up to [`WHOLE`], less than any finer figure that people write.
const FLOAT_ERROR: f64 = 1e-6;

/// A percentage from 0 to 100, kept in hundredths of a percent. In JSON a number: `15`, `7.5`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent(u32);

impl Percent {
    /// From hundredths of a percent: 1500 is 15 %. `None` above 100 %.
    pub fn from_hundredths(hundredths: u32) -> Option<Self> {
        (hundredths <= WHOLE).then_some(Self(hundredths))
    }

    /// In hundredths of a percent.
    pub fn hundredths(self) -> u32 {
        self.0
    }

    /// The share of `minor` (not negative), rounded down: for what a consumer pays.
    pub fn of_rounded_down(self, minor: i64) -> i64 {
        i64::try_from(i128::from(minor) * i128::from(self.0) / i128::from(WHOLE)).unwrap_or(i64::MAX)
    }

    /// The share of `minor` (not negative), rounded up: for what a consumer receives.
    pub fn of_rounded_up(self, minor: i64) -> i64 {
        i64::try_from((i128::from(minor) * i128::from(self.0) + i128::from(WHOLE - 1)) / i128::from(WHOLE))
            .unwrap_or(i64::MAX)
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
        // A float is close enough to every hundredth up to 100 to tell it from a finer figure.
        if !(0.0..=f64::from(WHOLE)).contains(&rounded) || (hundredths - rounded).abs() > FLOAT_ERROR {
            return Err(D::Error::custom("expected a percentage from 0 to 100 with at most two decimals"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be 0 to 10,000")]
        Ok(Self(rounded as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_round_in_the_consumers_favour() {
        let percent: Percent = serde_json::from_str("7.5").unwrap();
        assert_eq!((percent.of_rounded_down(333), percent.of_rounded_up(333)), (24, 25));
        for bad in ["-1", "100.01", "1.234"] {
            assert!(serde_json::from_str::<Percent>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn percentages_are_written_as_they_are_read() {
        for text in ["0", "15", "7.5", "0.01", "99.99", "100"] {
            assert_eq!(serde_json::to_string(&serde_json::from_str::<Percent>(text).unwrap()).unwrap(), text);
        }
        assert_eq!(Percent::from_hundredths(10_000).map(Percent::hundredths), Some(10_000));
        assert_eq!(Percent::from_hundredths(10_001), None);
    }
}
