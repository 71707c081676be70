//! Settling a return request.

use super::{begun::record_key, client::ShopifySession, plan::ShopifyPlan, refund};
use crate::{
    bridge::{BridgeError, Resolved, contract::ResolveReturn},
    shops::resolution::{EarlyExit, failed, refund_ids, run_steps},
};
use domain::policy;

/// See [`super::Shopify::resolve_return`].
pub(super) async fn resolve(session: &ShopifySession<'_>, asked: &ResolveReturn) -> Result<Resolved, BridgeError> {
    if let Some(reason) = unsupported(asked) {
        return Ok(failed(reason));
    }
    run_steps(|| steps(session, asked)).await
}

/// Why a person has to settle a resolution.
pub(super) fn unsupported(asked: &ResolveReturn) -> Option<&'static str> {
    match asked.kind {
        policy::Resolution::Refund => None,
        policy::Resolution::StoreCredit if asked.gift_recipient_email.is_none() => None,
        policy::Resolution::StoreCredit => {
            Some("Shopify credits the buyer of an order: give the recipient of the gift store credit by hand.")
        }
        policy::Resolution::Exchange => Some(
            "Retour exchanges items through returns in Shopify, and this one has none there. Place the new order and carry out \
             the resolution by hand. Returns that are submitted from now on appear in Shopify with the connection's setting \
             \"returns\": \"mirror\".",
        ),
    }
}

/// Refunds without a return.
pub(super) async fn steps(session: &ShopifySession<'_>, asked: &ResolveReturn) -> Result<Resolved, EarlyExit> {
    let plan = ShopifyPlan::new(session, asked, &record_key(asked)).await?;
    let refunds = refund::refund(session, &plan).await?;
    Ok(Resolved::Completed { external_reference: refund_ids(&refunds) })
}
