//! What a look-up reads of an order by further requests, as far as the connection wants it.

use super::{
    client::ShopifySession, exchange_options::ExchangeOptions, responses::PlacedOrder, return_units::UnitsInReturns,
};
use crate::bridge::BridgeError;
use domain::integration::ShopifyDuties;

/// What a look-up knows beside the order.
#[derive(Debug, Default)]
pub(super) struct Supplement {
    /// The units that are in returns which staff made in Shopify.
    pub in_returns: UnitsInReturns,
    /// What the order's lines can be exchanged for.
    pub options: ExchangeOptions,
    /// Whether duties come back with units.
    pub duties: ShopifyDuties,
}

impl Supplement {
    /// Reads it. All lines of the order have been read.
    pub async fn read(session: &ShopifySession<'_>, order: &PlacedOrder) -> Result<Self, BridgeError> {
        let mut supplement = Self { duties: session.api.duties, ..Self::default() };
        if session.api.reads_returns {
            supplement.in_returns = UnitsInReturns::read(session, &order.id).await?;
        }
        if session.api.offers_exchanges {
            supplement.options = ExchangeOptions::read(session, order).await?;
        }
        Ok(supplement)
    }
}
