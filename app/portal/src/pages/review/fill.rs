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
        wording::{quantity_and_resolution, requested_resolution},
    },
    selection::draft_receipt::DraftGoods,
    visit::shop::ShopRequest,
    words::Words,
};
use domain::{
    Money, PurchaseId, ShippingOptionId,
    costs::{CostBreakdown, LineKind},
    policy::{Resolution, question, reason::EvidenceRule},
    shipping::ShippingMethod,
};
use returns::{Offers, view};
use ui::{
    components::{NoticeText, ProductSummary, Tone, icons},
    money,
    text::format,
};

/// What the page of a draft is made of.
#[derive(Clone, Copy)]
pub struct DraftPage<'a> {
    pub shop: &'a ShopRequest,
    pub goods: DraftGoods<'a>,
    /// The draft that this one replaces.
    pub before: Option<&'a view::Draft>,
    /// Photos that wait beside the purchases.
    pub pending: &'a [view::PendingEvidenceView],
    /// Whether the shop reviews the return before it is sent.
    pub waits: bool,
    /// Whether the mistake is that no shipping option is selected.
    pub way_missing: bool,
}

impl DraftPage<'_> {
    /// Fills the page, with these shipping options.
    pub fn fill(self, Offers { ways: offers, stopped_by_customs, .. }: Offers) -> Review {
        let Self { shop, goods: DraftGoods { draft, .. }, before, .. } = self;
        let kept = self.is_kept();
        let ways: Vec<Way> = if kept || offers.is_empty() {
            vec![self.way(None, &draft.costs)]
        } else {
            offers.iter().map(|(option, costs)| self.way(Some(option), costs)).collect()
        };
        let offered = |id: Option<ShippingOptionId>| offers.iter().position(|(option, _)| Some(option.id) == id);
        let chosen = offered(shop.visit.option).or(offered(draft.shipping_option_id)).filter(|_| !kept);
        let name = |id: PurchaseId| self.goods.product(id).map(|product| product.name).unwrap_or_default();
        Review {
            theme: shop.theme.clone(),
            draft: draft.id,
            items: draft.selected_purchases.iter().map(|selected| self.item(selected)).collect(),
            kept,
            chosen: chosen.unwrap_or(0),
            way_missing: self.way_missing,
            cannot_go: !kept && offers.is_empty(),
            stopped_by_customs: stopped_by_customs.into_iter().map(name).collect(),
            ways,
            notice: before.map(|_| changed_notice(draft.costs.breakdown().is_some(), shop.words)),
            changes: before
                .and_then(|before| before.costs.breakdown())
                .zip(draft.costs.breakdown())
                .map(|(before, now)| changes(before, now, draft.shipping_option_id.is_some(), shop.words))
                .unwrap_or_default(),
        }
    }

    /// Whether the shopper keeps all items.
    fn is_kept(self) -> bool {
        self.goods.draft.selected_purchases.iter().all(|selected| selected.keep_item)
    }

    /// A shipping option with what the draft costs with it. Without an option, nothing is sent.
    fn way(self, option: Option<&view::ShippingOptionView>, costs: &view::Costs) -> Way {
        let Self { shop, goods, waits, .. } = self;
        let words = shop.words;
        let requests = &goods.draft.selected_purchases;
        let is_exchange = requests.iter().any(|selected| selected.requested_resolution == Resolution::Exchange);
        let shipping = option.map_or(ReceiptShipping::None, |option| ReceiptShipping::Chosen(&option.name));
        let fare = option.and_then(|option| option.fare.as_ref());
        let offer = option.map(|option| Offer {
            id: option.id,
            name: option.name.clone(),
            description: option.description.clone(),
            method: option.method,
            price: costs.breakdown().zip(fare).map(|(costs, fare)| charged(costs, fare.price, words)),
        });
        let receipt = goods.receipt(costs, &shipping, words.live());
        let receipt = receipt.map(|receipt| if waits { receipt.due_later(words.live()) } else { receipt });
        let outcome = ExpectedOutcome::of(costs, is_exchange, words);
        let is_limited = costs.breakdown().is_some_and(|costs| costs.total(LineKind::RefundLimit) != 0);
        let method = option.map(|option| option.method);
        Way {
            option: offer,
            outcome: if waits || is_limited { outcome.if_agreed(words) } else { outcome },
            when: within(&shop.account.policy, words, method, self.is_kept()),
            button: button(method, waits, receipt.as_ref().and_then(Receipt::due), words),
            receipt,
        }
    }

    fn item(self, selected: &view::SelectedPurchase) -> ReviewItem {
        let Self { shop, goods, .. } = self;
        let words = shop.words;
        let id = selected.purchase_id;
        let position = goods.purchases.iter().position(|purchase| purchase.id == id).map_or(0, |index| index + 1);
        let reason = goods.reason(selected);
        let takes_photos = reason.is_some_and(|reason| reason.evidence != EvidenceRule::None);
        let photos = self.pending.iter().filter(|file| takes_photos && file.purchase_id == id);
        let nameless = || ProductSummary { name: String::new(), image: None, attributes: Vec::new() };
        ReviewItem {
            product: goods.product(id).unwrap_or_else(nameless),
            what: quantity_and_resolution(
                selected.quantity,
                goods.purchase(id).map_or(1, |purchase| purchase.quantity),
                &requested_resolution(selected.requested_resolution, goods.replacement(selected, words.live()), words),
                words,
            ),
            why: reason.map(|reason| reason.description.clone()).unwrap_or_default(),
            answers: selected.answers.iter().map(|answer| answered(answer, shop)).collect(),
            comment: selected.return_reason_comment.clone(),
            photos: photos.map(|file| photos::load::pending_photo(shop, file)).collect(),
            change: shop.theme.path(&format!("purchases#p{position}-row")),
        }
    }
}

/// The notice that a draft replaces another one. For gifts it does not mention amounts.
fn changed_notice(has_amounts: bool, words: &Words) -> NoticeText {
    let (title, text) =
        if has_amounts { (words.changed_title, words.changed) } else { (words.gift_changed_title, words.gift_changed) };
    NoticeText { icon: icons::ALERT, tone: Tone::Warn, title, text }
}

/// A question and its answer.
fn answered(answer: &question::QuestionAnswer, shop: &ShopRequest) -> (String, String) {
    (answer.question.get(&shop.locale).to_owned(), answer.words(&shop.locale).to_owned())
}

/// What a shipping option costs this shopper: nothing if the shop is at fault or waives the fee.
fn charged(costs: &CostBreakdown, price: Money, words: &Words) -> String {
    let is_charged = price.minor > 0 && shipping_fee(costs) != 0;
    if is_charged { money::format(price, words.live()) } else { words.live().free.to_owned() }
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
    use crate::words::EN;
    use domain::{Currency, costs::CostLine};
    use ui::language::Language;
    use uuid::Uuid;

    /// A breakdown of these lines, minor units.
    fn costs(lines: &[(LineKind, i64)], fees: i64) -> CostBreakdown {
        let currency = Currency::from_code("GBP").unwrap();
        let money = |minor| Money::new(minor, currency);
        let line = |(kind, minor): &(LineKind, i64)| CostLine {
            kind: *kind,
            purchase_id: PurchaseId(Uuid::from_u128(1)),
            quantity: None,
            shipping_option_id: None,
            amount: money(*minor),
        };
        let nothing = money(0);
        CostBreakdown {
            currency,
            lines: lines.iter().map(line).collect(),
            refund_total: nothing,
            fee_total: money(fees),
            estimated_refund: nothing,
            estimated_credit: nothing,
            payable_now: nothing,
        }
    }

    #[test]
    fn only_amounts_that_differ_are_changes() {
        use LineKind as K;
        let before = costs(&[(K::ItemRefund, 5_900), (K::RequestFee, -100), (K::ReturnShipping, -395)], 495);
        let now = costs(&[(K::ItemRefund, 5_900), (K::RequestFee, -495), (K::ReturnShipping, -495)], 990);
        let told = |is_way_known| changes(&before, &now, is_way_known, &EN);
        let fee = (EN.live().request_fee, "−£1.00".to_owned(), "−£4.95".to_owned());
        let shipping = (EN.live().return_shipping, "−£3.95".to_owned(), "−£4.95".to_owned());
        assert_eq!(told(true), [fee.clone(), shipping]);
        assert_eq!(told(false), [fee], "without an option, the price of the option is no change");
        assert_eq!(changes(&before, &before, true, &EN), []);
    }

    #[test]
    fn an_option_shows_what_this_shopper_pays() {
        let price = |minor| Money::new(minor, Currency::from_code("GBP").unwrap());
        let charged_now = costs(&[(LineKind::ReturnShipping, -395)], 395);
        let waived = costs(&[(LineKind::ReturnShipping, -395), (LineKind::FeeWaiver, 395)], 0);
        assert_eq!(charged(&charged_now, price(395), &EN), "£3.95");
        assert_eq!(charged(&waived, price(395), &EN), EN.live().free);
        assert_eq!(charged(&charged_now, price(0), &EN), EN.live().free, "another fee is no price of the option");
    }

    #[test]
    fn the_button_names_what_comes_next() {
        use ShippingMethod as M;
        let due = ReceiptLine::new("Due now", "£3.95".to_owned());
        assert_eq!(button(Some(M::Label), false, Some(&due), &EN), "Continue to payment · £3.95");
        assert_eq!(button(Some(M::Label), true, Some(&due), &EN), EN.ask_return, "it is due after the review");
        for (method, waits, text) in [
            (None, false, EN.keep_and_refund),
            (None, true, EN.keep_and_refund),
            (Some(M::InStore), true, EN.ask_return),
            (Some(M::Label), false, EN.get_label),
            (Some(M::PickUp), false, EN.get_label),
            (Some(M::Paperless), false, EN.get_code),
            (Some(M::DropOff), false, EN.get_code),
            (Some(M::InStore), false, EN.get_shop_code),
            (Some(M::OwnCarrier), false, EN.send_return),
        ] {
            assert_eq!(button(method, waits, None, &EN), text, "{method:?}");
        }
    }

    #[test]
    fn the_notice_of_a_changed_gift_mentions_no_amounts() {
        let shown = |has_amounts| {
            let NoticeText { title, text, .. } = changed_notice(has_amounts, Words::of(Language::En));
            format!("{title}. {text}")
        };
        assert!(shown(true).contains("amounts"), "{}", shown(true));
        assert!(!shown(false).contains("amount"), "{}", shown(false));
        for words in Language::ALL.map(Words::of) {
            assert_ne!(words.gift_changed_title, words.changed_title, "{}", words.tag);
        }
    }

    #[test]
    fn a_replacement_s_name_is_isolated_in_languages_from_right_to_left() {
        let wanted = Some("Size S");
        assert_eq!(requested_resolution(Resolution::Exchange, wanted, Words::of(Language::En)), "Exchange for Size S");
        assert!(
            requested_resolution(Resolution::Exchange, wanted, Words::of(Language::Ar))
                .contains("\u{2068}Size S\u{2069}")
        );
    }
}
