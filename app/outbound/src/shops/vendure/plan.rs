//! What a resolution has to do with an order.

use super::{
    client::VendureSession,
    graphql,
    money::Scale,
    responses::{HistoryEntry, Order, Payment, Refund},
};
use crate::{
    bridge::{
        Resolved,
        contract::{Item, ResolveReturn},
    },
    shops::resolution::{ChangeError, EarlyExit, IssuedRefund, amount_owed, total_refunded},
};
use domain::Timestamp;
use serde_json::json;

/// The order as the shop shows it, and what has to be done with it.
pub(super) struct VendurePlan<'a> {
    pub order: Order,
    pub items: &'a [Item],
    pub scale: Scale,
    /// What the shopper is owed, in the shop's unit.
    pub owed: i64,
    /// The text of every record that we create in the shop. Shoppers see it too.
    pub reason: String,
    /// The part of `reason` by which we find our records again.
    pub mark: String,
}

/// A note of ours on the order.
pub(super) struct OrderNote {
    pub text: String,
    pub created_at: Timestamp,
}

impl<'a> VendurePlan<'a> {
    /// Reads the order, and rejects a request that does not fit it.
    pub async fn new(session: &VendureSession<'_>, asked: &'a ResolveReturn) -> Result<Self, EarlyExit> {
        let response = session.order(&asked.order_id).await?;
        let Some(order) = response.order else {
            return Err(EarlyExit::failed("The shop no longer has this order."));
        };
        let currency = order.currency_code;
        let scale = Scale::new(currency, response.global_settings.server_config.money_strategy_precision)?;
        for item in &asked.items {
            let Some(line) = order.lines.iter().find(|line| line.id == item.purchase_id) else {
                return Err(EarlyExit::failed("The order no longer has this line."));
            };
            if !(1..=line.ordered()).contains(&item.quantity) {
                return Err(EarlyExit::failed("The refund covers more units than were ordered."));
            }
        }
        let owed = amount_owed(asked, currency)?;
        let mark = asked.transaction_id.to_string();
        let reason = format!("Return {} ({mark})", asked.return_order_number);
        Ok(Self { order, items: &asked.items, scale, owed: scale.amount(owed), reason, mark })
    }

    /// Whether a record in the shop belongs to this resolution.
    pub fn is_ours(&self, text: &str) -> bool {
        text.contains(&self.mark)
    }

    /// An amount in the shop's unit, as text.
    pub fn text(&self, amount: i64) -> String {
        let money = self.scale.money(amount);
        format!("{} {}", money.decimal(), money.currency)
    }

    /// The order's payments, oldest first. The shop returns them in any order.
    pub fn payments(&self) -> impl Iterator<Item = &Payment> {
        let mut payments: Vec<&Payment> = self.order.payments.iter().flatten().collect();
        payments.sort_by_key(|payment| (payment.created_at, &payment.id));
        payments.into_iter()
    }

    /// The refunds that were tried for this resolution, including failed ones, which are tried again.
    pub fn our_refunds(&self) -> impl Iterator<Item = &Refund> {
        let all = self.payments().flat_map(|payment| &payment.refunds);
        all.filter(|refund| refund.reason.as_deref().is_some_and(|reason| self.is_ours(reason)))
    }

    /// The notes on the order.
    pub fn notes(&self) -> impl Iterator<Item = OrderNote> {
        let notes = self.entries("ORDER_NOTE");
        notes.map(|entry| OrderNote { text: entry.field("note"), created_at: entry.created_at })
    }

    /// Whether units were cancelled for this resolution. Cancelling puts them into stock.
    pub fn is_restocked(&self) -> bool {
        self.entries("ORDER_CANCELLATION").any(|entry| self.is_ours(&entry.field("reason")))
    }

    fn entries(&self, kind: &str) -> impl Iterator<Item = &HistoryEntry> {
        self.order.history.items.iter().filter(move |entry| entry.kind == kind)
    }

    /// Nothing was refunded, or only a part. A person has to know about a part. `tried` is the id of a refund that failed.
    pub fn not_refunded(&self, refunds: &[IssuedRefund], tried: Option<String>, reason: String) -> EarlyExit {
        if refunds.is_empty() {
            return EarlyExit::Resolved(Resolved::Failed { external_reference: tried, reason });
        }
        let (refunded, owed) = (self.text(total_refunded(refunds)), self.text(self.owed));
        EarlyExit::unclear(refunds, format!("Only {refunded} of {owed} were refunded. {reason}"))
    }
}

/// Writes a note on the order that shoppers do not see.
pub(super) async fn write_note(
    session: &VendureSession<'_>,
    plan: &VendurePlan<'_>,
    note: &str,
) -> Result<(), ChangeError> {
    let input = json!({"id": plan.order.id, "note": note, "isPublic": false});
    session.mutate(graphql::NOTE, input).await.map(drop)
}
