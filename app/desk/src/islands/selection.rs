//! Says how many rows of a list are ticked.

use leptos::prelude::*;
use ui::text::format;

/// Counts the boxes with `data-tick`. The box with `data-tick-all` ticks them all. `text`: "{0} selected".
#[island]
pub fn Selection(text: String) -> impl IntoView {
    let count = RwSignal::new(0_usize);
    #[cfg(feature = "hydrate")]
    browser::listen(count);
    let said = move || if count.get() == 0 { String::new() } else { format(&text, &[&count.get().to_string()]) };
    view! { <span class="selected" role="status">{said}</span> }
}

#[cfg(feature = "hydrate")]
mod browser {
    use leptos::{ev, leptos_dom::helpers::window_event_listener, prelude::*};
    use wasm_bindgen::JsCast;
    use web_sys::HtmlInputElement;

    fn ticks() -> Vec<HtmlInputElement> {
        let Ok(found) = document().query_selector_all("input[data-tick]") else { return Vec::new() };
        (0..found.length()).filter_map(|index| found.get(index)?.dyn_into().ok()).collect()
    }

    /// Counts now, because browsers restore ticks, and after each change.
    pub(super) fn listen(count: RwSignal<usize>) {
        let recount = move || count.set(ticks().iter().filter(|tick| tick.checked()).count());
        let _ = window_event_listener(ev::change, move |event| {
            let changed = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if let Some(all) = changed.filter(|input| input.has_attribute("data-tick-all")) {
                for tick in ticks() {
                    tick.set_checked(all.checked());
                }
            }
            recount();
        });
        request_animation_frame(recount);
    }
}
