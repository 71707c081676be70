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
    use web_sys::{Element, HtmlDialogElement, HtmlElement, KeyboardEvent};

    /// Acts on the keys of the page.
    ///
    /// - `g` and a letter open the page that the list of keys names (`data-go`, `data-key`).
    /// - Any other key clicks the first element with this `data-press`, or gives a field with this `data-focus` the focus.
    pub(super) fn listen() {
        let went = Rc::new(Cell::new(false));
        let _ = window_event_listener(ev::keydown, move |event| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing() || is_in_field(&event) {
                return;
            }
            let key = event.key();
            let after_g = went.replace(key == "g");
            let acted = if after_g { go(&key) } else { act(&key) };
            if acted {
                event.prevent_default();
            }
        });
    }

    fn is_in_field(event: &KeyboardEvent) -> bool {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        target.is_some_and(|element| {
            element
                .closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog")
                .ok()
                .flatten()
                .is_some()
        })
    }

    fn find(attribute: &str, key: &str) -> Option<HtmlElement> {
        // Only these keys have a meaning, and each is safe within a selector.
        let is_plain =
            key.chars().count() == 1 && !matches!(key, "\"" | "\\") || key.chars().all(char::is_alphanumeric);
        let found = is_plain.then(|| document().query_selector(&format!("[{attribute}=\"{key}\"]")).ok().flatten());
        found.flatten()?.dyn_into().ok()
    }

    fn go(key: &str) -> bool {
        let Some(href) = find("data-key", key).and_then(|entry| entry.get_attribute("data-go")) else { return false };
        window().location().set_href(&href).is_ok()
    }

    fn act(key: &str) -> bool {
        if key == "?" {
            let dialog =
                document().get_element_by_id("keys").and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok());
            return dialog.is_some_and(|dialog| dialog.show_modal().is_ok());
        }
        if let Some(field) = find("data-focus", key) {
            return field.focus().is_ok();
        }
        find("data-press", key).map(|element| element.click()).is_some()
    }
}
