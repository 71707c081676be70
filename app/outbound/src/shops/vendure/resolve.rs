//! Settling a return request, step by step: each looks whether it was made before.

use crate::shops::vendure::{
    client::Session,
    documents,
    money::Scale,
    purchases, refund,
    responses::{HistoryEntry, Order},
};
use crate::{
    bridge::{
        BridgeError, Resolved,
        contract::{Item, ResolveReturn},
    },
    shops::resolution::{Stop, Trouble, ended, failed, owed, reference, stop},
};
use domain::{Timestamp, policy, stage::Disposition};
use serde_json::json;

/// What is to be done with an order.
pub(super) struct Plan<'a> {
    pub order: Order,
    pub items: &'a [Item],
    pub scale: Scale,
    /// What the consumer gets, in the shop's whole numbers.
    pub owed: i64,
    /// What all that we do there bears, to be found by: it is shown to the shopper too.
    pub reason: String,
    /// The part of it that is looked for.
    pub mark: String,
}

/// See [`super::Vendure::resolve_return`].
pub(super) async fn resolve(session: &Session<'_>, asked: &ResolveReturn) -> Result<Resolved, BridgeError> {
    if let Some(reason) = by_hand(asked.kind) {
        return Ok(failed(reason));
    }
    ended(|| steps(session, asked)).await
}

/// Why a kind of resolution has to be settled by people.
fn by_hand(kind: policy::Resolution) -> Option<&'static str> {
    match kind {
        policy::Resolution::Refund => None,
        policy::Resolution::StoreCredit => Some("Vendure has no store credit: settle it by hand."),
        policy::Resolution::Exchange => Some("Vendure has no exchanges: place the new order and settle it by hand."),
    }
}

async fn steps(session: &Session<'_>, asked: &ResolveReturn) -> Result<Resolved, Stop> {
    let plan = Plan::new(session, asked).await?;
    let refunds = refund::refund(session, &plan).await?;
    let external_reference = reference(&refunds);
    let restocked = restock(session, &plan).await.map_err(|trouble| match trouble {
        // The money is given back: asked again, only the stock is left to do.
        Trouble::NotDone(error) => Stop::Error(error),
        _ => Stop::Resolved(Resolved::Pending { external_reference: external_reference.clone() }),
    })?;
    note(session, &plan, restocked).await;
    Ok(Resolved::Completed { external_reference })
}

impl<'a> Plan<'a> {
    /// Looks at the order, and refuses what cannot be meant for it.
    async fn new(session: &Session<'_>, asked: &'a ResolveReturn) -> Result<Self, Stop> {
        let stood = session.order(&asked.order_id).await?;
        let Some(order) = stood.order else { return Err(stop("The shop does not know this order any more.")) };
        let currency = order.currency_code;
        let decimals = stood.global_settings.server_config.money_strategy_precision;
        let scale = purchases::scale(currency, decimals)?;
        for item in &asked.items {
            let line = order.lines.iter().find(|line| line.id == item.purchase_id);
            let Some(line) = line else { return Err(stop("The order does not have this line any more.")) };
            if !(1..=line.ordered()).contains(&item.quantity) {
                return Err(stop("More units are to be refunded than were ordered."));
            }
        }
        let owed = owed(asked, currency)?;
        let mark = asked.transaction_id.to_string();
        let reason = format!("Return {} ({mark})", asked.return_order_number);
        Ok(Self { order, items: &asked.items, scale, owed: scale.amount(owed), reason, mark })
    }

    /// Whether a text of the shop's is about this resolution.
    pub fn is_ours(&self, text: &str) -> bool {
        text.contains(&self.mark)
    }

    /// An amount of the shop's, to be read.
    pub fn text(&self, amount: i64) -> String {
        let money = self.scale.money(amount);
        format!("{} {}", money.decimal(), money.currency)
    }

    /// What is noted on the order, and since when.
    pub fn notes(&self) -> impl Iterator<Item = (String, Timestamp)> {
        self.entries("ORDER_NOTE").map(|entry| (entry.field("note"), entry.created_at))
    }

    /// Whether units were taken off the order for this resolution, which puts them into stock.
    fn is_restocked(&self) -> bool {
        self.entries("ORDER_CANCELLATION").any(|entry| self.is_ours(&entry.field("reason")))
    }

    fn entries(&self, kind: &str) -> impl Iterator<Item = &HistoryEntry> {
        self.order.history.items.iter().filter(move |entry| entry.kind == kind)
    }
}

/// What became of the stock.
#[derive(Clone, Copy)]
enum Restocked {
    Nothing,
    Units(u32),
    /// The shop did not take them.
    Refused(u32),
}

/// Puts back into stock what is sold again, which in Vendure is to cancel it. A shop that refuses holds nothing up: the
/// consumer has their money, and the note says so.
async fn restock(session: &Session<'_>, plan: &Plan<'_>) -> Result<Restocked, Trouble> {
    let back = plan.items.iter().filter(|item| item.disposition == Some(Disposition::Restock));
    let units = back.clone().map(|item| item.quantity).fold(0, u32::saturating_add);
    if units == 0 || plan.is_restocked() {
        return Ok(if units == 0 { Restocked::Nothing } else { Restocked::Units(units) });
    }
    let lines: Vec<_> = back.map(|item| json!({"orderLineId": item.purchase_id, "quantity": item.quantity})).collect();
    let input = json!({"orderId": plan.order.id, "lines": lines, "reason": plan.reason, "cancelShipping": false});
    match session.change(documents::CANCEL, input).await {
        Ok(_) => Ok(Restocked::Units(units)),
        Err(Trouble::Refused(_) | Trouble::BrokenOff | Trouble::NotDone(BridgeError::BadAnswer(_))) => {
            Ok(Restocked::Refused(units))
        }
        Err(trouble) => Err(trouble),
    }
}

/// Tells the merchant's people. It is left out rather than to hold anything up.
async fn note(session: &Session<'_>, plan: &Plan<'_>, restocked: Restocked) {
    let start = format!("{}: refunded", plan.reason);
    if plan.notes().any(|(note, _)| note.starts_with(&start)) {
        return;
    }
    let stock = match restocked {
        Restocked::Nothing => String::new(),
        Restocked::Units(units) => format!(", units back in stock: {units}"),
        Restocked::Refused(units) => format!(", units that could not be put back into stock: {units}"),
    };
    let _ = leave_note(session, plan, &format!("{start} {}{stock}", plan.text(plan.owed))).await;
}

/// Leaves a word on the order that shoppers do not see.
pub(super) async fn leave_note(session: &Session<'_>, plan: &Plan<'_>, note: &str) -> Result<(), Trouble> {
    let input = json!({"id": plan.order.id, "note": note, "isPublic": false});
    session.change(documents::NOTE, input).await.map(drop)
}
