//! A return beside the list: the space bar shows the row that the keys have moved to, and a click on the icon of a row shows that row. An
//! open pane follows the keys.

use leptos::prelude::*;

/// Shows the page of a row beside the list. `label`, `open`, `close` and `failed`: its texts. Without scripting, the row's link opens the
/// page.
#[island]
pub fn Pane(label: String, open: String, close: String, failed: String) -> impl IntoView {
    // The address of the page, and whether it could not be shown.
    let href = RwSignal::new(String::new());
    let has_failed = RwSignal::new(false);
    // The address that was asked for last: an earlier page may arrive later.
    let asked = RwSignal::new(String::new());
    #[cfg(feature = "hydrate")]
    browser::listen(browser::Shown { href, has_failed, asked });
    let is_shut = move || href.get().is_empty();
    let hide = move |_| {
        #[cfg(feature = "hydrate")]
        browser::back_to_row(&href.get_untracked());
        asked.set(String::new());
        href.set(String::new());
    };
    view! {
        <aside class="pane" id="pane" aria-label=label tabindex="-1" hidden=is_shut>
            <div class="pane-head">
                <button type="button" class="button button-second" data-press="Escape" disabled=is_shut on:click=hide>{close}</button>
                <a class="button button-second" href=move || href.get()>{open}</a>
            </div>
            <p role="status">{move || has_failed.get().then(|| failed.clone())}</p>
            <div id="pane-content"></div>
        </aside>
    }
}

#[cfg(feature = "hydrate")]
mod browser {
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*, task::spawn_local};
    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{DomParser, Element, HtmlElement, KeyboardEvent, MouseEvent, Response, SupportedType};

    /// Where the space bar has a meaning of its own.
    const OWN_SPACE: &str = "input, textarea, select, button, summary, dialog, [contenteditable]";
    /// The link of the row that the keys have moved to.
    const ROW_LINK: &str = "[data-current] a";
    /// The link of a row that the mouse opens beside the list.
    const PEEK_LINK: &str = "a[data-peek]";

    /// The path of the sign-in.
    const SIGN_IN: &str = "/sign-in?";

    #[derive(Clone, Copy)]
    pub(super) struct Shown {
        pub href: RwSignal<String>,
        pub has_failed: RwSignal<bool>,
        pub asked: RwSignal<String>,
    }

    pub(super) fn listen(shown: Shown) {
        let _ = window_event_listener(ev::keydown, move |event: KeyboardEvent| {
            let is_plain = !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key());
            let keys_are_on = first("[data-keys=on]").is_some();
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let has_own = target.is_some_and(|element| element.closest(OWN_SPACE).ok().flatten().is_some());
            if event.key() != " " || !is_plain || !keys_are_on || has_own {
                return;
            }
            let Some(address) = current_row() else { return };
            event.prevent_default();
            show_with_focus(shown, address);
        });
        let _ = window_event_listener(ev::click, move |event: MouseEvent| {
            // With a modifier, a browser opens the link in another tab or window.
            if event.ctrl_key() || event.shift_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let link = target.and_then(|element| element.closest(PEEK_LINK).ok().flatten());
            let Some(address) = link.and_then(|link| link.get_attribute("href")) else { return };
            event.prevent_default();
            show_with_focus(shown, address);
        });
        let _ = window_event_listener(ev::focusin, move |event| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let is_in_row = target.is_some_and(|element| element.closest("[data-current]").ok().flatten().is_some());
            let is_open = shown.href.with_untracked(|href| !href.is_empty());
            let other = current_row().filter(|address| shown.asked.with_untracked(|asked| asked != address));
            if let Some(address) = other.filter(|_| is_in_row && is_open) {
                spawn_local(async move {
                    let _ = show(shown, address).await;
                });
            }
        });
    }

    /// Shows a page, then moves the focus to it.
    fn show_with_focus(shown: Shown, address: String) {
        spawn_local(async move {
            if show(shown, address).await
                && let Some(pane) = first("#pane")
            {
                request_animation_frame(move || drop(pane.focus()));
            }
        });
    }

    fn current_row() -> Option<String> {
        first(ROW_LINK)?.get_attribute("href")
    }

    /// Shows a page, unless another one was asked for before it arrived.
    async fn show(shown: Shown, address: String) -> bool {
        shown.asked.set(address.clone());
        let content = page_content(&address).await;
        if shown.asked.with_untracked(|asked| *asked != address) {
            return false;
        }
        shown.has_failed.set(content.is_err());
        if let Some(place) = first("#pane-content") {
            place.set_inner_html(&content.unwrap_or_default());
        }
        shown.href.set(address);
        true
    }

    /// Moves the focus to the row that the keys have moved to, or else to the row that is shown.
    pub(super) fn back_to_row(address: &str) {
        let shown = address.replace('\\', "\\\\").replace('"', "\\\"");
        let shown = move || first(&format!("[data-row] a[href=\"{shown}\"]"));
        if let Some(link) = first(ROW_LINK).or_else(shown) {
            let _ = link.focus();
        }
    }

    fn first(selector: &str) -> Option<HtmlElement> {
        document().query_selector(selector).ok().flatten()?.dyn_into().ok()
    }

    /// The content of a page of the desk. Its forms lead to the page itself.
    async fn page_content(address: &str) -> Result<String, JsValue> {
        let response: Response = JsFuture::from(window().fetch_with_str(address)).await?.dyn_into()?;
        if response.redirected() && response.url().contains(SIGN_IN) {
            // The session has ended. The whole page leads to the sign-in, and from there back to this list.
            window().location().reload()?;
        }
        if !response.ok() || response.redirected() {
            return Err(JsValue::NULL);
        }
        let text = JsFuture::from(response.text()?).await?.as_string().unwrap_or_default();
        let page = DomParser::new()?.parse_from_string(&text, SupportedType::TextHtml)?;
        page.query_selector("main")?.map(|main| main.inner_html()).ok_or(JsValue::NULL)
    }
}
