//! Forms as the browser has them.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlFormElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, UrlSearchParams};

pub fn by_id<T: JsCast>(id: &str) -> Option<T> {
    document().get_element_by_id(id).and_then(|element| element.dyn_into().ok())
}

/// The names and values of a form's fields.
pub fn fields(form: &HtmlFormElement) -> Vec<(String, String)> {
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

/// The body that a form sends.
pub fn encoded(form: &HtmlFormElement) -> String {
    let Ok(pairs) = UrlSearchParams::new() else { return String::new() };
    for (name, value) in fields(form) {
        pairs.append(&name, &value);
    }
    String::from(pairs.to_string())
}

/// Whether somebody has typed into the page's content what is not sent yet.
pub fn is_page_touched() -> bool {
    let Ok(found) = document().query_selector_all("main input:not([type=hidden]), main textarea") else { return false };
    let is_touched = |index: u32| {
        let element = found.get(index)?;
        if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
            return Some(field.value() != field.default_value() || field.checked() != field.default_checked());
        }
        element
            .dyn_ref::<HtmlTextAreaElement>()
            .map(|field| field.default_value().is_ok_and(|stored| field.value() != stored))
    };
    (0..found.length()).filter_map(is_touched).any(|is_touched| is_touched)
}
