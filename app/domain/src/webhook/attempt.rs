//! The states of deliveries and the results of attempts.

use serde::{Deserialize, Serialize};

/// The state of a webhook delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub enum DeliveryStatus {
    /// The event still has to be sent.
    Pending,
    /// The receiver answered with a 2xx status.
    Delivered,
    /// All attempts failed, and Retour retries only on request.
    Failed,
}

enum_names!(DeliveryStatus { Pending, Delivered, Failed });

macro_rules! outcomes {
    ($($(#[$doc:meta])* $name:ident)+) => {
        /// The result of an attempt to deliver an event.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "openapi", schemars(rename = "Outcome"))]
        pub enum DeliveryOutcome {
            $($(#[$doc])* $name,)+
        }

        impl DeliveryOutcome {
            /// All values.
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
    /// The receiver accepted it (2xx).
    Delivered
    /// It answered with another status. Redirects (3xx) are not followed.
    Refused
    /// It answered 410: it wants no more events.
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

impl DeliveryOutcome {
    /// The outcome with that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|outcome| outcome.name() == name)
    }

    /// The outcome of an answer with this status.
    pub fn of_status(status: u16) -> Self {
        match status {
            200..=299 => Self::Delivered,
            410 => Self::Gone,
            _ => Self::Refused,
        }
    }

    /// A sentence for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Delivered => "The receiver accepted the delivery.",
            Self::Refused => "The receiver answered with a status that is not 2xx. Redirects are not followed.",
            Self::Gone => "The receiver answered 410 Gone: it wants no more deliveries.",
            Self::AddressNotAllowed => {
                "The address is not on the public internet, and the operator has not allowed it."
            }
            Self::PlainHttpNotAllowed => "Deliveries over the internet need https.",
            Self::UnknownHost => "The host name cannot be resolved.",
            Self::NotConnected => "No connection could be made.",
            Self::TlsFailed => {
                "No secure connection could be made: Retour rejected the certificate or the TLS version of the \
                 receiver."
            }
            Self::TimedOut => "The receiver did not send a complete answer within 15 seconds.",
            Self::BrokenOff => "The connection ended before the answer was complete, or the answer was not HTTP.",
            Self::NotSent => "The request could not be made.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_decides_the_outcome() {
        for (status, outcome) in [
            (199, DeliveryOutcome::Refused),
            (200, DeliveryOutcome::Delivered),
            (299, DeliveryOutcome::Delivered),
            (300, DeliveryOutcome::Refused),
            (409, DeliveryOutcome::Refused),
            (410, DeliveryOutcome::Gone),
            (411, DeliveryOutcome::Refused),
        ] {
            assert_eq!(DeliveryOutcome::of_status(status), outcome, "{status}");
        }
        for &outcome in DeliveryOutcome::ALL {
            assert_eq!(DeliveryOutcome::parse(outcome.name()), Some(outcome));
            assert!(outcome.sentence().ends_with('.'), "{outcome:?}");
        }
        assert_eq!(DeliveryOutcome::parse("xyzzy"), None);
    }
}
