//! Who makes an account's labels, as they are reached.

use crate::{base::OrBroken, workers::handle::Workers};
use crate::{
    base::{Error, Result},
    integrations::shops::ShopConnection,
    workers::job_runner::HELD_FOR,
};
use domain::{
    Timestamp,
    account::Account,
    integration::{Bridge, Carrier},
};
use outbound::{
    bridge::{BridgeError, Labelled, Unavailable, contract::GetLabel},
    carriers::karrio::{self, Karrio},
};

/// Who makes labels.
pub(crate) enum LabelMaker {
    /// We draw them.
    Us,
    /// The merchant's component.
    Bridge(Box<outbound::shops::http::Bridge>),
    /// A karrio server.
    Karrio(Box<Karrio>),
    /// It was to be the bridge, which is none that makes labels any more.
    Nobody,
}

impl LabelMaker {
    /// For how many seconds after it was asked something may still be under way there, whatever became of our program.
    pub fn held_for(&self) -> i64 {
        match self {
            Self::Karrio(_) => {
                i64::try_from(karrio::IN_FLIGHT_LIMIT.as_secs()).unwrap_or(i64::MAX).saturating_add(HELD_FOR)
            }
            // A component knows what it has made, and may be asked at any time.
            Self::Us | Self::Bridge(_) | Self::Nobody => HELD_FOR,
        }
    }

    /// Whether it may be at it yet, after it was asked and this came of it.
    pub fn may_be_at_it(&self, error: &BridgeError) -> bool {
        let is_unknown =
            matches!(error, BridgeError::Unavailable(Unavailable::NoAnswer(_) | Unavailable::Status { .. }));
        is_unknown && matches!(self, Self::Karrio(_))
    }

    /// The subject of a sentence about this carrier.
    pub fn who(&self) -> &'static str {
        match self {
            Self::Karrio(_) => "Karrio",
            Self::Us | Self::Bridge(_) | Self::Nobody => "The bridge",
        }
    }

    /// Asks for a label, where there is somebody to be asked.
    pub async fn get_label(&self, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
        match self {
            Self::Bridge(bridge) => bridge.get_label(asked, now).await,
            Self::Karrio(karrio) => karrio.get_label(asked, now).await,
            Self::Us | Self::Nobody => Ok(Labelled::Pending), // nobody is asked: see `begin_label`
        }
    }
}

impl Workers {
    pub(crate) fn label_maker(&self, account: &Account) -> Result<LabelMaker> {
        Ok(match (&account.carrier, &account.bridge) {
            (Carrier::Own | Carrier::Simulated, _) => LabelMaker::Us,
            (Carrier::Bridge, Bridge::Http(connection)) => match self.retour.shop(account, connection)? {
                ShopConnection::Http(bridge) => LabelMaker::Bridge(bridge),
                ShopConnection::Vendure(_) | ShopConnection::Medusa(_) => return Err(Error::broken()),
            },
            (Carrier::Bridge, _) => LabelMaker::Nobody,
            (Carrier::Karrio(_), _) => LabelMaker::Karrio(Box::new(self.retour.karrio(account)?.or_broken()?)),
        })
    }
}
