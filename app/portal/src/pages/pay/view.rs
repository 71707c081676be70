//! `/{slug}/pay/{id}`: a payment that moves no money.

use crate::words::Words;
use leptos::prelude::*;
use ui::{
    components::{Notice, NoticeText, Tone, icons},
    html::IntoHtml,
    text::format,
};

/// What the page shows.
#[derive(Debug, Clone)]
pub struct Pay {
    pub action: String,
    /// The id of the return.
    pub id: String,
    /// The page of the return.
    pub back: String,
    /// The number of the return.
    pub number: String,
    pub title: String,
    pub amount: String,
}

/// The page.
#[component]
pub fn PayPage(page: Pay, words: &'static Words) -> impl IntoView {
    let notice = NoticeText {
        icon: icons::ALERT,
        tone: Tone::Warn,
        title: words.pay_simulated_title,
        text: words.pay_simulated,
    };
    let button = format(words.pay_amount, &[&page.amount]);
    view! {
        <h1>{page.title}</h1>
        <p class="done-number"><span class="quiet">{words.return_number}</span>" "<span class="code">{page.number}</span></p>
        <Notice notice/>
        <form class="actions actions-top" method="post" action=page.action>
            <input type="hidden" name="id" value=page.id/>
            <button class="button button-wide">{button}</button>
            <a class="textlink" href=page.back>{words.pay_not_now}</a>
        </form>
    }
    .into_html()
}
