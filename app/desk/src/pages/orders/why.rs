//! Why an item cannot be returned, in words.

use crate::visit::Visit;
use domain::{Timestamp, order::IneligibleCode};
use returns::view;
use ui::{
    dates::{Calendar, day},
    text::format,
};

/// The rule that keeps an item from being returned.
pub fn obstacle_of(purchase: &view::PurchaseView) -> Option<IneligibleCode> {
    purchase.eligibility.code
}

/// Why an item cannot be returned. `return_by`: the end of its window.
pub fn why_not(visit: &Visit, code: IneligibleCode, return_by: Option<Timestamp>) -> String {
    let words = visit.words.orders;
    match (code, return_by) {
        (IneligibleCode::ReturnWindowExpired, Some(by)) => {
            return format(words.window_ended, &[&shown_day(visit, by)]);
        }
        (IneligibleCode::ReturnWindowExpired, None) => words.window_over,
        (IneligibleCode::FinalSale, _) => words.final_sale,
        (IneligibleCode::NotFulfilled, _) => words.not_sent,
        (IneligibleCode::AlreadyReturned, _) => words.all_returned,
        (IneligibleCode::NotReturnable, _) => words.shop_refuses,
        (IneligibleCode::NoShippingOption, _) => words.no_way,
        (IneligibleCode::NoReturnReason, _) => words.no_reason,
        (IneligibleCode::ReturnedElsewhere, _) => words.elsewhere,
        (IneligibleCode::NotInOrder, _) => words.not_in_order,
        (IneligibleCode::NotShippable, _) => words.not_shippable,
    }
    .to_owned()
}

/// A day as the page writes it.
pub fn shown_day(visit: &Visit, at: Timestamp) -> String {
    day(at, Calendar { zone: &visit.account.time_zone, now: visit.retour.now() }, visit.words)
}
