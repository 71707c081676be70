//! What a resolution has to do with an order.

use super::{client::MedusaSession, money::text, responses::Order};
use crate::{
    bridge::contract::{Item, ResolveReturn},
    shops::resolution::{EarlyExit, IssuedRefund, amount_owed, total_refunded},
};

/// The order as the shop shows it, and what has to be done with it.
pub(super) struct MedusaPlan<'a> {
    pub order: Order,
    pub items: &'a [Item],
    /// What the shopper is owed, in minor units.
    pub owed: i64,
    /// The text of every record that we create in the shop.
    pub reason: String,
    /// The part of `reason` by which we find our records again.
    pub mark: String,
}

impl<'a> MedusaPlan<'a> {
    /// Reads the order, and rejects a request that does not fit it.
    pub async fn new(session: &MedusaSession<'_>, asked: &'a ResolveReturn) -> Result<Self, EarlyExit> {
        let Some(order) = session.order(&asked.order_id).await? else {
            return Err(EarlyExit::failed("The shop no longer has this order."));
        };
        for item in &asked.items {
            let Some(line) = order.items.iter().find(|line| line.id == item.purchase_id) else {
                return Err(EarlyExit::failed("The order no longer has this line."));
            };
            if !(1..=line.quantity).contains(&item.quantity) {
                return Err(EarlyExit::failed("The refund covers more units than were ordered."));
            }
        }
        let owed = amount_owed(asked, order.currency_code)?;
        let mark = asked.transaction_id.to_string();
        let reason = format!("Return {} ({mark})", asked.return_order_number);
        Ok(Self { order, items: &asked.items, owed, reason, mark })
    }

    /// An amount in minor units, as text.
    pub fn text(&self, minor: i64) -> String {
        text(minor, self.order.currency_code)
    }

    /// Nothing was refunded, or only a part. A person has to know about a part.
    pub fn not_refunded(&self, refunds: &[IssuedRefund], reason: &str) -> EarlyExit {
        if refunds.is_empty() {
            return EarlyExit::failed(reason);
        }
        let (refunded, owed) = (self.text(total_refunded(refunds)), self.text(self.owed));
        EarlyExit::unclear(refunds, format!("Only {refunded} of {owed} were refunded. {reason}"))
    }
}
