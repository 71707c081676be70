//! Orders with their items and returns.

use crate::{
    components::{Column, Row, age, empty, form, money, problems, stage_badge, table},
    pages::orders::{
        finder::finder,
        why::{shown_day, why_not},
    },
    visit::Visit,
};
use domain::{Timestamp, stage::StageName};
use leptos::prelude::*;
use returns::view;
use ui::{
    components::{ProductSummary, product_photo, variant},
    html::{Html, IntoHtml},
    text::{format, isolated},
};

/// The page.
pub struct OrdersPage {
    pub cards: Vec<OrderCard>,
    /// Whether the account has any order.
    pub has_orders: bool,
    /// Whether more orders were found than are shown.
    pub has_more: bool,
    /// Whether the person may make returns.
    pub may_return: bool,
}

/// An order.
pub struct OrderCard {
    pub order: view::SalesOrder,
    pub lines: Vec<view::Purchase>,
    pub returns: Vec<ReturnOfOrder>,
}

/// A return of an order's items.
pub struct ReturnOfOrder {
    pub number: String,
    pub created_at: Timestamp,
    /// The stage of its first request.
    pub stage: StageName,
    pub units: u32,
}

/// The form, and the orders that were found.
pub fn orders_page(visit: &Visit, page: OrdersPage) -> Html {
    let words = visit.words.orders;
    let body = if page.has_orders {
        let more = page.has_more.then(|| {
            view! { <p class="hint">{format(words.more_found, &[&page.cards.len().to_string()])}</p> }
        });
        let cards = page.cards.into_iter().map(|card| order_card(visit, card, page.may_return)).collect_view();
        view! { {finder(visit, false)}{cards}{more} }.into_html()
    } else {
        empty(words.first_title, words.first, None)
    };
    view! {
        <h1>{words.title}</h1>
        <p class="lede">{words.lede}</p>
        {problems(visit)}
        {body}
    }
    .into_html()
}

fn order_card(visit: &Visit, card: OrderCard, may_return: bool) -> Html {
    let words = visit.words.orders;
    let OrderCard { order, lines, returns } = card;
    let columns = vec![
        Column::new(words.item),
        Column::new(words.units).number(),
        Column::new(words.price).number(),
        Column::new(words.can_return),
    ];
    let can_return = may_return && !lines.is_empty();
    let rows = lines.iter().map(|line| line_row(visit, line)).collect();
    let caption = format(words.caption, &[&isolated(&order.number, visit.words)]);
    let button = can_return.then(|| {
        let content = view! {
            <input type="hidden" name="order" value=order.id.to_string()/>
            <button class="button">{words.return_items}</button>
        };
        form(visit, "begin-return", content)
    });
    let ordered = format(words.ordered, &[&shown_day(visit, order.ordered_at)]);
    view! {
        <section class="section order-card">
            <div class="order-head">
                <div>
                    <h2><bdi>{order.number.clone()}</bdi></h2>
                    <p class="hint">
                        <bdi>{order.address.name.clone()}</bdi> " " <bdi>{order.email.clone()}</bdi> " · " {ordered}
                    </p>
                </div>
                {button}
            </div>
            {table(caption, columns, rows)}
            <h3>{words.returns}</h3>
            {returns_of(visit, returns)}
        </section>
    }
    .into_html()
}

fn returns_of(visit: &Visit, returns: Vec<ReturnOfOrder>) -> Html {
    if returns.is_empty() {
        return view! { <p class="hint">{visit.words.orders.no_returns}</p> }.into_html();
    }
    let one = |one: ReturnOfOrder| {
        let href = visit.path(&format!("returns/{}", one.number));
        view! {
            <li>
                <a class="textlink" href=href><bdi>{one.number}</bdi></a>
                {stage_badge(one.stage, visit.words)}
                <span class="hint">{one.units} " × · " {age(one.created_at, visit)}</span>
            </li>
        }
    };
    view! { <ul class="order-returns">{returns.into_iter().map(one).collect_view()}</ul> }.into_html()
}

fn line_row(visit: &Visit, line: &view::Purchase) -> Row {
    let product = ProductSummary::new(&line.product);
    let sku = (!line.product.sku.is_empty())
        .then(|| view! { <span class="hint"><bdi>{line.product.sku.clone()}</bdi></span> });
    let item = view! {
        <span class="line-item">
            {product_photo(&product, true)}
            <span class="line-name"><bdi>{product.name.clone()}</bdi> <span class="hint">{variant(&product)}</span> {sku}</span>
        </span>
    };
    Row::new(vec![
        item.into_html(),
        line.quantity.to_string().into_html(),
        money(line.total_price, visit.words),
        can_return(visit, line).into_html(),
    ])
}

/// Whether an item can be returned, in words.
fn can_return(visit: &Visit, line: &view::Purchase) -> String {
    let eligibility = &line.eligibility;
    let yes = match (eligibility.code, eligibility.return_by) {
        (Some(code), by) => return why_not(visit, code, by),
        (None, Some(by)) => format(visit.words.orders.until, &[&shown_day(visit, by)]),
        (None, None) => visit.words.orders.yes.to_owned(),
    };
    if line.returnable_quantity == line.quantity {
        return yes;
    }
    let (left, all) = (line.returnable_quantity.to_string(), line.quantity.to_string());
    format!("{yes} ({})", format(visit.words.orders.yes_units, &[&left, &all]))
}
