//! A draft together with its purchases: their names, and the receipt.

use crate::{
    amounts::receipt::{Receipt, ReceiptNames, ReceiptShipping},
    progress::wording::replacement,
    words::Live,
};
use domain::{PurchaseId, costs::LineKind, policy::Resolution};
use returns::view;
use ui::components::ProductSummary;

/// A draft and the shopper's purchases, which have the products that the draft refers to.
#[derive(Debug, Clone, Copy)]
pub struct DraftGoods<'a> {
    pub draft: &'a view::Draft,
    pub purchases: &'a [view::PurchaseView],
}

impl<'a> DraftGoods<'a> {
    /// A purchase by its id.
    pub fn purchase(self, id: PurchaseId) -> Option<&'a view::PurchaseView> {
        self.purchases.iter().find(|purchase| purchase.id == id)
    }

    /// The product of a purchase.
    pub fn product(self, id: PurchaseId) -> Option<ProductSummary> {
        self.purchase(id).map(|purchase| ProductSummary::new(&purchase.product))
    }

    /// The reason of a selected purchase.
    pub fn reason(self, selected: &view::SelectedPurchase) -> Option<&'a view::ReturnReasonView> {
        let reasons = &self.purchase(selected.purchase_id)?.return_reasons;
        reasons.iter().find(|reason| reason.id == selected.return_reason_id)
    }

    /// The name of the replacement of a selected purchase.
    pub fn replacement<'b>(self, selected: &'b view::SelectedPurchase, words: &'b Live) -> Option<&'b str> {
        let product = self.purchase(selected.purchase_id).map(|purchase| &purchase.product);
        Some(replacement(selected.exchange_for.as_ref()?, product, words))
    }

    /// The receipt with these costs. `None` for a gift. It says "up to" if the refund limit of the orders is reached.
    pub fn receipt(self, costs: &view::Costs, shipping: &ReceiptShipping<'_>, words: &Live) -> Option<Receipt> {
        let costs = costs.breakdown()?;
        let receipt = Receipt::new(costs, shipping, |id| self.names(id, words), words);
        Some(if costs.total(LineKind::RefundLimit) == 0 { receipt } else { receipt.up_to(words) })
    }

    /// The names of a purchase on the receipt.
    fn names(self, id: PurchaseId, words: &Live) -> ReceiptNames {
        let selected = self.draft.selected_purchases.iter().find(|selected| selected.purchase_id == id);
        let exchanged = selected.filter(|selected| selected.requested_resolution == Resolution::Exchange);
        ReceiptNames {
            name: self.product(id).map(|product| product.name).unwrap_or_default(),
            replacement: exchanged
                .map(|selected| self.replacement(selected, words).unwrap_or(words.replacement).to_owned()),
        }
    }
}
