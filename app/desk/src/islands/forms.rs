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

/// Whether a number of units is typed into a form of the scan page.
pub fn has_counts(form: &HtmlFormElement) -> bool {
    let is_count = |(name, value): &(String, String)| name.starts_with("units-") && !matches!(value.trim(), "" | "0");
    fields(form).iter().any(is_count)
}

/// Whether something is counted on the scan page, and nothing of the parcel's form needs a look. The server checks all of it again.
pub fn is_plain(form: &HtmlFormElement) -> bool {
    let fields = fields(form);
    let number = |name: &str| {
        let text = fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.trim());
        if text.is_empty() { Some(0) } else { text.parse::<u32>().ok() }
    };
    let has_reason =
        |place: &str| fields.iter().any(|(name, value)| *name == format!("why-{place}") && !value.trim().is_empty());
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
