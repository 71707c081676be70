//! Moments in time.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

const MICROS_PER_SECOND: i64 = 1_000_000;
const SECONDS_PER_HOUR: i64 = 3_600;
const SECONDS_PER_DAY: i64 = 24 * SECONDS_PER_HOUR;

/// A moment in UTC, in whole microseconds since 1970, which both databases store exactly. RFC 3339 in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From microseconds since 1970-01-01T00:00:00Z.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// From seconds since 1970-01-01T00:00:00Z.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MICROS_PER_SECOND))
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(MICROS_PER_SECOND)
    }

    /// The moment `days` times 24 hours later.
    #[must_use]
    pub const fn plus_days(self, days: u32) -> Self {
        self.plus_seconds(days as i64 * SECONDS_PER_DAY)
    }

    /// The moment `hours` later.
    #[must_use]
    pub const fn plus_hours(self, hours: u32) -> Self {
        self.plus_seconds(hours as i64 * SECONDS_PER_HOUR)
    }

    /// The moment `seconds` later.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(MICROS_PER_SECOND)))
    }

    /// Parses RFC 3339 with any offset. Digits beyond microseconds are cut off.
    pub fn parse(text: &str) -> Option<Self> {
        OffsetDateTime::parse(text, &Rfc3339).ok().map(Self::from)
    }

    /// As a calendar date and time in UTC. Moments outside the years 0 to 9999 become 1970.
    pub fn utc(self) -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH.checked_add(Duration::microseconds(self.0)).unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

impl From<OffsetDateTime> for Timestamp {
    fn from(at: OffsetDateTime) -> Self {
        let micros = at.unix_timestamp_nanos().div_euclid(1_000);
        Self(i64::try_from(micros).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.utc().format(&Rfc3339).map_err(|_| fmt::Error)?)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| serde::de::Error::custom("expected a date and time like 2026-11-21T09:00:00Z (RFC 3339)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_rfc_3339_in_utc() {
        let at = Timestamp::parse("2026-11-21T10:00:00.123456789+01:00").unwrap();
        assert_eq!(at.to_string(), "2026-11-21T09:00:00.123456Z");
        let json = serde_json::to_string(&at).unwrap();
        assert_eq!(json, "\"2026-11-21T09:00:00.123456Z\"");
        assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), at);
        assert!(Timestamp::parse("yesterday").is_none());
    }
}
