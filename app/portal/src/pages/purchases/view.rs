//! `/{slug}/purchases`: what to return, how many, why?

use crate::{
    amounts::{estimate::Terms, receipt::Receipt},
    forms::choice::{ChoiceField, ChoiceMistake},
    frame::{
        contact_links::contact_link,
        steps::{CustomText, Steps},
        theme::Theme,
    },
    islands::{Finder, Helper, LiveBar, LiveReceipt, SearchCounts},
    pages::purchases::{
        bulk::BulkSelection,
        row::{PurchaseRow, ReasonOption, RowQuestions, Shared},
        row_view::{RowItem, Template},
    },
    words::Words,
};
use leptos::prelude::*;
use ui::{
    components::{Alert, EmptyState, EmptyStatePage, Link, Notice, NoticeText, Tone, icons, link_button, text_link},
    html::{Html, IntoHtml},
    text::{format, isolated},
};

/// With this many rows there is a search.
const SEARCH_FROM: usize = 9;

/// With this many rows the browser renders only those on screen.
const MANY: usize = 50;

/// What the page shows.
#[derive(Debug, Clone)]
pub struct Purchases {
    pub theme: Theme,
    /// The rows, by order.
    pub orders: Vec<Order>,
    /// Rows that are selected during a search. They have a section of their own.
    pub selected: Vec<PurchaseRow>,
    /// How many rows there are, shown or not.
    pub total: usize,
    /// How many of them are returnable.
    pub returnable: usize,
    /// How many of them are selected.
    pub chosen: usize,
    /// The search text.
    pub query: String,
    /// Whether only returnable rows are shown.
    pub only: bool,
    /// The questions about purchases that cannot be exchanged.
    pub asked: RowQuestions,
    /// The questions about purchases that can be exchanged.
    pub asked_with_exchange: RowQuestions,
    /// The bonus on store credit; empty without one.
    pub bonus: String,
    /// What the estimate needs to know of the shop. `None` if amounts are not shown.
    pub terms: Option<Terms>,
    /// The estimate for the selection.
    pub receipt: Option<Receipt>,
    /// Whether the mistake is that nothing is selected.
    pub nothing_chosen: bool,
    /// A notice about what happened before.
    pub notice: Option<NoticeText>,
    /// What caused the mistakes.
    pub cause: Option<&'static str>,
}

impl Purchases {
    /// The reasons that every row has. All returnable purchases may be ones that can be exchanged.
    fn reasons(&self) -> Vec<ReasonOption> {
        let asked = if self.asked.reasons.is_empty() { &self.asked_with_exchange } else { &self.asked };
        asked.reasons.clone()
    }

    /// How many rows match the search.
    fn shown(&self) -> usize {
        self.orders.iter().flat_map(|order| &order.rows).filter(|row| row.shown).count()
    }
}

/// An order.
#[derive(Debug, Clone)]
pub struct Order {
    /// The number as shoppers know it.
    pub number: String,
    /// The return deadline, or the date of the order.
    pub about: String,
    /// How much can still be refunded, if that is less than its items cost. Empty otherwise.
    pub limit: String,
    /// The purchases.
    pub rows: Vec<PurchaseRow>,
}

/// The page.
#[component]
pub fn PurchasesPage(page: Purchases, words: &'static Words) -> impl IntoView {
    if page.returnable == 0 {
        return view! { <NothingPage page words/> }.into_html();
    }
    let theme = page.theme.clone();
    let alerts = alerts(&page, words);
    let toolbar = (page.total >= SEARCH_FROM).then(|| {
        let found = SearchCounts { shown: page.shown(), total: page.total, returnable: page.returnable, chosen: page.chosen };
        view! { <Finder query=page.query.clone() only=page.only found everything=page.theme.path("purchases") language=words.tag.to_owned()/> }.into_html()
    });
    let many = page.total >= MANY;
    let shared = Shared {
        asks_all: !many,
        asked: page.asked.clone(),
        asked_with_exchange: page.asked_with_exchange.clone(),
        bonus: page.bonus.clone(),
    };
    let together = (page.returnable > 1).then(|| {
        let searching = !page.query.is_empty();
        view! { <BulkSelection returnable=page.returnable chosen=page.chosen searching reasons=page.reasons() words/> }
    });
    let selected = (toolbar.is_some() || !page.selected.is_empty()).then(|| {
        view! { <Selected rows=page.selected many shared=shared.clone() words/> }
    });
    let template = many.then(|| view! { <Template shared=shared.clone() words/> });
    let orders = page
        .orders
        .into_iter()
        .zip(1..)
        .map(|(order, number)| view! { <OrderSection order number many shared=shared.clone() words/> })
        .collect_view();
    let language = words.tag.to_owned();
    let (side, bar) = match page.terms {
        Some(terms) => {
            let (start, side_terms, side_language) = (page.receipt.clone(), terms.clone(), language.clone());
            let side = view! { <LiveReceipt terms=side_terms start language=side_language/> }.into_html();
            (side, view! { <LiveBar terms start=page.receipt language=language.clone()/> }.into_html())
        }
        None => (without_amounts(words), bar_without_amounts(words)),
    };
    view! {
        <form method="post" action=theme.path("call/choose") class="split" id="choose" novalidate>
            <div class="split-main">
                <Steps current=1 theme=theme.clone() words/>
                <Alert mistakes=alerts cause=page.cause words/>
                {page.notice.map(|notice| view! { <Notice notice/> })}
                <div class="head"><h1>{words.choose_title}</h1><CustomText text=theme.custom_texts.choose.clone()/></div>
                {toolbar}
                {together}
                {orders}
                {selected}
                {template}
                <Helper language/>
            </div>
            <aside class="split-side only-wide" aria-label=words.live().receipt>
                <div class="stay" data-summary>{side}</div>
            </aside>
            {bar}
        </form>
    }
    .into_html()
}

/// For gifts, this replaces the receipt.
fn without_amounts(words: &'static Words) -> Html {
    let live = words.live();
    view! {
        <div class="receipt">
            <h2>{words.your_return}</h2>
            <p class="receipt-empty">{words.gift_later}</p>
            <button class="button button-full" name="go" value="on">{live.continue_}</button>
        </div>
    }
    .into_html()
}

/// For gifts, this replaces the bar at the foot of a phone.
fn bar_without_amounts(words: &'static Words) -> Html {
    let live = words.live();
    view! {
        <div class="bar">
            <div class="bar-in">
                <p class="bar-sum bar-plain bar-label">{words.gift_later}</p>
                <button class="button" name="go" value="on">{live.continue_}</button>
            </div>
        </div>
    }
    .into_html()
}

/// All mistakes, each with the address of its field.
fn alerts(page: &Purchases, words: &'static Words) -> Vec<(String, String)> {
    let live = words.live();
    let rows = || page.orders.iter().flat_map(|order| &order.rows).chain(&page.selected);
    let mut alerts: Vec<(String, String)> = Vec::new();
    if page.nothing_chosen {
        let first = rows().find(|row| row.state.is_returnable()).map(|row| format!("#{}", row.key));
        alerts.push((first.unwrap_or_else(|| "#main".to_owned()), live.nothing_chosen.to_owned()));
    }
    let about = |name: &str, text: &str| format(live.about_row, &[&isolated(name, words), text]);
    for row in rows() {
        let address = |mistake: &ChoiceMistake| match mistake.field() {
            ChoiceField::Quantity => format!("#{}-qty", row.key),
            ChoiceField::Reason => format!("#{}-why", row.key),
            ChoiceField::Comment => format!("#{}-note", row.key),
            ChoiceField::Resolution => format!("#{}-what", row.key),
            ChoiceField::ExchangeFor => format!("#{}-swap", row.key),
            ChoiceField::Row if row.state.is_returnable() => format!("#{}", row.key),
            ChoiceField::Row => format!("#{}-row", row.key),
        };
        let mistakes = row.mistakes.iter();
        alerts.extend(
            mistakes.map(|mistake| (address(mistake), about(&row.product.name, &mistake.sentence(row.left(), live)))),
        );
    }
    alerts
}

#[component]
fn OrderSection(
    order: Order,
    /// Counted from 1.
    number: usize,
    many: bool,
    shared: Shared,
    words: &'static Words,
) -> impl IntoView {
    let id = heading(number);
    let hidden = !order.rows.iter().any(|row| row.shown);
    let rows = order.rows.into_iter().map(|row| view! { <RowItem row shared=shared.clone() words/> }).collect_view();
    view! {
        <section class="order" aria-labelledby=id.clone() hidden=hidden>
            <div class="order-head">
                <h2 id=id.clone()>{format(words.order, &[&isolated(&order.number, words)])}</h2>
                <p class="quiet small">{order.about}</p>
                {(!order.limit.is_empty()).then(|| view! { <p class="small">{order.limit}</p> })}
            </div>
            <ul class="items" data-many=many.then_some("")>{rows}</ul>
        </section>
    }
    .into_html()
}

/// The id of an order's heading.
pub fn heading(number: usize) -> String {
    format!("o{number}")
}

/// The rows that are selected during a search.
#[component]
fn Selected(rows: Vec<PurchaseRow>, many: bool, shared: Shared, words: &'static Words) -> impl IntoView {
    let title = format(words.live().selected, &[&rows.len().to_string()]);
    let hidden = rows.is_empty();
    let rows = rows.into_iter().map(|row| view! { <RowItem row shared=shared.clone() words/> }).collect_view();
    view! {
        <section class="order" id="selected" aria-labelledby="selected-title" hidden=hidden>
            <div class="order-head"><h2 id="selected-title">{title}</h2></div>
            <ul class="items" data-many=many.then_some("")>{rows}</ul>
        </section>
    }
    .into_html()
}

/// The page if nothing is returnable: why, and what else is possible.
#[component]
fn NothingPage(page: Purchases, words: &'static Words) -> impl IntoView {
    let find_another = Link { href: page.theme.path(""), text: words.find_another };
    let shop = page.theme.shop_url.clone().map(|href| Link { href, text: words.write_to_shop });
    let contact = contact_link(&page.theme, words);
    // With a contact, this links there; the footer links to the shop.
    let shop = shop.filter(|_| contact.is_none());
    let can_ask = contact.is_some() || shop.is_some();
    let nothing_can = if can_ask { words.nothing_can_ask } else { words.nothing_can };
    let (way, other_way) = if shop.is_some() { (shop, Some(find_another)) } else { (Some(find_another), None) };
    let (title, text) = if page.total == 0 {
        (words.order_empty_title, words.order_empty)
    } else {
        (words.nothing_can_title, nothing_can)
    };
    let empty =
        EmptyState { icon: icons::CLOCK, tone: Tone::Accent, title, text: text.into(), way: None, other_way: None };
    let alerts = alerts(&page, words);
    let shared = Shared { asks_all: true, ..Shared::default() };
    let orders = page
        .orders
        .into_iter()
        .zip(1..)
        .map(|(order, number)| view! { <OrderSection order number many=false shared=shared.clone() words/> })
        .collect_view();
    view! {
        <Alert mistakes=alerts cause=page.cause words/>
        <EmptyStatePage empty/>
        <div class="section">{orders}</div>
        <div class="actions">{way.map(link_button)}{other_way.map(text_link)}{contact}</div>
    }
    .into_html()
}
