//! The page as islands see it: rows, steppers, the connection.

use crate::{
    amounts::estimate::{OutboundShipping, Pick, Terms, outcome},
    forms::choice::{Choice, quantity_for_estimate},
    islands::markup::{ALL_UNITS, TEMPLATE_KEY},
    words::Live,
};
use domain::policy::Resolution;
use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*};
use std::{rc::Rc, time::Duration};
use ui::{money, text::format};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, NodeList};

/// A screen reader announces a total once it has been stable for this long.
const SAY_AFTER: Duration = Duration::from_millis(500);

/// With more selected rows, the rows do not show what each resolution would give: it would take too long.
const OUTCOMES_UP_TO: usize = 30;

/// Runs after every change in the page, and once at the start, because browsers restore what was typed.
pub(super) fn on_change(work: impl Fn() + 'static) {
    let work = Rc::new(work);
    let (typed, changed) = (Rc::clone(&work), Rc::clone(&work));
    let _ = window_event_listener(ev::input, move |_| typed());
    let _ = window_event_listener(ev::change, move |_| changed());
    request_animation_frame(move || work());
}

/// All elements within another that match a selector.
pub(super) fn all(within: &Element, selector: &str) -> Vec<Element> {
    within.query_selector_all(selector).map(elements).unwrap_or_default()
}

fn elements(list: NodeList) -> Vec<Element> {
    (0..list.length()).filter_map(|index| list.get(index)?.dyn_into().ok()).collect()
}

/// The first element within another that matches a selector.
pub(super) fn first(within: &Element, selector: &str) -> Option<Element> {
    within.query_selector(selector).ok().flatten()
}

/// The form of the page of purchases.
pub(super) fn form() -> Option<Element> {
    document().get_element_by_id("choose")
}

pub(super) fn text(element: &Element) -> String {
    element.text_content().unwrap_or_default()
}

/// The value of a field of any kind.
pub(super) fn value(field: &Element) -> String {
    if let Some(field) = field.dyn_ref::<HtmlInputElement>() {
        field.value()
    } else if let Some(field) = field.dyn_ref::<HtmlSelectElement>() {
        field.value()
    } else {
        field.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value).unwrap_or_default()
    }
}

/// A returnable row, as it is in the page.
pub(super) struct PageRow {
    pub element: Element,
    pub key: String,
    pub name: String,
    pub left: u32,
}

impl PageRow {
    /// The selected rows.
    pub(super) fn chosen(form: &Element) -> Vec<Self> {
        all(form, ".item-head > .tick:checked").iter().filter_map(Self::of).collect()
    }

    fn of(tick: &Element) -> Option<Self> {
        let element = tick.closest(".item").ok()??;
        let name = first(&element, ".item-name").map(|name| text(&name)).unwrap_or_default();
        let left = number(&element, "data-left").try_into().ok()?;
        Some(Self { key: tick.id(), element, name, left })
    }

    fn field(&self, name: &str) -> String {
        let named = format!("[name=\"{}.{name}\"]", self.key);
        // Of radio buttons, the checked one.
        let field = first(&self.element, &format!("{named}:not([type=radio]), {named}:checked"));
        field.map(|field| value(&field)).unwrap_or_default()
    }

    /// The selected reason; may be empty.
    pub(super) fn reason(&self) -> String {
        self.field("reason")
    }

    /// The element around the field of the reason.
    pub(super) fn reason_field(&self) -> Option<Element> {
        let field = first(&self.element, &format!("[name=\"{}.reason\"]", self.key))?;
        field.closest(".choices, .field").ok().flatten()
    }

    /// The fields of the row.
    pub(super) fn choice(&self) -> Choice {
        Choice {
            chosen: true,
            asked: true,
            quantity: self.field("quantity"),
            reason: self.reason(),
            comment: self.field("comment"),
            resolution: self.field("resolution"),
            exchange_for: self.field("exchange"),
            ..Choice::default()
        }
    }

    /// The name of the replacement in the form.
    fn replacement(&self) -> String {
        let option = format!("[name=\"{}.exchange\"] option:checked", self.key);
        first(&self.element, &option).map(|option| text(&option)).unwrap_or_default()
    }

    /// The row for the estimate. `unasked` is the resolution if the form does not ask for one.
    fn pick(&self, unasked: Resolution) -> Option<Pick> {
        let choice = self.choice();
        Some(Pick {
            name: self.name.clone(),
            quantity: quantity_for_estimate(&choice.quantity, self.left)?,
            unit_price: number(&self.element, "data-price"),
            weight: number(&self.element, "data-weight").try_into().unwrap_or(0),
            dearer: number(&self.element, "data-dearer").try_into().unwrap_or(0),
            resolution: Resolution::from_name(&choice.resolution).unwrap_or(unasked),
            reason: choice.reason,
            replacement: if choice.exchange_for.is_empty() { String::new() } else { self.replacement() },
            outbound: OutboundShipping {
                order: number(&self.element, "data-order"),
                units: number(&self.element, "data-units"),
                amount: number(&self.element, "data-outbound"),
            },
        })
    }
}

fn number(element: &Element, attribute: &str) -> i64 {
    element.get_attribute(attribute).and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The selected rows for the estimate. A row without a valid quantity is left out.
pub(super) fn picks(unasked: Resolution) -> Vec<Pick> {
    form().map(|form| PageRow::chosen(&form).iter().filter_map(|row| row.pick(unasked)).collect()).unwrap_or_default()
}

/// Shows beside each resolution what it would give.
pub(super) fn show_outcomes(terms: &Terms, words: &Live) {
    let Some(form) = form() else { return };
    let rows = PageRow::chosen(&form);
    let picks = picks(terms.wanted);
    let is_short = picks.len() <= OUTCOMES_UP_TO;
    let mut places = 0..;
    for row in &rows {
        // A row without a valid quantity is not among the picks.
        let index = row.pick(terms.wanted).and_then(|_| places.next()).filter(|_| is_short);
        for span in all(&row.element, "[data-outcome]") {
            let wanted = span.get_attribute("data-outcome").and_then(|name| Resolution::from_name(&name));
            let gives = index.zip(wanted).and_then(|(index, wanted)| outcome(terms, &picks, index, wanted, words));
            let gives = gives.unwrap_or_default();
            if text(&span) != gives {
                span.set_text_content(Some(&gives));
            }
        }
    }
}

pub(super) fn hide(element: &Element, hidden: bool) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        element.set_hidden(hidden);
    }
}

/// Adds the questions to selected rows in a long list. The page has them once, as a template.
pub(super) fn ask_about_chosen(words: &'static Live) {
    on_change(move || {
        let Some(form) = form() else { return };
        let Some(template) = first(&form, "#questions") else { return };
        for row in PageRow::chosen(&form).iter().filter(|row| first(&row.element, ".item-ask").is_none()) {
            let html = template.inner_html().replace(TEMPLATE_KEY, &row.key);
            let _ = row.element.insert_adjacent_html("beforeend", &html);
            if let Some(field) = first(&row.element, "[data-stepper] input") {
                let left = row.left.to_string();
                let _ = field.set_attribute("max", &left);
                if row.element.has_attribute(ALL_UNITS) {
                    let _ = field.set_attribute("value", &left);
                }
            }
            if let Some(hint) = first(&row.element, ".stepper-row > .hint") {
                hint.set_text_content(Some(&format(words.of, &[&money::count(row.left, words)])));
            }
            if let Some(field) = first(&row.element, ".field:has([data-stepper])").filter(|_| row.left == 1) {
                hide(&field, true);
            }
        }
    });
}

/// Buttons that change the quantity by one, within the limits.
pub(super) fn step_quantities() {
    let _ = window_event_listener(ev::click, |event| {
        let Some(button) = target(&event).and_then(|target| target.closest("[data-step]").ok().flatten()) else {
            return;
        };
        let Some(field) = stepper_field(&button) else { return };
        let max = field.max().parse::<i64>().unwrap_or(i64::MAX);
        let now = field.value().trim().parse::<i64>().unwrap_or(0);
        field.set_value(&now.saturating_add(number(&button, "data-step")).clamp(1, max).to_string());
        dispatch_input(&field);
    });
    on_change(|| {
        let Some(form) = form() else { return };
        for button in all(&form, ".item:has(.tick:checked) [data-step]") {
            let Some(field) = stepper_field(&button) else { continue };
            let now = field.value().trim().parse::<i64>().unwrap_or(0);
            let end = if number(&button, "data-step") < 0 {
                now <= 1
            } else {
                field.max().parse().is_ok_and(|max: i64| now >= max)
            };
            let _ = button.toggle_attribute_with_force("disabled", end);
        }
    });
}

fn stepper_field(button: &Element) -> Option<HtmlInputElement> {
    first(&button.closest("[data-stepper]").ok()??, "input")?.dyn_into().ok()
}

/// Dispatches the event of typing.
pub(super) fn dispatch_input(field: &Element) {
    let init = web_sys::EventInit::new();
    init.set_bubbles(true);
    if let Ok(event) = web_sys::Event::new_with_event_init_dict("input", &init) {
        let _ = field.dispatch_event(&event);
    }
}

/// Whether a form has this id. Its property `id` is a field, if the form has one of that name.
pub(super) fn has_id(form: &Element, id: &str) -> bool {
    form.get_attribute("id").is_some_and(|own| own == id)
}

/// The target of an event.
pub(super) fn target(event: &web_sys::Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Moves the focus to the list of mistakes.
pub(super) fn focus_alert() {
    request_animation_frame(|| {
        if let Some(alert) = document().query_selector(".alert").ok().flatten() {
            focus(&alert);
        }
    });
}

/// Moves the focus to an element.
pub(super) fn focus(element: &Element) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Marks the page while the browser is offline.
pub(super) fn show_offline() {
    let tell = |offline| {
        if let Some(root) = document().document_element() {
            let _ = root.toggle_attribute_with_force("data-offline", offline);
        }
    };
    let _ = window_event_listener(ev::offline, move |_| tell(true));
    let _ = window_event_listener(ev::online, move |_| tell(false));
}

/// Announces the total once it is stable, but not before its first change.
pub(super) fn announce_total(said: RwSignal<String>, words: &'static Live) {
    let last = StoredValue::new(total(words));
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    on_change(move || {
        if let Some(handle) = waiting.get_value() {
            handle.clear();
        }
        let tell = move || {
            let now = total(words);
            if now != last.get_value() {
                last.set_value(now.clone());
                said.set(now);
            }
        };
        waiting.set_value(set_timeout_with_handle(tell, SAY_AFTER).ok());
    });
}

/// The total as the bar shows it, even if the bar is not visible.
fn total(words: &Live) -> String {
    let Some(body) = document().body() else { return String::new() };
    let picked = first(&body, "[data-pick]:checked").and_then(|pick| pick.get_attribute("data-pick"));
    let of_way = picked.map(|way| format!("[data-way=\"{way}\"]")).unwrap_or_default();
    let bar = first(&body, &format!(".bar-sum:not(.without-script){of_way}"));
    let part = |class| first(bar.as_ref()?, class);
    match (part(".bar-label"), part(".bar-figure")) {
        (Some(label), Some(figure)) => {
            let also = bar.iter().flat_map(|bar| all(bar, ".bar-also"));
            let figures: Vec<String> = std::iter::once(figure).chain(also).map(|part| text(&part)).collect();
            format(words.estimate_is, &[&text(&label), &figures.join(" ")])
        }
        _ => String::new(),
    }
}
