//! `/{slug}/returns`: what I have returned.

use crate::{
    components::{Blank, BlankPage, Link, Look, Thing, Tone, icons, icons::icon_s, link_button, money_text, photo},
    words::Words,
};
use leptos::prelude::*;

/// A return in the list.
#[derive(Debug, Clone)]
pub struct Card {
    /// Its address.
    pub href: String,
    /// Its number.
    pub number: String,
    /// Where it stands.
    pub tag: Tag,
    /// The first thing in it.
    pub thing: Option<Thing>,
    /// What is in it.
    pub things: String,
    /// What comes back; `None` where nothing does, and where no amounts are shown.
    pub amount: Option<String>,
    /// When it was sent in.
    pub when: String,
}

/// Where a return stands, in a word or two.
#[derive(Debug, Clone, Copy)]
pub struct Tag {
    /// How serious it is.
    pub tone: Tone,
    /// Its icon.
    pub icon: &'static str,
    /// What it says.
    pub text: &'static str,
}

/// The page.
#[component]
pub fn ReturnsPage(look: Look, cards: Vec<Card>, words: &'static Words) -> impl IntoView {
    if cards.is_empty() {
        let way = Some(Link { href: look.path("purchases"), text: words.choose_what });
        let (title, text) = (words.returns_empty_title, words.returns_empty);
        let blank = Blank { icon: icons::BOX, tone: Tone::Accent, title, text: text.into(), way, other_way: None };
        return view! { <BlankPage blank/> }.into_any();
    }
    let card = |card: Card| {
        let number = format!("{} {}", words.return_, card.number);
        view! {
            <li class="return-row">
                {card.thing.as_ref().map(|thing| photo(thing, false))}
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
    let more = Link { href: look.path("purchases"), text: words.return_else };
    view! {
        <div class="head"><h1>{words.my_returns}</h1></div>
        <ul class="return-list">{cards.into_iter().map(card).collect_view()}</ul>
        <div class="actions">{link_button(more)}</div>
    }
    .into_any()
}
