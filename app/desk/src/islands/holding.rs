//! Undo: the form of a button with `data-hold` stays in the browser for ten seconds, in which it can be undone, and is sent then.
//! Without scripting, it is sent at once.
//!
//! The button says what the island needs:
//!
//! | attribute | content |
//! |---|---|
//! | `data-hold` | the sentence while it waits: `{1}` is for the seconds |
//! | `data-hold-about` | what the form is about: while it waits, the button cannot be pressed again |
//! | `data-hold-done`, `data-hold-failed` | the sentence afterwards |
//! | `data-hold-next` | the page to go to while it waits; without it, the page stays |

use leptos::prelude::*;

#[cfg(feature = "hydrate")]
pub(super) use browser::undo_what_waits;

/// What the island shows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// The sentence; nothing if it is empty.
    text: String,
    is_waiting: bool,
    /// The page to open again, if the form was not accepted.
    again: Option<String>,
}

/// Holds forms back, and sends them. `person`: a form of somebody else who used this browser is not sent.
#[island]
pub fn Holding(person: String, undo: String, open_again: String) -> impl IntoView {
    let told = RwSignal::new(Told::default());
    let said = RwSignal::new(String::new());
    #[cfg(feature = "hydrate")]
    browser::start(person, told, said);
    #[cfg(not(feature = "hydrate"))]
    let _ = person;
    view! {
        <p class="visually-hidden" role="status">{move || said.get()}</p>
        <div class="holding" hidden=move || told.get().text.is_empty()>
            <p>{move || told.get().text}</p>
            <button type="button" class="button button-second" id="undo" data-press="u" hidden=move || !told.get().is_waiting>
                {undo}
            </button>
            <a class="textlink" hidden=move || told.get().again.is_none() href=move || told.get().again.unwrap_or_default()>
                {open_again}
            </a>
        </div>
    }
}

#[cfg(feature = "hydrate")]
mod browser {
    use super::Told;
    use crate::islands::{
        forms::{by_id, encoded, is_page_touched, is_plain},
        sound::play,
        storage::{here, keep, of_all_tabs as storage, read, take},
        typed::{keep_typed, restore_typed},
    };
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*, task::spawn_local};
    use serde::{Deserialize, Serialize};
    use std::{rc::Rc, time::Duration};
    use ui::text::format;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{Element, HtmlButtonElement, HtmlElement, HtmlFormElement, RequestInit, Response, SubmitEvent};

    /// How long a form can be undone, in milliseconds.
    const UNDO_WITHIN: f64 = 10_000.0;
    /// Where the form is held: in the browser, so that it survives the next page.
    const HELD: &str = "retour-held";
    /// Where the next page finds what to say.
    const REPORT: &str = "retour-held-report";

    /// A form that is not sent yet.
    #[derive(Serialize, Deserialize)]
    struct Held {
        /// The moment from which it is sent.
        due: f64,
        person: String,
        about: String,
        waiting: String,
        done: String,
        failed: String,
        /// The page that the form is on.
        back: String,
        /// The page to go to while it waits.
        next: Option<String>,
        action: String,
        body: String,
    }

    /// The result of a form.
    #[derive(Serialize, Deserialize)]
    struct Report {
        text: String,
        again: Option<String>,
    }

    #[derive(Clone, Copy)]
    struct Shown {
        told: RwSignal<Told>,
        said: RwSignal<String>,
    }

    pub(super) fn start(person: String, told: RwSignal<Told>, said: RwSignal<String>) {
        let (person, shown) = (Rc::<str>::from(person), Shown { told, said });
        hold_back(Rc::clone(&person), shown);
        undo(shown);
        send_before_signing_out();
        // The first time after the page is hydrated: what changes before that stays as the server wrote it.
        let first = Rc::clone(&person);
        request_animation_frame(move || {
            restore_typed();
            if let Some(report) = storage().and_then(|storage| take::<Report>(&storage, REPORT)) {
                tell(shown, report);
            }
            tick(&first, shown);
        });
        set_interval(move || tick(&person, shown), Duration::from_millis(500));
    }

    fn hold_back(person: Rc<str>, shown: Shown) {
        let _ = window_event_listener(ev::submit, move |event: SubmitEvent| {
            let pressed = event.submitter().and_then(|button| button.dyn_into::<HtmlButtonElement>().ok());
            let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
            let (Some(form), Some(button)) = (form, pressed) else { return };
            let Some(waiting) = button.get_attribute("data-hold") else { return };
            if button.has_attribute("data-held") {
                return event.prevent_default();
            }
            let text = |name: &str| button.get_attribute(name).unwrap_or_default();
            // Pressed twice in a row: the first press waits already, and a second one would send it.
            if is_held(&person, &text("data-hold-about"), &waiting) {
                return event.prevent_default();
            }
            if button.id() == "done" && !is_plain(&form) {
                return; // the page says what is missing
            }
            let Some(storage) = storage() else { return };
            event.prevent_default();
            let own = button.get_attribute("formaction");
            let held = Held {
                due: js_sys::Date::now() + UNDO_WITHIN,
                person: person.to_string(),
                about: text("data-hold-about"),
                waiting,
                done: text("data-hold-done"),
                failed: text("data-hold-failed"),
                back: here(),
                next: button.get_attribute("data-hold-next"),
                action: own.or_else(|| form.get_attribute("action")).unwrap_or_default(),
                body: encoded(&form),
            };
            let person = Rc::clone(&person);
            spawn_local(async move {
                // One form is held at a time: the one before is sent now.
                if let Some(before) = take::<Held>(&storage, HELD).filter(|before| *before.person == *person)
                    && let Err(report) = send(&before).await
                {
                    keep(&storage, REPORT, &report);
                }
                keep(&storage, HELD, &held);
                match &held.next {
                    Some(next) => open(next),
                    None => tick(&person, shown),
                }
            });
        });
    }

    /// Whether the same form of this person waits already.
    fn is_held(person: &str, about: &str, waiting: &str) -> bool {
        let held = storage().and_then(|storage| read::<Held>(&storage, HELD));
        held.is_some_and(|held| held.person == person && held.about == about && held.waiting == waiting)
    }

    fn undo(shown: Shown) {
        let _ = window_event_listener(ev::click, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            // The second click of a double one may meet this button, which appears where the first one was.
            if event.detail() > 1 || target.is_none_or(|element| element.id() != "undo") {
                return;
            }
            let Some(held) = storage().and_then(|storage| take::<Held>(&storage, HELD)) else { return };
            shown.told.set(Told::default());
            if held.back == here() {
                release();
            } else {
                keep_typed(&held.back, &held.action, &held.body);
                open(&held.back);
            }
        });
    }

    /// Undoes what waits. `false` if nothing waits.
    pub fn undo_what_waits() -> bool {
        let is_waiting = storage().and_then(|storage| read::<Held>(&storage, HELD)).is_some();
        let button = by_id::<HtmlElement>("undo").filter(|_| is_waiting);
        button.map(|button| button.click()).is_some()
    }

    /// What somebody has decided is sent in their name, not in that of the next person at this browser.
    fn send_before_signing_out() {
        let _ = window_event_listener(ev::submit, move |event: SubmitEvent| {
            let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
            let Some(form) =
                form.filter(|form| form.get_attribute("action").is_some_and(|to| to.ends_with("call/sign-out")))
            else {
                return;
            };
            let Some(held) = storage().and_then(|storage| take::<Held>(&storage, HELD)) else { return };
            event.prevent_default();
            spawn_local(async move {
                let _ = send(&held).await;
                let _ = form.submit();
            });
        });
    }

    /// Shows how long the form can be undone, and sends it when the time is over.
    fn tick(person: &str, shown: Shown) {
        let Some(storage) = storage() else { return };
        let Some(held) = read::<Held>(&storage, HELD).filter(|held| held.person == person) else {
            if shown.told.with_untracked(|told| told.is_waiting) {
                // Another tab has undone or sent it.
                shown.told.set(Told::default());
                release();
            }
            return;
        };
        let left = ((held.due - js_sys::Date::now()) / 1_000.0).ceil();
        if left > 0.0 {
            let text = format(&held.waiting, &["", &left.to_string()]);
            if !shown.told.with_untracked(|told| told.is_waiting) {
                shown.said.set(text.clone());
            }
            mark(&held.about);
            return shown.told.set(Told { text, is_waiting: true, again: None });
        }
        let Some(held) = take::<Held>(&storage, HELD) else { return };
        shown.told.set(Told::default());
        spawn_local(async move {
            let result = send(&held).await;
            let is_saved = result.is_ok();
            let (Ok(report) | Err(report)) = result;
            // The page is out of date. What somebody is typing there stays.
            let is_about = held.back == here() || held.next.as_deref() == Some(here().as_str());
            if is_saved && is_about && !is_page_touched() {
                keep(&storage, REPORT, &report);
                let _ = window().location().reload();
                return;
            }
            release();
            if document().query_selector("[data-scanner]").ok().flatten().is_some() {
                play(if is_saved { "accepted" } else { "unknown" });
            }
            tell(shown, report);
        });
    }

    fn tell(shown: Shown, report: Report) {
        shown.said.set(report.text.clone());
        shown.told.set(Told { text: report.text, is_waiting: false, again: report.again });
    }

    /// Sends a form. What follows in a sentence, or that it was not accepted.
    async fn send(held: &Held) -> Result<Report, Report> {
        let answer = post(held).await;
        let report = |text: &str| Report { text: text.to_owned(), again: None };
        match answer {
            // Some functions say themselves what follows.
            Some((true, answer)) => {
                Ok(report(answer.get("said").and_then(serde_json::Value::as_str).unwrap_or(&held.done)))
            }
            failed => {
                let why = failed.and_then(|(_, problem)| why_not(&problem)).map(|why| format!("{} {why}", held.failed));
                Err(Report { again: Some(held.back.clone()), ..report(&why.unwrap_or_else(|| held.failed.clone())) })
            }
        }
    }

    /// The sentence of a rule that refused a form.
    fn why_not(problem: &serde_json::Value) -> Option<String> {
        let said = ["refused", "changed"].iter().find_map(|kind| problem.get(kind)?.as_str());
        said.map(str::to_owned)
    }

    /// Whether the form was accepted, and the answer.
    async fn post(held: &Held) -> Option<(bool, serde_json::Value)> {
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&JsValue::from_str(&held.body));
        let _ = js_sys::Reflect::set(&init, &"keepalive".into(), &JsValue::TRUE);
        let headers = web_sys::Headers::new().ok()?;
        headers.append("Accept", "application/json").ok()?;
        headers.append("Content-Type", "application/x-www-form-urlencoded").ok()?;
        init.set_headers(&headers);
        let response = JsFuture::from(window().fetch_with_str_and_init(&held.action, &init)).await.ok()?;
        let response: Response = response.dyn_into().ok()?;
        let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
        Some((response.ok(), serde_json::from_str(&text).ok()?))
    }

    /// Greys the button whose form waits.
    fn mark(about: &str) {
        for button in buttons() {
            if button.get_attribute("data-hold-about").is_some_and(|other| other == about) {
                let _ = button.set_attribute("data-held", "");
                let _ = button.set_attribute("aria-disabled", "true");
            }
        }
    }

    /// Gives the buttons back.
    fn release() {
        for button in buttons() {
            let _ = button.remove_attribute("data-held");
            let _ = button.remove_attribute("aria-disabled");
        }
    }

    fn buttons() -> Vec<Element> {
        let Ok(found) = document().query_selector_all("[data-hold]") else { return Vec::new() };
        (0..found.length()).filter_map(|index| found.get(index)?.dyn_into().ok()).collect()
    }

    fn open(address: &str) {
        let _ = window().location().set_href(address);
    }
}
