//! Where a parcel is.

use crate::carriers::karrio::{
    client::Session,
    responses::{Event, Listed, Tracker},
};
use crate::{
    bridge::{BridgeError, Rejected},
    shops::resolution::not_understood,
};
use domain::{Timestamp, returning::TrackingUpdate, stage::Scan};

/// The longest explanation that is kept, characters.
const MAX_EXPLANATION_CHARS: usize = 500;
/// Events of one parcel: more are not read.
const MAX_EVENTS: usize = 200;

/// See [`super::Karrio::track`].
pub(super) async fn track(session: &Session<'_>, number: &str) -> Result<Vec<TrackingUpdate>, BridgeError> {
    let to = session.at(&["trackers"])?.with("tracking_number", number);
    let to = to.map_err(|_| not_understood("trackingNumber", "expected a shorter one"))?;
    let listed: Listed<Tracker> = match session.get(&to).await? {
        Ok(listed) => listed,
        Err(no) => return Err(Rejected { status: no.status }.into()),
    };
    // Karrio looks for a part of the number.
    let tracker = listed.results.into_iter().find(|tracker| tracker.tracking_number == number);
    Ok(tracker.map(|tracker| updates(&tracker)).unwrap_or_default())
}

fn updates(tracker: &Tracker) -> Vec<TrackingUpdate> {
    // Of carriers that say no status with their events, the parcel's own is that of the newest.
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

/// What a status means to a return; nothing, where no carrier has seen the parcel.
fn scan(status: &str) -> Option<Scan> {
    match status {
        "picked_up" | "in_transit" | "out_for_delivery" | "ready_for_pickup" => Some(Scan::InTransit),
        "delivered" => Some(Scan::Delivered),
        "on_hold" | "delivery_delayed" | "delivery_failed" | "return_to_sender" => Some(Scan::Exception),
        _ => None, // pending, created, unknown, cancelled
    }
}

fn explanation(event: &Event) -> String {
    let parts = [&event.description, &event.location].into_iter().flatten().map(|part| part.trim());
    let text = parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    text.chars().filter(|c| !c.is_control()).take(MAX_EXPLANATION_CHARS).collect()
}

/// When it happened. Carriers that give no moment give date and time where they are, without saying where that is: it is
/// read as UTC.
fn moment(event: &Event) -> Option<Timestamp> {
    if let Some(moment) = event.timestamp.as_deref().and_then(Timestamp::parse) {
        return Some(moment);
    }
    let (hours, minutes) = clock(event.time.as_deref().unwrap_or("00:00"))?;
    Timestamp::parse(&format!("{}T{hours:02}:{minutes:02}:00Z", event.date.as_deref()?.trim()))
}

/// `14:05` and `02:05 PM`.
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

    fn told(tracker: Value) -> Vec<(Scan, String, String)> {
        let tracker: Tracker = serde_json::from_value(tracker).unwrap();
        let told = |update: TrackingUpdate| (update.status, update.explanation, update.happened_at.to_string());
        updates(&tracker).into_iter().map(told).collect()
    }

    #[test]
    fn events_are_scans_oldest_first_and_what_no_carrier_saw_is_none() {
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
        assert_eq!(told(tracker), expected.map(|(scan, text, at)| (scan, text.to_owned(), at.to_owned())));
    }

    #[test]
    fn without_statuses_the_newest_event_has_the_parcels() {
        let tracker = json!({"tracking_number": "T1", "status": "in_transit", "events": [
            {"date": "2026-11-24", "time": "12:00 PM", "description": "Sorted"}, {"date": "2026-11-23", "time": "09:00"}]});
        assert_eq!(told(tracker), [(Scan::InTransit, "Sorted".to_owned(), "2026-11-24T12:00:00Z".to_owned())]);
        let odd = json!({"tracking_number": "T1", "status": "in_transit", "events": [
            {"date": "24.11.2026", "time": "9", "status": "in_transit"}, {"status": "in_transit"}, {"date": "2026-13-01", "status": "delivered"}]});
        assert_eq!(told(odd), []);
        assert_eq!(told(json!({"tracking_number": "T1", "status": "a new one"})), []);
    }
}
