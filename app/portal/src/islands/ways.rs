//! Saves the shipping option of the review page as soon as it is selected, for reloads and other tabs.

use crate::{
    calls::ship::ship,
    forms::problem::Problem,
    islands::browser::{first, target},
};
use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*, task::spawn_local};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

/// Saves the selected shipping option. If the draft is no longer valid, the server redirects the reloaded page.
pub(super) fn keep_chosen() {
    let _ = window_event_listener(ev::change, |event| {
        let Some(way) = target(&event).and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) else { return };
        if way.name() != "shippingOption" {
            return;
        }
        let Some(form) = way.form() else { return };
        let draft = first(&form, "input[name=draft]").and_then(|field| field.get_attribute("value"));
        let Some(draft) = draft else { return };
        spawn_local(async move {
            if let Err(Problem::Changed(_) | Problem::SignedOut) = ship(draft, way.value()).await {
                let _ = window().location().reload();
            }
        });
    });
}
