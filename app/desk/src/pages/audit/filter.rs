//! The filters of the log, as the address of the page has them.

use domain::{TimeZone, Timestamp};
use returns::{Listing, Page, lists};
use ui::web::form::{Fields, encoded};

/// How many entries a page has.
pub(super) const ROWS: i64 = 50;
/// How many pages back the link to the previous page can go.
const LONGEST_TRAIL: usize = 40;
/// The filters by a value: the name in the address, and the field of the list.
const BY_VALUE: [(&str, &str); 4] =
    [("actor", "actorId"), ("topic", "topic"), ("action", "action"), ("id", "subjectId")];

/// The filters of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// The values that are set, by their names in the address.
    pub values: Vec<(&'static str, String)>,
    /// Values that are no days, by their names in the address.
    pub no_days: Vec<&'static str>,
}

impl Filter {
    /// Reads the address. What is empty is not set.
    pub fn read(query: &Fields) -> Self {
        let names = BY_VALUE.iter().map(|(name, _)| *name).chain(["since", "until"]);
        let values = names.map(|name| (name, query.get(name).trim().to_owned()));
        let values: Vec<_> = values.filter(|(_, value)| !value.is_empty()).collect();
        let is_no_day = |&&(name, ref value): &&(&'static str, String)| {
            matches!(name, "since" | "until") && day(value, &TimeZone::UTC, 0).is_none()
        };
        let no_days = values.iter().filter(is_no_day).map(|(name, _)| *name).collect();
        Self { values, no_days }
    }

    /// The value of a filter; empty if it is not set.
    pub fn get(&self, name: &str) -> &str {
        self.values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// The query of the log with these filters, such as `?topic=Team`.
    pub fn query(&self, without: Option<&str>) -> String {
        self.query_at(without, &Place::default())
    }

    /// The query of a page of the log, such as `?topic=Team&page=20002&trail=1`.
    pub fn query_at(&self, without: Option<&str>, place: &Place) -> String {
        let kept = self.values.iter().filter(|(name, _)| Some(*name) != without);
        let mut parts: Vec<String> = kept.map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        parts.extend(place.page.map(|page| format!("page={page}")));
        let trail: Vec<String> = place.trail.iter().map(i64::to_string).collect();
        parts.extend((!trail.is_empty()).then(|| format!("trail={}", trail.join("."))));
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    }

    /// The question to the list. `None` if a filter has a value that no entry can have.
    pub fn listing(&self, page: Option<i64>, limit: i64, zone: &TimeZone) -> Option<Listing> {
        let mut listing = Listing::newest(Page::at(page, limit));
        for (name, field) in BY_VALUE {
            let value = self.get(name);
            if !value.is_empty() {
                listing.conditions.push(lists::AUDIT_ENTRIES.condition(&format!("{field}:{value}")).ok()?);
            }
        }
        for (name, operator, days) in [("since", ">=", 0), ("until", "<", 1)] {
            if let Some(at) = day(self.get(name), zone, days) {
                let clause = format!("createdAt{operator}{at}");
                listing.conditions.push(lists::AUDIT_ENTRIES.condition(&clause).ok()?);
            }
        }
        Some(listing)
    }
}

/// A page of the log, and the pages before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// The page, as the API's `page` has it. `None`: the first one.
    pub page: Option<i64>,
    /// The pages before it, the first one first.
    trail: Vec<i64>,
}

impl Place {
    /// Reads the address.
    pub fn read(query: &Fields) -> Self {
        let number = |text: &str| text.parse::<i64>().ok().filter(|page| *page > 0);
        Self {
            page: number(query.get("page")),
            trail: query.get("trail").split('.').filter_map(number).take(LONGEST_TRAIL).collect(),
        }
    }

    /// The following page.
    pub fn next(&self, page: i64) -> Self {
        let mut trail = self.trail.clone();
        if trail.len() < LONGEST_TRAIL {
            trail.push(self.page.unwrap_or(1));
        }
        Self { page: Some(page), trail }
    }

    /// The page before; `None` on the first one.
    pub fn previous(&self) -> Option<Self> {
        let (page, trail) = self.trail.split_last()?;
        Some(Self { page: (*page > 1).then_some(*page), trail: trail.to_vec() })
    }
}

/// The first moment of a day in a zone, some days later. `None` if the text is no day.
fn day(text: &str, zone: &TimeZone, days_later: u32) -> Option<Timestamp> {
    let midnight = Timestamp::parse(&format!("{text}T00:00:00Z"))?;
    Some(zone.start_of_day(TimeZone::UTC.date(midnight.plus_days(days_later))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_and_previous_lead_back_to_the_same_page() {
        let filter = Filter { values: vec![("topic", "Team".to_owned())], no_days: Vec::new() };
        let third = Place::default().next(20_002).next(33_003);
        assert_eq!(filter.query_at(None, &third), "?topic=Team&page=33003&trail=1.20002");
        let read = Place::read(&Fields::parse(b"page=33003&trail=1.20002").unwrap());
        assert_eq!(read, third);
        assert_eq!(third.previous().and_then(|second| second.previous()), Some(Place::default()));
        assert_eq!(Place::default().previous(), None);
    }
}
