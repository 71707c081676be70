//! The receipt of a draft.

use crate::{
    amounts::receipt::{Receipt, ReceiptNames, ReceiptShipping},
    progress::wording::replacement,
    words::Live,
};
use domain::{
    PurchaseId,
    costs::{CostBreakdown, LineKind},
    policy::Resolution,
};
use returns::view;
use ui::components::ProductSummary;

/// The receipt of a draft with a shipping option. `None` for a gift.
pub fn receipt_of(
    costs: &view::Costs,
    option: &view::ShippingOptionView,
    (draft, purchases): (&view::Draft, &[view::PurchaseView]),
    words: &Live,
) -> Option<Receipt> {
    let called = called(draft, purchases, words);
    costs.breakdown().map(|costs| receipt(costs, &ReceiptShipping::Chosen(&option.name), called, words))
}

/// The names of a draft's purchases on the receipt.
pub fn called(
    draft: &view::Draft,
    purchases: &[view::PurchaseView],
    words: &Live,
) -> impl Fn(PurchaseId) -> ReceiptNames {
    move |id| {
        let purchase = purchases.iter().find(|purchase| purchase.id == id);
        let selected = draft.selected_purchases.iter().find(|selected| selected.purchase_id == id);
        ReceiptNames {
            name: purchase.map(|purchase| ProductSummary::new(&purchase.product).name).unwrap_or_default(),
            replacement: selected.and_then(|selected| {
                let is_exchange = selected.requested_resolution == Resolution::Exchange;
                is_exchange.then(|| wanted(selected, purchases, words).unwrap_or(words.replacement).to_owned())
            }),
        }
    }
}

/// The name of the replacement of an item.
pub fn wanted<'a>(
    selected: &'a view::SelectedPurchase,
    purchases: &[view::PurchaseView],
    words: &'a Live,
) -> Option<&'a str> {
    let product = purchases.iter().find(|purchase| purchase.id == selected.purchase_id).map(|one| &one.product);
    Some(replacement(selected.exchange_for.as_ref()?, product, words))
}

/// A receipt that says "up to" if the refund limit of the orders is reached.
fn receipt(
    costs: &CostBreakdown,
    sending: &ReceiptShipping<'_>,
    called: impl Fn(PurchaseId) -> ReceiptNames,
    words: &Live,
) -> Receipt {
    let receipt = Receipt::new(costs, sending, called, words);
    if costs.total(LineKind::RefundLimit) == 0 { receipt } else { receipt.up_to(words) }
}
