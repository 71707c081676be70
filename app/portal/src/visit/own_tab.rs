//! The way out of a frame whose cookies the browser does not keep: a tab of its own.

use crate::{
    visit::shop::{Framing, ShopRequest},
    words::Words,
};
use axum::{http::StatusCode, response::Response};
use leptos::prelude::*;
use ui::html::IntoHtml;

/// A form to continue with in a new tab.
#[derive(Debug, Clone)]
pub struct OwnTab {
    /// The address that it is sent to.
    pub action: String,
    /// The names and values of its fields.
    pub fields: Vec<(&'static str, String)>,
}

/// The page in a frame whose cookies the browser does not keep.
#[component]
pub fn OwnTabPage(page: OwnTab, words: &'static Words) -> impl IntoView {
    let OwnTab { action, fields } = page;
    let field = |(name, value): (&'static str, String)| view! { <input type="hidden" name=name value=value/> };
    view! {
        <div class="blank">
            <h1>{words.own_tab_title}</h1>
            <p>{words.own_tab}</p>
            <form method="post" action=action target="_blank">
                {fields.into_iter().map(field).collect_view()}
                <button class="button button-wide">{words.own_tab_go}</button>
            </form>
        </div>
    }
    .into_html()
}

/// Asks to continue in a new tab, where the browser keeps our cookies. Nothing has to be typed again.
pub fn own_tab(shop: &ShopRequest, page: OwnTab) -> Response {
    let words = shop.words;
    let body = move || view! { <OwnTabPage page words/> }.into_html();
    shop.page(StatusCode::OK, words.own_tab_title, Framing::default(), &[], body)
}
