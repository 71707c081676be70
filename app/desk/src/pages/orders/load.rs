//! Loads orders by their ids.

use crate::{
    calls::order_search::MOST_ORDERS,
    frame::navigation::Section,
    pages::orders::view::{OrderCard, OrdersPage, ReturnOfOrder, orders_page},
    visit::{HandlerResult, Visit},
};
use domain::{OrderId, integration::Bridge};
use returns::{Error, Expand, Listing, MAX_LIMIT, Page, Scope, Staff, lists, view};
use ui::components::image_hosts;

/// Shows the form, and the orders whose ids are in the address.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Read)?;
    let ids = visit.query.get("o").split(',').filter_map(|id| id.parse::<OrderId>().ok());
    let mut cards = Vec::new();
    for id in ids.take(MOST_ORDERS) {
        let card = load_order(&visit, &staff, id).await.map_err(|error| visit.failed(&error))?;
        cards.extend(card);
    }
    let knows_orders = !cards.is_empty() || visit.account.bridge != Bridge::Catalog;
    let has_orders = knows_orders || has_any(&visit, &staff).await.map_err(|error| visit.failed(&error))?;
    let may_return = visit.may(Scope::Write);
    let urls: Vec<String> =
        cards.iter().flat_map(|card| &card.lines).flat_map(|line| line.product.image_urls.clone()).collect();
    let page = OrdersPage { cards, has_orders, has_more: visit.query.has("more"), may_return };
    let title = visit.words.orders.title;
    Ok(visit.page(title, Section::Orders).images(image_hosts(urls.iter())).render(|| orders_page(&visit, page)))
}

/// An order with its lines and returns. `None` if there is none with this id in the account.
async fn load_order(visit: &Visit, staff: &Staff, id: OrderId) -> Result<Option<OrderCard>, Error> {
    let merchant = visit.retour.merchant(staff);
    let Ok(of_order) = lists::PURCHASES.condition(&format!("orderId:{id}")) else { return Ok(None) };
    let listing = Listing { conditions: vec![of_order], ..Listing::newest(Page::first(MAX_LIMIT)) };
    let mut lines = merchant.all_purchases(&listing).await?.data;
    lines.sort_by_key(|line| line.position);
    let Some(order) = lines.first().map(|line| line.order.clone()) else { return Ok(None) };
    let Ok(of_number) = lists::RETURN_ORDERS.condition(&format!("purchaseOrderNumber:{}", order.number)) else {
        return Ok(Some(OrderCard { order, lines, returns: Vec::new() }));
    };
    let listing = Listing { conditions: vec![of_number], ..Listing::newest(Page::first(MAX_LIMIT)) };
    let found = merchant.return_orders(&listing, &[Expand::ReturnRequests]).await?.data;
    let returns = found.into_iter().filter_map(|one| of_lines(one, &lines)).collect();
    Ok(Some(OrderCard { order, lines, returns }))
}

/// A return, if it is of these lines: two orders may have one number.
fn of_lines(order: view::ReturnOrderView, lines: &[view::Purchase]) -> Option<ReturnOfOrder> {
    let requests = order.return_requests.unwrap_or_default();
    let is_of_line = |request: &&view::ReturnRequestView| lines.iter().any(|line| line.id == request.purchase_id);
    let of_it: Vec<_> = requests.iter().filter(is_of_line).collect();
    let first = of_it.first()?;
    Some(ReturnOfOrder {
        number: order.number,
        created_at: order.created_at,
        stage: first.stage,
        units: of_it.iter().map(|request| request.quantity).sum(),
    })
}

/// Whether the account has any order.
async fn has_any(visit: &Visit, staff: &Staff) -> Result<bool, Error> {
    let listing = Listing::newest(Page::first(1));
    Ok(!visit.retour.merchant(staff).all_purchases(&listing).await?.data.is_empty())
}
