//! Loads the three steps of a new return.

use crate::{
    components::{empty, problems},
    frame::navigation::Section,
    pages::{
        new_return::{
            costs::{CostsPage, costs_page},
            items::{ItemsPage, items_page},
        },
        orders::finder::finder,
    },
    visit::{HandlerResult, Visit},
};
use domain::{ConsumerId, DraftReturnOrderId, returning::DraftStatus};
use leptos::prelude::*;
use returns::{Scope, Shopper, Staff};
use ui::{components::image_hosts, html::IntoHtml};

/// Shows the step that the address names: by a consumer, by a draft, or the first one.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Write)?;
    if let Ok(draft) = visit.query.get("draft").parse::<DraftReturnOrderId>() {
        return show_costs(visit, staff, draft).await;
    }
    if let Ok(consumer) = visit.query.get("consumer").parse::<ConsumerId>() {
        return show_items(visit, staff, consumer).await;
    }
    let words = visit.words.new_return;
    let body = || {
        view! { <h1>{words.title}</h1><p class="lede">{words.lede}</p>{problems(&visit)}{finder(&visit, true)} }
            .into_html()
    };
    Ok(visit.render(words.title, Section::NewReturn, body))
}

async fn show_items(visit: Visit, staff: Staff, id: ConsumerId) -> HandlerResult {
    let consumer = visit.retour.merchant(&staff).consumer(id).await.map_err(|error| visit.failed(&error))?;
    let shopper = Shopper { account: staff.account(), consumer: id };
    let locale = visit.locale();
    let purchases = visit.retour.consumer(&shopper).all_purchases(Some(&locale)).await;
    let purchases = purchases.map_err(|error| visit.failed(&error))?;
    let hosts = image_hosts(purchases.iter().flat_map(|purchase| &purchase.product.image_urls));
    let page = ItemsPage { consumer, purchases };
    let title = visit.words.new_return.title;
    Ok(visit.page(title, Section::NewReturn).images(hosts).render(|| items_page(&visit, page)))
}

async fn show_costs(visit: Visit, staff: Staff, id: DraftReturnOrderId) -> HandlerResult {
    let words = visit.words.new_return;
    let merchant = visit.retour.merchant(&staff);
    let draft = merchant.draft_return_order(id).await.map_err(|error| visit.failed(&error))?;
    if draft.status != DraftStatus::Open {
        return over(&visit, &staff, draft.return_order_id).await;
    }
    let consumer = merchant.consumer(draft.consumer_id).await.map_err(|error| visit.failed(&error))?;
    let shopper = Shopper { account: staff.account(), consumer: draft.consumer_id };
    let locale = visit.locale();
    let handle = visit.retour.consumer(&shopper);
    let purchases = handle.all_purchases(Some(&locale)).await.map_err(|error| visit.failed(&error))?;
    let offers = handle.compare_shipping(id, &locale).await.map_err(|error| visit.failed(&error))?;
    let page = CostsPage { draft, consumer, purchases, offers };
    Ok(visit.render(words.costs_title, Section::NewReturn, || costs_page(&visit, page)))
}

/// A draft that was submitted leads to its return; another one that is over, to the start.
async fn over(visit: &Visit, staff: &Staff, order: Option<domain::ReturnOrderId>) -> HandlerResult {
    let words = visit.words.new_return;
    let way = match order {
        Some(order) => {
            let order = visit.retour.merchant(staff).return_order(order, &[]).await;
            let number = order.map_err(|error| visit.failed(&error))?.number;
            (visit.path(&format!("returns/{number}")), words.open_return.to_owned())
        }
        None => (visit.path("new-return"), words.title.to_owned()),
    };
    let text = if order.is_some() { words.already } else { words.over };
    let body = move || view! { <h1>{words.title}</h1>{empty(words.title, text, Some(way))} }.into_html();
    Ok(visit.render(words.title, Section::NewReturn, body))
}
