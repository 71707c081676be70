//! The scan page with scripting: a scanner types wherever the focus is, and each scan has a sound.

use leptos::prelude::*;

/// Listens to the scanner. `sound` says what the page reports.
#[island]
pub fn Station(sound: String) -> impl IntoView {
    #[cfg(feature = "hydrate")]
    browser::start(&sound);
    #[cfg(not(feature = "hydrate"))]
    let _ = sound;
    view! { <span hidden data-scanner=""></span> }
}

#[cfg(feature = "hydrate")]
pub(super) use browser::is_plain;

#[cfg(feature = "hydrate")]
mod browser {
    use crate::islands::{
        forms::{by_id, fields},
        sound::play,
    };
    use leptos::{ev, leptos_dom::helpers::window_event_listener};
    use std::{cell::RefCell, rc::Rc};
    use wasm_bindgen::JsCast;
    use web_sys::{Element, HtmlElement, HtmlFormElement, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

    /// A scanner types at least this many characters…
    const LEAST_CHARACTERS: usize = 6;
    /// … with at most this time between two of them, in milliseconds.
    const BETWEEN_KEYS: f64 = 35.0;

    pub(super) fn start(sound: &str) {
        play(sound);
        listen_to_scanner();
    }

    /// Catches fast keys outside of the field, and looks up what they spell.
    fn listen_to_scanner() {
        let typed = Rc::new(RefCell::new((String::new(), 0.0_f64)));
        let _ = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() || is_code_field(event.target()) {
                return;
            }
            let (key, now) = (event.key(), event.time_stamp());
            let mut typed = typed.borrow_mut();
            if now - typed.1 > BETWEEN_KEYS {
                typed.0.clear();
            }
            typed.1 = now;
            if matches!(key.as_str(), "Enter" | "Tab") {
                let code = std::mem::take(&mut typed.0);
                if code.chars().count() >= LEAST_CHARACTERS {
                    event.prevent_default();
                    restore_field(event.target(), &code);
                    look_up(&code);
                }
            } else if key.chars().count() == 1 {
                typed.0.push_str(&key);
            }
        });
    }

    fn is_code_field(target: Option<web_sys::EventTarget>) -> bool {
        target.and_then(|target| target.dyn_into::<Element>().ok()).is_some_and(|element| element.id() == "code")
    }

    /// Takes the scanned characters out of the field that they were typed into.
    fn restore_field(target: Option<web_sys::EventTarget>, code: &str) {
        let Some(target) = target else { return };
        if let Some(field) = target.dyn_ref::<HtmlInputElement>() {
            // A number field has dropped the letters, so what is left is no number that somebody typed.
            let value = field.value();
            field.set_value(value.strip_suffix(code).unwrap_or(if field.type_() == "number" { "" } else { &value }));
        } else if let Some(field) = target.dyn_ref::<HtmlTextAreaElement>() {
            let value = field.value();
            field.set_value(value.strip_suffix(code).unwrap_or(&value));
        }
    }

    fn look_up(code: &str) {
        let Some(field) = by_id::<HtmlInputElement>("code") else { return };
        field.set_value(code);
        let button = field.form().and_then(|form| form.query_selector(".scan-look").ok().flatten());
        if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
            button.click();
        }
    }

    /// Whether something is counted, and nothing of the parcel's form needs a look. The server checks all of it again.
    pub fn is_plain(form: &HtmlFormElement) -> bool {
        let fields = fields(form);
        let number = |name: &str| {
            let text = fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.trim());
            if text.is_empty() { Some(0) } else { text.parse::<u32>().ok() }
        };
        let has_reason = |place: &str| {
            fields.iter().any(|(name, value)| *name == format!("why-{place}") && !value.trim().is_empty())
        };
        let mut counted = 0_u32;
        for place in fields.iter().filter_map(|(name, _)| name.strip_prefix("units-")) {
            let (units, refused) = (number(&format!("units-{place}")), number(&format!("refused-{place}")));
            let (Some(units), Some(refused)) = (units, refused) else { return false };
            if refused > units || (refused > 0 && !has_reason(place)) {
                return false;
            }
            counted = counted.saturating_add(units);
        }
        counted > 0
    }
}
