//! From a draft and its offers to the page.

use crate::{
    amounts::receipt::{Receipt, ReceiptLine, ReceiptShipping, shipping_fee},
    pages::{
        photos,
        review::view::{Offer, Review, ReviewItem, Way},
    },
    progress::{
        outcome::ExpectedOutcome,
        promises::within,
        wording::{asked_for, what},
    },
    selection::draft_receipt::{called, wanted},
    visit::shop::ShopRequest,
    words::Words,
};
use domain::{
    Money, PurchaseId, ShippingOptionId,
    costs::{CostBreakdown, LineKind},
    policy::Resolution,
    question,
    reason::Evidence,
    shipping::ShippingMethod,
};
use returns::{Offers, view};
use ui::{
    components::{NoticeText, ProductSummary, Tone, icons},
    money,
    text::format,
};

/// The page of a draft. `before` is the draft that it replaces.
pub fn page(
    shop: &ShopRequest,
    draft: &view::Draft,
    before: Option<&view::Draft>,
    purchases: &[view::PurchaseView],
    Offers { ways: offers, stopped_by_customs }: Offers,
    way_missing: bool,
) -> Review {
    let words = shop.words;
    let kept = draft.selected_purchases.iter().all(|selected| selected.keep_item);
    let product = |id: PurchaseId| {
        purchases.iter().find(|purchase| purchase.id == id).map(|purchase| ProductSummary::new(&purchase.product))
    };
    let name = |id: PurchaseId| product(id).map(|product| product.name).unwrap_or_default();
    let is_exchange =
        draft.selected_purchases.iter().any(|selected| selected.requested_resolution == Resolution::Exchange);
    let waits = waits(shop, draft, purchases);
    let way = |option: Option<&view::ShippingOptionView>, costs: &view::Costs| {
        let sending = option.map_or(ReceiptShipping::None, |option| ReceiptShipping::Chosen(&option.name));
        let fare = option.and_then(|option| option.fare.as_ref());
        let offer = option.map(|option| Offer {
            id: option.id,
            name: option.name.clone(),
            description: option.description.clone(),
            method: option.method,
            price: costs.breakdown().zip(fare).map(|(costs, fare)| charged(costs, fare.price, words)),
        });
        let outcome = ExpectedOutcome::of(costs, is_exchange, words);
        let receipt = costs
            .breakdown()
            .map(|costs| receipt(costs, &sending, called(draft, purchases, words.live()), words.live()));
        let receipt = receipt.map(|receipt| if waits { receipt.due_later(words.live()) } else { receipt });
        let is_limited = costs.breakdown().is_some_and(|costs| costs.total(LineKind::RefundLimit) != 0);
        Way {
            option: offer,
            receipt: receipt.clone(),
            outcome: if is_limited { outcome.if_agreed(words) } else { outcome },
            when: within(&shop.account.policy, words, option.map(|option| option.method), kept),
            button: button(option.map(|option| option.method), waits, receipt.as_ref().and_then(Receipt::due), words),
        }
    };
    let ways: Vec<Way> = if kept || offers.is_empty() {
        vec![way(None, &draft.costs)]
    } else {
        offers.iter().map(|(option, costs)| way(Some(option), costs)).collect()
    };
    let offered = |id: Option<ShippingOptionId>| offers.iter().position(|(option, _)| Some(option.id) == id);
    let chosen = offered(shop.visit.option).or(offered(draft.shipping_option_id)).filter(|_| !kept);
    let item = |selected: &view::SelectedPurchase| {
        let position =
            purchases.iter().position(|purchase| purchase.id == selected.purchase_id).map_or(0, |index| index + 1);
        let purchase = purchases.iter().find(|purchase| purchase.id == selected.purchase_id);
        let reason = purchase
            .and_then(|purchase| purchase.return_reasons.iter().find(|reason| reason.id == selected.return_reason_id));
        ReviewItem {
            product: product(selected.purchase_id).unwrap_or(ProductSummary {
                name: String::new(),
                image: None,
                attributes: Vec::new(),
            }),
            what: what(
                selected.quantity,
                purchase.map_or(1, |purchase| purchase.quantity),
                (selected.requested_resolution, wanted(selected, purchases, words.live())),
                words,
            ),
            why: reason.map(|reason| reason.description.clone()).unwrap_or_default(),
            answers: selected.answers.iter().map(|answer| answered(answer, shop)).collect(),
            comment: selected.return_reason_comment.clone(),
            photos: Vec::new(),
            change: shop.theme.path(&format!("purchases#p{position}-row")),
        }
    };
    let notice = before.map(|_| changed_notice(draft.costs.breakdown().is_some(), words));
    Review {
        theme: shop.theme.clone(),
        draft: draft.id,
        items: draft.selected_purchases.iter().map(item).collect(),
        kept,
        chosen: chosen.unwrap_or(0),
        way_missing,
        cannot_go: !kept && offers.is_empty(),
        stopped_by_customs: stopped_by_customs.into_iter().map(name).collect(),
        ways,
        notice,
        changes: before
            .and_then(|before| before.costs.breakdown())
            .zip(draft.costs.breakdown())
            .map(|(before, now)| changes(before, now, draft.shipping_option_id.is_some(), words))
            .unwrap_or_default(),
    }
}

/// The notice that a draft replaces another one. For gifts it does not mention amounts.
fn changed_notice(has_amounts: bool, words: &Words) -> NoticeText {
    let (title, text) =
        if has_amounts { (words.changed_title, words.changed) } else { (words.gift_changed_title, words.gift_changed) };
    NoticeText { icon: icons::ALERT, tone: Tone::Warn, title, text }
}

/// A question and its answer.
fn answered(answer: &question::Answer, shop: &ShopRequest) -> (String, String) {
    (answer.question.get(&shop.locale).to_owned(), answer.words(&shop.locale).to_owned())
}

/// Adds the photos of the items.
pub fn add_photos(
    page: &mut Review,
    shop: &ShopRequest,
    draft: &view::Draft,
    (purchases, laid): (&[view::PurchaseView], &[view::PendingEvidenceView]),
) {
    let takes = |selected: &view::SelectedPurchase| {
        let reasons = purchases.iter().filter(|one| one.id == selected.purchase_id).flat_map(|one| &one.return_reasons);
        reasons.clone().any(|one| one.id == selected.return_reason_id && one.evidence != Evidence::None)
    };
    let selected = page.items.iter_mut().zip(&draft.selected_purchases);
    for (item, selected) in selected.filter(|(_, selected)| takes(selected)) {
        let of_it = laid.iter().filter(|file| file.purchase_id == selected.purchase_id);
        item.photos = of_it.map(|file| photos::load::pending_photo(shop, file)).collect();
    }
}

/// What a shipping option costs this shopper: nothing if the shop is at fault or waives the fee.
fn charged(costs: &CostBreakdown, price: Money, words: &Words) -> String {
    let is_charged = price.minor > 0 && shipping_fee(costs) != 0;
    if is_charged { money::format(price, words.live()) } else { words.live().free.to_owned() }
}

/// Whether the shop reviews the return before it is sent.
fn waits(shop: &ShopRequest, draft: &view::Draft, purchases: &[view::PurchaseView]) -> bool {
    let asks_photo = |selected: &view::SelectedPurchase| {
        let reasons = purchases
            .iter()
            .filter(|purchase| purchase.id == selected.purchase_id)
            .flat_map(|purchase| &purchase.return_reasons);
        reasons.clone().any(|reason| reason.id == selected.return_reason_id && reason.evidence == Evidence::Required)
    };
    !shop.account.policy.auto_approve || draft.needs_review || draft.selected_purchases.iter().any(asks_photo)
}

/// What the button says: it names what comes next.
fn button(method: Option<ShippingMethod>, waits: bool, due: Option<&ReceiptLine>, words: &Words) -> String {
    if let Some(due) = due.filter(|_| !waits) {
        return format(words.go_pay, &[&due.figure]);
    }
    let text = match method {
        None => words.keep_and_refund,
        Some(_) if waits => words.ask_return,
        Some(ShippingMethod::Label | ShippingMethod::PickUp) => words.get_label,
        Some(ShippingMethod::Paperless | ShippingMethod::DropOff) => words.get_code,
        Some(ShippingMethod::InStore) => words.get_shop_code,
        Some(ShippingMethod::OwnCarrier) => words.send_return,
    };
    text.to_owned()
}

/// The amounts that differ between two drafts.
fn changes(
    before: &CostBreakdown,
    now: &CostBreakdown,
    is_way_known: bool,
    words: &'static Words,
) -> Vec<(&'static str, String, String)> {
    let live = words.live();
    let kinds = [
        (LineKind::ItemRefund, words.goes_back),
        (LineKind::ExchangeValue, live.exchange_value),
        (LineKind::StoreCreditBonus, live.credit_bonus),
        (LineKind::OutboundShippingRefund, live.outbound_shipping),
        (LineKind::RefundLimit, live.refund_limit),
        (LineKind::RestockingFee, live.restocking),
        (LineKind::RequestFee, live.request_fee),
        (LineKind::ReturnShipping, live.return_shipping),
        (LineKind::FeeWaiver, live.waiver),
    ];
    let change = |(kind, label): (LineKind, &'static str)| {
        let figure = |costs: &CostBreakdown| money::format(Money::new(costs.total(kind), costs.currency), live);
        // Without an option, the shopper selects one again: that is no change of its price.
        let is_told = kind != LineKind::ReturnShipping || is_way_known;
        (is_told && before.total(kind) != now.total(kind)).then(|| (label, figure(before), figure(now)))
    };
    kinds.into_iter().filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ui::language::Language;

    #[test]
    fn a_gift_that_has_changed_speaks_of_no_amounts() {
        let told = |has_amounts| {
            let NoticeText { title, text, .. } = changed_notice(has_amounts, Words::of(Language::En));
            format!("{title}. {text}")
        };
        assert!(told(true).contains("amounts"), "{}", told(true));
        assert!(!told(false).contains("amount"), "{}", told(false));
        for words in Language::ALL.map(Words::of) {
            assert_ne!(words.gift_changed_title, words.changed_title, "{}", words.tag);
        }
    }

    #[test]
    fn a_replacement_s_name_is_kept_together_from_right_to_left() {
        let wanted = (Resolution::Exchange, Some("Size S"));
        assert_eq!(asked_for(wanted, Words::of(Language::En)), "Exchange for Size S");
        assert!(asked_for(wanted, Words::of(Language::Ar)).contains("\u{2068}Size S\u{2069}"));
    }
}
