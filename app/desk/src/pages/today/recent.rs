//! The returns that the person worked on last.

use crate::{
    components::{Column, Row, age, table},
    visit::Visit,
};
use leptos::prelude::*;
use returns::view::ReturnOrderView;
use ui::{
    html::{Html, IntoHtml},
    web::form::encoded,
};

/// A table of the returns, the last first.
pub fn recent(visit: &Visit, orders: &[ReturnOrderView]) -> Html {
    let (words, list) = (visit.words.today, visit.words.returns);
    let row = |order: &ReturnOrderView| {
        let href = visit.path(&format!("returns/{}", encoded(&order.number)));
        let flags = order.flags.join(visit.words.common.list_comma);
        Row::new(vec![
            view! { <a href=href>{order.number.clone()}</a> }.into_html(),
            view! { <bdi>{order.purchase_order_numbers.join(", ")}</bdi> }.into_html(),
            age(order.updated_at, visit),
            view! { <bdi>{flags}</bdi> }.into_html(),
        ])
    };
    let columns = [list.number, list.order, list.changed, visit.words.return_order.flags].map(Column::new).into();
    let content = if orders.is_empty() {
        view! { <p class="quiet">{words.recent_none}</p> }.into_html()
    } else {
        table(words.recent_caption, columns, orders.iter().map(row).collect())
    };
    view! { <section class="section"><h2>{words.recent}</h2>{content}</section> }.into_html()
}
