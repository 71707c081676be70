//! `/{slug}/returns`: what has the shopper returned?

use crate::{frame::theme::Theme, progress::phase::StatusTag, words::Words};
use leptos::prelude::*;
use ui::{
    components::{
        EmptyState, EmptyStatePage, Link, ProductSummary, Tone,
        icons::{self, icon_s},
        link_button, money_text, product_photo,
    },
    html::IntoHtml,
};

/// A return in the list.
#[derive(Debug, Clone)]
pub struct ReturnCard {
    pub href: String,
    pub number: String,
    /// Its state.
    pub tag: StatusTag,
    /// Its first item.
    pub product: Option<ProductSummary>,
    /// The names of its items.
    pub things: String,
    /// What it gives back. `None` if nothing, or if amounts are not shown.
    pub amount: Option<String>,
    /// When it was submitted.
    pub when: String,
}

/// The page.
#[component]
pub fn ReturnsPage(theme: Theme, cards: Vec<ReturnCard>, words: &'static Words) -> impl IntoView {
    if cards.is_empty() {
        let way = Some(Link { href: theme.path("purchases"), text: words.choose_what });
        let (title, text) = (words.returns_empty_title, words.returns_empty);
        let empty = EmptyState { icon: icons::BOX, tone: Tone::Accent, title, text: text.into(), way, other_way: None };
        return view! { <EmptyStatePage empty/> }.into_html();
    }
    let card = |card: ReturnCard| {
        let number = format!("{} {}", words.return_, card.number);
        view! {
            <li class="return-row">
                {card.product.as_ref().map(|product| product_photo(product, false))}
                <div class="return-body">
                    <h2><a href=card.href><bdi>{card.things}</bdi></a></h2>
                    <p><span class="tag" data-tone=card.tag.tone.name()>{icon_s(card.tag.icon)}{card.tag.text}</span></p>
                    <p class="quiet small"><span class="whole">{number}</span>" · "{card.when}</p>
                </div>
                {card.amount.map(|amount| view! { <p class="return-amount">{money_text(amount)}</p> })}
                <svg class="icon icon-way" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" inner_html=icons::CHEVRON_RIGHT></svg>
            </li>
        }
    };
    let more = Link { href: theme.path("purchases"), text: words.return_else };
    view! {
        <div class="head"><h1>{words.my_returns}</h1></div>
        <ul class="return-list">{cards.into_iter().map(card).collect_view()}</ul>
        <div class="actions">{link_button(more)}</div>
    }
    .into_html()
}
