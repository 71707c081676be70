//! `/{slug}/returns`: lists the shopper's returns.

use crate::{
    pages::returns::view::{ReturnCard, ReturnsPage},
    progress::followed_return::{method, phase, remaining, wanted},
    visit::{response::HandlerResult, shop::Framing, visitor::Visitor},
    words::Words,
};
use axum::http::StatusCode;
use domain::{Money, policy::Resolution};
use leptos::prelude::*;
use returns::{Expand, Page, view};
use ui::{
    components::{self, ProductSummary},
    dates::{Calendar, day},
    html::IntoHtml,
    money,
    text::{format, isolated, plural},
};

const RECENT: Page = Page::first(100);

/// Lists the shopper's returns.
pub async fn list(visitor: Visitor) -> HandlerResult {
    let shop = &visitor.shop;
    let words = shop.words;
    let expand = [Expand::ReturnRequests, Expand::Shipments];
    let orders = shop
        .retour
        .consumer(&visitor.shopper)
        .return_orders(RECENT, &expand)
        .await
        .map_err(|error| shop.failed(&error))?;
    let offered =
        shop.retour.consumer(&visitor.shopper).offered(&shop.locale).await.map_err(|error| shop.failed(&error))?;
    let calendar = Calendar { zone: &shop.account.time_zone, now: shop.retour.now() };
    let card = |order: &view::ReturnOrderView| {
        let items: Vec<_> = remaining(order).into_iter().map(|request| ProductSummary::new(&request.product)).collect();
        let names: Vec<String> = items.iter().map(|item| item.name.clone()).collect();
        ReturnCard {
            product: items.into_iter().next(),
            amount: amount(order, words),
            href: shop.theme.path(&format!("returns/{}", order.id)),
            number: order.number.clone(),
            tag: phase(order).tag(main_outcome(order), method(&offered, order), words),
            things: listed(&names, words),
            when: format(words.sent_in_on, &[&day(order.created_at, calendar, words)]),
        }
    };
    let cards: Vec<ReturnCard> = orders.data.iter().map(card).collect();
    let images = image_hosts(orders.data.iter());
    let theme = shop.theme.clone();
    let framing = Framing { in_returns: true, ..Framing::default() };
    Ok(shop.page(StatusCode::OK, words.my_returns, framing, &images, move || {
        view! { <ReturnsPage theme cards words/> }.into_html()
    }))
}

/// The first names of a list, and how many more there are.
pub fn listed(names: &[String], words: &Words) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [one, two] => format(words.and, &[&isolated(one, words), &isolated(two, words)]),
        [first, rest @ ..] => plural(words.tag, words.and_more, &[&isolated(first, words), &rest.len().to_string()]),
    }
}

/// The main thing that a return gives back. `None` if nothing.
fn main_outcome(order: &view::ReturnOrderView) -> Option<Resolution> {
    let wanted = wanted(order);
    let is_given = match &order.costs {
        view::Costs::CostBreakdown(costs) => costs.estimated_refund.minor > 0 || costs.estimated_credit.minor > 0,
        view::Costs::Gift(gift) => gift.store_credit,
        view::Costs::Hidden {} => true,
    };
    (is_given || wanted == Resolution::Exchange).then_some(wanted)
}

/// What a return gives back. `None` if nothing, or if amounts are not shown.
fn amount(order: &view::ReturnOrderView, words: &Words) -> Option<String> {
    let costs = order.costs.breakdown().filter(|_| !phase(order).is_lost())?;
    let figure = |amount: Money| (amount.minor > 0).then(|| money::format(amount, words.live()));
    match (figure(costs.estimated_refund), figure(costs.estimated_credit)) {
        (Some(refund), Some(credit)) => Some(format!("{refund} {}", format(words.live().bar_also, &[&credit]))),
        (refund, credit) => refund.or(credit),
    }
}

/// The hosts of these returns' pictures.
pub fn image_hosts<'a>(orders: impl Iterator<Item = &'a view::ReturnOrderView>) -> Vec<String> {
    let requests = orders.flat_map(|order| order.return_requests.iter().flatten());
    components::image_hosts(requests.flat_map(|request| &request.product.image_urls))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ui::language::Language;

    #[test]
    fn names_in_a_list_are_isolated_in_languages_from_right_to_left() {
        let names = ["Mug", "Shirt", "Jug"].map(str::to_owned);
        assert_eq!(listed(&names[..2], Words::of(Language::En)), "Mug and Shirt");
        let arabic = Words::of(Language::Ar);
        let two = listed(&names[..2], arabic);
        assert!(two.contains("\u{2068}Mug\u{2069}") && two.contains("\u{2068}Shirt\u{2069}"), "{two}");
        assert!(listed(&names, arabic).contains("\u{2068}Mug\u{2069}"));
    }
}
