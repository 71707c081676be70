//! Exchanges: a return has lines for the units that it sends out, and processing them sends them.
//!
//! Shopify takes such lines only when a return is made. Each has the discount of the units that come back, so that the
//! exchange costs nothing and gives no money. We ask Shopify for the difference before we process it.

use super::{
    begun::Attempt,
    client::ShopifySession,
    documents::{EXCHANGE_OUTCOME, EXCHANGEABLE, SENT_BY, VARIANTS},
    money::{MoneyBag, sum},
    order_state::Identified,
    plan::ShopifyPlan,
    responses::{DiscountAllocation, LineId, Nodes, is_sent},
    return_asked::{MirroredDecision, MirroredItem, MirroredReturn, ReturnChange, ReturnStep},
    return_steps::step,
    return_view::{ExchangeLine, ReturnView},
};
use crate::{
    bridge::{
        BridgeError,
        contract::{Item, ResolveReturn},
    },
    shops::resolution::EarlyExit,
};
use domain::policy;
use serde::Deserialize;
use serde_json::{Value, json};

const BY_HAND: &str = "Place the new order and carry out the resolution by hand.";
const DISCOUNT: &str = "The discount of the returned item";

/// The response to `EXCHANGEABLE`.
#[derive(Deserialize)]
struct ExchangeableResponse {
    lines: Vec<Option<SoldLine>>,
}

/// A line of an order, or an empty object for something else.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SoldLine {
    id: Option<String>,
    quantity: Option<u32>,
    original_unit_price_set: Option<MoneyBag>,
    #[serde(default)]
    discount_allocations: Vec<DiscountAllocation>,
    product: Option<VariantsOfProduct>,
}

#[derive(Deserialize)]
struct VariantsOfProduct {
    variants: Nodes<Variant>,
}

/// The response to `VARIANTS`.
#[derive(Deserialize)]
struct VariantsResponse {
    variants: Vec<Option<Variant>>,
    line: Option<LineProduct>,
}

#[derive(Deserialize)]
struct LineProduct {
    product: Option<Identified>,
}

/// A variant, or an empty object for something else.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Variant {
    id: Option<String>,
    sku: Option<String>,
    #[serde(default)]
    available_for_sale: bool,
    product: Option<Identified>,
}

/// The response to `SENT_BY`.
#[derive(Deserialize)]
struct SentByResponse {
    order: Option<SentOrder>,
}

#[derive(Deserialize)]
struct SentOrder {
    fulfillments: Vec<SentFulfilment>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentFulfilment {
    /// What staff call it, such as `#1001-F1`.
    name: String,
    status: String,
    fulfillment_line_items: Nodes<SentLine>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SentLine {
    line_item: LineId,
}

/// The response to `EXCHANGE_OUTCOME`.
#[derive(Deserialize)]
struct OutcomeResponse {
    #[serde(rename = "return")]
    found: Option<ReturnOutcome>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReturnOutcome {
    suggested_financial_outcome: Option<FinancialOutcome>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FinancialOutcome {
    financial_transfer: Option<Transfer>,
}

/// What the shopper would pay, or get.
#[derive(Deserialize)]
struct Transfer {
    invoiced: Option<MoneyBag>,
    refunded: Option<MoneyBag>,
}

/// The exchange lines of a return to make, each with its name among the parts of the step. An item whose stock-keeping unit the product
/// does not have, or whose line Shopify refuses, gets none.
pub(super) async fn lines_to_make(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
    items: &[&MirroredItem],
) -> Result<Vec<(String, Value)>, BridgeError> {
    let wanted: Vec<(&MirroredItem, &str)> = items
        .iter()
        .filter_map(|item| Some((*item, item.exchange_sku.as_deref()?)))
        .filter(|(item, sku)| !asked.has_refused(&part(item, sku)))
        .collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = wanted.iter().map(|(item, _)| item.purchase_id.as_str()).collect();
    let ExchangeableResponse { lines } = session.query(EXCHANGEABLE, json!({"lines": ids})).await?;
    let lines: Vec<SoldLine> = lines.into_iter().flatten().collect();
    let make = |(item, sku): (&MirroredItem, &str)| {
        let line = lines.iter().find(|line| line.id.as_ref() == Some(&item.purchase_id))?;
        let variant = line.variant(sku)?;
        let discount = line.discount().filter(|percent| *percent > 0.0);
        let discount = discount.map(|percent| json!({"description": DISCOUNT, "value": {"percentage": percent}}));
        let input = json!({"variantId": variant, "quantity": item.quantity, "appliedDiscount": discount});
        Some((part(item, sku), input))
    };
    Ok(wanted.into_iter().filter_map(make).collect())
}

/// The name of an item's exchange line among the parts of a step.
fn part(item: &MirroredItem, sku: &str) -> String {
    format!("exchange {} {sku}", item.purchase_id)
}

/// Takes lines out of the return whose units are not sent any more: their items get money instead, or nothing.
pub(super) async fn remove_dropped(
    session: &ShopifySession<'_>,
    asked: &MirroredReturn,
    view: &ReturnView,
) -> Result<Option<ReturnStep>, BridgeError> {
    let dropped = asked.items.iter().find(|item| item.dropped_exchange_sku.is_some());
    let lines: Vec<&ExchangeLine> = view.exchange_lines().iter().filter(|line| line.variant_id.is_some()).collect();
    let Some(dropped) = dropped.filter(|_| lines.iter().any(|line| line.processable > 0)) else { return Ok(None) };
    let ids: Vec<&str> = lines.iter().filter_map(|line| line.variant_id.as_deref()).collect();
    let variables = json!({"ids": ids, "line": dropped.purchase_id});
    let VariantsResponse { variants, .. } = session.query(VARIANTS, variables).await?;
    let variants: Vec<Variant> = variants.into_iter().flatten().collect();
    let sku_of = |line: &ExchangeLine| {
        let variant = variants.iter().find(|variant| variant.id == line.variant_id);
        variant.and_then(|variant| variant.sku.as_deref())
    };
    let name = |line: &ExchangeLine| format!("remove exchange {}", line.id);
    let mut removals: Vec<(&ExchangeLine, u32)> = Vec::new();
    for line in &lines {
        let Some(sku) = sku_of(line) else { continue };
        let of_sku = |one: &&&ExchangeLine| sku_of(one) == Some(sku);
        let in_return = lines.iter().filter(of_sku).map(|one| one.quantity).fold(0, u32::saturating_add);
        let removed = removals.iter().filter(|(one, _)| sku_of(one) == Some(sku)).map(|(_, units)| *units);
        let most = dropped_units(asked, sku, in_return).saturating_sub(removed.fold(0, u32::saturating_add));
        let units = most.min(line.processable);
        if units > 0 && !asked.has_refused(&name(line)) {
            removals.push((line, units));
        }
    }
    removals.truncate(asked.most_parts());
    let inputs: Vec<Value> =
        removals.iter().map(|(line, units)| json!({"exchangeLineItemId": line.id, "quantity": units})).collect();
    let parts = removals.iter().map(|(line, _)| name(line)).collect();
    let variables = json!({"id": view.id, "lines": inputs});
    Ok((!removals.is_empty()).then(|| ReturnStep { parts, ..step(ReturnChange::RemoveExchanges, variables) }))
}

/// How many units of a variant are not sent any more, of those that a return sends. Other items may be exchanged for the same one.
fn dropped_units(asked: &MirroredReturn, sku: &str, in_return: u32) -> u32 {
    let sum = |is_counted: &dyn Fn(&MirroredItem) -> bool| {
        let counted = asked.items.iter().filter(|item| is_counted(item));
        counted.map(|item| item.quantity).fold(0, u32::saturating_add)
    };
    let wanted = sum(&|item| item.exchange_sku.as_deref() == Some(sku) && item.decision != MirroredDecision::Refused);
    sum(&|item| item.dropped_exchange_sku.as_deref() == Some(sku)).min(in_return.saturating_sub(wanted))
}

impl SoldLine {
    /// The product's variant with this stock-keeping unit; `None` without one, or with several.
    fn variant(&self, sku: &str) -> Option<&str> {
        let variants = &self.product.as_ref()?.variants.nodes;
        let mut found = variants.iter().filter(|variant| variant.sku.as_deref() == Some(sku));
        let first = found.next()?;
        if found.next().is_some() {
            return None;
        }
        first.id.as_deref()
    }

    /// The share of the price that the shopper did not pay, in percent, in millionths.
    fn discount(&self) -> Option<f64> {
        let price = self.original_unit_price_set?.minor().checked_mul(i64::from(self.quantity?))?;
        let off = sum(self.discount_allocations.iter().map(|one| one.allocated_amount_set)).clamp(0, price.max(0));
        let millionths = (i128::from(off) * 100_000_000).checked_div(i128::from(price))?;
        format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000).parse().ok()
    }
}

/// The names of the fulfilments by which lines of an order were sent.
async fn fulfilments_of(
    session: &ShopifySession<'_>,
    order_id: &str,
    lines: &[&str],
) -> Result<Vec<String>, BridgeError> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let SentByResponse { order } = session.query(SENT_BY, json!({"order": order_id})).await?;
    let fulfillments = order.into_iter().flat_map(|order| order.fulfillments);
    let of_lines = fulfillments.filter(|fulfillment| {
        let mut sent = fulfillment.fulfillment_line_items.nodes.iter();
        is_sent(&fulfillment.status) && sent.any(|line| lines.contains(&line.line_item.id.as_str()))
    });
    Ok(of_lines.map(|fulfillment| fulfillment.name).collect())
}

/// The variants with a stock-keeping unit: those of the returned product if it has one, because shops may use one twice.
fn named(variants: Vec<Option<Variant>>, sku: &str, returned: Option<&Identified>) -> Vec<Variant> {
    let mut named: Vec<Variant> =
        variants.into_iter().flatten().filter(|variant| variant.sku.as_deref() == Some(sku)).collect();
    let is_own = |variant: &Variant| variant.product.is_some() && variant.product.as_ref() == returned;
    if named.iter().any(is_own) {
        named.retain(is_own);
    }
    named
}

/// What a resolution sends instead of the units that came back.
pub(super) struct Exchange<'a> {
    sku: &'a str,
    units: u32,
    /// The lines of the return with this stock-keeping unit.
    lines: Vec<&'a ExchangeLine>,
    is_for_sale: bool,
    /// The units of other items that were processed without a refund: units may have been sent for them.
    others: u32,
    /// The names of the fulfilments by which units were sent.
    fulfilments: Vec<String>,
}

impl<'a> Exchange<'a> {
    /// Reads what the return sends; `None` for a resolution in money.
    pub async fn of(
        session: &ShopifySession<'_>,
        asked: &'a ResolveReturn,
        view: &'a ReturnView,
    ) -> Result<Option<Self>, EarlyExit> {
        if asked.kind != policy::Resolution::Exchange {
            return Ok(None);
        }
        let [Item { exchange_sku: Some(sku), quantity: units, purchase_id, .. }] = asked.items.as_slice() else {
            return Err(EarlyExit::failed(&format!("The exchange does not say what to send. {BY_HAND}")));
        };
        let ids: Vec<&str> = view.exchange_lines().iter().filter_map(|line| line.variant_id.as_deref()).collect();
        let variants: Vec<Variant> = if ids.is_empty() {
            Vec::new()
        } else {
            let variables = json!({"ids": ids, "line": purchase_id});
            let VariantsResponse { variants, line } = session.query(VARIANTS, variables).await?;
            named(variants, sku, line.and_then(|line| line.product).as_ref())
        };
        let has_sku = |line: &&ExchangeLine| {
            line.variant_id.is_some() && variants.iter().any(|variant| variant.id == line.variant_id)
        };
        let lines: Vec<&ExchangeLine> = view.exchange_lines().iter().filter(has_sku).collect();
        let sent_by: Vec<&str> = lines.iter().flat_map(|line| line.sent_by()).collect();
        let fulfilments = fulfilments_of(session, &asked.order_id, &sent_by).await?;
        let is_for_sale = variants.iter().any(|variant| variant.available_for_sale);
        let others = view.exchanged_apart_from(purchase_id);
        Ok(Some(Self { sku, units: *units, lines, is_for_sale, others, fulfilments }))
    }

    /// The names of the fulfilments by which units were sent: none before the warehouse sends them.
    pub fn fulfilments(&self) -> &[String] {
        &self.fulfilments
    }

    fn sum(&self, of: fn(&ExchangeLine) -> u32) -> u32 {
        self.lines.iter().map(|line| of(line)).fold(0, u32::saturating_add)
    }

    /// How many of the units were certainly sent by staff: those that other items of the return do not explain.
    fn sent_by_staff(&self) -> u32 {
        self.sum(|line| line.processed).saturating_sub(self.others).min(self.units)
    }

    /// The lines to process, with their units; none if staff have sent them already.
    pub fn lines_to_process(&self) -> Result<Vec<Value>, EarlyExit> {
        let sku = self.sku;
        match self.sent_by_staff() {
            0 => {}
            sent if sent == self.units => return Ok(Vec::new()),
            sent if self.sum(|line| line.processable) > 0 => {
                return Err(EarlyExit::failed(&format!(
                    "{sent} of {} × {sku} were sent in Shopify already. Send the others there as well, by the exchange line of the \
                     return. Then try again.",
                    self.units
                )));
            }
            _ => {}
        }
        // Another item of the return may be exchanged for the same variant: its line stays whole, if possible.
        let mut lines = self.lines.clone();
        lines.sort_by_key(|line| line.processable != self.units);
        let (mut rest, mut chosen) = (self.units, Vec::new());
        for line in lines {
            let quantity = line.processable.min(rest);
            if quantity > 0 {
                rest -= quantity;
                chosen.push(json!({"id": line.id, "quantity": quantity}));
            }
        }
        let sent = self.sum(|line| line.processed);
        if rest > 0 && sent > 0 {
            return Err(EarlyExit::failed(&format!(
                "The return in Shopify has sent {sent} × {sku} already, perhaps for another item, and has too few left to send. Look at \
                 the return there. {BY_HAND}"
            )));
        }
        if rest > 0 {
            return Err(EarlyExit::failed(&format!(
                "The return in Shopify does not send {} × {sku}: the product has no such variant, or the exchange was agreed after \
                 the return was made there. {BY_HAND}",
                self.units
            )));
        }
        if !self.is_for_sale {
            return Err(EarlyExit::failed(&format!("{sku} is sold out in Shopify, or no longer for sale. {BY_HAND}")));
        }
        Ok(chosen)
    }

    /// Whether the units were sent, by the latest attempt or, without one, by staff.
    pub fn is_sent(&self, attempt: Option<&Attempt>) -> bool {
        let named = attempt.and_then(|attempt| attempt.input.get("exchangeLineItems")?.as_array());
        let Some(named) = named.filter(|named| !named.is_empty()) else { return self.sent_by_staff() >= self.units };
        let is_sent = |wanted: &Value| {
            let quantity = wanted.get("quantity").and_then(Value::as_u64).unwrap_or(u64::MAX);
            let line =
                self.lines.iter().find(|line| wanted.get("id").and_then(Value::as_str) == Some(line.id.as_str()));
            line.is_some_and(|line| u64::from(line.processed) >= quantity)
        };
        named.iter().all(is_sent)
    }

    /// Staff processed the return without sending the units.
    pub fn not_sent(&self) -> String {
        format!(
            "In Shopify, units of this return were processed, but {} × {} were not sent. Look at the return there, and carry out \
             the rest by hand.",
            self.units, self.sku
        )
    }

    /// Refuses an exchange that would leave an amount to pay or to refund, unless staff have sent it already. Retour exchanges for
    /// goods of the same price; a minor unit for each item is rounding.
    pub async fn check_even(
        &self,
        session: &ShopifySession<'_>,
        plan: &ShopifyPlan<'_>,
        view: &ReturnView,
        returned: &[Value],
        exchanged: &[Value],
    ) -> Result<(), EarlyExit> {
        if exchanged.is_empty() {
            return Ok(());
        }
        let variables = json!({"id": view.id, "lines": returned, "exchanged": exchanged});
        let OutcomeResponse { found } = session.query(EXCHANGE_OUTCOME, variables).await?;
        let Some(outcome) = found.and_then(|found| found.suggested_financial_outcome) else {
            return Err(EarlyExit::failed(&format!("Shopify does not say what the exchange costs. {BY_HAND}")));
        };
        let (amount, verb) = match outcome.financial_transfer {
            Some(Transfer { invoiced: Some(amount), .. }) => (amount.minor(), "have to pay"),
            Some(Transfer { refunded: Some(amount), .. }) => (amount.minor(), "get back"),
            Some(Transfer { invoiced: None, refunded: None }) | None => return Ok(()),
        };
        if amount <= i64::from(self.units) {
            return Ok(());
        }
        let amount = plan.text(amount);
        Err(EarlyExit::failed(&format!(
            "With {} instead of the returned item, the shopper would {verb} {amount} in Shopify: the prices differ. {BY_HAND}",
            self.sku
        )))
    }
}
