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
    use std::{cell::Cell, rc::Rc, time::Duration};
    use wasm_bindgen::JsCast;
    use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlInputElement, KeyboardEvent};

    /// Where a key types. Boxes to tick are no such places.
    const FIELDS: &str = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog";
    /// The attribute of the row that the keys have moved to.
    const CURRENT: &str = "data-current";
    /// Where an element is not shown, or waits until its undo is over.
    const UNUSABLE: &str = "[hidden], [data-held], details:not([open]) > :not(summary)";
    /// On a page with a scanner, a key acts if no other one is this close, in milliseconds: a scanner's keys are closer.
    const APART: f64 = 50.0;

    /// Acts on the keys of the page.
    ///
    /// - `g` and a letter open the page that the list of keys names (`data-go`, `data-key`).
    /// - `j` and `k` move through the rows of a table (`data-row`), `x` ticks the row.
    /// - `Escape` leaves a field.
    /// - Any other key gives the field with this `data-focus` the focus, or clicks the element with this `data-press`.
    pub(super) fn listen() {
        let (after_g, last) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0.0_f64)));
        let _ = window_event_listener(ev::keydown, move |event| {
            let key = event.key();
            let before = last.replace(event.time_stamp());
            let is_command = (event.ctrl_key() || event.meta_key()) && !event.alt_key() && key == "k";
            let is_plain = !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.is_composing());
            if is_command {
                if focus("/") {
                    event.prevent_default();
                }
                return;
            }
            if !is_plain || is_in_field(&event) {
                after_g.set(false);
                if is_plain && key == "Escape" {
                    leave(&event);
                }
                return;
            }
            if first("[data-scanner]").is_none() {
                if act(&after_g, &key) {
                    event.prevent_default();
                }
                return;
            }
            let is_apart = event.time_stamp() - before > APART;
            let (after_g, last, at) = (Rc::clone(&after_g), Rc::clone(&last), event.time_stamp());
            let later = move || {
                if is_apart && last.get().total_cmp(&at).is_eq() {
                    act(&after_g, &key);
                }
            };
            set_timeout(later, Duration::from_millis(50));
        });
    }

    /// Whether the key does something.
    fn act(after_g: &Cell<bool>, key: &str) -> bool {
        let was_g = after_g.replace(key == "g");
        match key {
            key if was_g => go(key),
            "?" => show_list(),
            "j" => move_by(1),
            "k" => move_by(-1),
            "x" => tick(),
            key => focus(key) || press(key),
        }
    }

    /// Leaves a field, so that keys act again. What is typed stays. A dialog closes by itself.
    fn leave(event: &KeyboardEvent) {
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        if let Some(field) = target.filter(|field| field.closest("dialog").ok().flatten().is_none()) {
            let _ = field.blur();
        }
    }

    fn is_in_field(event: &KeyboardEvent) -> bool {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        target.is_some_and(|element| element.closest(FIELDS).ok().flatten().is_some())
    }

    fn all(selector: &str) -> Vec<HtmlElement> {
        let Ok(found) = document().query_selector_all(selector) else { return Vec::new() };
        (0..found.length()).filter_map(|index| found.get(index)?.dyn_into().ok()).collect()
    }

    fn first(selector: &str) -> Option<HtmlElement> {
        document().query_selector(selector).ok().flatten()?.dyn_into().ok()
    }

    /// The first element with this key that can be used now.
    fn of_key(attribute: &str, key: &str) -> Option<HtmlElement> {
        if key.contains(['"', '\\', '\n']) {
            return None; // within a selector
        }
        let mut found = all(&format!("[{attribute}=\"{key}\"]")).into_iter();
        found.find(|element| element.closest(UNUSABLE).ok().flatten().is_none())
    }

    fn go(key: &str) -> bool {
        let Some(href) = of_key("data-key", key).and_then(|entry| entry.get_attribute("data-go")) else { return false };
        window().location().set_href(&href).is_ok()
    }

    fn show_list() -> bool {
        let dialog =
            document().get_element_by_id("key-list").and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok());
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
        let rows = all("[data-row]");
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
