//! The progress of an upload, and what failed.

#[cfg(feature = "hydrate")]
use crate::words::Live;
use leptos::prelude::*;

/// Shows the progress of an upload. Without scripting the browser does.
#[island]
pub fn Upload(language: String) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let sent = RwSignal::new(None::<u32>);
    #[cfg(feature = "hydrate")]
    send::on_submit(said, sent, Live::of(&language));
    let _ = language;
    view! {
        <div class="upload">
            <progress max="100" value=move || sent.get() hidden=move || sent.get().is_none() aria-hidden="true"></progress>
            <p role="status">{move || said.get()}</p>
        </div>
    }
}

#[cfg(feature = "hydrate")]
mod send {
    use crate::{islands::browser::has_id, words::Live};
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*};
    use ui::text::format;
    use wasm_bindgen::{JsCast, JsValue, closure::Closure};
    use web_sys::{FormData, HtmlFormElement, HtmlInputElement, ProgressEvent, SubmitEvent, XmlHttpRequest};

    /// The limit of the server.
    const MAX_FILE_BYTES: f64 = 10.0 * 1024.0 * 1024.0;

    pub(super) fn on_submit(said: RwSignal<String>, sent: RwSignal<Option<u32>>, words: &'static Live) {
        let _ = window_event_listener(ev::submit, move |event| {
            let form = event.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
            let Some(form) = form.filter(|form| has_id(form, "photos")) else { return };
            let pressed = event.dyn_ref::<SubmitEvent>().and_then(SubmitEvent::submitter);
            if pressed.is_some_and(|button| button.has_attribute("name")) {
                return; // the browser handles the other buttons of the form
            }
            if sent.get_untracked().is_some() {
                event.prevent_default(); // an upload is in progress
                return;
            }
            let files = files(&form);
            if files.is_empty() {
                return; // the page says what is missing
            }
            event.prevent_default();
            if let Some((name, _)) = files.iter().find(|(_, size)| *size > MAX_FILE_BYTES) {
                said.set(format(words.photo_too_large, &[name]));
                return;
            }
            sent.set(Some(0));
            said.set(words.photos_sending.to_owned());
            if post(&form, said, sent, words).is_err() {
                sent.set(None);
                said.set(words.photos_lost.to_owned());
            }
        });
    }

    /// The names and sizes of the selected files.
    fn files(form: &HtmlFormElement) -> Vec<(String, f64)> {
        let inputs = super::super::browser::all(form, "input[type=file]");
        let lists = inputs.iter().filter_map(|input| input.dyn_ref::<HtmlInputElement>()?.files());
        lists
            .flat_map(|list| (0..list.length()).filter_map(move |index| list.get(index)))
            .map(|file| (file.name(), file.size()))
            .collect()
    }

    fn post(
        form: &HtmlFormElement,
        said: RwSignal<String>,
        sent: RwSignal<Option<u32>>,
        words: &'static Live,
    ) -> Result<(), JsValue> {
        let request = XmlHttpRequest::new()?;
        request.open_with_async("POST", &form.action(), true)?;
        request.set_request_header("Accept", "application/json")?;
        let progress = Closure::<dyn FnMut(ProgressEvent)>::new(move |event: ProgressEvent| {
            if event.length_computable() {
                sent.set(Some(percent(event.loaded(), event.total())));
            }
        });
        request.upload()?.set_onprogress(Some(progress.as_ref().unchecked_ref()));
        progress.forget();
        let answered = request.clone();
        let ended = Closure::<dyn FnMut()>::new(move || {
            // Any other response is another page, or none.
            let next = answered.status().is_ok_and(|status| status == 204);
            let next = next.then(|| answered.get_response_header("Content-Location").ok().flatten()).flatten();
            if let Some(next) = next {
                let _ = window().location().replace(&next);
            } else {
                sent.set(None);
                said.set(words.photos_lost.to_owned());
            }
        });
        request.set_onloadend(Some(ended.as_ref().unchecked_ref()));
        ended.forget();
        request.send_with_opt_form_data(Some(&FormData::new_with_form(form)?))
    }

    /// In whole numbers: formatting fractions takes 8 kB of WebAssembly.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    fn percent(loaded: f64, total: f64) -> u32 {
        (loaded / total * 100.0).clamp(0.0, 100.0) as u32
    }
}
