//! Searches a long list. Results keep their order; selected rows have a section of their own.

use crate::{
    islands::{
        browser::{all, dispatch_input, first, focus, form, hide, text, value},
        search::{SearchCounts, matches},
    },
    words::Live,
};
use ui::text::format;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

/// Shows the rows that match the search. If the search has changed, selected rows move to a section of their own first, so that
/// rows do not move while they are being selected.
pub(super) fn filter(before: &str, words: &Live) -> Option<(String, SearchCounts)> {
    let form = form()?;
    let query = first(&form, "#q").map(|field| value(&field)).unwrap_or_default();
    let only = first(&form, "#only:checked").is_some();
    if query.trim() != before.trim() {
        move_selected(&form, !query.trim().is_empty());
    }
    let mut found = SearchCounts { shown: 0, total: 0, returnable: 0, chosen: 0 };
    for section in all(&form, ".order:not(#selected)") {
        let mut any = false;
        for row in all(&section, ".item") {
            let called: Vec<String> = all(&row, ".item-name, .item-meta > :not(.item-left)").iter().map(text).collect();
            let shows = matches(&called.join(" "), &query) && (tick(&row).is_some() || !only);
            hide(&row, !shows);
            found.shown += usize::from(shows);
            count(&row, &mut found);
            any |= shows;
        }
        hide(&section, !any);
    }
    if let Some(selected) = first(&form, "#selected") {
        let rows = all(&selected, ".item");
        for row in &rows {
            hide(row, false);
            count(row, &mut found);
        }
        let ticked = rows.iter().filter(|row| is_ticked(row)).count();
        if let Some(title) = first(&selected, "h2") {
            title.set_text_content(Some(&format(words.selected, &[&ticked.to_string()])));
        }
        hide(&selected, rows.is_empty());
    }
    Some((query, found))
}

fn tick(row: &Element) -> Option<HtmlInputElement> {
    first(row, ".tick")?.dyn_into().ok()
}

fn is_ticked(row: &Element) -> bool {
    tick(row).is_some_and(|tick| tick.checked())
}

fn count(row: &Element, found: &mut SearchCounts) {
    found.total += 1;
    found.returnable += usize::from(tick(row).is_some());
    found.chosen += usize::from(is_ticked(row));
}

/// Moves selected rows to their own section, and the others back to their orders.
fn move_selected(form: &Element, searching: bool) {
    let Some(list) = first(form, "#selected > .items") else { return };
    for row in all(&list, ".item").iter().filter(|row| !searching || !is_ticked(row)) {
        move_back(form, row);
    }
    if !searching {
        return;
    }
    for section in all(form, ".order:not(#selected)") {
        let home = section.get_attribute("aria-labelledby").unwrap_or_default();
        for row in all(&section, ".item").iter().filter(|row| is_ticked(row)) {
            let _ = row.set_attribute("data-home", &home);
            let _ = list.append_child(row);
        }
    }
}

/// Moves a row back to its place in its order. Rows are numbered throughout the page.
fn move_back(form: &Element, row: &Element) {
    let home = row.get_attribute("data-home").unwrap_or_default();
    let Some(list) = first(form, &format!("[aria-labelledby=\"{home}\"] > .items")) else { return };
    let rows = all(&list, ".item");
    let next = rows.iter().find(|other| number(other) > number(row));
    let _ = list.insert_before(row, next.map(AsRef::as_ref));
}

fn number(row: &Element) -> u32 {
    let digits: String = row.id().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(u32::MAX)
}

/// Clears the search.
pub(super) fn show_everything() {
    let Some(form) = form() else { return };
    let field = |selector| first(&form, selector).and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
    if let Some(tick) = field("#only") {
        tick.set_checked(false);
    }
    if let Some(search) = field("#q") {
        search.set_value("");
        dispatch_input(&search);
        focus(&search);
    }
}
