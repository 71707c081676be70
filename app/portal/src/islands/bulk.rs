//! Rows that are selected at once or share a reason, and the selected row in sight.

use crate::{
    islands::{
        browser::{PageRow, all, dispatch_input, first, focus, form, on_change, target, value},
        markup::ALL_UNITS,
    },
    words::Live,
};
use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*};
use ui::text::format;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, ScrollIntoViewOptions, ScrollLogicalPosition};

const TICKS: &str = ".item-head > .tick";

fn ticks(form: &Element) -> Vec<HtmlInputElement> {
    all(form, TICKS).into_iter().filter_map(|tick| tick.dyn_into().ok()).collect()
}

/// Whether all rows are selected, and whether a search hides some.
pub(super) fn chosen() -> Option<(bool, bool)> {
    let form = form()?;
    let is_searching = first(&form, "#q").is_some_and(|field| !value(&field).trim().is_empty());
    Some((ticks(&form).iter().all(HtmlInputElement::checked), is_searching))
}

/// Selects all rows with all their units, or none. Rows that are selected already keep their quantity.
pub(super) fn choose_all(chosen: bool) {
    let Some(form) = form() else { return };
    let ticks = ticks(&form);
    for tick in &ticks {
        if chosen && !tick.checked() {
            take_all_units(tick);
        }
        tick.set_checked(chosen);
    }
    if let Some(tick) = ticks.first() {
        dispatch_input(tick);
    }
}

/// The questions of a long list are added later and read the mark.
fn take_all_units(tick: &HtmlInputElement) {
    let Some(row) = tick.closest(".item").ok().flatten() else { return };
    let _ = row.set_attribute(ALL_UNITS, "");
    let field = first(&row, "[data-stepper] input").and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
    if let Some(field) = field {
        field.set_value(&field.max());
    }
}

/// Offers the first selected reason for all rows without one.
pub(super) fn offer_same_reason(words: &'static Live) {
    on_change(move || {
        let Some(form) = form() else { return };
        let Some(button) = first(&form, "[data-same-reason]") else { return };
        let rows = PageRow::chosen(&form);
        let place = rows.iter().find(|row| !row.reason().is_empty()).and_then(PageRow::reason_field);
        let place = place.filter(|_| rows.iter().any(|row| row.reason().is_empty()));
        let _ = button.toggle_attribute_with_force("hidden", place.is_none());
        if let Some(place) = place {
            button.set_text_content(Some(&format(words.same_reason, &[&rows.len().to_string()])));
            if button.parent_element().as_ref() != Some(&place) {
                let _ = place.append_child(&button);
            }
        }
    });
    let _ = window_event_listener(ev::click, |event| {
        let pressed = target(&event).and_then(|target| target.closest("[data-same-reason]").ok().flatten());
        if pressed.is_some() {
            give_same_reason();
        }
    });
}

fn give_same_reason() {
    let Some(form) = form() else { return };
    let rows = PageRow::chosen(&form);
    let Some(given) = rows.iter().find(|row| !row.reason().is_empty()) else { return };
    let reason = given.reason();
    for row in rows.iter().filter(|row| row.reason().is_empty()) {
        for field in all(&row.element, &format!("[name=\"{}.reason\"]", row.key)) {
            if let Some(list) = field.dyn_ref::<HtmlSelectElement>() {
                list.set_value(&reason);
                dispatch_input(&field);
            } else if let Some(chip) = field.dyn_ref::<HtmlInputElement>().filter(|chip| chip.value() == reason) {
                chip.set_checked(true);
                dispatch_input(&field);
            }
        }
    }
    // The button is gone now, and the focus must not be lost with it.
    let field = given.reason_field();
    if let Some(field) = field.and_then(|field| first(&field, "input:checked, select")) {
        focus(&field);
    }
}

/// Scrolls the questions of a selected row into view. On a phone they may open below the bar.
pub(super) fn bring_into_sight() {
    let _ = window_event_listener(ev::change, |event| {
        let Some(tick) = target(&event).and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) else { return };
        if !tick.checked() || !tick.matches(TICKS).unwrap_or(false) {
            return;
        }
        // Waits for the questions of a long list.
        request_animation_frame(move || {
            let row = tick.closest(".item").ok().flatten();
            let Some(row) = row else { return };
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            row.scroll_into_view_with_scroll_into_view_options(&options);
        });
    });
}
