//! The `RefundInput` of Shopify's `refundCreate`, with the fields that we set.

use super::{
    client::ShopifySession,
    duties::DutyRefund,
    plan::{Share, ShopifyPlan},
    restock::Places,
};
use crate::shops::resolution::{EarlyExit, IssuedRefund};
use domain::Currency;
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RefundInput<'a> {
    order_id: &'a str,
    note: String,
    notify: bool,
    currency: Currency,
    allow_over_refunding: bool,
    refund_line_items: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shipping: Option<ShippingRefund>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refund_duties: Vec<Value>,
    transactions: Vec<RefundTransaction<'a>>,
    refund_methods: Vec<Value>,
}

#[derive(Serialize)]
struct ShippingRefund {
    amount: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RefundTransaction<'a> {
    order_id: &'a str,
    parent_id: &'a str,
    gateway: &'a str,
    kind: &'static str,
    amount: String,
}

/// The input that refunds `rest`. The first refund of a resolution contains its lines and its shipping.
pub(super) async fn refund_input(
    session: &ShopifySession<'_>,
    plan: &ShopifyPlan<'_>,
    refunds: &[IssuedRefund],
    rest: i64,
) -> Result<Value, EarlyExit> {
    // Store credit is limited by the payments, too: it takes the place of the money.
    let shares = plan.shares(rest, refunds)?;
    let currency = plan.order.presentment_currency_code;
    let mut input = RefundInput {
        order_id: &plan.order.id,
        note: plan.reason.clone(),
        notify: false,
        currency,
        allow_over_refunding: false,
        refund_line_items: Vec::new(),
        shipping: None,
        refund_duties: Vec::new(),
        transactions: Vec::new(),
        refund_methods: Vec::new(),
    };
    if refunds.is_empty() {
        plan.check_units()?;
        plan.check_shipping().map_err(|reason| EarlyExit::failed(&reason))?;
        let duties = DutyRefund::of(plan).map_err(|reason| EarlyExit::failed(&reason))?;
        input.note.push_str(&duties.note);
        input.refund_duties = duties.inputs;
        let places = Places::of(session, plan).await?;
        let missing = places.missing(&plan.asked.items);
        if missing > 0 {
            input.note = format!("{}; units that were not put back into stock: {missing}", input.note);
        }
        input.refund_line_items = plan.asked.items.iter().map(|item| places.input(item)).collect();
        let shipping = plan.shipping();
        input.shipping = (shipping > 0).then(|| ShippingRefund { amount: plan.decimal(shipping) });
    }
    if plan.is_store_credit() {
        let amount = json!({"amount": plan.decimal(rest), "currencyCode": currency});
        input.refund_methods = vec![json!({"storeCreditRefund": {"amount": amount}})];
    } else {
        input.transactions = shares.iter().map(|share| transaction(plan, share)).collect();
    }
    serde_json::to_value(input).map_err(|_| EarlyExit::failed("The refund could not be written as JSON."))
}

fn transaction<'a>(plan: &'a ShopifyPlan<'_>, share: &Share<'a>) -> RefundTransaction<'a> {
    RefundTransaction {
        order_id: &plan.order.id,
        parent_id: &share.payment.id,
        gateway: share.payment.gateway.as_deref().unwrap_or_default(),
        kind: "REFUND",
        amount: plan.decimal(share.amount),
    }
}
