//! Passkeys: the browser asks the person, and the form sends its answer. Browsers have no passkeys without scripting, so without it, or
//! in a browser that has none, or at another host, nothing is shown.

use leptos::prelude::*;

/// A button of a form that needs a passkey, with the fields above it. `begin`: the address of the function that begins. `host`: where
/// passkeys belong to. `makes`: whether a passkey is made, or an existing one is used. `stopped`: what is said if the person stops.
#[island]
pub fn Passkey(
    text: String,
    class: String,
    begin: String,
    host: String,
    makes: bool,
    stopped: String,
    children: Children,
) -> impl IntoView {
    let usable = RwSignal::new(false);
    let said = RwSignal::new(String::new());
    #[cfg(feature = "hydrate")]
    browser::start(usable, said, &host, browser::Ceremony { begin, makes, stopped });
    #[cfg(not(feature = "hydrate"))]
    let _ = (begin, host, makes, stopped, usable, said);
    view! {
        <div class="passkey" hidden=move || !usable.get()>
            {children()}
            <input type="hidden" name="passkey"/>
            <div class="actions"><button class=class>{text}</button></div>
            <p class="hint" role="status">{move || said.get()}</p>
        </div>
    }
}

#[cfg(feature = "hydrate")]
mod browser {
    use crate::problem::PasskeyOptions;
    use js_sys::{Function, JSON, Promise, Reflect};
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*, task::spawn_local};
    use std::rc::Rc;
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{Headers, HtmlFormElement, HtmlInputElement, RequestInit, Response, SubmitEvent};

    pub(super) struct Ceremony {
        pub begin: String,
        pub makes: bool,
        pub stopped: String,
    }

    impl Ceremony {
        /// The browser's function that parses the options, and the one that asks the person.
        fn functions(&self) -> (&'static str, &'static str) {
            if self.makes { ("parseCreationOptionsFromJSON", "create") } else { ("parseRequestOptionsFromJSON", "get") }
        }
    }

    pub(super) fn start(usable: RwSignal<bool>, said: RwSignal<String>, host: &str, ceremony: Ceremony) {
        let is_here = window().location().hostname().is_ok_and(|name| name == host);
        if !is_here || parser(&ceremony).is_none() {
            return;
        }
        // After the page is hydrated: what changes before that stays as the server wrote it.
        request_animation_frame(move || usable.set(true));
        let ceremony = Rc::new(ceremony);
        let _ = window_event_listener(ev::submit, move |event: SubmitEvent| {
            let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
            let Some((form, field)) = form.and_then(|form| Some((form.clone(), passkey_field(&form)?))) else { return };
            event.prevent_default();
            said.set(String::new());
            let ceremony = Rc::clone(&ceremony);
            spawn_local(async move {
                match ask(&ceremony).await {
                    Asked::Answered(answer) => {
                        field.set_value(&answer);
                        let _ = form.submit();
                    }
                    // The server says what is missing: a recent proof, or the session.
                    Asked::NotYet => drop(form.submit()),
                    Asked::Stopped => said.set(ceremony.stopped.clone()),
                }
            });
        });
    }

    fn passkey_field(form: &HtmlFormElement) -> Option<HtmlInputElement> {
        form.query_selector("input[name=passkey]").ok().flatten()?.dyn_into().ok()
    }

    enum Asked {
        /// The browser's answer in JSON.
        Answered(String),
        /// The server wants something else first.
        NotYet,
        Stopped,
    }

    async fn ask(ceremony: &Ceremony) -> Asked {
        let Some(begun) = begin(&ceremony.begin).await else { return Asked::Stopped };
        let Some(options) = begun else { return Asked::NotYet };
        answer(ceremony, &options).await.map_or(Asked::Stopped, Asked::Answered)
    }

    /// The options of the server. `None`: it was not reached; `Some(None)`: it refuses.
    async fn begin(address: &str) -> Option<Option<String>> {
        let init = RequestInit::new();
        init.set_method("POST");
        let headers = Headers::new().ok()?;
        headers.append("Accept", "application/json").ok()?;
        headers.append("Content-Type", "application/x-www-form-urlencoded").ok()?;
        init.set_headers(&headers);
        let response = JsFuture::from(window().fetch_with_str_and_init(address, &init)).await.ok()?;
        let response: Response = response.dyn_into().ok()?;
        if !response.ok() {
            return Some(None);
        }
        let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
        serde_json::from_str::<PasskeyOptions>(&text).ok().map(|begun| Some(begun.options))
    }

    async fn answer(ceremony: &Ceremony, options: &str) -> Option<String> {
        let (class, parse) = parser(ceremony)?;
        let options = parse.call1(&class, &JSON::parse(options).ok()?).ok()?;
        let request = js_sys::Object::new();
        Reflect::set(&request, &"publicKey".into(), &options).ok()?;
        let navigator = Reflect::get(&window(), &"navigator".into()).ok()?;
        let credentials = Reflect::get(&navigator, &"credentials".into()).ok()?;
        let credential = promised(&credentials, ceremony.functions().1, &request).await?;
        let to_json: Function = Reflect::get(&credential, &"toJSON".into()).ok()?.dyn_into().ok()?;
        JSON::stringify(&to_json.call0(&credential).ok()?).ok()?.as_string()
    }

    /// The function that parses options, with its class, if the browser has passkeys here.
    fn parser(ceremony: &Ceremony) -> Option<(JsValue, Function)> {
        let class = Reflect::get(&window(), &"PublicKeyCredential".into()).ok()?;
        let parse = Reflect::get(&class, &ceremony.functions().0.into()).ok()?.dyn_into().ok()?;
        Some((class, parse))
    }

    async fn promised(object: &JsValue, function: &str, argument: &JsValue) -> Option<JsValue> {
        let function: Function = Reflect::get(object, &function.into()).ok()?.dyn_into().ok()?;
        let promise: Promise = function.call1(object, argument).ok()?.dyn_into().ok()?;
        JsFuture::from(promise).await.ok().filter(|value| !value.is_null())
    }
}
