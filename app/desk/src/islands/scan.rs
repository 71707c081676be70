//! The scan page with scripting: a scanner types wherever the focus is, each scan has a sound, and a code that is scanned while the
//! page is replaced waits for the next page.

use leptos::prelude::*;
use ui::text::format;

/// Listens to the scanner. `sound` says what the page reports. `skipped`: the sentence if codes after an unknown one were not looked
/// up, `{0}` is their number.
#[island]
pub fn Station(sound: String, skipped: String) -> impl IntoView {
    let count = RwSignal::new(0_usize);
    #[cfg(feature = "hydrate")]
    browser::start(&sound, count);
    #[cfg(not(feature = "hydrate"))]
    let _ = sound;
    view! {
        <span hidden data-scanner=""></span>
        <p class="alert" role="alert" hidden=move || count.get() == 0>{move || format(&skipped, &[&count.get().to_string()])}</p>
    }
}

#[cfg(feature = "hydrate")]
mod browser {
    use crate::islands::{
        forms::{by_id, has_counts},
        holding,
        scan_queue::{self, Leaving},
        sound::play,
    };
    use leptos::{
        ev,
        leptos_dom::helpers::{window_event_listener, window_event_listener_untyped},
        prelude::*,
    };
    use std::{
        cell::{Cell, RefCell},
        rc::Rc,
    };
    use wasm_bindgen::JsCast;
    use web_sys::{
        Element, EventTarget, HtmlElement, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent, SubmitEvent,
    };

    /// A scanner types at least this many characters…
    const LEAST_CHARACTERS: usize = 6;
    /// … with at most this time between two of them, in milliseconds.
    const BETWEEN_KEYS: f64 = 35.0;
    /// The code of the sheet that takes back the last parcel.
    const TAKE_BACK: &str = "$RETOUR-TAKE-BACK";

    pub(super) fn start(sound: &str, skipped: RwSignal<usize>) {
        play(sound);
        let leaving = Rc::new(Leaving::default());
        listen_to_forms(Rc::clone(&leaving));
        // The browser may show this page again as it was.
        let _ = window_event_listener_untyped("pageshow", move |_| leaving.not_any_more());
        listen_to_scanner();
        let is_refused = sound == "unknown";
        // The first time after the page is hydrated: what changes before that stays as the server wrote it.
        request_animation_frame(move || {
            if is_refused {
                // The codes that follow were scanned for a page that did not come: a "Done" among them is about another parcel.
                skipped.set(scan_queue::drop_all());
            } else if let Some(code) = scan_queue::next() {
                look_up(&code);
            }
        });
    }

    /// What a scanner has typed so far.
    #[derive(Default)]
    struct Burst {
        text: String,
        last: f64,
        /// The field that the scanner types into, and what was in it before.
        field: Option<(EventTarget, String)>,
        /// When the code before ended.
        ended: f64,
    }

    /// Catches fast keys outside of the field for codes, and looks up what they spell.
    fn listen_to_scanner() {
        let burst = Rc::new(RefCell::new(Burst::default()));
        let _ = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() || is_code_field(event.target()) {
                return;
            }
            let (key, now) = (event.key(), event.time_stamp());
            let is_end = matches!(key.as_str(), "Enter" | "Tab");
            let mut burst = burst.borrow_mut();
            if is_end && burst.text.is_empty() && now - burst.ended <= BETWEEN_KEYS {
                return event.prevent_default(); // some scanners end a code with two keys
            }
            if now - burst.last > BETWEEN_KEYS {
                burst.text.clear();
                burst.field = event.target().and_then(|target| text_in(&target).map(|text| (target, text)));
            }
            burst.last = now;
            if is_end {
                let Burst { text: code, field, .. } = std::mem::take(&mut *burst);
                if code.chars().count() >= LEAST_CHARACTERS {
                    event.prevent_default();
                    burst.ended = now;
                    if let Some((target, before)) = field {
                        set_text(&target, &before);
                    }
                    look_up(&code);
                }
            } else if key.chars().count() == 1 {
                burst.text.push_str(&key);
            }
        });
    }

    fn is_code_field(target: Option<EventTarget>) -> bool {
        target.and_then(|target| target.dyn_into::<Element>().ok()).is_some_and(|element| element.id() == "code")
    }

    fn text_in(target: &EventTarget) -> Option<String> {
        let field = target.dyn_ref::<HtmlInputElement>().map(HtmlInputElement::value);
        field.or_else(|| target.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value))
    }

    fn set_text(target: &EventTarget, text: &str) {
        if let Some(field) = target.dyn_ref::<HtmlInputElement>() {
            field.set_value(text);
        } else if let Some(field) = target.dyn_ref::<HtmlTextAreaElement>() {
            field.set_value(text);
        }
    }

    fn look_up(code: &str) {
        let Some(field) = by_id::<HtmlInputElement>("code") else { return };
        field.set_value(code);
        if let Some(button) = look_up_button(&field) {
            button.click();
        }
    }

    fn look_up_button(field: &HtmlInputElement) -> Option<HtmlElement> {
        field.form()?.query_selector(".scan-look").ok().flatten()?.dyn_into().ok()
    }

    /// Looks codes up one after the other: the page of one has to be there before the next.
    fn listen_to_forms(leaving: Rc<Leaving>) {
        // Whether a code is sent, but its form is not read yet.
        let is_sent = Rc::new(Cell::new(false));
        let sending = Rc::clone(&is_sent);
        let _ = window_event_listener(ev::submit, move |event: SubmitEvent| {
            sending.set(false);
            let Some(field) = by_id::<HtmlInputElement>("code") else { return };
            let is_look_up =
                event.submitter().is_some_and(|pressed| look_up_button(&field).is_some_and(|own| own == pressed));
            if !is_look_up {
                return leaving.by(event);
            }
            let code = field.value();
            // With a count on the table, the server says that the parcel is open: the undo would drop what is counted.
            let is_counting = field.form().is_some_and(|form| has_counts(&form));
            let is_take_back = code.trim().to_ascii_uppercase().ends_with(TAKE_BACK);
            if is_take_back && !is_counting && holding::undo_what_waits() {
                event.prevent_default();
                return field.set_value("");
            }
            if leaving.is_under_way(event.time_stamp()) {
                event.prevent_default();
                // Some scanners press Enter twice.
                if !code.trim().is_empty() {
                    scan_queue::push(&code);
                }
                return field.set_value("");
            }
            leaving.by(event);
            sending.set(true);
        });
        // The browser has read the form. What is typed next is the next code: keys can come before any timer.
        let _ = window_event_listener_untyped("formdata", move |_| {
            if is_sent.take()
                && let Some(field) = by_id::<HtmlInputElement>("code")
            {
                field.set_value("");
            }
        });
    }
}
