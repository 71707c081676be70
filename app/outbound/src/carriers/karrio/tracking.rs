//! Where a shipment is.

use super::{
    client::KarrioSession,
    responses::{Listed, Tracker, TrackingEvent},
};
use crate::bridge::{BridgeError, Rejected};
use domain::{Timestamp, returning::TrackingUpdate, stage::Scan};

/// The longest explanation that is kept, in characters.
const MAX_EXPLANATION_CHARS: usize = 500;
/// The most events of one shipment that are read.
const MAX_EVENTS: usize = 200;

/// See [`super::Karrio::track`].
pub(super) async fn track(session: &KarrioSession<'_>, number: &str) -> Result<Vec<TrackingUpdate>, BridgeError> {
    let to = session.url(&["trackers"])?.with("tracking_number", number);
    let to = to.map_err(|_| BridgeError::bad_field("trackingNumber", "expected a shorter one"))?;
    let listed: Listed<Tracker> = match session.get(&to).await? {
        Ok(listed) => listed,
        Err(refusal) => return Err(Rejected { status: refusal.status }.into()),
    };
    // Karrio also finds numbers that only contain this one.
    let tracker = listed.results.into_iter().find(|tracker| tracker.tracking_number == number);
    Ok(tracker.map(|tracker| updates(&tracker)).unwrap_or_default())
}

fn updates(tracker: &Tracker) -> Vec<TrackingUpdate> {
    // Some carriers report events without a status. Then the shipment's status is that of its newest event.
    let newest = tracker.status.as_deref();
    let statuses = tracker.events.iter().enumerate().map(|(place, event)| match &event.status {
        Some(status) => Some(status.as_str()),
        None if place == 0 => newest,
        None => None,
    });
    let mut updates: Vec<TrackingUpdate> = tracker
        .events
        .iter()
        .zip(statuses)
        .take(MAX_EVENTS)
        .filter_map(|(event, status)| {
            let (status, happened_at) = (scan(status?)?, moment(event)?);
            Some(TrackingUpdate { status, explanation: explanation(event), happened_at })
        })
        .collect();
    updates.reverse();
    updates
}

/// The meaning of a status for a return; `None` while no carrier has scanned the shipment.
fn scan(status: &str) -> Option<Scan> {
    match status {
        "picked_up" | "in_transit" | "out_for_delivery" | "ready_for_pickup" => Some(Scan::InTransit),
        "delivered" => Some(Scan::Delivered),
        "on_hold" | "delivery_delayed" | "delivery_failed" | "return_to_sender" => Some(Scan::Exception),
        _ => None, // pending, created, unknown, cancelled
    }
}

fn explanation(event: &TrackingEvent) -> String {
    let parts = [&event.description, &event.location].into_iter().flatten().map(|part| part.trim());
    let text = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    text.chars().filter(|c| !c.is_control()).take(MAX_EXPLANATION_CHARS).collect()
}

/// When it happened. Carriers without a timestamp report a local date and time without a time zone, which are read as UTC.
fn moment(event: &TrackingEvent) -> Option<Timestamp> {
    if let Some(moment) = event.timestamp.as_deref().and_then(Timestamp::parse) {
        return Some(moment);
    }
    let (hours, minutes) = clock(event.time.as_deref().unwrap_or("00:00"))?;
    Timestamp::parse(&format!("{}T{hours:02}:{minutes:02}:00Z", event.date.as_deref()?.trim()))
}

/// Parses `14:05` and `02:05 PM`.
fn clock(time: &str) -> Option<(u32, u32)> {
    let time = time.trim();
    let (clock, half) = time.split_once(' ').unwrap_or((time, ""));
    let mut parts = clock.split(':').map(|part| part.parse::<u32>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    match half.trim().to_ascii_uppercase().as_str() {
        "" => Some((hours, minutes)),
        "AM" => Some((hours % 12, minutes)),
        "PM" => Some((hours % 12 + 12, minutes)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn updates_of(tracker: Value) -> Vec<(Scan, String, String)> {
        let tracker: Tracker = serde_json::from_value(tracker).unwrap();
        let parts = |update: TrackingUpdate| (update.status, update.explanation, update.happened_at.to_string());
        updates(&tracker).into_iter().map(parts).collect()
    }

    #[test]
    fn events_are_scans_oldest_first_without_those_before_the_first_scan() {
        let tracker = json!({"tracking_number": "T1", "status": "delivered", "events": [
            {"date": "2026-11-24", "time": "14:05", "timestamp": null, "status": "delivered", "description": "Delivered", "location": "Amsterdam, NL"},
            {"date": "2026-11-24", "time": "08:00 AM", "status": "out_for_delivery", "description": "With the driver"},
            {"date": "2026-11-23", "time": "12:10 AM", "status": "on_hold", "description": "  "},
            {"date": "2026-11-22", "time": "11:30 PM", "timestamp": "2026-11-22T23:30:14.251Z", "status": "in_transit", "description": "Sorted"},
            {"date": "2026-11-22", "time": "11:00 PM", "status": "created", "description": "Shipment label created"},
            {"date": "2026-11-21", "time": null, "status": null, "description": "Announced"},
        ]});
        let expected = [
            (Scan::InTransit, "Sorted", "2026-11-22T23:30:14.251Z"),
            (Scan::Exception, "", "2026-11-23T00:10:00Z"),
            (Scan::InTransit, "With the driver", "2026-11-24T08:00:00Z"),
            (Scan::Delivered, "Delivered, Amsterdam, NL", "2026-11-24T14:05:00Z"),
        ];
        assert_eq!(updates_of(tracker), expected.map(|(scan, text, at)| (scan, text.to_owned(), at.to_owned())));
    }

    #[test]
    fn without_statuses_the_newest_event_has_the_shipments_status() {
        let tracker = json!({"tracking_number": "T1", "status": "in_transit", "events": [
            {"date": "2026-11-24", "time": "12:00 PM", "description": "Sorted"}, {"date": "2026-11-23", "time": "09:00"}]});
        assert_eq!(updates_of(tracker), [(Scan::InTransit, "Sorted".to_owned(), "2026-11-24T12:00:00Z".to_owned())]);
        let odd = json!({"tracking_number": "T1", "status": "in_transit", "events": [
            {"date": "24.11.2026", "time": "9", "status": "in_transit"}, {"status": "in_transit"}, {"date": "2026-13-01", "status": "delivered"}]});
        assert_eq!(updates_of(odd), []);
        assert_eq!(updates_of(json!({"tracking_number": "T1", "status": "a new one"})), []);
    }
}
