//! Validates before anything is sent, and keeps forms from being sent twice.

use crate::{
    forms::choice::ChoiceField,
    islands::browser::{PageRow, all, first, focus, form, has_id, target, value},
    words::Live,
};
use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*};
use std::time::Duration;
use ui::{components::icons, text::format};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// A response that has not arrived by then may never arrive.
const RELEASE_AFTER: Duration = Duration::from_secs(15);

/// Validates the form of purchases before it is sent, and keeps every form from being sent twice.
pub(super) fn on_submit(words: &'static Live) {
    let _ = window_event_listener(ev::submit, move |event| {
        let button = event.submitter().and_then(|button| button.dyn_into::<Element>().ok());
        if button.as_ref().is_some_and(|button| button.has_attribute("aria-disabled")) {
            return event.prevent_default();
        }
        let is_choosing = target(&event).is_some_and(|form| has_id(&form, "choose"));
        let goes_on = button.as_ref().is_none_or(|button| button.get_attribute("value").as_deref() == Some("on"));
        if is_choosing && goes_on && !is_valid(words) {
            return event.prevent_default();
        }
        if let Some(button) = button.filter(|button| button.class_list().contains("button")) {
            disable(button, words);
        }
    });
    // A page that returns from the browser's cache can be sent again.
    let _ = window_event_listener(ev::pageshow, |event| {
        if event.persisted() {
            let _ = window().location().reload();
        }
    });
    // A field that is edited counts as correct until the next submission.
    let _ = window_event_listener(ev::input, move |event| {
        if let Some(field) = target(&event).and_then(|field| field.closest("[aria-invalid]").ok().flatten()) {
            clear(&field, words);
        }
        let Some(form) = form() else { return };
        if first(&form, "[aria-invalid]").is_none() {
            for alert in all(&form, ".alert") {
                remove_alert(&alert, words);
            }
        }
    });
}

/// In forms that only the server validates, removes a mistake once its field is valid. It runs on input, not on blur: a page that
/// shifts on blur would move the button that is being clicked.
pub(super) fn on_correction(words: &'static Live) {
    let _ = window_event_listener(ev::input, move |event| {
        let Some(field) = target(&event) else { return };
        let is_answered = !field.has_attribute("required") || !value(&field).trim().is_empty();
        if is_answered && field.matches(":valid").unwrap_or(false) {
            clear(&field, words);
        }
    });
}

/// Disables a button while its response is on its way, but not forever: the response may never come.
fn disable(button: Element, words: &Live) {
    let before = button.text_content();
    let _ = button.set_attribute("aria-disabled", "true");
    button.set_text_content(Some(words.sending));
    let release = move || {
        let _ = button.remove_attribute("aria-disabled");
        button.set_text_content(before.as_deref());
    };
    set_timeout(release, RELEASE_AFTER);
}

fn clear(field: &Element, words: &Live) {
    let _ = field.remove_attribute("aria-invalid");
    if let Some(around) = field.closest(".has-error").ok().flatten() {
        let _ = around.class_list().remove_1("has-error");
        for error in all(&around, ".error") {
            error.remove();
        }
        remove_from_list(&around, words);
    }
}

/// Removes corrected fields from the list of mistakes, and the list with the last one.
fn remove_from_list(around: &Element, words: &Live) {
    let Some(body) = document().body() else { return };
    for link in all(&body, ".alert li > a") {
        let href = link.get_attribute("href").unwrap_or_default();
        let id = href.trim_start_matches('#');
        if around.id() != id && first(around, &format!("[id=\"{id}\"]")).is_none() {
            continue;
        }
        let alert = link.closest(".alert").ok().flatten();
        if let Some(item) = link.parent_element() {
            item.remove();
        }
        if let Some(alert) = alert.filter(|alert| first(alert, "li").is_none()) {
            remove_alert(&alert, words);
        }
    }
}

/// Removes the list of mistakes, and its prefix from the title.
fn remove_alert(alert: &Element, words: &Live) {
    alert.remove();
    if let Some(title) = document().title().strip_prefix(words.error_prefix) {
        document().set_title(title);
    }
}

/// Whether the selection is valid. Otherwise shows the mistakes and moves the focus there.
fn is_valid(words: &'static Live) -> bool {
    let Some(form) = form() else { return true };
    for old in all(&form, ".alert, .error") {
        old.remove();
    }
    let chosen = PageRow::chosen(&form);
    let mut items = Vec::new();
    if chosen.is_empty() {
        let tick = first(&form, ".item:not([hidden]) .tick").map(|tick| tick.id()).unwrap_or_default();
        items.push((tick, words.nothing_chosen.to_owned()));
    }
    for row in &chosen {
        for mistake in row.choice().mistakes(row.left) {
            let sentence = mistake.sentence(row.left, words);
            let id = format!("{}-{}", row.key, suffix(mistake.field()));
            let field = first(&row.element, &format!("[id=\"{id}\"]"));
            if let Some(field) = &field {
                mark(field, &id, &sentence, words);
            }
            let id = if field.is_some() { id } else { row.key.clone() };
            items.push((id, format(words.about_row, &[&row.name, &sentence])));
        }
    }
    if items.is_empty() {
        return true;
    }
    show(&form, &items, words);
    false
}

fn suffix(field: ChoiceField) -> &'static str {
    match field {
        ChoiceField::Quantity => "qty",
        ChoiceField::Reason => "why",
        ChoiceField::Comment => "note",
        ChoiceField::Resolution => "what",
        ChoiceField::ExchangeFor => "swap",
        ChoiceField::Row => "row",
    }
}

/// Shows a mistake below the label of its field, as the server does.
fn mark(field: &Element, id: &str, sentence: &str, words: &Live) {
    let Some(around) = field.closest(".field, .choices").ok().flatten() else { return };
    // Of radio buttons, the group is invalid.
    let wrong = if around.class_list().contains("choices") { &around } else { field };
    let _ = wrong.set_attribute("aria-invalid", "true");
    let described = wrong.get_attribute("aria-describedby").unwrap_or_default();
    let error = format!("{id}-error");
    if !described.contains(&error) {
        let _ = wrong.set_attribute("aria-describedby", format!("{described} {error}").trim());
    }
    let _ = around.class_list().add_1("has-error");
    if let Some(folded) = field.closest("details").ok().flatten() {
        let _ = folded.set_attribute("open", "");
    }
    let html = format!(
        "<p class=\"error\" id=\"{error}\">{}<span><span class=\"visually-hidden\">{}</span>{}</span></p>",
        alert_icon(),
        escape(words.error_prefix),
        escape(sentence)
    );
    if let Some(label) = first(&around, "legend, label") {
        let _ = label.insert_adjacent_html("afterend", &html);
    }
}

/// Lists the mistakes at the top and moves the focus there.
fn show(form: &Element, items: &[(String, String)], words: &Live) {
    let links: Vec<String> =
        items.iter().map(|(id, text)| format!("<li><a href=\"#{}\">{}</a></li>", escape(id), escape(text))).collect();
    let items = links.concat();
    let html = format!(
        "<div class=\"alert\" role=\"alert\" tabindex=\"-1\" aria-labelledby=\"alert-title\">\
         {}<h2 id=\"alert-title\">{}</h2><ul>{items}</ul></div>",
        alert_icon(),
        escape(words.problem_title)
    );
    if let Some(head) = first(form, ".head") {
        let _ = head.insert_adjacent_html("beforebegin", &html);
    }
    if let Some(alert) = first(form, ".alert") {
        focus(&alert);
    }
    let title = document().title();
    if !title.starts_with(words.error_prefix) {
        document().set_title(&format!("{}{title}", words.error_prefix));
    }
}

fn alert_icon() -> String {
    format!(
        "<svg class=\"icon\" viewBox=\"0 0 24 24\" width=\"24\" height=\"24\" aria-hidden=\"true\">{}</svg>",
        icons::ALERT
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
