//! The makers of an account's labels, and the connection to them.

use crate::{handle::Workers, job_runner::HELD_FOR};
use domain::{
    Timestamp,
    account::Account,
    integration::{Bridge, Carrier},
};
use outbound::{
    bridge::{BridgeError, Labelled, Unavailable, contract::GetLabel},
    carriers::karrio::{self, Karrio},
};
use returns::{
    Error, Result,
    internals::{OrBroken, ShopConnection},
};

/// The maker of an account's labels.
pub(crate) enum LabelMaker {
    /// Retour draws them.
    Own,
    /// The merchant's component.
    Bridge(Box<outbound::shops::http::Bridge>),
    /// A karrio server.
    Karrio(Box<Karrio>),
    /// The carrier is the bridge, but the bridge is no longer one that makes labels.
    LostBridge,
}

impl LabelMaker {
    /// How many seconds after a call the carrier may still be working on it, even if this instance has crashed.
    pub fn held_for(&self) -> i64 {
        match self {
            Self::Karrio(_) => {
                i64::try_from(karrio::IN_FLIGHT_LIMIT.as_secs()).unwrap_or(i64::MAX).saturating_add(HELD_FOR)
            }
            // Bridges are idempotent: a call may be repeated at any time.
            Self::Own | Self::Bridge(_) | Self::LostBridge => HELD_FOR,
        }
    }

    /// Whether the carrier may still be working on the call after this error.
    pub fn may_still_be_working(&self, error: &BridgeError) -> bool {
        let is_unknown =
            matches!(error, BridgeError::Unavailable(Unavailable::NoAnswer(_) | Unavailable::Status { .. }));
        is_unknown && matches!(self, Self::Karrio(_))
    }

    /// The subject of a sentence about this carrier.
    pub fn who(&self) -> &'static str {
        match self {
            Self::Karrio(_) => "Karrio",
            Self::Own | Self::Bridge(_) | Self::LostBridge => "The bridge",
        }
    }

    /// Requests a label. Without a carrier to call, the label stays pending.
    pub async fn get_label(&self, asked: &GetLabel, now: Timestamp) -> Result<Labelled, BridgeError> {
        match self {
            Self::Bridge(bridge) => bridge.get_label(asked, now).await,
            Self::Karrio(karrio) => karrio.get_label(asked, now).await,
            Self::Own | Self::LostBridge => Ok(Labelled::Pending), // unreachable: `begin_label` handles both
        }
    }
}

impl Workers {
    pub(crate) fn label_maker(&self, account: &Account) -> Result<LabelMaker> {
        Ok(match (&account.carrier, &account.bridge) {
            (Carrier::Own | Carrier::Simulated, _) => LabelMaker::Own,
            (Carrier::Bridge, Bridge::Http(connection)) => match self.retour.shop(account, connection)? {
                ShopConnection::Http(bridge) => LabelMaker::Bridge(bridge),
                ShopConnection::Vendure(_) | ShopConnection::Medusa(_) | ShopConnection::Shopify(_) => {
                    return Err(Error::broken());
                }
            },
            (Carrier::Bridge, _) => LabelMaker::LostBridge,
            (Carrier::Karrio(_), _) => LabelMaker::Karrio(Box::new(self.retour.karrio(account)?.or_broken()?)),
        })
    }
}
