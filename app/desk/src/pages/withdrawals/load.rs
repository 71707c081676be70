//! Loads the withdrawals.

use super::view::{Shown, WithdrawalsPage, withdrawals_page};
use crate::{
    frame::navigation::Section,
    visit::{HandlerResult, Visit, response::EarlyResponse},
};
use domain::{ReturnOrderId, withdrawal::WithdrawalStatus};
use returns::{Direction, Listing, Page, Scope, Staff, lists};
use std::collections::HashMap;

/// Withdrawals on a page.
const ROWS: i64 = 20;

/// Shows those that are open, the oldest first; or all, the newest first.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Read)?;
    let is_open = !visit.query.has("all");
    let open = format!("status:{}|{}", WithdrawalStatus::Received.name(), WithdrawalStatus::OrderFound.name());
    let conditions = lists::WITHDRAWALS.condition(&open).ok().filter(|_| is_open).into_iter().collect();
    let direction = if is_open { Direction::Ascending } else { Direction::Descending };
    let mut listing = Listing { conditions, direction, ..Listing::newest(Page::first(ROWS)) };
    let walk = listing.walk(&lists::WITHDRAWALS, &[]);
    listing.page.walk = Some(walk);
    if let Some(start) = visit.query.get("page").parse().ok().and_then(|page| walk.start(page)) {
        listing.page.start = start;
    }
    let found = visit.retour.merchant(&staff).withdrawals(&listing).await.map_err(|error| visit.failed(&error))?;
    let all = if is_open { "" } else { "&all" };
    let next = found.next_page.map(|next| format!("{}?page={next}{all}", visit.path("withdrawals")));
    let orders = found.data.iter().filter_map(|withdrawal| withdrawal.return_order_id).collect();
    let numbers = numbers(&visit, &staff, orders).await?;
    let shown = |withdrawal: returns::view::Withdrawal| Shown {
        return_number: withdrawal.return_order_id.and_then(|id| numbers.get(&id).cloned()),
        withdrawal,
    };
    let page = WithdrawalsPage {
        withdrawals: found.data.into_iter().map(shown).collect(),
        is_open,
        next,
        may_change: visit.may(Scope::Write),
    };
    Ok(visit.render(visit.words.withdrawals.title, Section::Withdrawals, || withdrawals_page(&visit, page)))
}

/// The numbers of the returns that are linked.
async fn numbers(
    visit: &Visit,
    staff: &Staff,
    orders: Vec<ReturnOrderId>,
) -> Result<HashMap<ReturnOrderId, String>, EarlyResponse> {
    let mut numbers = HashMap::new();
    for id in orders {
        let order = visit.retour.merchant(staff).return_order(id, &[]).await.map_err(|error| visit.failed(&error))?;
        numbers.insert(id, order.number);
    }
    Ok(numbers)
}
