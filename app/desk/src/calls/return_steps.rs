//! The steps of a return that staff make: its draft, and the three ways to end it.

use super::call::Next;
use crate::{
    problem::{Mistake, Problem},
    visit::{Visit, reasons},
};
use domain::{
    ConsumerId, DraftReturnOrderId, RefusalCode, ShippingOptionId,
    policy::Resolution,
    returning::{DraftStatus, OverriddenRule, ReturnOrderStatus},
    shipping::ShippingMethod,
};
use returns::{
    Done, Error, Expand, FieldError, OverrideInput, Receipt, ReturnForConsumer, Scope, Selection, Shopper, view,
};
use ui::{text::format, web::form::Fields};

/// The rules that staff may override, with the names of their fields.
pub const RULES: [(OverriddenRule, &str, &str); 5] = [
    (OverriddenRule::ReturnWindow, "rule-window", "why-window"),
    (OverriddenRule::FinalSale, "rule-final-sale", "why-final-sale"),
    (OverriddenRule::Fees, "rule-fees", "why-fees"),
    (OverriddenRule::CustomsData, "rule-customs", "why-customs"),
    (OverriddenRule::SendingBack, "rule-keep", "why-keep"),
];

/// The fields of the form, as a selection.
#[derive(Debug, Default)]
struct TypedReturn {
    selections: Vec<Selection>,
    /// The number of the line that each selection is of.
    lines: Vec<usize>,
    overrides: Vec<OverrideInput>,
    /// The field of the reason of each override.
    why_fields: Vec<&'static str>,
    mistakes: Vec<Mistake>,
    /// Whether all items share their reason, wish and comment.
    is_shared: bool,
}

/// Makes the draft of the form's items.
pub async fn draft(visit: &Visit, consumer: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let consumer: ConsumerId = consumer.parse().map_err(|_| Problem::NotThere)?;
    let fields = visit.form.as_ref().map(|form| form.fields.clone()).unwrap_or_default();
    let typed = TypedReturn::new(&fields, visit);
    if !typed.mistakes.is_empty() {
        return Err(Problem::Mistakes(typed.mistakes));
    }
    if typed.selections.is_empty() {
        return Err(Problem::mistake("units-0", visit.words.new_return.choose_units));
    }
    let new = ReturnForConsumer {
        consumer,
        selections: typed.selections.clone(),
        shipping_option: None,
        overrides: typed.overrides.clone(),
    };
    // Without an idempotency key: a draft reserves nothing, so one too many does no harm.
    match visit.retour.merchant(&staff).create_draft(new, None).await {
        Ok(Done::Fresh { value, .. }) => Ok(Next::at(visit.path(&format!("new-return?draft={}", value.id)))),
        Ok(Done::Replayed(_)) => Err(Problem::Broken),
        Err(Error::Invalid(errors)) => {
            let errors = errors.into_iter().map(|error| typed.mistake(error, visit)).collect();
            Err(Problem::Mistakes(errors))
        }
        Err(error) => Err(visit.problem(error)),
    }
}

impl TypedReturn {
    fn new(fields: &Fields, visit: &Visit) -> Self {
        let mut typed = Self::default();
        for line in 0.. {
            let purchase = fields.get(&format!("purchase-{line}"));
            if purchase.is_empty() {
                break;
            }
            typed.add_line(line, purchase, fields, visit);
        }
        for (rule, tick, why) in RULES {
            if fields.has(tick) {
                typed.overrides.push(OverrideInput { rule, reason: fields.get(why).to_owned() });
                typed.why_fields.push(why);
            }
        }
        typed
    }

    fn add_line(&mut self, line: usize, purchase: &str, fields: &Fields, visit: &Visit) {
        let units_field = format!("units-{line}");
        let units = fields.get(&units_field).trim();
        let quantity = if units.is_empty() { Ok(0) } else { units.parse::<i64>() };
        let (Ok(quantity), Ok(purchase_id)) = (quantity, purchase.parse()) else {
            self.mistakes.push(Mistake::new(units_field, visit.words.new_return.units_wrong));
            return;
        };
        if quantity == 0 {
            return;
        }
        // On the page of a large order, all items share these fields.
        let of_line = |name: &str| {
            let own = format!("{name}-{line}");
            fields.get(if fields.has(&own) { own.as_str() } else { shared_field(name) }).trim().to_owned()
        };
        let reason = of_line("reason");
        let (resolution, exchange_for) = wanted(&of_line("wanted"));
        self.is_shared = !fields.has(&format!("reason-{line}"));
        self.lines.push(line);
        self.selections.push(Selection {
            purchase_id,
            quantity,
            return_reason_id: reason.parse().ok(),
            comment: of_line("comment"),
            answers: Vec::new(),
            resolution,
            exchange_for,
        });
    }

    /// The mistake of the field that an error of the use case is about.
    fn mistake(&self, error: FieldError, visit: &Visit) -> Mistake {
        let words = visit.words;
        let text = match error.code {
            RefusalCode::NotReturnable => words.new_return.rule_refuses.to_owned(),
            _ => reasons::of_field(&error, words),
        };
        let place = |name: &str| {
            let rest = error.field.strip_prefix(name)?.strip_prefix('[')?;
            let (place, field) = rest.split_once("].")?;
            Some((place.parse::<usize>().ok()?, field.to_owned()))
        };
        if let Some((place, field)) = place("selectedPurchases") {
            let line = self.lines.get(place).copied().unwrap_or_default();
            let name = match field.split('.').next().unwrap_or_default() {
                "returnReasonId" | "answers" => "reason",
                "requestedResolution" | "exchangeFor" => "wanted",
                "returnReasonComment" => "comment",
                _ => "units",
            };
            let text = match (name, error.code) {
                ("units", RefusalCode::OutOfRange | RefusalCode::QuantityExceeded) => {
                    words.new_return.units_wrong.to_owned()
                }
                _ => text,
            };
            let is_shared = self.is_shared && name != "units";
            let field = if is_shared { shared_field(name).to_owned() } else { format!("{name}-{line}") };
            return Mistake::new(field, text);
        }
        if let Some((place, _)) = place("overrides") {
            return Mistake::new(self.why_fields.get(place).copied().unwrap_or_default(), text);
        }
        Mistake::new("units-0", text)
    }
}

/// The field that all items share.
fn shared_field(name: &str) -> &'static str {
    match name {
        "reason" => "reason-all",
        "wanted" => "wanted-all",
        _ => "comment-all",
    }
}

/// The resolution that a value of the form names: `Refund`, `Exchange`, or `Exchange:` with the SKU to send.
pub(super) fn wanted(value: &str) -> (Resolution, Option<String>) {
    let (kind, sku) = value.split_once(':').unwrap_or((value, ""));
    let resolution = Resolution::from_name(kind).unwrap_or(Resolution::Refund);
    (resolution, Some(sku.to_owned()).filter(|sku| !sku.is_empty()))
}

/// Ends a draft.
pub async fn make(visit: &Visit, draft: &str, way: &str, ending: &str) -> Result<Next, Problem> {
    let staff = visit.may_act(Scope::Write)?;
    let id: DraftReturnOrderId = draft.parse().map_err(|_| Problem::NotThere)?;
    let found = visit.retour.merchant(&staff).draft_return_order(id).await;
    let found = found.map_err(|error| visit.problem(error))?;
    let shopper = Shopper { account: staff.account(), consumer: found.consumer_id };
    if ending == "link" {
        let mailed = visit.retour.merchant(&staff).mail_draft(id, visit.key()).await;
        drop(mailed.map_err(|error| visit.problem(error))?);
        return Ok(Next::here(visit).saying(visit.words.new_return.link_sent));
    }
    let is_counter = ending == "counter";
    let is_kept = found.selected_purchases.iter().all(|item| item.keep_item);
    if found.status == DraftStatus::Open && !is_kept {
        choose_way(visit, shopper, &found, way, is_counter).await?;
    }
    let made = visit.retour.merchant(&staff).accept_draft(id).await.map_err(|error| visit.problem(error))?;
    let Done::Fresh { value: order, .. } = made else { return Err(Problem::Broken) };
    // A return that others have to approve cannot be received before that.
    let is_held = order.status == ReturnOrderStatus::Requested;
    if is_counter && !is_held {
        receive_all(visit, &staff, &order).await?;
    }
    let words = visit.words.new_return;
    let said = match (is_held, is_counter) {
        (true, _) => words.made_held,
        (false, true) => words.received,
        (false, false) => words.made,
    };
    let said = format(said, &[&order.number]);
    Ok(Next::at(visit.path(&format!("returns/{}", order.number))).saying(said))
}

/// Whether others have to approve the return of a draft first.
pub fn is_held(draft: &view::Draft) -> bool {
    draft.overrides.iter().any(|one| one.needs_approval)
}

/// Sets the way of sending: the chosen one, or, at the counter, the one in the shop.
async fn choose_way(
    visit: &Visit,
    shopper: Shopper,
    draft: &view::Draft,
    way: &str,
    is_counter: bool,
) -> Result<(), Problem> {
    let consumer = visit.retour.consumer(&shopper);
    let chosen: Option<ShippingOptionId> = if is_counter {
        let locale = &visit.locale();
        let offers = consumer.compare_shipping(draft.id, locale).await.map_err(|error| visit.problem(error))?;
        let here = offers.ways.into_iter().find(|(option, _)| option.method == ShippingMethod::InStore);
        here.map(|(option, _)| option.id)
    } else {
        way.parse().ok()
    };
    let chosen = chosen.ok_or_else(|| Problem::mistake("way", visit.words.new_return.choose_way))?;
    if draft.shipping_option_id == Some(chosen) {
        return Ok(());
    }
    match consumer.set_shipping_option(draft.id, chosen, None).await {
        Ok(_) => Ok(()),
        Err(Error::Invalid(errors)) => {
            let text = errors.first().map(|error| reasons::of_field(error, visit.words)).unwrap_or_default();
            Err(Problem::mistake("way", text))
        }
        Err(error) => Err(visit.problem(error)),
    }
}

/// Counts all units of a return as received. A repeated form counts nothing twice.
async fn receive_all(visit: &Visit, staff: &returns::Staff, order: &view::ReturnOrderView) -> Result<(), Problem> {
    let whole = visit.retour.merchant(staff).return_order(order.id, &[Expand::ReturnRequests]).await;
    let whole = whole.map_err(|error| visit.problem(error))?;
    for request in whole.return_requests.into_iter().flatten() {
        let reference = Some(format!("counter:{}", order.id));
        let receipt = Receipt { quantity: request.quantity, external_reference: reference };
        let received = visit.retour.merchant(staff).receive(request.id, receipt, None).await;
        drop(received.map_err(|error| visit.problem(error))?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_names_what_the_customer_wants() {
        assert_eq!(wanted("StoreCredit"), (Resolution::StoreCredit, None));
        assert_eq!(wanted("Exchange"), (Resolution::Exchange, None));
        assert_eq!(wanted("Exchange:MUG:GREEN"), (Resolution::Exchange, Some("MUG:GREEN".to_owned())));
        assert_eq!(wanted(""), (Resolution::Refund, None));
    }
}
