//! Shipments that can be tracked.

use crate::words::Words;
use returns::view::ShipmentView;
use ui::{
    components::https_origin,
    text::{format, isolated},
};

/// A shipment that can be tracked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tracked {
    /// Which of several shipments it is, in words. Empty if it is the only one.
    pub shipment: String,
    /// The carrier; may be empty.
    pub carrier: String,
    /// The tracking number; may be empty.
    pub number: String,
    /// The carrier's tracking page.
    pub url: Option<String>,
}

impl Tracked {
    /// The shipments with a known carrier, number or tracking page.
    pub fn of(shipments: &[&ShipmentView], words: &Words) -> Vec<Self> {
        let text = |text: &Option<String>| text.as_deref().map(str::trim).unwrap_or_default().to_owned();
        let count = shipments.len().to_string();
        let tracked = |(place, shipment): (usize, &&ShipmentView)| Self {
            shipment: match shipments.len() {
                1 => String::new(),
                _ => format(words.track_parcel, &[&place.to_string(), &count]),
            },
            carrier: name(&text(&shipment.carrier)),
            number: text(&shipment.tracking_number),
            url: shipment.tracking_url.clone().filter(|url| is_safe(url)),
        };
        let all = (1..).zip(shipments).map(tracked);
        all.filter(|one| one.url.is_some() || !one.carrier.is_empty() || !one.number.is_empty()).collect()
    }

    /// The text of the link.
    pub fn button(&self, words: &Words) -> String {
        match self.carrier.as_str() {
            "" => words.track.to_owned(),
            carrier => format(words.track_with, &[&isolated(carrier, words)]),
        }
    }

    /// Carrier and number.
    pub fn facts(&self, words: &'static Words) -> Vec<(&'static str, String)> {
        let facts = [(words.carrier, self.carrier.clone()), (words.tracking_number, self.number.clone())];
        facts.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }
}

/// Accepts only https addresses that browsers and mail programs read alike.
fn is_safe(url: &str) -> bool {
    https_origin(url).is_some() && !url.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// Carriers, and words in their names, that are spelled in a way of their own.
const SPELLINGS: [&str; 9] = ["bpost", "Evri", "FedEx", "InPost", "Mail", "Post", "PostNL", "PostNord", "Yodel"];

/// The name of a carrier for people. Karrio has ids such as `dhl_express`.
fn name(carrier: &str) -> String {
    let spelled = |word: &str| SPELLINGS.into_iter().find(|known| known.eq_ignore_ascii_case(word));
    if let Some(known) = spelled(carrier) {
        return known.to_owned();
    }
    let is_id = carrier.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if !is_id {
        return carrier.to_owned();
    }
    let word = |word: &str| match (spelled(word), word.split_at_checked(1)) {
        (Some(known), _) => known.to_owned(),
        (None, Some((first, rest))) if word.len() > 4 => format!("{}{rest}", first.to_ascii_uppercase()),
        _ => word.to_ascii_uppercase(),
    };
    carrier.split('_').filter(|part| !part.is_empty()).map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::EN;

    #[test]
    fn only_https_addresses_are_links() {
        for good in ["https://carrier.example/3SABC?a=b#c", "https://carrier.example:8443"] {
            assert!(is_safe(good), "{good}");
        }
        for bad in [
            "http://carrier.example",
            "javascript:alert(1)",
            "https://",
            "https://me@carrier.example",
            "https://carrier.example/a b",
            "//carrier.example",
            "",
        ] {
            assert!(!is_safe(bad), "{bad}");
        }
    }

    #[test]
    fn a_carrier_is_shown_by_its_name() {
        for (reported, shown) in [
            ("Royal Mail", "Royal Mail"),
            ("Evri", "Evri"),
            ("EVRI", "Evri"),
            ("evri", "Evri"),
            ("royal_mail", "Royal Mail"),
            ("fedex", "FedEx"),
            ("dhl_express", "DHL Express"),
            ("ups", "UPS"),
            ("_", ""),
            ("", ""),
        ] {
            assert_eq!(name(reported), shown, "{reported}");
        }
        let tracked = |carrier: &str| Tracked {
            shipment: String::new(),
            carrier: carrier.to_owned(),
            number: "3SABC".to_owned(),
            url: None,
        };
        assert_eq!(tracked("Evri").button(&EN), "Track with Evri");
        assert_eq!(tracked("").button(&EN), "Track your parcel");
        assert_eq!(tracked("").facts(&EN), [("Tracking number", "3SABC".to_owned())]);
    }
}
