//! The scan page with scripting: a scanner types wherever the focus is, each scan has a sound, and `Done` is saved after ten seconds, in
//! which it can be undone.

use leptos::prelude::*;

/// Listens to the scanner and holds back what is done. `waiting` and `failed` are sentences about a return; `ready` and `receive` are
/// addresses: of the page, and of the function that receives a parcel. `sound` says what the page reports.
#[island]
pub fn Station(
    undo: String,
    waiting: String,
    failed: String,
    ready: String,
    receive: String,
    sound: String,
) -> impl IntoView {
    let held = RwSignal::new(None::<String>);
    let said = RwSignal::new(String::new());
    #[cfg(feature = "hydrate")]
    browser::start(held, said, browser::Texts { waiting, failed, ready, receive }, &sound);
    #[cfg(not(feature = "hydrate"))]
    let _ = (waiting, failed, ready, receive, sound);
    view! {
        <div class="scan-waiting" hidden=move || held.get().is_none()>
            <p>{move || held.get().unwrap_or_default()}</p>
            <button type="button" class="button button-second" id="undo">{undo}</button>
        </div>
        <p role="status">{move || said.get()}</p>
    }
}

#[cfg(feature = "hydrate")]
mod browser {
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*, task::spawn_local};
    use std::{cell::RefCell, rc::Rc, time::Duration};
    use ui::text::format;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{
        AudioContext, Element, HtmlButtonElement, HtmlElement, HtmlFormElement, HtmlInputElement, HtmlSelectElement,
        HtmlTextAreaElement, KeyboardEvent, RequestInit, Response, Storage, SubmitEvent, UrlSearchParams,
    };

    /// A scanner types at least this many characters…
    const LEAST_CHARACTERS: usize = 6;
    /// … with at most this time between two of them, in milliseconds.
    const BETWEEN_KEYS: f64 = 35.0;
    /// How long a parcel can be undone, in milliseconds.
    const UNDO_WITHIN: f64 = 10_000.0;
    /// Where a parcel is held that is not saved yet: in the browser, so that it survives the next page.
    const HELD: &str = "retour-scan-held";

    pub(super) struct Texts {
        pub waiting: String,
        pub failed: String,
        pub ready: String,
        pub receive: String,
    }

    /// A parcel that is not saved yet: the moment from which it is saved, its return, the page to come back to, and the form.
    struct Held {
        due: f64,
        number: String,
        back: String,
        form: String,
    }

    pub(super) fn start(shown: RwSignal<Option<String>>, said: RwSignal<String>, texts: Texts, sound: &str) {
        let texts = Rc::new(texts);
        play(sound);
        listen_to_scanner();
        hold_back(Rc::clone(&texts));
        undo(Rc::clone(&texts));
        // The first time after the page is hydrated: what changes before that stays as the server wrote it.
        let first = Rc::clone(&texts);
        request_animation_frame(move || tick(shown, said, &first));
        set_interval(move || tick(shown, said, &texts), Duration::from_millis(500));
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

    /// Holds `Done` back, and goes on to the next parcel at once.
    fn hold_back(texts: Rc<Texts>) {
        let _ = window_event_listener(ev::submit, move |event: SubmitEvent| {
            let pressed = event.submitter().and_then(|button| button.dyn_into::<HtmlButtonElement>().ok());
            let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
            let (Some(form), true) = (form, pressed.is_some_and(|button| button.id() == "done")) else { return };
            if !is_plain(&form) {
                return; // the page says what is missing
            }
            let number = value_of(&form, "open");
            let held = Held { due: now() + UNDO_WITHIN, number, back: here(), form: encoded(&form) };
            let Some(storage) = storage() else { return };
            event.prevent_default();
            let texts = Rc::clone(&texts);
            spawn_local(async move {
                // One parcel is held at a time: the one before is saved now.
                if let Some(before) = take(&storage) {
                    let _ = send(&texts, &before).await;
                }
                keep(&storage, &held);
                let _ = window().location().set_href(&texts.ready);
            });
        });
    }

    fn undo(texts: Rc<Texts>) {
        let _ = window_event_listener(ev::click, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            if target.is_none_or(|element| element.id() != "undo") {
                return;
            }
            let held = storage().and_then(|storage| take(&storage));
            let back = held.map_or_else(|| texts.ready.clone(), |held| held.back);
            let _ = window().location().set_href(&back);
        });
    }

    /// Shows how long the parcel can be undone, and saves it when the time is over.
    fn tick(shown: RwSignal<Option<String>>, said: RwSignal<String>, texts: &Rc<Texts>) {
        let Some(storage) = storage() else { return };
        let Some(held) = read(&storage) else { return shown.set(None) };
        let left = ((held.due - now()) / 1_000.0).ceil();
        if left > 0.0 {
            return shown.set(Some(format(&texts.waiting, &[&held.number, &left.to_string()])));
        }
        let Some(held) = take(&storage) else { return };
        shown.set(None);
        let texts = Rc::clone(texts);
        spawn_local(async move {
            let is_saved = send(&texts, &held).await;
            play(if is_saved.is_some() { "accepted" } else { "unknown" });
            said.set(is_saved.unwrap_or_else(|| format(&texts.failed, &[&held.number])));
        });
    }

    /// Sends a parcel. The sentence about what follows; `None` if it was not saved.
    async fn send(texts: &Texts, held: &Held) -> Option<String> {
        let init = RequestInit::new();
        init.set_method("POST");
        init.set_body(&JsValue::from_str(&held.form));
        let _ = js_sys::Reflect::set(&init, &"keepalive".into(), &JsValue::TRUE);
        let headers = web_sys::Headers::new().ok()?;
        headers.append("Accept", "application/json").ok()?;
        headers.append("Content-Type", "application/x-www-form-urlencoded").ok()?;
        init.set_headers(&headers);
        let response = JsFuture::from(window().fetch_with_str_and_init(&texts.receive, &init)).await.ok()?;
        let response: Response = response.dyn_into().ok()?;
        if !response.ok() {
            return None;
        }
        let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
        serde_json::from_str::<crate::calls::scan::Counted>(&text).ok().map(|counted| counted.said)
    }

    fn storage() -> Option<Storage> {
        window().local_storage().ok().flatten()
    }

    fn keep(storage: &Storage, held: &Held) {
        let Held { due, number, back, form } = held;
        let _ = storage.set_item(HELD, &format!("{due}\n{number}\n{back}\n{form}"));
    }

    fn read(storage: &Storage) -> Option<Held> {
        let text = storage.get_item(HELD).ok().flatten()?;
        let mut parts = text.splitn(4, '\n').map(str::to_owned);
        let (due, number, back, form) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some(Held { due: due.parse().ok()?, number, back, form })
    }

    /// Takes the parcel out of the browser, so that it is sent once. The server counts its key once, too.
    fn take(storage: &Storage) -> Option<Held> {
        let held = read(storage);
        let _ = storage.remove_item(HELD);
        held
    }

    fn by_id<T: JsCast>(id: &str) -> Option<T> {
        document().get_element_by_id(id).and_then(|element| element.dyn_into().ok())
    }

    fn here() -> String {
        let location = window().location();
        format!("{}{}", location.pathname().unwrap_or_default(), location.search().unwrap_or_default())
    }

    fn now() -> f64 {
        window().performance().map(|clock| clock.time_origin() + clock.now()).unwrap_or_default()
    }

    /// The names and values of a form's fields.
    fn fields(form: &HtmlFormElement) -> Vec<(String, String)> {
        let elements = form.elements();
        let field = |index: u32| {
            let element = elements.item(index)?;
            if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
                let is_sent = match field.type_().as_str() {
                    "checkbox" | "radio" => field.checked(),
                    kind => kind != "file",
                };
                return is_sent.then(|| (field.name(), field.value()));
            }
            if let Some(field) = element.dyn_ref::<HtmlSelectElement>() {
                return Some((field.name(), field.value()));
            }
            element.dyn_ref::<HtmlTextAreaElement>().map(|field| (field.name(), field.value()))
        };
        (0..elements.length()).filter_map(field).filter(|(name, _)| !name.is_empty()).collect()
    }

    fn value_of(form: &HtmlFormElement, name: &str) -> String {
        fields(form).into_iter().find(|(known, _)| known == name).map(|(_, value)| value).unwrap_or_default()
    }

    /// Whether something is counted, and nothing of the form needs a look. The server checks all of it again.
    fn is_plain(form: &HtmlFormElement) -> bool {
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

    fn encoded(form: &HtmlFormElement) -> String {
        let Ok(pairs) = UrlSearchParams::new() else { return String::new() };
        for (name, value) in fields(form) {
            pairs.append(&name, &value);
        }
        String::from(pairs.to_string())
    }

    /// Plays a short sound: high for what is accepted, low for what is unknown. Browsers may keep it silent until somebody has pressed a
    /// key on the page.
    fn play(sound: &str) {
        let tone = match sound {
            "accepted" => 880.0,
            "unknown" => 220.0,
            _ => return,
        };
        let _ = beep(tone);
    }

    fn beep(tone: f32) -> Result<(), JsValue> {
        let context = AudioContext::new()?;
        let (oscillator, gain) = (context.create_oscillator()?, context.create_gain()?);
        oscillator.frequency().set_value(tone);
        gain.gain().set_value(0.1);
        oscillator.connect_with_audio_node(&gain)?;
        gain.connect_with_audio_node(&context.destination())?;
        oscillator.start()?;
        oscillator.stop_with_when(context.current_time() + 0.15)
    }
}
