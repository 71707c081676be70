//! The keys of the desk. They never act inside fields, nor together with Ctrl, Alt or Meta.

#![allow(missing_docs, reason = "the macro makes items that cannot have docs")]

use leptos::prelude::*;

/// Acts on keys: the list of keys in the page says which. Without scripting, the same is a click away.
#[island]
pub fn Keys() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    browser::listen();
    view! { <span hidden data-keys="on"></span> }
}

#[cfg(feature = "hydrate")]
mod browser {
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*};
    use std::{cell::Cell, rc::Rc};
    use wasm_bindgen::JsCast;
    use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlInputElement, KeyboardEvent};

    /// Where a key types. Boxes to tick are no such places.
    const FIELDS: &str = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog";
    /// The attribute of the row that the keys have moved to.
    const CURRENT: &str = "data-current";

    /// Acts on the keys of the page.
    ///
    /// - `g` and a letter open the page that the list of keys names (`data-go`, `data-key`).
    /// - `j` and `k` move through the rows of a table (`data-row`), `x` ticks the row.
    /// - Any other key gives the field with this `data-focus` the focus, or clicks the element with this `data-press`.
    pub(super) fn listen() {
        let after_g = Rc::new(Cell::new(false));
        let _ = window_event_listener(ev::keydown, move |event| {
            let key = event.key();
            let is_command = (event.ctrl_key() || event.meta_key()) && !event.alt_key() && key == "k";
            let is_plain = !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing());
            let was_g = after_g.replace(is_plain && key == "g" && !is_in_field(&event));
            let acted = match key.as_str() {
                _ if is_command => focus("/"),
                _ if !is_plain || is_in_field(&event) => false,
                key if was_g => go(key),
                "?" => show_list(),
                "j" => move_by(1),
                "k" => move_by(-1),
                "x" => tick(),
                key => focus(key) || press(key),
            };
            if acted {
                event.prevent_default();
            }
        });
    }

    fn is_in_field(event: &KeyboardEvent) -> bool {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        target.is_some_and(|element| element.closest(FIELDS).ok().flatten().is_some())
    }

    fn first(selector: &str) -> Option<HtmlElement> {
        document().query_selector(selector).ok().flatten()?.dyn_into().ok()
    }

    /// The element with this key.
    fn of_key(attribute: &str, key: &str) -> Option<HtmlElement> {
        let is_safe = !key.contains(['"', '\\', '\n']); // within a selector
        is_safe.then(|| first(&format!("[{attribute}=\"{key}\"]"))).flatten()
    }

    fn go(key: &str) -> bool {
        let Some(href) = of_key("data-key", key).and_then(|entry| entry.get_attribute("data-go")) else { return false };
        window().location().set_href(&href).is_ok()
    }

    fn show_list() -> bool {
        let dialog =
            document().get_element_by_id("keys").and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok());
        dialog.is_some_and(|dialog| dialog.show_modal().is_ok())
    }

    fn focus(key: &str) -> bool {
        let Some(field) = of_key("data-focus", key) else { return false };
        if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
            input.select();
        }
        field.focus().is_ok()
    }

    fn press(key: &str) -> bool {
        of_key("data-press", key).map(|element| element.click()).is_some()
    }

    /// Moves through the rows, and gives the row's link the focus, so that Enter opens it.
    fn move_by(step: i32) -> bool {
        let Ok(rows) = document().query_selector_all("[data-row]") else { return false };
        let rows: Vec<Element> = (0..rows.length()).filter_map(|index| rows.get(index)?.dyn_into().ok()).collect();
        let now = rows.iter().position(|row| row.has_attribute(CURRENT));
        let next = match (now, step) {
            (None, _) => 0,
            (Some(now), 1) => (now + 1).min(rows.len().saturating_sub(1)),
            (Some(now), _) => now.saturating_sub(1),
        };
        let Some(row) = rows.get(next) else { return false };
        if let Some(before) = now.and_then(|now| rows.get(now)) {
            let _ = before.remove_attribute(CURRENT);
        }
        let _ = row.set_attribute(CURRENT, "");
        let link = row.query_selector("a").ok().flatten().and_then(|link| link.dyn_into::<HtmlElement>().ok());
        link.is_some_and(|link| link.focus().is_ok())
    }

    fn tick() -> bool {
        first("[data-current] input[type=checkbox]").map(|tick| tick.click()).is_some()
    }
}
