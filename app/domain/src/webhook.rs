//! What other systems are told, who wants to hear of what, and when a delivery is tried again (design 4).

use crate::{Problems, RefusalCode, Timestamp, stage::StageName};
use serde::{Deserialize, Serialize};

macro_rules! event_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)+) => {
        /// The types of events.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        #[serde(remote = "EventType")]
        pub enum EventType {
            $($(#[$doc])* #[serde(rename = $text)] $name,)+
        }

        words!(EventType);

        impl EventType {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in JSON and SQL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

event_types! {
    /// A return request entered a stage.
    StageChanged = "return_request.stage_changed";
    /// A return order was submitted.
    ReturnOrderCreated = "return_order.created";
    /// None of its requests is undecided and nothing is to be paid: it can be sent.
    ReturnOrderConfirmed = "return_order.confirmed";
    /// All of its requests have ended, and one was settled or denied at least.
    ReturnOrderCompleted = "return_order.completed";
    /// All of its requests have ended, and none was settled or denied.
    ReturnOrderCancelled = "return_order.cancelled";
    /// A parcel got its label: a warehouse can expect it.
    LabelCreated = "shipment.label_created";
    /// A carrier reported where a parcel is.
    TrackingUpdated = "shipment.received_tracking_updates";
    /// A carrier delivered a parcel.
    #[serde(alias = "shipment.received_tracking_updates.delivered")]
    ShipmentDelivered = "shipment.delivered";
    /// A consumer withdrew from a contract.
    WithdrawalReceived = "withdrawal.received";
    /// A consumer's personal data were erased: erase them in your systems, too.
    ConsumerErased = "consumer.erased";
    /// A subscription was disabled because its receiver failed or is gone.
    SubscriptionDisabled = "webhook_subscription.disabled";
    /// A test of the receiver: nothing happened.
    Ping = "test.ping";
}

impl EventType {
    /// The type of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

/// What a subscription is about. Nothing in a list means everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interest {
    /// Which types of event.
    pub event_types: Vec<EventType>,
    /// Of `return_request.stage_changed`, the entering of which stages.
    pub stages: Vec<StageName>,
}

impl Interest {
    /// Whether it is about an event of that type, which tells of that stage.
    pub fn covers(&self, kind: EventType, stage: Option<StageName>) -> bool {
        let type_matches = self.event_types.is_empty() || self.event_types.contains(&kind);
        let stage_matches = self.stages.is_empty() || stage.is_none_or(|stage| self.stages.contains(&stage));
        type_matches && stage_matches
    }

    /// The same, with each thing said once.
    #[must_use]
    pub fn said_once(self) -> Self {
        let names = |kind: &&EventType| self.event_types.contains(kind);
        let stages = |stage: &&StageName| self.stages.contains(stage);
        Self {
            event_types: EventType::ALL.iter().filter(names).copied().collect(),
            stages: StageName::all().iter().filter(stages).copied().collect(),
        }
    }

    /// What is wrong with it.
    pub fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        let stages_matter = self.covers(EventType::StageChanged, None);
        if !self.stages.is_empty() && !stages_matter {
            let message = "expected return_request.stage_changed among eventTypes: only that tells of stages";
            problems.add("stages", RefusalCode::Mismatch, message);
        }
        problems
    }
}

/// The reason why a webhook subscription is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum DisabledBecause {
    /// The merchant disabled it.
    ByMerchant,
    /// The receiver answered 410 Gone.
    Gone,
    /// The receiver failed for five days.
    Failing,
}

impl DisabledBecause {
    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::ByMerchant => "ByMerchant",
            Self::Gone => "Gone",
            Self::Failing => "Failing",
        }
    }

    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::ByMerchant, Self::Gone, Self::Failing].into_iter().find(|one| one.name() == name)
    }
}

/// The state of a webhook delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum DeliveryStatus {
    /// The event still has to be sent.
    Pending,
    /// The receiver answered with a 2xx status.
    Delivered,
    /// The receiver did not, and it is not tried again unless somebody asks for it.
    Failed,
}

impl DeliveryStatus {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];

    /// The name in JSON and SQL.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Delivered => "Delivered",
            Self::Failed => "Failed",
        }
    }

    /// The status of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

macro_rules! outcomes {
    ($($(#[$doc:meta])* $name:ident)+) => {
        /// The result of an attempt to deliver an event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        pub enum Outcome {
            $($(#[$doc])* $name,)+
        }

        impl Outcome {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in JSON, SQL and metrics.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                }
            }
        }
    };
}

outcomes! {
    /// The receiver said yes (2xx).
    Delivered
    /// It answered with another status. Redirects (3xx) are not followed.
    Refused
    /// It answered 410: it does not want to hear of anything any more.
    Gone
    /// Its address is not on the public internet, and the operator has not allowed it.
    AddressNotAllowed
    /// The address is plain `http` on the public internet.
    PlainHttpNotAllowed
    /// The host name of the receiver has no address.
    UnknownHost
    /// The receiver does not accept connections.
    NotConnected
    /// Its certificate was not accepted, or it speaks no TLS.
    TlsFailed
    /// The exchange took longer than 15 seconds.
    TimedOut
    /// The connection ended early, or what came is not HTTP.
    BrokenOff
    /// The request could not be made: an error of Retour.
    NotSent
}

impl Outcome {
    /// The outcome of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|outcome| outcome.name() == name)
    }

    /// What an answer of that status means.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Delivered,
            410 => Self::Gone,
            _ => Self::Refused,
        }
    }

    /// For people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Delivered => "The receiver took it.",
            Self::Refused => "The receiver answered with a status that is not 2xx. Redirects are not followed.",
            Self::Gone => "The receiver answered 410 Gone: it wants to hear of nothing any more.",
            Self::AddressNotAllowed => {
                "The address is not on the public internet, and the operator has not allowed it."
            }
            Self::PlainHttpNotAllowed => "Deliveries over the internet need https.",
            Self::UnknownHost => "The host name is not known.",
            Self::NotConnected => "No connection could be made.",
            Self::TlsFailed => {
                "No secure connection could be made: the certificate or the TLS of the receiver was not accepted."
            }
            Self::TimedOut => "The receiver did not answer, or not to the end, within 15 seconds.",
            Self::BrokenOff => "The connection ended before there was a whole answer, or what came was not HTTP.",
            Self::NotSent => "The request could not be made.",
        }
    }
}

/// Seconds between an attempt and the next: the first is at once, the tenth is the last.
const DELAYS: [i64; 9] = [5, 5 * 60, 30 * 60, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const HOUR: i64 = 3_600;
/// A receiver cannot ask for more patience than this.
const LONGEST_RETRY_AFTER: i64 = 24 * HOUR;
/// Failures further apart than this are not one failure: no two attempts are, with the schedule and its jitter.
const LONGEST_GAP: i64 = 48 * HOUR;
/// A receiver that fails for so long is not tried any more.
const DISABLE_AFTER: i64 = 5 * 24 * HOUR;

/// When the next attempt is due after one that failed at `now`, the `tries`-th since the delivery was asked for; `None`
/// after the last. `dice` is any number: it moves the moment by up to a fifth, so that not all that failed together comes
/// back together. `retry_after`: the seconds that the receiver asked for (RFC 9110, `Retry-After`).
pub fn next_attempt(now: Timestamp, tries: u32, dice: u32, retry_after: Option<i64>) -> Option<Timestamp> {
    let delay = DELAYS.get(usize::try_from(tries.checked_sub(1)?).ok()?)?;
    let micros = delay * 1_000_000;
    let jitter = (micros / 5) * (i64::from(dice % 2_001) - 1_000) / 1_000;
    let scheduled = Timestamp::from_micros(now.micros() + micros + jitter);
    let asked = retry_after.map(|seconds| now.plus_seconds(seconds.clamp(0, LONGEST_RETRY_AFTER)));
    Some(asked.map_or(scheduled, |asked| asked.max(scheduled)))
}

/// Since when a receiver fails, when it failed at `now` once more.
pub fn failing_since(since: Option<Timestamp>, last: Option<Timestamp>, now: Timestamp) -> Timestamp {
    match (since, last) {
        (Some(since), Some(last)) if now <= last.plus_seconds(LONGEST_GAP) => since,
        _ => now,
    }
}

/// Whether a receiver that has failed since then is given up.
pub fn is_given_up(since: Timestamp, now: Timestamp) -> bool {
    now >= since.plus_seconds(DISABLE_AFTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_795_255_200);

    #[test]
    fn an_answer_is_taken_refused_or_the_last_one() {
        for (status, outcome) in [
            (199, Outcome::Refused),
            (200, Outcome::Delivered),
            (299, Outcome::Delivered),
            (300, Outcome::Refused),
            (409, Outcome::Refused),
            (410, Outcome::Gone),
            (411, Outcome::Refused),
        ] {
            assert_eq!(Outcome::of_status(status), outcome, "{status}");
        }
        for &outcome in Outcome::ALL {
            assert_eq!(Outcome::parse(outcome.name()), Some(outcome));
            assert!(outcome.sentence().ends_with('.'), "{outcome:?}");
        }
        assert_eq!(Outcome::parse("xyzzy"), None);
    }

    #[test]
    fn an_interest_covers_what_it_names_and_everything_where_it_names_nothing() {
        let approved = StageName::ResolutionApproved;
        let all = Interest::default();
        let stages = Interest { stages: vec![approved], ..Interest::default() };
        let labels = Interest { event_types: vec![EventType::LabelCreated], ..Interest::default() };
        for kind in EventType::ALL {
            assert!(all.covers(*kind, None));
            assert_eq!(labels.covers(*kind, None), *kind == EventType::LabelCreated);
        }
        assert!(stages.covers(EventType::StageChanged, Some(approved)));
        assert!(!stages.covers(EventType::StageChanged, Some(StageName::ResolutionPending)));
        assert!(stages.covers(EventType::LabelCreated, None), "stages choose among events that tell of one");
        assert!(stages.problems().0.is_empty());
        let never = Interest { stages: vec![approved], ..labels };
        assert_eq!(never.problems().0.len(), 1);
    }

    #[test]
    fn names_lead_back_to_what_they_name() {
        for kind in EventType::ALL {
            assert_eq!(EventType::parse(kind.name()), Some(*kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        let of_other_systems = serde_json::json!("shipment.received_tracking_updates.delivered");
        assert_eq!(serde_json::from_value::<EventType>(of_other_systems).unwrap(), EventType::ShipmentDelivered);
        for status in DeliveryStatus::ALL {
            assert_eq!(DeliveryStatus::from_name(status.name()), Some(status));
        }
    }

    #[test]
    fn ten_attempts_are_spread_over_75_hours_give_or_take_a_fifth() {
        let mut at = NOW;
        for (tries, delay) in (1..).zip(DELAYS) {
            let (early, late) =
                (next_attempt(at, tries, 0, None).unwrap(), next_attempt(at, tries, 2_000, None).unwrap());
            assert_eq!(early.micros() - at.micros(), delay * 800_000);
            assert_eq!(late.micros() - at.micros(), delay * 1_200_000);
            at = next_attempt(at, tries, 1_000, None).unwrap();
        }
        assert_eq!(at.seconds() - NOW.seconds(), 75 * HOUR + 35 * 60 + 5);
        assert_eq!(next_attempt(at, 10, 1_000, None), None);
        assert_eq!(next_attempt(at, 10, 1_000, Some(60)), None, "the tenth is the last, whatever is asked for");
    }

    #[test]
    fn a_receiver_can_ask_for_patience_but_not_for_ever_and_not_for_haste() {
        let after = |tries, seconds| next_attempt(NOW, tries, 1_000, Some(seconds)).unwrap().seconds() - NOW.seconds();
        assert_eq!(after(1, 120), 120);
        assert_eq!(after(2, 1), 300);
        assert_eq!(after(1, -5), 5);
        assert_eq!(after(1, i64::MAX), 86_400, "a day at most");
    }

    #[test]
    fn failures_count_as_one_while_none_is_two_days_behind_the_one_before() {
        assert_eq!(failing_since(None, None, NOW), NOW);
        let (since, later) = (NOW.plus_hours(1), NOW.plus_hours(49));
        assert_eq!(failing_since(Some(NOW), Some(since), later), NOW);
        assert_eq!(failing_since(Some(NOW), Some(since), later.plus_seconds(1)), later.plus_seconds(1));
        assert!(!is_given_up(NOW, NOW.plus_hours(120).plus_seconds(-1)));
        assert!(is_given_up(NOW, NOW.plus_hours(120)));
    }
}
