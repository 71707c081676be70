//! How an attempt to deliver an event ended.

use serde::{Deserialize, Serialize};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
