//! The customer of a return, and their other returns.

use crate::{
    components::{facts, moment, order_text},
    pages::return_order::load::ReturnPage,
    visit::Visit,
};
use domain::address::Address;
use leptos::prelude::*;
use ui::html::{Html, IntoHtml};

/// Who the customer is, where they send from, and what else they returned.
pub fn customer(visit: &Visit, page: &ReturnPage) -> Option<Html> {
    let words = visit.words.return_order;
    let consumer = page.consumer.as_ref()?;
    let language = visit.locale();
    let sender: Option<&Address> = page.shipments.first().map(|shipment| &shipment.sender);
    let address = sender.filter(|address| **address != Address::default()).unwrap_or(&consumer.address);
    let lines = address.reading_lines(&address.country, &language);
    let email = if consumer.email.is_empty() { words.hidden.to_owned() } else { consumer.email.clone() };
    let mut known = vec![(words.email.to_owned(), view! { <bdi>{email}</bdi> }.into_html())];
    if !consumer.address.name.is_empty() {
        let name = consumer.address.name.clone();
        known.insert(0, (words.name.to_owned(), view! { <bdi>{name}</bdi> }.into_html()));
    }
    if lines.iter().any(|line| !line.is_empty()) {
        let lines = lines.into_iter().map(|line| view! { <bdi>{line}</bdi><br/> }).collect_view();
        known.push((words.address.to_owned(), view! { <address>{lines}</address> }.into_html()));
    }
    let other = |order: &returns::view::ReturnOrderView| {
        let href = visit.path(&format!("returns/{}", order.number));
        let number = order.number.clone();
        view! { <li><a class="textlink" href=href><bdi>{number}</bdi></a>" "{moment(order.created_at, visit)}" · "{order_text(order.status, visit.words)}</li> }
    };
    let others = if page.others.is_empty() {
        view! { <p class="quiet">{words.no_earlier}</p> }.into_html()
    } else {
        view! { <ul>{page.others.iter().map(other).collect_view()}</ul> }.into_html()
    };
    Some(
        view! {
            <section class="section" aria-labelledby="customer-title">
                <h2 id="customer-title">{words.customer}</h2>
                {facts(known)}
                <h3>{words.earlier}</h3>
                {others}
            </section>
        }
        .into_html(),
    )
}
