//! What somebody typed into a form, when the form comes back on a new page.

use super::storage::{here, keep, of_tab, take};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, UrlSearchParams};

/// Where it waits for the page.
const TYPED: &str = "retour-typed";

#[derive(Serialize, Deserialize)]
struct Typed {
    /// The page of the form.
    page: String,
    /// Where the form leads.
    action: String,
    /// Its fields, encoded.
    body: String,
}

/// Keeps the fields of a form for the next time that this tab shows the page.
pub fn keep_typed(page: &str, action: &str, body: &str) {
    if let Some(storage) = of_tab() {
        let typed = Typed { page: page.to_owned(), action: action.to_owned(), body: body.to_owned() };
        keep(&storage, TYPED, &typed);
    }
}

/// Fills the form in again, if this is its page.
pub fn restore_typed() {
    let Some(typed) = of_tab().and_then(|storage| take::<Typed>(&storage, TYPED)) else { return };
    let Some(form) = (typed.page == here()).then(|| form_to(&typed.action)).flatten() else { return };
    let Ok(body) = UrlSearchParams::new_with_str(&typed.body) else { return };
    let elements = form.elements();
    for element in (0..elements.length()).filter_map(|index| elements.item(index)) {
        fill(&element, &body);
    }
}

/// The form that leads to this address, by its own or by one of its buttons.
fn form_to(action: &str) -> Option<HtmlFormElement> {
    let leads_there = |element: &Element| {
        ["action", "formaction"].iter().any(|name| element.get_attribute(name).as_deref() == Some(action))
    };
    let found = document().query_selector_all("main form, main [formaction]").ok()?;
    let mut elements = (0..found.length()).filter_map(|index| found.get(index)?.dyn_into::<Element>().ok());
    elements.find(leads_there)?.closest("form").ok().flatten()?.dyn_into().ok()
}

fn fill(element: &Element, body: &UrlSearchParams) {
    let is_filled = if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
        let value = body.get(&field.name());
        match field.type_().as_str() {
            "hidden" | "file" | "submit" | "button" => return,
            "checkbox" | "radio" => {
                let has = value.is_some_and(|_| body.get_all(&field.name()).includes(&field.value().into(), 0));
                field.set_checked(has);
                has
            }
            _ => value.is_some_and(|value| {
                field.set_value(&value);
                !value.is_empty()
            }),
        }
    } else if let Some(field) = element.dyn_ref::<HtmlTextAreaElement>() {
        body.get(&field.name()).is_some_and(|value| {
            field.set_value(&value);
            !value.is_empty()
        })
    } else if let Some(field) = element.dyn_ref::<HtmlSelectElement>() {
        body.get(&field.name()).is_some_and(|value| {
            field.set_value(&value);
            false
        })
    } else {
        false
    };
    if is_filled && let Ok(Some(details)) = element.closest("details") {
        let _ = details.set_attribute("open", "");
    }
}
